#include "ui/plan/prediction/kind_table_model.h"

#include "engine/plan/rows.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/theme.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

bool isWords(int column) {
  return column == KindTableModel::Kind || column == KindTableModel::Schedule ||
         column == KindTableModel::Reason;
}

QString sentence(const std::string& reason) {
  QString text = qstring(reason);
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text;
}

}  // namespace

KindTableModel::KindTableModel(PlanModel* plan, QObject* parent)
    : QAbstractTableModel(parent), m_plan(plan) {
  connect(&plan->kinds(), &KindRunner::changed, this, &KindTableModel::refresh);
  connect(plan, &PlanModel::planChanged, this, &KindTableModel::repaint);
  connect(plan->session().currentTheme(), &CurrentTheme::changed, this, &KindTableModel::repaint);
  refresh();
}

void KindTableModel::refresh() {
  const KindPlansPtr found = m_plan->kinds().found();
  if (found == m_kinds) {
    repaint();
    return;
  }
  beginResetModel();
  m_kinds = found;
  endResetModel();
}

/// What is marked depends on the tab, the theme and the age of the results.
void KindTableModel::repaint() {
  if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumnCount - 1));
}

const search::KindPlan* KindTableModel::plan(int row) const {
  return row >= 0 && row < rowCount() ? &m_kinds->plans[static_cast<std::size_t>(row)] : nullptr;
}

bool KindTableModel::isShown(int row) const {
  const plan::Variant* variant = m_plan->session().selection().variant();
  const search::KindPlan* kind = plan(row);
  return variant != nullptr && kind != nullptr && isPlan(*variant, *kind);
}

int KindTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !m_kinds ? 0 : static_cast<int>(m_kinds->plans.size());
}

int KindTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumnCount;
}

QString KindTableModel::text(int row, int column) const {
  const search::KindPlan& kind = *plan(row);
  const QString none = QChar(0x2013);
  switch (column) {
    case Kind: {
      const QString title = kindTitle(kind.strategy, kind.replicas);
      return isShown(row) ? tr("%1 (this tab)").arg(title) : title;
    }
    case Schedule:
      return plan::strategyRow(kind.strategy).pipelined ? qstring(kind.schedule) : none;
    case Split: return QString::number(kind.splitSize);
    case Devices: return QString::number(plan::rowsOf(kind.stages).size());
    case Step: return approximately(kind.basis) + timeText(kind.stepNs);
    case Speedup: {
      const double times = m_kinds->speedup(kind);
      return times > 0.0 ? timesText(times) : none;
    }
    case Peak: return approximately(kind.basis) + bytesText(kind.peakBytes);
    case Moved: return kind.bytesMoved > 0 ? bytesText(kind.bytesMoved) : none;
    case Reason: return sentence(kind.reason);
    default: return {};
  }
}

QVariant KindTableModel::color(int row, int column) const {
  const ControlColors& colors = m_plan->session().currentTheme()->theme().control;
  if (m_plan->kinds().stale()) return colors.muted;
  const bool tooLarge = !plan(row)->fits();
  if (tooLarge && (column == Peak || column == Reason)) return colors.error;
  return tooLarge || column == Reason ? QVariant(colors.muted) : QVariant();
}

QVariant KindTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || plan(index.row()) == nullptr) return {};
  const int column = index.column();
  switch (role) {
    case Qt::DisplayRole: return text(index.row(), column);
    case Qt::ToolTipRole: return text(index.row(), isWords(column) ? column : int(Reason));
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignVCenter | (isWords(column) ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::ForegroundRole: return color(index.row(), column);
    case Qt::FontRole:
      return column == Step || (column == Kind && isShown(index.row()))
                 ? QVariant(fontOf(TextSize::Body, TextWeight::Bold))
                 : QVariant();
    default: return {};
  }
}

QVariant KindTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumnCount) return {};
  struct Heading {
    const char* text;
    const char* tip;
  };
  static constexpr Heading kHeadings[kColumnCount] = {
      {QT_TR_NOOP("Kind"), QT_TR_NOOP("Strategy; × is the number of replicas of a pipeline")},
      {QT_TR_NOOP("Schedule"), QT_TR_NOOP("Schedule of the pipeline")},
      {QT_TR_NOOP("Split"), QT_TR_NOOP("Samples in a micro-batch (split_size)")},
      {QT_TR_NOOP("Devices"), QT_TR_NOOP("Number of devices that the plan uses")},
      {QT_TR_NOOP("Step"), QT_TR_NOOP("Predicted time of one step over the batch")},
      {QT_TR_NOOP("Speed-up"), QT_TR_NOOP("Predicted speed relative to the base")},
      {QT_TR_NOOP("Peak"), QT_TR_NOOP("Predicted peak memory of the fullest device")},
      {QT_TR_NOOP("Moved"), QT_TR_NOOP("Bytes that the devices send each other in a step")},
      {QT_TR_NOOP("Reason"), QT_TR_NOOP("Why the plan takes as long as it does, or does not fit")}};
  switch (role) {
    case Qt::DisplayRole: return tr(kHeadings[section].text);
    case Qt::ToolTipRole: return tr(kHeadings[section].tip);
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignVCenter | (isWords(section) ? Qt::AlignLeft : Qt::AlignRight));
    default: return {};
  }
}

}  // namespace stagelane::ui
