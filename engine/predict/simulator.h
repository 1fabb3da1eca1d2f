#pragma once

/// Discrete-event simulator: plays a lowered schedule with the costs of a plan. One compute
/// resource per device, overlapped or blocking transfers, contention between CPU workers.
/// Deterministic and pure; predicted and measured traces have the same type.

#include <memory>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/predict/plan_costs.h"
#include "engine/predict/step_simulator.h"
#include "engine/schedule/lowering.h"
#include "engine/trace/trace.h"

namespace stagelane::predict {

/// Times of one lowered action, in simulated nanoseconds from the start of the step.
struct Played {
  TimeNs start = 0;
  TimeNs end = 0;
};

struct Simulation : StepFigures {
  std::vector<std::vector<Played>> actions;  ///< parallel to LoweredSchedule::actions
};

/// @errors Invalid if the schedule deadlocks (names device, action, micro-batch)
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

/// The bound of a plan (docs/reference/json.md, "predict"): the same schedule with free transfers
/// and no host gaps; the step itself if contention would make that longer.
struct Bound {
  TimeNs stepNs = 0;  ///< limit for this schedule and these stage times; never above the step
  TimeNs perfectCutStepNs = 0;  ///< Σ of all action times / devices
};
[[nodiscard]] Result<Bound> bound(const schedule::LoweredSchedule& schedule, PlanCosts costs);

}  // namespace stagelane::predict
