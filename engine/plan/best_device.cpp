#include "engine/plan/best_device.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

#include "engine/plan/block_estimate.h"
#include "engine/plan/imagined.h"
#include "engine/plan/memory_need.h"

namespace stagelane::plan {
namespace {

/// Kind, part of a GPU, and speed.
auto likenessOf(const DeviceSpec& device) {
  const auto parsed = parseDevice(realDevice(device));
  return std::make_tuple(parsed ? static_cast<int>(parsed->kind) : -1,
                         parsed ? parsed->partitions : 1, device.speed);
}

}  // namespace

bool devicesDiffer(const Experiment& experiment) {
  const auto& devices = experiment.devices;
  return std::any_of(devices.begin(), devices.end(), [&](const DeviceSpec& device) {
    return likenessOf(device) != likenessOf(devices.front()) ||
           device.maxMemory != devices.front().maxMemory;
  });
}

bool equallyFast(const Experiment& experiment, const std::vector<DeviceId>& devices) {
  const auto likeness = [&](const DeviceId& id) {
    const DeviceSpec* spec = findDevice(experiment.devices, id);
    return likenessOf(spec == nullptr ? DeviceSpec{.id = id, .maxMemory = {}, .like = {}} : *spec);
  };
  return std::all_of(devices.begin(), devices.end(), [&](const DeviceId& device) {
    return likeness(device) == likeness(devices.front());
  });
}

DeviceId bestSingleDevice(const Experiment& experiment, std::int64_t split, SingleDevices among) {
  DeviceId best = experiment.devices.front().id;
  if (!devicesDiffer(experiment)) return best;
  const auto shapes = experiment.shapesAt(split);
  if (!shapes) return best;
  std::vector<std::size_t> blocks(experiment.model->blocks.size());
  std::iota(blocks.begin(), blocks.end(), std::size_t{0});
  const Bytes need = memoryNeed(experiment, **shapes, blocks, 1).total();
  double least = std::numeric_limits<double>::infinity();
  for (const DeviceSpec& device : experiment.devices) {
    const bool barred = among == SingleDevices::Real && isImagined(device);
    if (barred || (device.maxMemory && need > *device.maxMemory)) continue;
    const auto costs = estimatedCosts(**shapes, device, experiment.threadsPerCpuWorker);
    const double time = std::accumulate(costs.begin(), costs.end(), 0.0);
    if (time < least) {
      best = device.id;
      least = time;
    }
  }
  return best;
}

}  // namespace stagelane::plan
