#pragma once

/// What a plan will cost, as far as is known without running it: the simulated step, its idle
/// causes per device, peaks, bound and speed-up. Immutable once made; pure functions make it, on
/// any thread. Knows nothing of the window.

#include <QString>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/goes_on.h"
#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"
#include "engine/predict/peak_bounds.h"
#include "engine/predict/simulator.h"
#include "engine/schedule/lowering.h"
#include "engine/trace/trace.h"
#include "profiler/analysis/idle.h"

namespace stagelane::ui {

/// One device of a predicted plan.
struct PredictedDevice {
  DeviceId id;
  int row = -1;  ///< row of the schedule; -1 when the plan does not use it
  TimeNs busyNs = 0;
  Bytes peakBytes = 0;
  predict::PeakBounds peakBounds;    ///< what the plan itself says of it
  std::optional<Bytes> budgetBytes;  ///< `max_memory` of the experiment
  [[nodiscard]] bool overBudget() const { return budgetBytes && peakBytes > *budgetBytes; }
};

struct PlanPrediction {
  std::string variantId;
  std::string order;  ///< of `auto`: as `plan::Variant::order`
  predict::Basis basis = predict::Basis::Estimate;
  std::vector<std::int64_t> microBatches;  ///< their sizes
  schedule::LoweredSchedule schedule;
  predict::PlanCosts costs;
  predict::Simulation simulation;
  trace::TracePtr trace;                 ///< one step; devices by row
  analysis::StepBreakdown breakdown;     ///< devices by row
  std::vector<PredictedDevice> devices;  ///< in the experiment's order, unused ones included
  TimeNs stepNs = 0;
  predict::Bound bound;
  TimeNs lowerBoundNs = 0;  ///< no cut and no order on the plan's devices is faster
  TimeNs simulatorNs = 0;   ///< what the simulation itself took
  TimeNs baseStepNs = 0;    ///< by `plan::speedupBase`; 0: there is none
  std::string baseName;     ///< with its device where devices differ
  int usedDevices = 0;
  bool devicesAlike = true;  ///< the used ones: of one kind and speed

  [[nodiscard]] double speedup() const;       ///< 0 when there is no base
  [[nodiscard]] double boundSpeedup() const;  ///< 0 when there is no base
  /// The most that these devices allow: their number where they are alike, else what the lower
  /// bound of the step leaves. 0 where that says nothing: one device, or more than it is gained.
  [[nodiscard]] double mostSpeedup() const;
  [[nodiscard]] const PredictedDevice* device(const DeviceId& id) const;
  /// Why the plan cannot run although its schedule is sound (over budget); empty when it can.
  [[nodiscard]] QString impediment() const;
};
using PlanPredictionPtr = std::shared_ptr<const PlanPrediction>;

/// What predictions are made from. The table must outlive the call; without one, estimates. A
/// what-if changes the costs of the plan, never its order. Where `goesOn` says no, an order that is
/// searched for is the best so far.
struct PredictionBasis {
  const predict::CostTable* costs = nullptr;
  predict::WhatIf whatIf;
  GoesOn goesOn = {};
};

/// @thread any; pure. @errors Invalid: the schedule does not suit the stages, or deadlocks, or the
/// table lacks a block
[[nodiscard]] Result<PlanPredictionPtr> predictPlan(const plan::Experiment& experiment,
                                                    const plan::Variant& variant,
                                                    const PredictionBasis& basis = {});

/// By the table where it suffices, else estimated: for where something has to be shown. Null costs
/// are estimates. @errors as predictPlan without a table
[[nodiscard]] Result<PlanPredictionPtr> predictWithWhatIsKnown(const plan::Experiment& experiment,
                                                               const plan::Variant& variant,
                                                               const predict::CostTable* costs,
                                                               const GoesOn& goesOn = {});

/// Only the step time and whether the plan fits: where many plans are compared.
struct StepPrediction {
  TimeNs stepNs = 0;
  bool overBudget = false;
};
[[nodiscard]] Result<StepPrediction> predictStep(const plan::Experiment& experiment,
                                                 const plan::Variant& variant,
                                                 const PredictionBasis& basis = {});

/// The same by the table where it suffices, else estimated.
[[nodiscard]] Result<StepPrediction> predictStepWithWhatIsKnown(const plan::Experiment& experiment,
                                                                const plan::Variant& variant,
                                                                const predict::CostTable* costs,
                                                                const GoesOn& goesOn = {});

}  // namespace stagelane::ui
