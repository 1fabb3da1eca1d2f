#pragma once

/// Bar above the lanes with the plan's problem and a button that fixes it. Hidden without a
/// problem.

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QWidget>

#include "ui/plan/plan_model/plan_model.h"

namespace stagelane::ui {

class ProblemBar final : public QWidget {
  Q_OBJECT

 public:
  explicit ProblemBar(PlanModel* plan, QWidget* parent = nullptr);
  /// Fixes the plan; for the list of actions.
  [[nodiscard]] QAction* fixAction() const { return m_fix; }

 private:
  void refresh();

  PlanModel* m_plan;
  QLabel* m_text;
  QPushButton* m_button;
  QAction* m_fix;
};

}  // namespace stagelane::ui
