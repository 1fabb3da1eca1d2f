#include <algorithm>
#include <set>

#include "engine/plan/detail/reading.h"

namespace stagelane::plan::detail {
namespace {

constexpr std::size_t kMostBaselines = 5;

bool onlyCpuWorkers(const Experiment& experiment) {
  return std::all_of(experiment.devices.begin(), experiment.devices.end(),
                     [](const DeviceSpec& device) {
                       const auto parsed = parseDevice(device.id);
                       return parsed && parsed->kind == DeviceKind::CpuWorker;
                     });
}

bool anyIncluded(const Experiment& experiment) {
  return std::any_of(experiment.variants.begin(), experiment.variants.end(),
                     [](const Variant& variant) { return variant.include; });
}

Variant onFirstDevice(const Experiment& experiment) {
  Variant variant;
  variant.strategy = Strategy::Single;
  variant.schedule = "single";
  variant.splitSize = experiment.data.batchSize;
  variant.stages = {{0, experiment.model->blocks.size() - 1, experiment.devices.front().id}};
  variant.placement = placementOf(
      *experiment.model, deviceOfEachBlock(variant.stages, experiment.model->blocks.size()));
  variant.implicit = true;
  variant.include = anyIncluded(experiment);
  return variant;
}

/// Split sizes that a single device of the file is run with already.
std::set<std::int64_t> runAnyway(const Experiment& experiment) {
  std::set<std::int64_t> splits;
  for (const Variant& variant : experiment.variants) {
    const bool same = variant.strategy == Strategy::Single && variant.include &&
                      variant.stages.front().device == experiment.devices.front().id;
    if (same) splits.insert(variant.splitSize);
  }
  return splits;
}

/// Split sizes of the baselines: those that the variants use, and the powers of two that divide the
/// batch and lie between the smallest and the largest of them; of more than five, five evenly
/// spaced ones with the ends. Where nothing is split: a half, a quarter and an eighth of the batch,
/// where they are whole.
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
    if (checkBatchNorm(experiment, split, "") &&
        (batch % split == 0 || checkBatchNorm(experiment, batch % split, ""))) {
      sorted.push_back(split);
    }
  }
  if (sorted.size() <= kMostBaselines) return sorted;
  std::vector<std::int64_t> answer;
  for (std::size_t i = 0; i < kMostBaselines; ++i) {
    answer.push_back(sorted[i * (sorted.size() - 1) / (kMostBaselines - 1)]);
  }
  return answer;
}

}  // namespace

void addImplicitVariants(Experiment& experiment) {
  std::vector<Variant> added;
  const int allThreads =
      static_cast<int>(experiment.devices.size()) * experiment.threadsPerCpuWorker;
  if (onlyCpuWorkers(experiment) && experiment.devices.size() > 1) {
    Variant variant = onFirstDevice(experiment);
    variant.id = variant.name = "single-all-cores";
    variant.name = "single, all cores";
    variant.threads = allThreads;
    added.push_back(std::move(variant));
  }
  if (experiment.baselineSweep) {
    for (const std::int64_t split : baselineSplits(experiment)) {
      Variant variant = onFirstDevice(experiment);
      variant.id = "baseline-mb" + std::to_string(split);
      variant.name = "single, micro-batch " + std::to_string(split);
      variant.splitSize = split;
      if (split < experiment.data.batchSize) variant.schedule = "1f1b";
      added.push_back(std::move(variant));
    }
  }
  for (Variant& variant : added) variant.tab = variant.name;
  auto& variants = experiment.variants;
  auto place = std::find_if(variants.begin(), variants.end(), [](const Variant& variant) {
    return variant.strategy == Strategy::Single;
  });
  if (place != variants.end()) ++place;
  variants.insert(place, std::make_move_iterator(added.begin()),
                  std::make_move_iterator(added.end()));
}

}  // namespace stagelane::plan::detail
