#pragma once

/// Locks on the Plan page: which blocks are locked, why an edit is refused, and locking and
/// unlocking the selection.

#include <QString>
#include <cstddef>
#include <optional>

#include "ui/plan/plan_model/plan_problems.h"
#include "ui/plan/plan_model/plan_selection.h"
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
  /// Why the plan, suggestion or fix cannot be applied: it would move a locked block.
  [[nodiscard]] std::optional<QString> refusalOfShape(const PlanShape& after) const;
  [[nodiscard]] std::optional<QString> refusalOf(const PlanSuggestion& suggestion) const;
  [[nodiscard]] std::optional<QString> refusalOf(const PlanFix& fix) const;
  [[nodiscard]] std::optional<QString> refusalOf(const search::KindPlan& plan) const;
  /// Locking on an automatically placed plan makes its placement manual.
  void toggle();

 private:
  [[nodiscard]] BlockLocks locks() const;
  void lockSelection();
  void unlockSelection();

  PlanModel* m_plan;
};

}  // namespace stagelane::ui
