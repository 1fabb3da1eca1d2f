#pragma once

/// Errors of tasks. As CUDA's they stay: every wait on the device throws until they are cleared.

#include <string>

namespace stagelane::async_device {

constexpr int kDevices = 4;

/// Keeps the device's first error. @thread any
void keepError(int device, const std::string& error);
/// Throws c10::Error if the device has an error.
void throwError(int device);
/// Forgets the errors of all devices. Returns whether there was one.
bool clearError();

}  // namespace stagelane::async_device
