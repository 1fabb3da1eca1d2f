#pragma once

/// "Why is it not faster?": the way from a perfect cut of the work to the step of a plan, as parts
/// that add up to it exactly, in integer nanoseconds. Each part is the difference of two
/// simulations of the same list, or an exact remainder.

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/predict/plan_costs.h"
#include "engine/schedule/lowering.h"

namespace stagelane::predict {

/// In the order in which they are taken into account.
enum class Loss {
  Contention,  ///< measured only: actions took longer than the same ones measured alone
  Imbalance,   ///< the busiest device has more than its share of the work
  Warmup,      ///< the busiest device waits for its first action
  Waiting,     ///< it waits between its actions, with free transfers
  Drain,       ///< others work after its last action
  Recompute,   ///< forwards that run a second time
  Transfers,   ///< copies, reductions, and that they hold devices up
  Host,        ///< time between actions that nothing else explains
  Slowdown,    ///< predicted only: CPU workers slow each other down
};
/// `imbalance`, `warmup`, …; the predicted Slowdown and the measured Contention are `contention`.
[[nodiscard]] std::string_view word(Loss loss);
/// What it is, in words: "warm-up: it waits for its first action".
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

/// Of a predicted step. @errors those of `simulate`
[[nodiscard]] Result<Explanation> explain(const schedule::LoweredSchedule& schedule,
                                          const PlanCosts& costs);

/// Of a measured step, from the run's own action times. `expected` are the costs that were known
/// before; unless they are estimates, what the actions took beyond them is Contention (and drift
/// of the machine: it may be negative). Host is what the replay of the measured times leaves over.
/// @errors those of `simulate`
[[nodiscard]] Result<Explanation> explainMeasured(const schedule::LoweredSchedule& schedule,
                                                  const PlanCosts& measured, TimeNs stepNs,
                                                  const PlanCosts& expected);

/// `{"basis": "predicted"|"measured", "ideal_ns", "parts": [{"cause", "ns"}], "step_ns"}`.
[[nodiscard]] Json toJson(const Explanation& explanation);
/// Reads what `toJson` wrote, as result.json keeps it.
/// @errors Invalid: a member is missing, a cause is not known, or the parts do not add up
[[nodiscard]] Result<Explanation> explanationFromJson(const Json& json);
/// A line a part: time, share of the step, what it is.
[[nodiscard]] std::string toText(const Explanation& explanation);

}  // namespace stagelane::predict
