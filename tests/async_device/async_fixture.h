#pragma once

/// What the tests of the asynchronous device share.

#include <ATen/core/Tensor.h>
#include <ATen/ops/full.h>
#include <c10/core/Event.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <thread>

#include "tests/support/async_device/async_device.h"
#include "tests/support/async_device/faults.h"

namespace stagelane::async_device::test {

using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class AsyncDevice : public testing::Test {
 protected:
  void SetUp() override { reset(); }
  void TearDown() override { reset(); }
};

inline at::Device device(int index = 0) {
  return {at::kPrivateUse1, static_cast<c10::DeviceIndex>(index)};
}
inline c10::impl::VirtualGuardImpl guard() { return {at::kPrivateUse1}; }
/// A stream of its own.
inline c10::Stream newStream(int index = 0) { return guard().getNewStream(device(index)); }

/// An event with a time.
inline c10::Event newEvent() { return {at::kPrivateUse1, c10::EventFlag::BACKEND_DEFAULT}; }

/// A tensor of equal values that all streams may use: the host has waited for it.
inline at::Tensor filled(double value, int index = 0, std::int64_t size = 1000) {
  at::Tensor tensor = at::full({size}, value, at::TensorOptions(device(index)));
  guard().synchronizeDevice(static_cast<c10::DeviceIndex>(index));
  return tensor;
}

inline bool sameBits(const at::Tensor& a, const at::Tensor& b) {
  const at::Tensor x = a.detach().cpu().contiguous();
  const at::Tensor y = b.detach().cpu().contiguous();
  return x.sizes() == y.sizes() && x.scalar_type() == y.scalar_type() &&
         std::memcmp(x.const_data_ptr(), y.const_data_ptr(), x.nbytes()) == 0;
}

/// Waits until a task of the device is held by stallOperator or stallComputeTask.
inline void waitUntilStalled(int index = 0) {
  while (!isStalled(index)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace stagelane::async_device::test
