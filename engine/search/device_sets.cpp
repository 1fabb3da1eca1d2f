#include "engine/search/device_sets.h"

#include <algorithm>
#include <numeric>

namespace stagelane::search {
namespace {

constexpr std::size_t kEverySet = 4;

std::vector<std::vector<int>> everySet(std::size_t devices) {
  std::vector<std::vector<int>> sets;
  for (unsigned members = 1; members + 1 < (1U << devices); ++members) {
    std::vector<int> set;
    for (std::size_t device = 0; device < devices; ++device) {
      if ((members >> device & 1U) != 0) set.push_back(static_cast<int>(device));
    }
    sets.push_back(std::move(set));
  }
  return sets;
}

std::vector<std::vector<int>> fastestSets(const DeviceTimes& times) {
  std::vector<double> total;
  for (const std::vector<double>& device : times) {
    total.push_back(std::accumulate(device.begin(), device.end(), 0.0));
  }
  std::vector<int> bySpeed(times.size());
  std::iota(bySpeed.begin(), bySpeed.end(), 0);
  std::stable_sort(bySpeed.begin(), bySpeed.end(), [&](int one, int other) {
    return total[static_cast<std::size_t>(one)] < total[static_cast<std::size_t>(other)];
  });
  std::vector<std::vector<int>> sets;
  for (std::ptrdiff_t count = 1; count < static_cast<std::ptrdiff_t>(bySpeed.size()); ++count) {
    std::vector<int> set(bySpeed.begin(), bySpeed.begin() + count);
    std::sort(set.begin(), set.end());
    sets.push_back(std::move(set));
  }
  return sets;
}

}  // namespace

Result<DeviceTimes> deviceTimes(const plan::Experiment& experiment,
                                predict::BlockCostSource& source, std::int64_t samples) {
  const bool trains = experiment.task == plan::Task::Train;
  DeviceTimes times;
  for (const plan::DeviceSpec& device : experiment.devices) {
    STAGELANE_TRY(blocks, source.blocks({device.id, 0}, samples));
    std::vector<double> own;
    for (const predict::BlockTimes& block : **blocks) {
      own.push_back(block.forward + (trains ? block.backward : 0.0));
    }
    times.push_back(std::move(own));
  }
  return times;
}

std::vector<std::vector<int>> deviceSets(const DeviceTimes& times) {
  return times.size() <= kEverySet ? everySet(times.size()) : fastestSets(times);
}

}  // namespace stagelane::search
