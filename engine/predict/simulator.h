#pragma once

/// Discrete-event simulator: plays a lowered schedule against the costs of a plan. One compute
/// resource per device, overlapped or blocking transfers, CPU workers that slow each other down.
/// Deterministic and pure; the predicted trace has the same type as a measured one.

#include <memory>
#include <vector>

#include "engine/base/goes_on.h"
#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/predict/plan_costs.h"
#include "engine/predict/step_simulator.h"
#include "engine/schedule/lowering.h"
#include "engine/trace/trace.h"

namespace stagelane::predict {

/// When one lowered action ran, in simulated nanoseconds from the step's start.
struct Played {
  TimeNs start = 0;
  TimeNs end = 0;
};

struct Simulation : StepFigures {
  std::vector<std::vector<Played>> actions;  ///< parallel to LoweredSchedule::actions
};

/// @errors Invalid when the schedule deadlocks (names device, action, micro-batch)
[[nodiscard]] Result<Simulation> simulate(const schedule::LoweredSchedule& schedule,
                                          const PlanCosts& costs);

/// The simulation as a trace with one step; device names by row.
[[nodiscard]] std::shared_ptr<const trace::Trace> toTrace(const schedule::LoweredSchedule& schedule,
                                                          const Simulation& simulation,
                                                          const std::vector<DeviceId>& devices,
                                                          const PlanCosts& costs);

/// Bytes that each row sends and receives in a step.
[[nodiscard]] std::vector<Bytes> transferBytes(const schedule::LoweredSchedule& schedule,
                                               const PlanCosts& costs);

/// The bound of a plan (docs/reference/json.md, "predict"): the same list with free transfers and
/// no host gaps; the step itself where contention would make that longer.
struct Bound {
  TimeNs stepNs = 0;            ///< what schedule and stage times allow; never above the step
  TimeNs perfectCutStepNs = 0;  ///< Σ of all action times / devices
};
[[nodiscard]] Result<Bound> bound(const schedule::LoweredSchedule& schedule, PlanCosts costs);

/// What no order of these stages' actions beats: for each row the shortest way to its first action,
/// all its work, and the shortest way from its last gradient to the end of the step. Contention can
/// only add to it. 0 for costs that do not cover the schedule.
[[nodiscard]] TimeNs lowerBound(const schedule::LoweredSchedule& schedule, const PlanCosts& costs);

/// The lowered schedule of a variant: generator, synthesiser (`auto`, which plans with the costs of
/// `table`, or with estimates) or CSV, then `lower` with the model's ties, then `validate`. A
/// search ends where `goesOn` says no.
[[nodiscard]] Result<schedule::LoweredSchedule> lowerVariant(const plan::Experiment& experiment,
                                                             const plan::Variant& variant,
                                                             const CostTable* table,
                                                             const GoesOn& goesOn = {});
/// Stages of the variant that share a parameter.
[[nodiscard]] schedule::TiedStages tiedStages(const model::Model& model,
                                              const std::vector<plan::Stage>& stages);
/// Devices of the rows of that schedule, in order of first use.
[[nodiscard]] std::vector<DeviceId> rowsOf(const plan::Variant& variant);
/// Sizes of the micro-batches: ceil(batch/split) of at most `split`.
[[nodiscard]] std::vector<std::int64_t> microBatchSizes(std::int64_t batch, std::int64_t split);

}  // namespace stagelane::predict
