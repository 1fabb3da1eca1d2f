#pragma once

/// The model's modules as a read-only tree with figures: groups, blocks and leaf layers, their
/// parameters, time and devices.

#include <QAbstractItemModel>
#include <memory>
#include <utility>
#include <vector>

#include "ui/plan/plan_model/plan_model.h"

namespace stagelane::ui {

class BlockTreeModel final : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Column { Name, Parameters, Time, Device, ColumnCount };
  static constexpr int kLanesRole =
      Qt::UserRole + 1;  ///< QList<int> of lanes, for the Device column
  static constexpr int kPathRole = Qt::UserRole + 2;

  explicit BlockTreeModel(PlanModel* plan, QObject* parent = nullptr);
  ~BlockTreeModel() override;

  [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent) const override;
  [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
  [[nodiscard]] int rowCount(const QModelIndex& parent) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

  /// The blocks of a row: [first, last] of the chain; the enclosing block's for a layer.
  [[nodiscard]] std::pair<std::size_t, std::size_t> blocksOf(const QModelIndex& index) const;
  /// The row of a block.
  [[nodiscard]] QModelIndex indexOfBlock(std::size_t block) const;

 private:
  struct Node;
  struct Tree {
    std::unique_ptr<Node> root;  ///< invisible; its only child is the model
    std::vector<const Node*> nodeOfBlock;
  };
  [[nodiscard]] static Tree treeOf(const BlockTable& table);
  [[nodiscard]] static bool sameModules(const Node& a, const Node& b);
  void takeTable();
  void takeFigures(Node& node, const Node& from, const QModelIndex& index);
  void refreshDevices();
  [[nodiscard]] const Node* nodeOf(const QModelIndex& index) const;
  [[nodiscard]] std::vector<int> lanesOfBlocks() const;
  [[nodiscard]] QList<int> lanesOf(const Node& node) const;

  PlanModel* m_plan;
  bool m_micro = false;  ///< times in µs
  BlockTablePtr m_table;
  Tree m_tree;
  std::vector<int> m_laneOfBlock;  ///< as reported to the views; -1: none
};

}  // namespace stagelane::ui
