#pragma once

/// The model's layers as a table below the lanes: sorted by a click on a heading, searched by
/// words, shown by blocks or by layers. Selecting rows selects their chips, and vice versa.

#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QWidget>

#include "ui/plan/blocks/layer_table_model.h"

namespace stagelane::ui {

class ModelInspector final : public QWidget {
  Q_OBJECT

 public:
  explicit ModelInspector(PlanModel* plan, QWidget* parent = nullptr);

 private:
  QWidget* buildBar();
  void takeSelection();
  void followSelection();
  void refreshTotals();

  PlanModel* m_plan;
  LayerTableModel* m_model;
  QSortFilterProxyModel* m_sorted;
  QLineEdit* m_search;
  QLabel* m_totals;
  QTableView* m_view;
  bool m_following = false;
};

}  // namespace stagelane::ui
