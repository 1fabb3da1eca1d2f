#pragma once

/// The tree of blocks and layers on the left of the Plan page, with a filter and a line that sums
/// up the selection. Its selection is the plan model's.

#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QWidget>

#include "ui/plan/blocks/block_tree_model.h"

namespace stagelane::ui {

class BlockTree final : public QWidget {
  Q_OBJECT

 public:
  explicit BlockTree(PlanModel* plan, QWidget* parent = nullptr);
  void focusFilter();

 private:
  void buildView();
  void buildLayout();
  void filterFor(const QString& text);
  void takeSelection();
  void showSelection();
  [[nodiscard]] QModelIndex rowToMark(std::size_t block);
  void expandDefault();

  PlanModel* m_plan;
  BlockTreeModel* m_model;
  QSortFilterProxyModel* m_filtered;
  QLineEdit* m_filter;
  QTreeView* m_view;
  QLabel* m_summary;
  bool m_following = false;  ///< the plan model is setting the selection
};

}  // namespace stagelane::ui
