#include "engine/predict/peak_bounds.h"

#include <algorithm>

#include "engine/predict/memory_ledger.h"

namespace stagelane::predict {
namespace {

/// Plays the rows of a plan; the memory of a row is independent of the timing of other rows.
class BoundsPlayer {
 public:
  BoundsPlayer(const PlanCosts& costs, const schedule::StageRows& stages, std::size_t rows)
      : m_costs(costs),
        m_stages(stages),
        m_hasGradients(static_cast<std::size_t>(stages.copies()), false),
        m_reduced(static_cast<std::size_t>(stages.copies()), 0),
        m_captured(rows, 0) {
    m_ledger.reset(costs, stages, rows);
    m_least.assign(rows, 0);
    std::copy_n(costs.residentBytes.begin(), std::min(rows, costs.residentBytes.size()),
                m_least.begin());
  }

  PeakBounds play(std::size_t row, const std::vector<schedule::LoweredAction>& actions) {
    for (const std::size_t stage : stagesOf(actions)) m_least[row] -= updateOf(stage).early;
    PeakBounds bounds{m_least[row], 0};
    for (const schedule::LoweredAction& action : actions) {
      const Bytes most = m_ledger.play(row, action) + extraOf(row, action);
      bounds.high = std::max(bounds.high, most);
      const Bytes before = m_least[row];
      keep(row, action);
      bounds.low = std::max({bounds.low, before, m_least[row]});
    }
    bounds.high = std::max(bounds.high, bounds.low);
    return bounds;
  }

 private:
  [[nodiscard]] static std::vector<std::size_t> stagesOf(
      const std::vector<schedule::LoweredAction>& actions) {
    std::vector<std::size_t> stages;
    for (const schedule::LoweredAction& action : actions) {
      if (action.kind == ActionKind::Forward) {
        stages.push_back(static_cast<std::size_t>(action.stage.value));
      }
    }
    std::sort(stages.begin(), stages.end());
    stages.erase(std::unique(stages.begin(), stages.end()), stages.end());
    return stages;
  }

  [[nodiscard]] StageUpdate updateOf(std::size_t stage) const {
    return m_costs.updates.empty() ? StageUpdate{} : m_costs.updates[stage];
  }

  [[nodiscard]] const StageCost& costOf(std::size_t row,
                                        const schedule::LoweredAction& action) const {
    return detail::costOf(m_costs, m_stages, row, action);
  }

  /// Additional memory that may exist while the action runs.
  Bytes extraOf(std::size_t row, const schedule::LoweredAction& action) {
    if (action.kind == ActionKind::Optimizer) {
      const StageUpdate update = updateOf(static_cast<std::size_t>(action.stage.value));
      return costOf(row, action).bytes ? 0 : update.optimizerPeak;
    }
    if (!isScheduled(action.kind)) return 0;
    const StageCost& cost = costOf(row, action);
    if (cost.bytes) return 2 * cost.boundaryBytes + cost.temporaryBytes;
    if (action.kind == ActionKind::Forward) return m_captured[row] + cost.temporaryBytes;
    const Bytes gradients = cost.savedBytes + cost.recomputedBytes;
    if (action.kind == ActionKind::BackwardInput) m_captured[row] += gradients;
    const Bytes own = action.kind == ActionKind::Backward ? gradients : 0;
    const Bytes extra = m_captured[row] + own + cost.temporaryBytes;
    if (action.kind == ActionKind::BackwardWeight) {
      m_captured[row] = std::max<Bytes>(0, m_captured[row] - gradients);
    }
    return extra;
  }

  /// Lower bound of the memory that remains after the action.
  void keep(std::size_t row, const schedule::LoweredAction& action) {
    const auto stage = static_cast<std::size_t>(action.stage.value);
    const auto copy =
        static_cast<std::size_t>(m_stages.copyOn(action.stage.value, static_cast<int>(row)));
    Bytes& held = m_least[row];
    const Bytes gradients = m_costs.updates.empty() ? 0 : updateOf(stage).gradients;
    switch (action.kind) {
      case ActionKind::Forward:
        held += m_costs.forwardOnly ? 0 : costOf(row, action).savedBytes;
        return;
      case ActionKind::BackwardInput: held -= costOf(row, action).savedBytes; return;
      case ActionKind::Backward: held -= costOf(row, action).savedBytes; break;
      case ActionKind::BackwardWeight: break;
      case ActionKind::Reduce:
        m_reduced[copy] = costOf(row, action).reduceHeldBytes;
        held += m_reduced[copy];
        return;
      case ActionKind::Optimizer:
        held -= (m_hasGradients[copy] ? gradients : 0) + m_reduced[copy];
        return;
      default: return;
    }
    held += m_hasGradients[copy] ? 0 : gradients;
    m_hasGradients[copy] = true;
  }

  const PlanCosts& m_costs;
  const schedule::StageRows& m_stages;
  detail::MemoryLedger m_ledger;
  std::vector<bool> m_hasGradients;  ///< by copy of a stage
  std::vector<Bytes> m_reduced;      ///< by copy of a stage: held from REDUCE to OPT
  std::vector<Bytes> m_least;        ///< by row: held between actions
  std::vector<Bytes> m_captured;     ///< by row: gradients between I and W
};

}  // namespace

std::vector<PeakBounds> peakBounds(const schedule::LoweredSchedule& lowered,
                                   const PlanCosts& costs) {
  BoundsPlayer player(costs, lowered.source.rows, lowered.actions.size());
  std::vector<PeakBounds> bounds;
  for (std::size_t row = 0; row < lowered.actions.size(); ++row) {
    bounds.push_back(player.play(row, lowered.actions[row]));
  }
  return bounds;
}

}  // namespace stagelane::predict
