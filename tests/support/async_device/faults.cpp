#include "tests/support/async_device/faults.h"

#include <c10/util/Exception.h>

#include <array>
#include <condition_variable>
#include <mutex>
#include <string_view>

#include "tests/support/async_device/device_errors.h"
#include "tests/support/async_device/task_queue.h"

namespace stagelane::async_device {
namespace {

struct DeviceFaults {
  std::string stallAt;   ///< operator; empty: none
  int tasksToStall = 0;  ///< compute tasks up to the one that waits; 0: none
  int waiting = 0;       ///< tasks that wait
  std::uint64_t releases = 0;
  bool copyFails = false;
  int allocationsToFailure = 0;  ///< 0: none
};

struct Faults {
  std::mutex mutex;  ///< guards all members
  std::condition_variable changed;
  bool peerCopiesAreCorrupt = false;
  std::array<DeviceFaults, kDevices> devices;

  DeviceFaults& of(int device) { return devices.at(static_cast<std::size_t>(device)); }
};

Faults& faults() {
  static auto* const kFaults = new Faults();  // streams outlive static destruction
  return *kFaults;
}

/// LibTorch calls some operators that work in place by the other one's name: "add" for "add_".
std::string_view withoutPlace(std::string_view name) {
  return name.ends_with('_') ? name.substr(0, name.size() - 1) : name;
}

/// Whether an order to wait is for this task; the order is used up by it.
bool takesStall(DeviceFaults& device, const Task& task) {
  if (task.kind != TaskKind::Compute) return false;
  if (!device.stallAt.empty() && withoutPlace(device.stallAt) == withoutPlace(task.name)) {
    device.stallAt.clear();
    return true;
  }
  return device.tasksToStall > 0 && --device.tasksToStall == 0;
}

}  // namespace

void stallOperator(int device, const std::string& name) {
  const std::lock_guard<std::mutex> lock(faults().mutex);
  faults().of(device).stallAt = name;
}

void stallComputeTask(int device, int n) {
  const std::lock_guard<std::mutex> lock(faults().mutex);
  faults().of(device).tasksToStall = n;
}

bool isStalled(int device) {
  const std::lock_guard<std::mutex> lock(faults().mutex);
  return faults().of(device).waiting > 0;
}

void release(int device) {
  {
    const std::lock_guard<std::mutex> lock(faults().mutex);
    DeviceFaults& of = faults().of(device);
    of.stallAt.clear();
    of.tasksToStall = 0;
    ++of.releases;
  }
  faults().changed.notify_all();
}

void failCopy(int device) {
  const std::lock_guard<std::mutex> lock(faults().mutex);
  faults().of(device).copyFails = true;
}

void corruptPeerCopies(bool on) {
  const std::lock_guard<std::mutex> lock(faults().mutex);
  faults().peerCopiesAreCorrupt = on;
}

bool peerCopiesAreCorrupt() {
  const std::lock_guard<std::mutex> lock(faults().mutex);
  return faults().peerCopiesAreCorrupt;
}

void failAllocation(int device, int n) {
  const std::lock_guard<std::mutex> lock(faults().mutex);
  faults().of(device).allocationsToFailure = n;
}

void meetFaults(int device, const Task& task) {
  std::unique_lock<std::mutex> lock(faults().mutex);
  DeviceFaults& of = faults().of(device);
  if (takesStall(of, task)) {
    ++of.waiting;
    faults().changed.wait(lock, [&of, seen = of.releases] { return of.releases != seen; });
    --of.waiting;
  }
  if (task.kind == TaskKind::Copy && of.copyFails) {
    of.copyFails = false;
    TORCH_CHECK(false, "this copy fails on purpose");
  }
}

bool allocationFails(int device) {
  const std::lock_guard<std::mutex> lock(faults().mutex);
  int& left = faults().of(device).allocationsToFailure;
  return left > 0 && --left == 0;
}

void withdrawFaults() {
  for (int device = 0; device < kDevices; ++device) release(device);
  const std::lock_guard<std::mutex> lock(faults().mutex);
  for (DeviceFaults& of : faults().devices) {
    of.copyFails = false;
    of.allocationsToFailure = 0;
  }
  faults().peerCopiesAreCorrupt = false;
}

}  // namespace stagelane::async_device
