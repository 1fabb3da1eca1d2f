#pragma once

/// The problems of the shown plan, and the fix that is offered for them.

#include <QObject>
#include <QString>
#include <optional>
#include <vector>

#include "ui/plan/plan_model/plan_problems.h"

namespace stagelane::ui {

class PlanModel;

class ShownProblems final : public QObject {
  Q_OBJECT

 public:
  /// @pre `plan` outlives this
  explicit ShownProblems(PlanModel* plan, QObject* parent = nullptr);

  [[nodiscard]] const std::vector<PlanProblem>& all() const { return m_problems; }
  void refresh();
  /// For a device's chips: a short text and a sentence; empty without a problem.
  [[nodiscard]] QString word(const DeviceId& device) const;
  [[nodiscard]] QString text(const DeviceId& device) const;
  /// One edit that fixes the first fixable problem; nothing if there is none.
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
