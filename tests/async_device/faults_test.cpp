// Faults on order, and errors that stay.

#include <ATen/ops/embedding.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>

#include "tests/async_device/async_fixture.h"

namespace stagelane::async_device::test {
namespace {

/// A row that the table does not have.
void failOn(int index) {
  const at::Tensor table = at::ones({3, 2}).to(device(index));
  const at::Tensor row = at::full({2}, 7, at::kLong).to(device(index));
  static_cast<void>(at::embedding(table, row));
}

TEST_F(AsyncDevice, AnErrorOfAKernelStaysUntilItIsCleared) {
  failOn(0);
  const c10::Stream stream = guard().getStream(device());
  EXPECT_THROW(guard().synchronizeStream(stream), c10::Error);
  EXPECT_THROW(guard().synchronizeDevice(0), c10::Error) << "still there";
  c10::Event event = newEvent();
  event.record(stream);
  EXPECT_THROW(event.synchronize(), c10::Error);
  EXPECT_THROW(static_cast<void>(event.query()), c10::Error);
  EXPECT_NO_THROW(guard().synchronizeDevice(1)) << "another device works";
  EXPECT_TRUE(clearError());
  EXPECT_FALSE(clearError());
  EXPECT_NO_THROW(guard().synchronizeDevice(0));
}

TEST_F(AsyncDevice, AnErrorNamesTheOperator) {
  failOn(2);
  try {
    guard().synchronizeDevice(2);
    FAIL() << "no error";
  } catch (const c10::Error& error) {
    EXPECT_THAT(error.what_without_backtrace(), HasSubstr("async device 2: aten::embedding: "));
  }
}

TEST_F(AsyncDevice, ACopyFailsOnOrder) {
  const at::Tensor x = filled(1);
  failCopy(1);
  EXPECT_NO_THROW(static_cast<void>(x.to(at::kCPU))) << "ordered from another device";
  failCopy(0);
  EXPECT_THROW(static_cast<void>(x.to(at::kCPU)), c10::Error);
  EXPECT_TRUE(clearError());
  EXPECT_NO_THROW(static_cast<void>(x.to(at::kCPU))) << "one copy only";
}

TEST_F(AsyncDevice, AKernelNeverEndsUntilItIsReleased) {
  const at::Tensor x = filled(1);
  stallComputeTask(0, 3);
  const at::Tensor y = x.neg().abs();
  guard().synchronizeDevice(0);
  EXPECT_FALSE(isStalled(0)) << "the third one waits";
  const at::Tensor z = y.mul(2);
  waitUntilStalled();
  EXPECT_FALSE(guard().queryStream(guard().getStream(device())));
  EXPECT_FALSE(isStalled(1));
  release(0);
  EXPECT_EQ(z.sum().item<double>(), 2000.0);
}

TEST_F(AsyncDevice, ResetEndsAStallAndForgetsOrders) {
  const at::Tensor x = filled(1);
  stallOperator(0, "aten::neg");
  failCopy(0);
  failAllocation(0, 1000);
  static_cast<void>(x.neg());
  waitUntilStalled();
  reset();
  EXPECT_FALSE(isStalled(0));
  EXPECT_EQ(x.neg().sum().item<double>(), -1000.0);
}

TEST_F(AsyncDevice, AnAllocationFailsOnOrder) {
  const auto allocate = [](int index) {
    static_cast<void>(at::empty({10}, at::TensorOptions(device(index))));
  };
  failAllocation(0, 2);
  EXPECT_NO_THROW(allocate(1));
  EXPECT_NO_THROW(allocate(0));
  EXPECT_THROW(allocate(0), c10::OutOfMemoryError);
  EXPECT_NO_THROW(allocate(0));
  failAllocation(0);
  EXPECT_THROW(allocate(0), c10::OutOfMemoryError);
}

}  // namespace
}  // namespace stagelane::async_device::test
