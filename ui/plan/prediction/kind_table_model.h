#pragma once

/// The best plan of each kind as rows: what it is, its predicted step, memory, bytes moved, and the
/// reason in words. Plans that do not fit are last and red.

#include <QAbstractTableModel>

#include "ui/plan/plan_model/plan_model.h"
#include "ui/session/prediction/kind_plans.h"

namespace stagelane::ui {

class KindTableModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Kind, Schedule, Split, Devices, Step, Speedup, Peak, Moved, Reason, kColumnCount };

  explicit KindTableModel(PlanModel* plan, QObject* parent = nullptr);

  /// The plan of a row; null for none.
  [[nodiscard]] const search::KindPlan* plan(int row) const;
  /// Whether the tab has this plan now.
  [[nodiscard]] bool isShown(int row) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 private:
  void refresh();
  void repaint();
  [[nodiscard]] QString text(int row, int column) const;
  [[nodiscard]] QVariant color(int row, int column) const;

  PlanModel* m_plan;
  KindPlansPtr m_kinds;
};

}  // namespace stagelane::ui
