#pragma once

/// What breaks the shown plan although the document is kept, and the fix that is offered for it.

#include <QObject>
#include <QString>
#include <optional>
#include <vector>

#include "ui/plan/plan_problems.h"

namespace stagelane::ui {

class PlanModel;

class ShownProblems final : public QObject {
  Q_OBJECT

 public:
  /// @pre `plan` outlives this
  explicit ShownProblems(PlanModel* plan, QObject* parent = nullptr);

  [[nodiscard]] const std::vector<PlanProblem>& all() const { return m_problems; }
  void refresh();
  /// For the chips of a device: two words, and a sentence; empty where nothing is wrong.
  [[nodiscard]] QString word(const DeviceId& device) const;
  [[nodiscard]] QString text(const DeviceId& device) const;
  /// One edit that ends the first problem for which one is known; nothing where there is none.
  [[nodiscard]] std::optional<PlanFix> fix() const;
  void applyFix();

 Q_SIGNALS:
  void changed();

 private:
  [[nodiscard]] PlanQuestion question() const;

  PlanModel* m_plan;
  std::vector<PlanProblem> m_problems;
};

}  // namespace stagelane::ui
