#pragma once

/// The tab Plans below the lanes: a table of the best plan of each kind, with the progress of the
/// search, the reason and the sources of the current row, and buttons that apply it.

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>
#include <QWidget>
#include <functional>

#include "ui/plan/plan_model/plan_model.h"
#include "ui/plan/prediction/kind_table_model.h"

namespace stagelane::ui {

class KindPanel final : public QWidget {
  Q_OBJECT

 public:
  explicit KindPanel(PlanModel* plan, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  QWidget* buildBar();
  QWidget* buildDetails();
  [[nodiscard]] QPushButton* button(const QString& text, const QString& name,
                                    const QString& actionText, const std::function<void()>& act);
  [[nodiscard]] const search::KindPlan* current() const;
  void refresh();
  void refreshState();
  void refreshCurrent();
  [[nodiscard]] QString stateText() const;
  [[nodiscard]] QString adviceText(const search::KindPlan& plan) const;
  void apply();

  PlanModel* m_plan;
  KindTableModel* m_model;
  QTableView* m_table;
  QLabel* m_state;
  QProgressBar* m_progress;
  QPushButton* m_cancel;
  QPushButton* m_again;
  QPushButton* m_add;
  QPushButton* m_apply;
  QLabel* m_reason;
  QLabel* m_advice;
  QString m_kept;  ///< the selected kind, to select again among new results
};

}  // namespace stagelane::ui
