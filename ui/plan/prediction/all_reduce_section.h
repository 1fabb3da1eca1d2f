#pragma once

/// The section of the inspector about the sums of gradients over replicas: bytes, hidden and
/// exposed time, and what the last run measured. Hidden where nothing is summed.

#include <QLabel>
#include <QVBoxLayout>
#include <QWidget>

#include "ui/plan/plan_model/plan_model.h"
#include "ui/session/prediction/prediction.h"

namespace stagelane::ui {

class AllReduceSection final : public QWidget {
  Q_OBJECT

 public:
  explicit AllReduceSection(const PlanModel* plan, QWidget* parent = nullptr);
  /// `now`: the plan without the drop that is previewed; null if nothing is compared.
  void refresh(const PlanPrediction* shown, const PlanPrediction* now, bool dimmed);

 private:
  QLabel* addLine(QVBoxLayout& lines, const QString& title, const QString& name,
                  const QString& tip);
  [[nodiscard]] QString measuredText() const;

  const PlanModel* m_plan;
  QLabel* m_bytes = nullptr;
  QLabel* m_hidden = nullptr;
  QLabel* m_exposed = nullptr;
  QLabel* m_measured = nullptr;
};

}  // namespace stagelane::ui
