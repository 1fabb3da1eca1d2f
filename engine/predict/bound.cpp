#include <algorithm>
#include <limits>

#include "engine/predict/simulator.h"

namespace stagelane::predict {
namespace {

constexpr TimeNs kNone = std::numeric_limits<TimeNs>::max();

/// With contention, a row that waits less may slow others down, so that free transfers lengthen the
/// step. The bound is then the step with transfers.
Result<TimeNs> stepAsItIs(StepSimulator& simulator, const schedule::LoweredSchedule& lowered,
                          const PlanCosts& costs) {
  if (costs.contention.empty()) return kNone;
  STAGELANE_TRY(figures, simulator.play(lowered, costs));
  return (*figures)->stepNs;
}

}  // namespace

Result<Bound> bound(const schedule::LoweredSchedule& lowered, PlanCosts costs) {
  StepSimulator simulator;
  STAGELANE_TRY(step, stepAsItIs(simulator, lowered, costs));
  costs.transfersBlock = false;
  costs.actionOverheadNs = 0;
  for (auto& stage : costs.stage) {
    for (StageCost& cost : stage) cost.sendForward = cost.sendBackward = cost.reduce = 0;
  }
  STAGELANE_TRY(figures, simulator.play(lowered, costs));
  TimeNs work = 0;
  for (const TimeNs busy : (*figures)->busyNs) work += busy;
  const auto devices = static_cast<TimeNs>((*figures)->busyNs.size());
  return Bound{std::min((*figures)->stepNs, *step),
               std::min((work + devices - 1) / devices, *step)};
}

}  // namespace stagelane::predict
