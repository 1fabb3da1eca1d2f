#pragma once

/// The rule that a locked chip may not move: which blocks are locked, why an edit is refused, and
/// locking and unlocking what is selected.

#include <QString>
#include <cstddef>
#include <optional>

#include "ui/plan/plan_problems.h"
#include "ui/plan/plan_selection.h"
#include "ui/session/document/block_locks.h"
#include "ui/session/document/plan_edits.h"
#include "ui/session/prediction/plan_suggestions.h"

namespace stagelane::ui {

class PlanModel;

class ChipLocks {
 public:
  /// @pre `plan` outlives this
  explicit ChipLocks(PlanModel* plan) : m_plan(plan) {}

  [[nodiscard]] bool locked(std::size_t block) const;
  /// Why these blocks may not be moved there, in words; nothing when they may.
  [[nodiscard]] std::optional<QString> refusal(const BlockSet& blocks,
                                               const DeviceId& device) const;
  /// Why the plan may not become this one, or a suggestion or a fix may not be applied: a locked
  /// block would move.
  [[nodiscard]] std::optional<QString> refusalOfShape(const PlanShape& after) const;
  [[nodiscard]] std::optional<QString> refusalOf(const PlanSuggestion& suggestion) const;
  [[nodiscard]] std::optional<QString> refusalOf(const PlanFix& fix) const;
  /// A lock on a plan that a mode places makes its placement a manual one, as it is.
  void toggle();

 private:
  [[nodiscard]] BlockLocks locks() const;
  void lockSelection();
  void unlockSelection();

  PlanModel* m_plan;
};

}  // namespace stagelane::ui
