#include "engine/predict/base_step.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/plan/baselines.h"
#include "engine/plan/best_device.h"
#include "engine/plan/rows.h"
#include "engine/predict/prediction.h"

namespace stagelane::predict {
namespace {

/// The whole chain, unsplit, on the fastest single device.
plan::Variant bestSingle(const plan::Experiment& experiment) {
  const std::int64_t whole = experiment.data.batchSize;
  const DeviceId device = plan::bestSingleDevice(experiment, whole, plan::SingleDevices::Any);
  plan::Variant single;
  single.id = "single";
  single.name = "one device, undivided";
  single.strategy = plan::singleStrategy().strategy;
  single.schedule = plan::singleStrategy().schedule;
  single.splitSize = whole;
  const std::size_t blocks = experiment.model->blocks.size();
  single.stages = {plan::Stage{0, blocks == 0 ? 0 : blocks - 1, device}};
  return single;
}

bool isSingle(const plan::Variant& variant) {
  return plan::strategyRow(variant.strategy).baseline == plan::Baseline::First;
}

/// Adds the device to the name if devices differ.
std::string baseNameOf(const plan::Experiment& experiment, const plan::Variant& base) {
  const std::string& device = base.stages.front().group.first().value;
  const bool said = base.name.find(device) != std::string::npos;
  return isSingle(base) && !said && plan::devicesDiffer(experiment) ? base.name + ", on " + device
                                                                    : base.name;
}

/// The included variants, plus `best` if they include single devices but not the best one, because
/// another would not be a fair base.
std::vector<const plan::Variant*> candidatesOf(const plan::Experiment& experiment,
                                               const plan::Variant& best) {
  std::vector<const plan::Variant*> candidates;
  bool single = false;
  bool onBest = !plan::devicesDiffer(experiment);
  for (const plan::Variant& variant : experiment.variants) {
    if (!variant.include) continue;
    candidates.push_back(&variant);
    single = single || isSingle(variant);
    onBest =
        onBest || (isSingle(variant) && variant.stages.front().group == best.stages.front().group);
  }
  if (single && !onBest) candidates.push_back(&best);
  return candidates;
}

}  // namespace

/// If no candidate is suitable, the base is the unsplit batch on the best device. A variant that
/// does not fit its device cannot be the base.
BaseStep baseStepOf(const plan::Experiment& experiment, const CostTable* table,
                    const WhatIf& whatIf) {
  const auto stepOf = [&](const plan::Variant& variant) {
    const auto step = predictStep(experiment, variant, table, whatIf);
    return step && step->fits() ? step->stepNs : TimeNs{0};
  };
  const plan::Variant best = bestSingle(experiment);
  const std::vector<const plan::Variant*> variants = candidatesOf(experiment, best);
  std::vector<plan::BaseCandidate> candidates;
  for (const plan::Variant* variant : variants) {
    candidates.push_back({variant->id, plan::word(variant->strategy)});
  }
  std::vector<TimeNs> steps(variants.size(), 0);
  const auto found = plan::speedupBase(candidates, [&](std::size_t index) {
    steps[index] = stepOf(*variants[index]);
    return static_cast<double>(steps[index]);
  });
  const plan::Variant& base = found ? *variants[*found] : best;
  return {found ? steps[*found] : stepOf(best), baseNameOf(experiment, base)};
}

}  // namespace stagelane::predict
