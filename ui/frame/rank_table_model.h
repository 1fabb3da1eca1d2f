#pragma once

/// The processes of a run as rows: rank, host, devices, state, repeat, action, last seen,
/// clock error.

#include <QAbstractTableModel>
#include <vector>

#include "ui/session/run/run_ranks.h"

namespace stagelane::ui {

class RankTableModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Rank, Host, Devices, State, Repeat, Action, LastSeen, ClockError, kColumnCount };

  using QAbstractTableModel::QAbstractTableModel;

  /// As many ranks as before update the rows without a reset.
  void setRanks(std::vector<RunRank> ranks);
  void setTurn(const RunTurn& turn);
  [[nodiscard]] const std::vector<RunRank>& ranks() const { return m_ranks; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 private:
  [[nodiscard]] QString text(const RunRank& rank, int column) const;
  [[nodiscard]] QString tip(const RunRank& rank, int column) const;

  std::vector<RunRank> m_ranks;
  RunTurn m_turn;
};

}  // namespace stagelane::ui
