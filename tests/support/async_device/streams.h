#pragma once

/// The current device and streams of each thread, and waiting for streams, as c10 sees them.

#include <c10/core/Device.h>
#include <c10/core/Stream.h>

#include "tests/support/async_device/device_errors.h"

namespace stagelane::async_device {

[[nodiscard]] c10::Device deviceAt(int index);
[[nodiscard]] int currentDevice();
/// Throws for a device that does not exist.
void setCurrentDevice(int index);
/// Without an index: of the current device.
[[nodiscard]] c10::Stream currentStream(c10::Device device);
/// Makes `stream` the current one of its device; returns the previous one.
c10::Stream exchangeStream(const c10::Stream& stream);
/// The next of the device's 32 streams, in turn.
[[nodiscard]] c10::Stream streamFromPool(int device);

/// Blocks until everything that is queued has ended; throws the device's error.
void synchronize(const c10::Stream& stream);
void synchronizeDevice(int device);
/// Whether everything that is queued has ended; throws the device's error.
[[nodiscard]] bool isIdle(const c10::Stream& stream);
/// Lets `waiting` wait for what is queued on `before`.
void orderStreams(const c10::Stream& before, const c10::Stream& waiting);

}  // namespace stagelane::async_device
