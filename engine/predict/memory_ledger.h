#pragma once

/// Memory held by the rows of a plan, action by action; shared by the simulator's peaks and the
/// predicted trace's counters.

#include <cstddef>
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

/// Reusable. The memory of a row is independent of the timing of other rows.
class MemoryLedger {
 public:
  /// The costs and the rows of the stages must outlive all later calls.
  void reset(const PlanCosts& costs, const schedule::StageRows& stages, std::size_t rows);
  /// Plays the row's next action. @returns the peak memory of the row during the action
  Bytes play(std::size_t row, const schedule::LoweredAction& action) {
    return play(row, action, costOf(*m_costs, *m_stages, row, action));
  }
  /// The same, with the costs of the action.
  Bytes play(std::size_t row, const schedule::LoweredAction& action, const StageCost& cost);
  /// By row, after the actions played so far.
  [[nodiscard]] const std::vector<Bytes>& held() const { return m_held; }

 private:
  /// What a copy of a stage has produced since the step began.
  struct Made {
    bool weightGradients = false;
    bool inputGradient = false;
    bool output = false;
    Bytes reduced = 0;  ///< held since its REDUCE
  };
  Bytes playLoss(Bytes& held, const schedule::LoweredAction& action) const;
  [[nodiscard]] Bytes playKnown(Bytes& held, ActionKind kind, const StageCost& cost, Made& made,
                                bool last) const;
  [[nodiscard]] Bytes playPlain(Bytes& held, ActionKind kind, const StageCost& cost,
                                Made& made) const;

  const PlanCosts* m_costs = nullptr;
  const schedule::StageRows* m_stages = nullptr;
  std::vector<Bytes> m_held;
  std::vector<Made> m_made;  ///< by copy of a stage
};

}  // namespace stagelane::predict::detail
