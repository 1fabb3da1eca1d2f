#pragma once

/// Faults that tests order from a device: a kernel that never ends, a copy that fails, memory that
/// runs out. reset() of async_device.h withdraws all of them.

#include <cstdint>
#include <string>

namespace stagelane::async_device {

struct Task;

/// The next compute task of this operator ("aten::mm"; "aten::add" is also "aten::add_") waits
/// until release().
void stallOperator(int device, const std::string& name);
/// The n-th compute task that begins from now on (1: the next) waits until release().
void stallComputeTask(int device, int n);
/// Whether a task is waiting.
[[nodiscard]] bool isStalled(int device);
/// Lets a waiting task go on and withdraws the order.
void release(int device);

/// The next copy on a stream of the device fails: an error of the device from then on.
void failCopy(int device);
/// Whether copies from one device to another write wrong data, as with wrong IOMMU settings.
void corruptPeerCopies(bool on);
/// The n-th allocation from now on (1: the next) throws c10::OutOfMemoryError.
void failAllocation(int device, int n = 1);

// ---- for the library ----
/// Called in a stream's thread before each task: waits or throws as ordered.
void meetFaults(int device, const Task& task);
/// What corruptPeerCopies() ordered last.
[[nodiscard]] bool peerCopiesAreCorrupt();
/// Whether this allocation is to fail.
[[nodiscard]] bool allocationFails(int device);
void withdrawFaults();

}  // namespace stagelane::async_device
