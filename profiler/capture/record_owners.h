#pragma once

/// Finds the action and the run's device of a GPU record. Internal to profiler/capture.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "profiler/capture/action_id.h"
#include "profiler/capture/kernel_records.h"

namespace stagelane::capture::detail {

/// CUDA's number of the GPU of a device or partition (`cuda:1`, `cuda:1/2of4`), else kNoNumber.
[[nodiscard]] std::uint32_t gpuOf(std::string_view device);

class RecordOwners {
 public:
  RecordOwners(const KernelRecords& records, const std::vector<std::string>& devices);

  /// The action of a correlation; empty if there is none or more than one.
  [[nodiscard]] ActionTag actionOf(std::uint32_t correlation) const;
  /// Device indices of the run, or -1.
  [[nodiscard]] std::int32_t deviceOf(const DeviceWork& work) const;
  /// By its action, else by other actions of its thread.
  [[nodiscard]] std::int32_t deviceOf(const HostWork& work) const;
  /// The run's device of a GPU; -1 if there is none or more than one.
  [[nodiscard]] std::int32_t onlyDeviceOf(std::uint32_t gpu) const;

 private:
  [[nodiscard]] bool isOn(std::int32_t device, std::uint32_t gpu) const;
  void learnThreads(const KernelRecords& records);
  void learnContexts(const KernelRecords& records);

  std::vector<std::uint32_t> m_gpus;  ///< by device of the run
  std::unordered_map<std::uint32_t, ActionTag> m_actions;
  std::unordered_map<std::uint32_t, std::uint32_t> m_threads;  ///< by correlation, from calls
  std::unordered_map<std::uint32_t, std::int32_t> m_ofThread;
  std::unordered_map<std::uint32_t, std::int32_t> m_ofContext;  ///< green contexts
};

}  // namespace stagelane::capture::detail
