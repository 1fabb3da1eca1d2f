#include "ui/frame/rank_table_model.h"

#include <utility>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {

void RankTableModel::setRanks(std::vector<RunRank> ranks) {
  if (ranks == m_ranks) return;
  if (ranks.size() == m_ranks.size()) {
    m_ranks = std::move(ranks);
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumnCount - 1));
    return;
  }
  beginResetModel();
  m_ranks = std::move(ranks);
  endResetModel();
}

void RankTableModel::setTurn(const RunTurn& turn) {
  if (turn == m_turn) return;
  m_turn = turn;
  if (rowCount() > 0) Q_EMIT dataChanged(index(0, Repeat), index(rowCount() - 1, Action));
}

int RankTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_ranks.size());
}

int RankTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumnCount;
}

QString RankTableModel::text(const RunRank& rank, int column) const {
  switch (column) {
    case Rank: return QString::number(rank.rank);
    case Host: return rank.host;
    case Devices: return rank.devices.join(u", "_s);
    case State: return rankStateText(rank);
    case Repeat: return turnText(rank, m_turn);
    // A waiting rank still reports the last action of its last turn.
    case Action: {
      const bool waits = rank.repeat && rank.variantId != m_turn.variantId;
      return waits ? QString() : rank.doing;
    }
    case LastSeen:
      return rank.lastSeenMs ? tr("%1 s").arg(numberText(double(*rank.lastSeenMs) / 1e3, 1))
                             : QString();
    case ClockError: return clockText(rank);
    default: return {};
  }
}

QString RankTableModel::tip(const RunRank& rank, int column) const {
  switch (column) {
    case Rank: return rank.pid > 0 ? tr("process %1").arg(rank.pid) : QString();
    case Repeat:
      return tr("Repeat of the variant that is running; a rank without a part in it waits");
    case Action: return tr("Action that has run longest on the devices of this process");
    case LastSeen: return tr("Time since the last sign of life of this process");
    case ClockError:
      return tr("Half of the shortest round trip to rank 0: how exactly its times are known");
    default: return text(rank, column);
  }
}

QVariant RankTableModel::data(const QModelIndex& index, int role) const {
  const auto row = static_cast<std::size_t>(index.row());
  if (!index.isValid() || row >= m_ranks.size()) return {};
  if (role == Qt::DisplayRole) return text(m_ranks[row], index.column());
  if (role == Qt::ToolTipRole) return tip(m_ranks[row], index.column());
  return {};
}

QVariant RankTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case Rank: return tr("Rank");
    case Host: return tr("Host");
    case Devices: return tr("Devices");
    case State: return tr("State");
    case Repeat: return tr("Repeat");
    case Action: return tr("Action");
    case LastSeen: return tr("Last seen");
    case ClockError: return tr("Clock error");
    default: return {};
  }
}

}  // namespace stagelane::ui
