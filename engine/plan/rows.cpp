#include "engine/plan/rows.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>

namespace stagelane::plan {

namespace {

/// Number of each device, in the order of their first use.
std::unordered_map<std::string_view, int> numbersOf(const std::vector<Stage>& stages) {
  std::unordered_map<std::string_view, int> numbers;
  for (const Stage& stage : stages) {
    for (const DeviceId& device : stage.group)
      numbers.try_emplace(device.value, static_cast<int>(numbers.size()));
  }
  return numbers;
}

}  // namespace

std::vector<DeviceId> rowsOf(const std::vector<Stage>& stages) {
  const auto numbers = numbersOf(stages);
  std::vector<DeviceId> rows(numbers.size());
  for (const auto& [device, row] : numbers) {
    rows[static_cast<std::size_t>(row)] = DeviceId{std::string(device)};
  }
  return rows;
}

std::vector<DeviceId> rowsOf(const Variant& variant) { return rowsOf(variant.stages); }

std::vector<DeviceId> recordedDevices(const Variant& variant) {
  std::vector<DeviceId> rows = rowsOf(variant);
  if (!strategyRow(variant.strategy).asynchronous || rows.size() != 1) return rows;
  std::vector<DeviceId> devices;
  for (std::int64_t process = 0; process < variant.hogwild.processes; ++process) {
    devices.push_back({rows.front().value + "@" + std::to_string(process)});
  }
  return devices;
}

schedule::StageRows stageRowsOf(const std::vector<Stage>& stages) {
  const auto numbers = numbersOf(stages);
  std::vector<std::vector<int>> groups;
  for (const Stage& stage : stages) {
    groups.emplace_back();
    for (const DeviceId& device : stage.group) groups.back().push_back(numbers.at(device.value));
  }
  return schedule::StageRows::ofReplicas(groups);
}

std::int64_t splitOf(const Variant& variant, std::int64_t samples) {
  const auto replicas = static_cast<std::int64_t>(variant.stages.front().group.size());
  if (!strategyRow(variant.strategy).replicates || samples >= variant.splitSize * replicas)
    return variant.splitSize;
  return (samples + replicas - 1) / replicas;
}

std::vector<std::int64_t> microBatchSizes(std::int64_t batch, std::int64_t split) {
  std::vector<std::int64_t> sizes;
  if (split < 1) return sizes;
  for (std::int64_t left = batch; left > 0; left -= split) sizes.push_back(std::min(left, split));
  return sizes;
}

}  // namespace stagelane::plan
