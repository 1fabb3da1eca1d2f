#pragma once

/// What a plan will cost, as far as is known without running it: the one way from a variant with
/// fixed stages and order to its simulated step, for the window, the command line, the engine and
/// the searches. Pure; any thread.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/plan/experiment.h"
#include "engine/predict/peak_bounds.h"
#include "engine/predict/plan_costs.h"
#include "engine/predict/simulator.h"
#include "engine/schedule/lowering.h"
#include "engine/trace/trace.h"

namespace stagelane::predict {

/// A device whose memory does not suffice.
struct OverBudget {
  DeviceId device;
  Bytes needs = 0;
  Bytes has = 0;
};
/// "does not fit: needs 1.2 GiB, has 600 MiB (cpu:0)".
[[nodiscard]] std::string describe(const OverBudget& over);

/// Whether a plan fits: the device that lacks most, of equals the first of the rows; nothing where
/// each has what it needs. `peaks` by row.
[[nodiscard]] std::optional<OverBudget> overBudget(const plan::Experiment& experiment,
                                                   const std::vector<DeviceId>& rows,
                                                   const std::vector<Bytes>& peaks);

/// How far a step is above what it cannot fall below, as a share of that; 0 where that is 0.
[[nodiscard]] double gapOf(TimeNs stepNs, TimeNs lowerBoundNs);

/// Only the step and whether the plan fits: where many plans are compared.
struct StepPrediction {
  TimeNs stepNs = 0;
  Bytes excess = 0;  ///< above a device's memory, the largest; 0: fits
  [[nodiscard]] bool fits() const { return excess == 0; }
};
/// What fits comes first, then what is faster.
[[nodiscard]] bool isBetter(const StepPrediction& one, const StepPrediction& other);

/// @errors as StepSimulator::play
[[nodiscard]] Result<StepPrediction> playStep(const plan::Experiment& experiment,
                                              const plan::Variant& variant,
                                              const schedule::LoweredSchedule& lowered,
                                              const PlanCosts& costs);
/// @errors as lowerVariant, planCosts and StepSimulator::play
[[nodiscard]] Result<StepPrediction> predictStep(const plan::Experiment& experiment,
                                                 const plan::Variant& variant,
                                                 const CostTable* table, const WhatIf& whatIf = {});

/// A plan with its simulated step.
struct PlayedPlan {
  schedule::LoweredSchedule schedule;
  PlanCosts costs;
  Simulation simulation;
  TimeNs simulatorNs = 0;  ///< what the simulation itself took
};
/// @errors as predictStep
[[nodiscard]] Result<PlayedPlan> playPlan(const plan::Experiment& experiment,
                                          const plan::Variant& variant, const CostTable* table,
                                          const WhatIf& whatIf = {});

/// One device of a predicted plan.
struct PredictedDevice {
  DeviceId id;
  int row = -1;  ///< row of the schedule; -1 when the plan does not use it
  TimeNs busyNs = 0;
  Bytes peakBytes = 0;
  PeakBounds peakBounds;             ///< what the plan itself says of it
  std::optional<Bytes> budgetBytes;  ///< `max_memory` of the experiment
  [[nodiscard]] bool overBudget() const { return budgetBytes && peakBytes > *budgetBytes; }
};

struct Prediction : PlayedPlan {
  std::string variantId;
  std::string order;  ///< of `auto`: as `plan::Variant::order`
  Basis basis = Basis::Estimate;
  std::vector<std::int64_t> microBatches;  ///< their sizes
  trace::TracePtr trace;                   ///< one step; devices by row
  std::vector<PredictedDevice> devices;    ///< in the experiment's order, unused ones included
  std::optional<OverBudget> over;          ///< why the plan cannot run although it is sound
  TimeNs stepNs = 0;
  Bound bound;
  TimeNs lowerBoundNs = 0;  ///< no cut and no order on the plan's devices is faster
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
};
/// A what-if changes the costs of the plan, never its order. @errors as predictStep
[[nodiscard]] Result<Prediction> predictPlan(const plan::Experiment& experiment,
                                             const plan::Variant& variant, const CostTable* table,
                                             const WhatIf& whatIf = {});

}  // namespace stagelane::predict
