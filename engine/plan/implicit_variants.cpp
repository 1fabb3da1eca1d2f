#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "engine/plan/baselines.h"
#include "engine/plan/best_device.h"
#include "engine/plan/reading.h"
#include "engine/plan/rows.h"

namespace stagelane::plan::detail {
namespace {

constexpr std::size_t kMostBaselines = 5;

bool onlyCpuWorkers(const Experiment& experiment) {
  return std::all_of(experiment.devices.begin(), experiment.devices.end(),
                     [](const DeviceSpec& device) { return isCpuWorker(device.id); });
}

bool anyIncluded(const Experiment& experiment) {
  return std::any_of(experiment.variants.begin(), experiment.variants.end(),
                     [](const Variant& variant) { return variant.include; });
}

Variant singleOn(const Experiment& experiment, const DeviceId& device) {
  Variant variant;
  variant.strategy = singleStrategy().strategy;
  variant.schedule = singleStrategy().schedule;
  variant.splitSize = experiment.data.batchSize;
  variant.stages = {{0, experiment.model->blocks.size() - 1, device}};
  variant.placement = placementOf(
      *experiment.model, deviceOfEachBlock(variant.stages, experiment.model->blocks.size()));
  variant.implicit = true;
  variant.include = anyIncluded(experiment);
  return variant;
}

/// Split sizes that variants already run on the baselines' device.
std::set<std::int64_t> runAnyway(const Experiment& experiment) {
  std::set<std::int64_t> splits;
  for (const Variant& variant : experiment.variants) {
    const bool same = strategyRow(variant.strategy).baseline == Baseline::First &&
                      variant.include &&
                      variant.stages.front().group.first() ==
                          bestSingleDevice(experiment, variant.splitSize, SingleDevices::Real);
    if (same) splits.insert(variant.splitSize);
  }
  return splits;
}

/// Split sizes that variants of the file request individually, not as a point of a sweep.
std::set<std::int64_t> askedFor(const Experiment& experiment) {
  std::map<std::string, std::set<std::int64_t>> byTab;
  for (const Variant& variant : experiment.variants) {
    if (variant.include) byTab[variant.tab].insert(variant.splitSize);
  }
  std::set<std::int64_t> splits;
  for (const auto& [tab, sizes] : byTab) {
    if (sizes.size() == 1) splits.insert(*sizes.begin());
  }
  return splits;
}

/// At most five of the sizes: requested ones first, then evenly spaced others.
std::vector<std::int64_t> atMostFive(const std::vector<std::int64_t>& sorted,
                                     const std::set<std::int64_t>& first) {
  if (sorted.size() <= kMostBaselines) return sorted;
  std::set<std::int64_t> answer;
  std::vector<std::int64_t> others;
  for (const std::int64_t split : sorted) {
    if (first.count(split) != 0 && answer.size() < kMostBaselines) {
      answer.insert(split);
    } else {
      others.push_back(split);
    }
  }
  const std::size_t room = std::min(kMostBaselines - answer.size(), others.size());
  for (std::size_t i = 0; i < room; ++i) {
    answer.insert(others[room == 1 ? others.size() - 1 : i * (others.size() - 1) / (room - 1)]);
  }
  return {answer.begin(), answer.end()};
}

/// Whether a smaller last batch has as many micro-batches of this size as the others.
bool cutsLastBatch(const Experiment& experiment, std::int64_t split) {
  const std::int64_t batch = experiment.data.batchSize;
  const std::int64_t last = experiment.data.samples % batch;
  return last == 0 || microBatchSizes(last, split).size() == microBatchSizes(batch, split).size();
}

/// Split sizes of the baselines: those used by variants, and the powers of two that divide the
/// batch between the smallest and the largest of them. If there are more than five: those that a
/// variant requests individually, and evenly spaced others. If nothing is split: a half, a quarter
/// and an eighth of the batch, if they are whole.
std::vector<std::int64_t> baselineSplits(const Experiment& experiment) {
  const std::int64_t batch = experiment.data.batchSize;
  std::set<std::int64_t> splits;
  for (const Variant& variant : experiment.variants) {
    if (variant.include) splits.insert(variant.splitSize);
  }
  std::set<std::int64_t> smaller = splits;
  smaller.erase(batch);
  const std::int64_t least =
      smaller.empty() ? std::max<std::int64_t>(1, batch / 8) : *smaller.begin();
  const std::int64_t most = smaller.empty() ? batch / 2 : *smaller.rbegin();
  for (std::int64_t power = 1; power <= most; power *= 2) {
    if (power >= least && batch % power == 0) splits.insert(power);
  }
  splits.insert(batch);
  for (const std::int64_t done : runAnyway(experiment)) splits.erase(done);
  std::vector<std::int64_t> sorted;
  for (const std::int64_t split : splits) {
    if (cutsLastBatch(experiment, split) && checkBatchNorm(experiment, split, "") &&
        (batch % split == 0 || checkBatchNorm(experiment, batch % split, ""))) {
      sorted.push_back(split);
    }
  }
  return atMostFive(sorted, askedFor(experiment));
}

}  // namespace

void addImplicitVariants(Experiment& experiment) {
  std::vector<Variant> added;
  const int allThreads =
      static_cast<int>(experiment.devices.size()) * experiment.threadsPerCpuWorker;
  if (onlyCpuWorkers(experiment) && experiment.devices.size() > 1) {
    Variant variant = singleOn(experiment, experiment.devices.front().id);
    variant.id = kAllCoresId;
    variant.name = kAllCoresName;
    variant.threads = allThreads;
    added.push_back(std::move(variant));
  }
  if (experiment.baselineSweep) {
    for (const std::int64_t split : baselineSplits(experiment)) {
      const DeviceId device = bestSingleDevice(experiment, split, SingleDevices::Real);
      const std::string where = devicesDiffer(experiment) ? " on " + device.value : "";
      Variant variant = singleOn(experiment, device);
      variant.id = baselineId(split);
      variant.name = "single" + where + ", micro-batch " + std::to_string(split);
      variant.splitSize = split;
      if (split < experiment.data.batchSize) variant.schedule = pipelineStrategy().schedule;
      added.push_back(std::move(variant));
    }
  }
  for (Variant& variant : added) variant.tab = variant.name;
  auto& variants = experiment.variants;
  auto place = std::find_if(variants.begin(), variants.end(), [](const Variant& variant) {
    return strategyRow(variant.strategy).oneDevice;
  });
  if (place != variants.end()) ++place;
  variants.insert(place, std::make_move_iterator(added.begin()),
                  std::make_move_iterator(added.end()));
}

}  // namespace stagelane::plan::detail
