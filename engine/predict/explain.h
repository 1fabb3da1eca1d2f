#pragma once

/// "Why is it not faster?": breaks down the difference between a perfect cut of the work and the
/// step of a plan into parts that add up exactly, in integer nanoseconds. Each part is the
/// difference of two simulations of the same schedule, or an exact remainder.

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/predict/plan_costs.h"
#include "engine/schedule/lowering.h"

namespace stagelane::predict {

/// In the order in which the parts are added.
enum class Loss {
  Contention,  ///< measured only: actions took longer than the same ones measured alone
  Imbalance,   ///< the busiest device has more than its share of the work
  Warmup,      ///< the busiest device waits for its first action
  Waiting,     ///< the busiest device waits between its actions, with free transfers
  Drain,       ///< others work after its last action
  Recompute,   ///< forwards that run a second time
  Transfers,   ///< copies, reductions, and the waits they cause
  Host,        ///< unexplained time between actions
  Slowdown,    ///< predicted only: CPU workers slow each other down
};
/// `imbalance`, `warmup`, …; the predicted Slowdown and the measured Contention are `contention`.
[[nodiscard]] std::string_view word(Loss loss);
/// Description: "warm-up: the busiest device waits for its first action".
[[nodiscard]] std::string_view sentence(Loss loss);

struct LossPart {
  Loss loss = Loss::Imbalance;
  TimeNs ns = 0;
};
struct Explanation {
  TimeNs idealNs = 0;           ///< ⌊Σ of all work / devices⌋
  std::vector<LossPart> parts;  ///< in order; ideal + Σ parts = step
  TimeNs stepNs = 0;
  bool measured = false;
};

/// Explains a predicted step. @errors those of `simulate`
[[nodiscard]] Result<Explanation> explain(const schedule::LoweredSchedule& schedule,
                                          const PlanCosts& costs);

/// Explains a measured step from the run's own action times. `expected` are the costs known before
/// the run; unless they are estimates, the excess of the measured actions is Contention (including
/// drift of the machine, so it may be negative). Host is the remainder after replaying the measured
/// times.
/// @errors those of `simulate`
[[nodiscard]] Result<Explanation> explainMeasured(const schedule::LoweredSchedule& schedule,
                                                  const PlanCosts& measured, TimeNs stepNs,
                                                  const PlanCosts& expected);

/// `{"basis": "predicted"|"measured", "ideal_ns", "parts": [{"cause", "ns"}], "step_ns"}`.
[[nodiscard]] Json toJson(const Explanation& explanation);
/// Reads the output of `toJson`, as stored in result.json.
/// @errors Invalid: a member is missing, a cause is unknown, or the parts do not add up
[[nodiscard]] Result<Explanation> explanationFromJson(const Json& json);
/// One line per part: time, share of the step, description.
[[nodiscard]] std::string toText(const Explanation& explanation);

}  // namespace stagelane::predict
