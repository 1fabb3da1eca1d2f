#include "engine/predict/prediction.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <unordered_map>

#include "engine/base/text.h"
#include "engine/plan/baselines.h"
#include "engine/plan/best_device.h"
#include "engine/plan/rows.h"
#include "engine/predict/step_simulator.h"
#include "engine/predict/variant_schedule.h"

namespace stagelane::predict {
namespace {

double ratio(TimeNs base, TimeNs stepNs) {
  return base > 0 && stepNs > 0 ? static_cast<double>(base) / static_cast<double>(stepNs) : 0.0;
}

std::vector<PredictedDevice> devicesOf(const plan::Experiment& experiment,
                                       const std::vector<DeviceId>& rows, const PlayedPlan& plan) {
  const std::vector<PeakBounds> bounds = peakBounds(plan.schedule, plan.costs);
  std::unordered_map<std::string_view, std::size_t> rowOf;
  for (std::size_t row = 0; row < rows.size(); ++row) rowOf.try_emplace(rows[row].value, row);
  std::vector<PredictedDevice> devices;
  for (const plan::DeviceSpec& spec : experiment.devices) {
    PredictedDevice device;
    device.id = spec.id;
    device.budgetBytes = spec.maxMemory;
    const auto row = rowOf.find(spec.id.value);
    if (row != rowOf.end()) {
      const std::size_t index = row->second;
      device.row = static_cast<int>(index);
      device.busyNs = plan.simulation.busyNs[index];
      device.peakBytes = plan.simulation.peakBytes[index];
      device.peakBounds = bounds[index];
    }
    devices.push_back(device);
  }
  return devices;
}

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

double batchesPerStep(const plan::Variant& variant) {
  return plan::strategyRow(variant.strategy).asynchronous
             ? static_cast<double>(variant.hogwild.processes)
             : 1.0;
}

std::string describe(const OverBudget& over) {
  return "does not fit: needs " + humanBytes(over.needs) + ", has " + humanBytes(over.has) + " (" +
         over.device.value + ")";
}

std::optional<OverBudget> overBudget(const plan::Experiment& experiment,
                                     const std::vector<DeviceId>& rows,
                                     const std::vector<Bytes>& peaks) {
  std::unordered_map<std::string_view, std::optional<Bytes>> limits;
  for (const plan::DeviceSpec& device : experiment.devices) {
    limits.try_emplace(device.id.value, device.maxMemory);
  }
  std::optional<OverBudget> most;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto listed = limits.find(rows[row].value);
    const std::optional<Bytes> has =
        listed == limits.end() ? std::optional<Bytes>() : listed->second;
    const Bytes lacks = excessOf(peaks[row], has);
    if (lacks > (most ? most->needs - most->has : 0)) most = {rows[row], peaks[row], *has};
  }
  return most;
}

double gapOf(TimeNs stepNs, TimeNs lowerBoundNs) {
  return lowerBoundNs > 0 ? static_cast<double>(stepNs) / static_cast<double>(lowerBoundNs) - 1.0
                          : 0.0;
}

bool isBetter(const StepPrediction& one, const StepPrediction& other) {
  return one.excess != other.excess ? one.excess < other.excess : one.stepNs < other.stepNs;
}

Result<StepPrediction> playStep(const plan::Experiment& experiment, const plan::Variant& variant,
                                const schedule::LoweredSchedule& lowered, const PlanCosts& costs) {
  StepSimulator simulator;
  STAGELANE_TRY(played, simulator.play(lowered, costs));
  const auto over = overBudget(experiment, plan::rowsOf(variant), (*played)->peakBytes);
  return StepPrediction{(*played)->stepNs, over ? over->needs - over->has : 0, costs.basis};
}

Result<StepPrediction> predictStep(const plan::Experiment& experiment, const plan::Variant& variant,
                                   const CostTable* table, const WhatIf& whatIf) {
  STAGELANE_TRY(lowered, lowerVariant(experiment, variant));
  STAGELANE_TRY(costs, planCosts(experiment, variant, table, whatIf));
  return playStep(experiment, variant, *lowered, *costs);
}

Result<PlayedPlan> playPlan(const plan::Experiment& experiment, const plan::Variant& variant,
                            const CostTable* table, const WhatIf& whatIf) {
  STAGELANE_TRY(lowered, lowerVariant(experiment, variant));
  STAGELANE_TRY(costs, planCosts(experiment, variant, table, whatIf));
  const auto begin = std::chrono::steady_clock::now();
  auto simulation = simulate(*lowered, *costs);
  const auto took = std::chrono::steady_clock::now() - begin;
  STAGELANE_CHECK(simulation);
  return PlayedPlan{std::move(*lowered), std::move(*costs), std::move(*simulation),
                    std::chrono::duration_cast<std::chrono::nanoseconds>(took).count()};
}

Result<PlayedPlan> expectedPlan(const plan::Experiment& experiment, const plan::Variant& variant,
                                const CostTable* table) {
  return costsOrEstimates(
      table, [&](const CostTable* costs) { return playPlan(experiment, variant, costs); });
}

double Prediction::speedup() const { return batchesPerStep * ratio(baseStepNs, stepNs); }

double Prediction::boundSpeedup() const { return batchesPerStep * ratio(baseStepNs, bound.stepNs); }

double Prediction::mostSpeedup() const {
  const double most = devicesAlike ? usedDevices : ratio(baseStepNs, lowerBoundNs);
  return usedDevices > 1 && speedup() <= most ? most : 0.0;
}

const PredictedDevice* Prediction::device(const DeviceId& id) const {
  const auto found = std::find_if(devices.begin(), devices.end(),
                                  [&](const PredictedDevice& device) { return device.id == id; });
  return found == devices.end() ? nullptr : &*found;
}

Result<Prediction> predictPlan(const plan::Experiment& experiment, const plan::Variant& variant,
                               const CostTable* table, const WhatIf& whatIf) {
  STAGELANE_TRY(played, playPlan(experiment, variant, table, whatIf));
  const std::vector<DeviceId> rows = plan::rowsOf(variant);
  Prediction prediction;
  static_cast<PlayedPlan&>(prediction) = std::move(*played);
  prediction.variantId = variant.id;
  prediction.order = variant.order;
  prediction.basis = prediction.costs.basis;
  prediction.microBatches = plan::microBatchSizes(experiment.data.batchSize, variant.splitSize);
  prediction.trace = toTrace(prediction.schedule, prediction.simulation, rows, prediction.costs);
  prediction.devices = devicesOf(experiment, rows, prediction);
  prediction.over = overBudget(experiment, rows, prediction.simulation.peakBytes);
  prediction.usedDevices = static_cast<int>(rows.size());
  prediction.devicesAlike = plan::equallyFast(experiment, rows);
  prediction.stepNs = prediction.simulation.stepNs;
  prediction.batchesPerStep = batchesPerStep(variant);
  if (const auto bound = predict::bound(prediction.schedule, prediction.costs)) {
    prediction.bound = *bound;
  }
  if (const auto cut = cutBound(experiment, variant, table, whatIf)) {
    // Stage costs are whole nanoseconds, so rounding may put the cut bound slightly above.
    prediction.lowerBoundNs = std::min(*cut, prediction.bound.stepNs);
  }
  BaseStep base = baseStepOf(experiment, table, whatIf);
  prediction.baseStepNs = base.stepNs;
  prediction.baseName = std::move(base.name);
  return prediction;
}

}  // namespace stagelane::predict
