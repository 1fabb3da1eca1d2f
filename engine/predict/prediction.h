#pragma once

/// The predicted cost of a plan: from a variant with fixed stages and order to its simulated step,
/// for the window, the command line, the engine and the searches. Pure; any thread.

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

/// A device with too little memory.
struct OverBudget {
  DeviceId device;
  Bytes needs = 0;
  Bytes has = 0;
};
/// "does not fit: needs 1.2 GiB, has 600 MiB (cpu:0)".
[[nodiscard]] std::string describe(const OverBudget& over);

/// What a peak lacks; 0 or less: it fits, as without a limit.
[[nodiscard]] inline Bytes excessOf(Bytes peak, std::optional<Bytes> limit) {
  return limit ? peak - *limit : 0;
}
/// The device with the largest memory deficit (the first row on a tie); empty if the plan fits.
/// `peaks` by row.
[[nodiscard]] std::optional<OverBudget> overBudget(const plan::Experiment& experiment,
                                                   const std::vector<DeviceId>& rows,
                                                   const std::vector<Bytes>& peaks);

/// Batches that a variant trains in the time of a step: one, or for an asynchronous strategy one
/// for each process, because its step is the time of an update of one of them.
[[nodiscard]] double batchesPerStep(const plan::Variant& variant);

/// Excess of a step over its lower bound, as a fraction of the bound; 0 if the bound is 0.
[[nodiscard]] double gapOf(TimeNs stepNs, TimeNs lowerBoundNs);

/// Only the step and whether the plan fits, for comparing many plans.
struct StepPrediction {
  TimeNs stepNs = 0;
  Bytes excess = 0;  ///< above a device's memory, the largest; 0: fits
  Basis basis = Basis::Estimate;
  [[nodiscard]] bool fits() const { return excess == 0; }
};
/// Plans that fit come first, then faster ones.
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
/// The plan as a run expects it: by estimates if the table is incomplete. @errors as predictStep
[[nodiscard]] Result<PlayedPlan> expectedPlan(const plan::Experiment& experiment,
                                              const plan::Variant& variant, const CostTable* table);

/// One device of a predicted plan.
struct PredictedDevice {
  DeviceId id;
  int row = -1;  ///< row of the schedule; -1 if the plan does not use it
  TimeNs busyNs = 0;
  Bytes peakBytes = 0;
  PeakBounds peakBounds;             ///< derived from the plan alone
  std::optional<Bytes> budgetBytes;  ///< `max_memory` of the experiment
  [[nodiscard]] bool overBudget() const { return excessOf(peakBytes, budgetBytes) > 0; }
};

struct Prediction : PlayedPlan {
  std::string variantId;
  std::string order;  ///< for `auto`: as `plan::Variant::order`
  Basis basis = Basis::Estimate;
  std::vector<std::int64_t> microBatches;  ///< their sizes
  trace::TracePtr trace;                   ///< one step; devices by row
  std::vector<PredictedDevice> devices;    ///< in the experiment's order, unused ones included
  std::optional<OverBudget> over;          ///< the device that is too small, if any
  TimeNs stepNs = 0;
  double batchesPerStep = 1.0;
  Bound bound;
  TimeNs lowerBoundNs = 0;  ///< over all cuts and orders on the plan's devices
  TimeNs baseStepNs = 0;    ///< by `plan::speedupBase`; 0: no base
  std::string baseName;     ///< with its device where devices differ
  int usedDevices = 0;
  bool devicesAlike = true;  ///< the used devices have the same kind and speed

  [[nodiscard]] double speedup() const;       ///< 0 if there is no base
  [[nodiscard]] double boundSpeedup() const;  ///< 0 if there is no base
  /// Upper limit of the speed-up on these devices: their number if they are alike, else from the
  /// lower bound of the step. 0 if not meaningful: one device, or a limit below the speed-up.
  [[nodiscard]] double mostSpeedup() const;
  [[nodiscard]] const PredictedDevice* device(const DeviceId& id) const;
};
/// What speed-ups of an experiment are relative to.
struct BaseStep {
  TimeNs stepNs = 0;  ///< 0: no base
  std::string name;   ///< with its device where devices differ
};
/// By `plan::speedupBase` among the included variants.
[[nodiscard]] BaseStep baseStepOf(const plan::Experiment& experiment, const CostTable* table,
                                  const WhatIf& whatIf = {});

/// A what-if changes costs, never the order. @errors as predictStep
[[nodiscard]] Result<Prediction> predictPlan(const plan::Experiment& experiment,
                                             const plan::Variant& variant, const CostTable* table,
                                             const WhatIf& whatIf = {});

}  // namespace stagelane::predict
