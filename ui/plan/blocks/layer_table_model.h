#pragma once

/// The model as a table, block by block or layer by layer: torchsummary's columns,
/// multiply-accumulates, FLOPs, bytes of activations, and the times of F, I and W on the first
/// device. A proxy sorts and searches; `kSortRole` has the numbers behind the texts.

#include <QAbstractTableModel>
#include <vector>

#include "ui/plan/plan_model/plan_model.h"

namespace stagelane::ui {

class LayerTableModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column {
    Number,
    Name,
    Type,
    Output,
    Parameters,
    Macs,
    Flops,
    Activations,
    Forward,
    Input,
    Weight,
    ColumnCount
  };
  enum class Rows { Blocks, Layers };
  static constexpr int kSortRole = Qt::UserRole + 1;
  static constexpr int kSearchRole = Qt::UserRole + 2;  ///< name and type, on every column

  explicit LayerTableModel(PlanModel* plan, QObject* parent = nullptr);

  void setRows(Rows rows);
  [[nodiscard]] std::size_t blockOf(int row) const;
  /// The first row of a block; −1 for none.
  [[nodiscard]] int rowOf(std::size_t block) const;
  /// Totals of these rows: "3 of 22 blocks · 1.2 M parameters · of 8 samples: 4.09 G MACs, 102 MiB
  /// activations".
  [[nodiscard]] QString totals(const std::vector<int>& rows) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 private:
  /// A row; times are −1 where only the block's are known.
  struct Row {
    std::size_t block = 0;
    QString name;
    QString type;
    QString output;
    std::int64_t parameters = 0;
    std::int64_t macs = 0;
    Bytes activations = 0;
    TimeNs forward = -1;
    TimeNs input = -1;
    TimeNs weight = -1;
  };
  void rebuild();
  void addBlocks(const model::ModelShapes& shapes);
  void addLayers(const model::ModelShapes& shapes);
  void setTimes(Row& row) const;
  [[nodiscard]] double numberOf(const Row& row, int column) const;
  [[nodiscard]] QString textOf(const Row& row, int index, int column) const;

  PlanModel* m_plan;
  BlockTablePtr m_table;
  Rows m_kind = Rows::Blocks;
  std::vector<Row> m_rows;
};

}  // namespace stagelane::ui
