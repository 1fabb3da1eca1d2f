#pragma once

/// What the rows of a plan hold, action after action: the one set of rules for the simulator's
/// peaks and the predicted trace's counters.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/ids.h"
#include "engine/predict/plan_costs.h"
#include "engine/schedule/lowering.h"

namespace stagelane::predict::detail {

[[nodiscard]] inline const StageCost& costOf(const PlanCosts& costs,
                                             const schedule::StageRows& stages, std::size_t row,
                                             const schedule::LoweredAction& action) {
  const int stage = action.stage.value;
  const int microBatch = action.microBatch.valid() ? action.microBatch.value
                                                   : stages.replicaOn(stage, static_cast<int>(row));
  return costs.stage[static_cast<std::size_t>(stage)][static_cast<std::size_t>(microBatch)];
}

/// Reusable. Nothing that one row holds depends on when another one plays.
class MemoryLedger {
 public:
  /// Costs and rows of the stages must outlive what follows.
  void reset(const PlanCosts& costs, const schedule::StageRows& stages, std::size_t rows);
  /// The row's next action. @returns the most that the row holds while it runs
  Bytes play(std::size_t row, const schedule::LoweredAction& action);
  /// By row, after the actions played so far.
  [[nodiscard]] const std::vector<Bytes>& held() const { return m_held; }

 private:
  /// What a copy of a stage has made since the step began.
  struct Made {
    bool weightGradients = false;
    bool inputGradient = false;
    bool output = false;
  };
  Bytes playLoss(Bytes& held, const schedule::LoweredAction& action) const;
  [[nodiscard]] Bytes playKnown(Bytes& held, ActionKind kind, const StageCost& cost, Made& made,
                                bool last) const;
  [[nodiscard]] Bytes playPlain(Bytes& held, ActionKind kind, const StageCost& cost) const;

  const PlanCosts* m_costs = nullptr;
  const schedule::StageRows* m_stages = nullptr;
  std::vector<Bytes> m_held;
  std::vector<Made> m_made;  ///< by copy of a stage
};

}  // namespace stagelane::predict::detail
