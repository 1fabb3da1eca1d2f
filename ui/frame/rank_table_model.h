#pragma once

/// The processes of a run as rows: rank, host, devices, state, action, last seen, clock error.

#include <QAbstractTableModel>
#include <vector>

#include "ui/session/run/run_ranks.h"

namespace stagelane::ui {

class RankTableModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Rank, Host, Devices, State, Action, LastSeen, ClockError, kColumnCount };

  using QAbstractTableModel::QAbstractTableModel;

  /// As many ranks as before update the rows without a reset.
  void setRanks(std::vector<RunRank> ranks);
  [[nodiscard]] const std::vector<RunRank>& ranks() const { return m_ranks; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 private:
  [[nodiscard]] static QString text(const RunRank& rank, int column);
  [[nodiscard]] static QString tip(const RunRank& rank, int column);

  std::vector<RunRank> m_ranks;
};

}  // namespace stagelane::ui
