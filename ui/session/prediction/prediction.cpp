#include "ui/session/prediction/prediction.h"

#include <algorithm>
#include <chrono>
#include <tuple>

#include "engine/plan/baselines.h"
#include "engine/plan/best_device.h"
#include "engine/plan/rows.h"
#include "engine/predict/variant_schedule.h"
#include "engine/search/variant_order.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

/// The order of an `auto` variant: searched for where it is open, else as it is.
Result<std::string> orderOf(const plan::Experiment& experiment, const plan::Variant& variant,
                            const PredictionBasis& basis) {
  return search::hasOpenOrder(variant)
             ? search::findOrder(experiment, variant, basis.costs, basis.goesOn)
             : variant.order;
}

double ratio(TimeNs base, TimeNs stepNs) {
  return base > 0 && stepNs > 0 ? static_cast<double>(base) / static_cast<double>(stepNs) : 0.0;
}

std::vector<PredictedDevice> devicesOf(const plan::Experiment& experiment,
                                       const std::vector<DeviceId>& rows,
                                       const predict::StepFigures& simulation) {
  std::vector<PredictedDevice> devices;
  for (const plan::DeviceSpec& spec : experiment.devices) {
    PredictedDevice device;
    device.id = spec.id;
    device.budgetBytes = spec.maxMemory;
    const auto row = std::find(rows.begin(), rows.end(), spec.id);
    if (row != rows.end()) {
      const auto index = static_cast<std::size_t>(row - rows.begin());
      device.row = static_cast<int>(index);
      device.busyNs = simulation.busyNs[index];
      device.peakBytes = simulation.peakBytes[index];
    }
    devices.push_back(device);
  }
  return devices;
}

bool areAlike(const plan::Experiment& experiment, const std::vector<DeviceId>& rows) {
  const auto kindOf = [&](const DeviceId& id) {
    const auto spec =
        std::find_if(experiment.devices.begin(), experiment.devices.end(),
                     [&id](const plan::DeviceSpec& device) { return device.id == id; });
    const bool known = spec != experiment.devices.end();
    const auto parsed = plan::parseDevice(known && spec->like ? *spec->like : id);
    return std::make_tuple(parsed ? static_cast<int>(parsed->kind) : -1,
                           parsed ? parsed->partitions : 1, known ? spec->speed : 1.0);
  };
  return std::all_of(rows.begin(), rows.end(),
                     [&](const DeviceId& row) { return kindOf(row) == kindOf(rows.front()); });
}

/// The whole chain on the one device that is fastest with it, undivided.
plan::Variant bestSingle(const plan::Experiment& experiment) {
  const std::int64_t whole = experiment.data.batchSize;
  const DeviceId device = plan::bestSingleDevice(experiment, whole, plan::SingleDevices::Any);
  plan::Variant single;
  single.id = "single";
  single.name = "one device, undivided";
  single.strategy = plan::Strategy::Single;
  single.schedule = "single";
  single.splitSize = whole;
  const std::size_t blocks = experiment.model->blocks.size();
  single.stages = {plan::Stage{0, blocks == 0 ? 0 : blocks - 1, device}};
  return single;
}

bool isSingle(const plan::Variant& variant) { return variant.strategy == plan::Strategy::Single; }

/// Which of the devices it is, where that is a question.
std::string baseNameOf(const plan::Experiment& experiment, const plan::Variant& base) {
  const std::string& device = base.stages.front().device.value;
  const bool said = base.name.find(device) != std::string::npos;
  return isSingle(base) && !said && plan::devicesDiffer(experiment) ? base.name + ", on " + device
                                                                    : base.name;
}

/// The variants that are included; `best` too where a single device is among them, but not that
/// one: it would be no fair base.
std::vector<const plan::Variant*> candidatesOf(const plan::Experiment& experiment,
                                               const plan::Variant& best) {
  std::vector<const plan::Variant*> candidates;
  bool single = false;
  bool onBest = !plan::devicesDiffer(experiment);
  for (const plan::Variant& variant : experiment.variants) {
    if (!variant.include) {
      continue;
    }
    candidates.push_back(&variant);
    single = single || isSingle(variant);
    onBest = onBest ||
             (isSingle(variant) && variant.stages.front().device == best.stages.front().device);
  }
  if (single && !onBest) {
    candidates.push_back(&best);
  }
  return candidates;
}

/// Where no candidate serves as one, the undivided batch on the best device. What does not fit its
/// device is no base: nobody could run it.
void setBase(const plan::Experiment& experiment, const PredictionBasis& basis,
             PlanPrediction& prediction) {
  const auto stepOf = [&](const plan::Variant& variant) {
    const auto step = predictStep(experiment, variant, basis);
    return step && !step->overBudget ? step->stepNs : TimeNs{0};
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
  prediction.baseStepNs = found ? steps[*found] : stepOf(best);
  prediction.baseName = baseNameOf(experiment, base);
}

}  // namespace

double PlanPrediction::speedup() const { return ratio(baseStepNs, stepNs); }

double PlanPrediction::boundSpeedup() const { return ratio(baseStepNs, bound.stepNs); }

double PlanPrediction::mostSpeedup() const {
  const double most = devicesAlike ? usedDevices : ratio(baseStepNs, lowerBoundNs);
  return usedDevices > 1 && speedup() <= most ? most : 0.0;
}

const PredictedDevice* PlanPrediction::device(const DeviceId& id) const {
  const auto found = std::find_if(devices.begin(), devices.end(),
                                  [&](const PredictedDevice& device) { return device.id == id; });
  return found == devices.end() ? nullptr : &*found;
}

QString PlanPrediction::impediment() const {
  for (const PredictedDevice& device : devices) {
    if (device.overBudget()) {
      return QStringLiteral("%1 is over budget: needs %2, has %3")
          .arg(qstring(device.id.value), bytesText(device.peakBytes),
               bytesText(*device.budgetBytes));
    }
  }
  return {};
}

Result<PlanPredictionPtr> predictPlan(const plan::Experiment& experiment,
                                      const plan::Variant& variant, const PredictionBasis& basis) {
  auto order = orderOf(experiment, variant, basis);
  if (!order) {
    return tl::make_unexpected(order.error());
  }
  plan::Variant ordered = variant;
  ordered.order = std::move(*order);
  auto lowered = predict::lowerVariant(experiment, ordered);
  if (!lowered) {
    return tl::make_unexpected(lowered.error());
  }
  auto costs = predict::planCosts(experiment, variant, basis.costs, basis.whatIf);
  if (!costs) {
    return tl::make_unexpected(costs.error());
  }
  const auto begin = std::chrono::steady_clock::now();
  auto simulation = predict::simulate(*lowered, *costs);
  const auto took = std::chrono::steady_clock::now() - begin;
  if (!simulation) {
    return tl::make_unexpected(simulation.error());
  }
  auto prediction = std::make_shared<PlanPrediction>();
  const std::vector<DeviceId> rows = plan::rowsOf(variant);
  prediction->variantId = variant.id;
  prediction->order = std::move(ordered.order);
  prediction->basis = costs->basis;
  prediction->microBatches = plan::microBatchSizes(experiment.data.batchSize, variant.splitSize);
  prediction->trace = predict::toTrace(*lowered, *simulation, rows, *costs);
  const auto steps = analysis::stepsOf(*prediction->trace);
  if (!steps.empty()) {
    prediction->breakdown = analysis::breakDown(*prediction->trace, steps.front());
  }
  prediction->devices = devicesOf(experiment, rows, *simulation);
  const auto bounds = predict::peakBounds(*lowered, *costs);
  for (PredictedDevice& device : prediction->devices) {
    if (device.row >= 0) {
      device.peakBounds = bounds[static_cast<std::size_t>(device.row)];
    }
  }
  prediction->usedDevices = static_cast<int>(rows.size());
  prediction->devicesAlike = areAlike(experiment, rows);
  prediction->stepNs = simulation->stepNs;
  prediction->simulatorNs = std::chrono::duration_cast<std::chrono::nanoseconds>(took).count();
  if (const auto bound = predict::bound(*lowered, *costs)) {
    prediction->bound = *bound;
  }
  if (const auto cut = predict::cutBound(experiment, variant, basis.costs, basis.whatIf)) {
    // Stage costs are whole nanoseconds, so the two may cross by a few.
    prediction->lowerBoundNs = std::min(*cut, prediction->bound.stepNs);
  }
  setBase(experiment, basis, *prediction);
  prediction->schedule = std::move(*lowered);
  prediction->costs = std::move(*costs);
  prediction->simulation = std::move(*simulation);
  return PlanPredictionPtr(std::move(prediction));
}

Result<PlanPredictionPtr> predictWithWhatIsKnown(const plan::Experiment& experiment,
                                                 const plan::Variant& variant,
                                                 const predict::CostTable* costs,
                                                 const GoesOn& goesOn) {
  if (costs != nullptr) {
    if (auto known = predictPlan(experiment, variant, {costs, {}, goesOn})) {
      return known;
    }
  }
  return predictPlan(experiment, variant, {nullptr, {}, goesOn});
}

Result<StepPrediction> predictStep(const plan::Experiment& experiment, const plan::Variant& variant,
                                   const PredictionBasis& basis) {
  const auto lowered = search::lowerVariant(experiment, variant, basis.costs, basis.goesOn);
  if (!lowered) {
    return tl::make_unexpected(lowered.error());
  }
  const auto costs = predict::planCosts(experiment, variant, basis.costs, basis.whatIf);
  if (!costs) {
    return tl::make_unexpected(costs.error());
  }
  predict::StepSimulator simulator;
  const auto played = simulator.play(*lowered, *costs);
  if (!played) {
    return tl::make_unexpected(played.error());
  }
  const predict::StepFigures* simulation = *played;
  StepPrediction prediction;
  prediction.stepNs = simulation->stepNs;
  const auto devices = devicesOf(experiment, plan::rowsOf(variant), *simulation);
  prediction.overBudget = std::any_of(devices.begin(), devices.end(),
                                      [](const auto& device) { return device.overBudget(); });
  return prediction;
}

Result<StepPrediction> predictStepWithWhatIsKnown(const plan::Experiment& experiment,
                                                  const plan::Variant& variant,
                                                  const predict::CostTable* costs,
                                                  const GoesOn& goesOn) {
  if (costs != nullptr) {
    if (auto known = predictStep(experiment, variant, {costs, {}, goesOn})) {
      return known;
    }
  }
  return predictStep(experiment, variant, {nullptr, {}, goesOn});
}

}  // namespace stagelane::ui
