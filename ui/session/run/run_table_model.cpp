#include "ui/session/run/run_table_model.h"

#include <QDate>
#include <QDateTime>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <unordered_set>

#include "ui/kit/text/formatting.h"
#include "ui/kit/text/short_name.h"
#include "ui/session/prediction/prediction_error.h"
#include "ui/session/run/run_words.h"

namespace stagelane::ui {

using workspace::RunEntry;

namespace {

constexpr std::array kHeaders{"",
                              QT_TRANSLATE_NOOP("QObject", "Run"),
                              "",
                              QT_TRANSLATE_NOOP("QObject", "Started"),
                              QT_TRANSLATE_NOOP("QObject", "Experiment"),
                              QT_TRANSLATE_NOOP("QObject", "Devices"),
                              QT_TRANSLATE_NOOP("QObject", "Var."),
                              QT_TRANSLATE_NOOP("QObject", "Best variant"),
                              QT_TRANSLATE_NOOP("QObject", "Time"),
                              QT_TRANSLATE_NOOP("QObject", "Speed-up"),
                              QT_TRANSLATE_NOOP("QObject", "Prediction"),
                              QT_TRANSLATE_NOOP("QObject", "Gradients"),
                              QT_TRANSLATE_NOOP("QObject", "Status")};
static_assert(kHeaders.size() == RunTableModel::kColumnCount);

bool isNumeric(int column) {
  return column == RunTableModel::Number || column == RunTableModel::Variants ||
         column == RunTableModel::Time || column == RunTableModel::Prediction ||
         column == RunTableModel::Speedup;
}

template <class Value>
int threeWay(const Value& left, const Value& right) {
  return left < right ? -1 : right < left ? 1 : 0;
}

double measuredOr(const RunEntry& entry, double value, double missing) {
  return entry.best.id.empty() ? missing : value;
}

int compareBy(int column, const RunEntry& left, const RunEntry& right) {
  constexpr double kLast = 1e300;
  switch (column) {
    case RunTableModel::Number: return threeWay(left.number, right.number);
    case RunTableModel::Favourite: return threeWay(!left.labels.favourite, !right.labels.favourite);
    case RunTableModel::Name: return threeWay(left.name, right.name);
    case RunTableModel::Devices: return threeWay(left.devices, right.devices);
    case RunTableModel::Variants: return threeWay(left.variants, right.variants);
    case RunTableModel::Best: return threeWay(left.best.name, right.best.name);
    case RunTableModel::Time:
      return threeWay(measuredOr(left, left.best.meanS, kLast),
                      measuredOr(right, right.best.meanS, kLast));
    case RunTableModel::Speedup: return threeWay(left.best.speedup, right.best.speedup);
    case RunTableModel::Prediction:
      return threeWay(std::abs(left.best.predictionError.value_or(kLast)),
                      std::abs(right.best.predictionError.value_or(kLast)));
    case RunTableModel::Gradients: return threeWay(left.gradients, right.gradients);
    case RunTableModel::State: return threeWay(stateText(left), stateText(right));
    default: return 0;
  }
}

QString devicesText(const RunEntry& entry) {
  const QStringList devices = qstring(entry.devices).split(QChar(u','), Qt::SkipEmptyParts);
  return devices.size() <= 3 ? devices.join(QChar(u' '))
                             : u"%1 … %2"_s.arg(devices.first(), devices.last());
}

QString speedupText(const RunEntry& entry) {
  if (entry.best.speedup <= 0.0) return {};
  // The base compared with itself has no speed-up.
  if (entry.best.speedup == 1.0) return QObject::tr("base");
  return entry.best.devices > 1
             ? QObject::tr("%1 of %2×").arg(timesText(entry.best.speedup)).arg(entry.best.devices)
             : timesText(entry.best.speedup);
}

QString gradientsText(const RunEntry& entry) {
  if (entry.gradients == "bit-equal") return QObject::tr("bit-equal");
  if (entry.gradients == "match") return QObject::tr("match");
  return entry.gradients == "differ" ? QObject::tr("differ") : QString();
}

QString cellText(const RunEntry& entry, int column) {
  switch (column) {
    case RunTableModel::Number: return QString::number(entry.number);
    case RunTableModel::Favourite: return entry.labels.favourite ? u"★"_s : u"☆"_s;
    case RunTableModel::Started: return startedText(entry.startedAt, QDate::currentDate().year());
    case RunTableModel::Name: return shownName(entry.name);
    case RunTableModel::Devices: return devicesText(entry);
    case RunTableModel::Variants: return QString::number(entry.variants);
    case RunTableModel::Best: return shownName(entry.best.name);
    case RunTableModel::Time:
      if (entry.best.id.empty()) return {};
      return entry.best.repeats > 1 ? spreadText(entry.best.meanS, entry.best.stdS)
                                    : secondsText(entry.best.meanS) + u", n = 1"_s;
    case RunTableModel::Speedup: return speedupText(entry);
    case RunTableModel::Prediction:
      return entry.best.predictionError ? percentDifferenceText(*entry.best.predictionError)
                                        : QString();
    case RunTableModel::Gradients: return gradientsText(entry);
    case RunTableModel::State: return stateText(entry);
    default: return {};
  }
}

RunTone cellTone(const RunEntry& entry, int column) {
  if (!entry.unreadable.empty() && column != RunTableModel::State) return RunTone::Muted;
  switch (column) {
    case RunTableModel::State: return stateTone(entry);
    case RunTableModel::Started:
    case RunTableModel::Devices:
    case RunTableModel::Prediction: return RunTone::Muted;
    case RunTableModel::Favourite: return entry.labels.favourite ? RunTone::Accent : RunTone::Muted;
    case RunTableModel::Gradients:
      return entry.gradients == "differ" ? RunTone::Bad : RunTone::Plain;
    default: return RunTone::Plain;
  }
}

/// The failure in the few words that fit a badge.
QString shortReason(const RunEntry& entry) {
  const QString kind = entry.failure ? failureText(entry.failure->kind) : QString();
  if (!kind.isEmpty()) return kind;
  const QString text = qstring(entry.reason);
  return QStringList(text.split(QChar(u' '), Qt::SkipEmptyParts).mid(0, 3)).join(QChar(u' '));
}

}  // namespace

QString runKindText(RunKind kind) {
  switch (kind) {
    case RunKind::All: return QObject::tr("All");
    case RunKind::Done: return QObject::tr("Done");
    case RunKind::Failed: return QObject::tr("Failed");
    case RunKind::Canceled: return QObject::tr("Canceled");
    case RunKind::Noisy: return QObject::tr("Noisy");
  }
  return {};
}

QString startedText(const std::string& isoTime, int year) {
  const QDateTime time = QDateTime::fromString(qstring(isoTime), Qt::ISODate);
  if (!time.isValid()) return u"–"_s;
  return time.toString(time.date().year() == year ? u"d MMM hh:mm"_s : u"d MMM yyyy hh:mm"_s);
}

QString spreadText(double meanS, double stdS) {
  const auto [factor, unit] = meanS >= 1.0    ? std::pair{1.0, "s"}
                              : meanS >= 1e-3 ? std::pair{1e3, "ms"}
                                              : std::pair{1e6, "µs"};
  const double spread = stdS * factor;
  // As many decimals as the spread justifies; three digits of the mean.
  const double mean = meanS * factor;
  const int digits = mean >= 100.0 ? 0 : mean >= 10.0 ? 1 : 2;
  const int ofSpread = spread >= 10.0 ? 0 : spread >= 0.1 ? 1 : spread > 0.0 ? 2 : 0;
  const int decimals = std::max(digits, ofSpread);
  return u"%1 ± %2 %3"_s.arg(numberText(mean, decimals), numberText(spread, decimals),
                             QString::fromUtf8(unit));
}

QString repeatsText(double meanS, double stdS, std::size_t repeats) {
  return repeats > 1 ? spreadText(meanS, stdS)
                     : QObject::tr("%1, one repeat").arg(secondsText(meanS));
}

QString stateText(const RunEntry& entry) {
  if (!entry.unreadable.empty()) return QObject::tr("cannot be read");
  if (entry.status == "failed") {
    const QString reason = shortReason(entry);
    return reason.isEmpty() ? QObject::tr("failed") : QObject::tr("failed, %1").arg(reason);
  }
  if (entry.status == "canceled") {
    return QObject::tr("canceled, %1 of %2").arg(entry.repeatsDone).arg(entry.repeatsAsked);
  }
  if (entry.status == "done" && entry.noisy && entry.best.meanS > 0.0) {
    return QObject::tr("noisy, spread %1").arg(percentText(entry.best.stdS / entry.best.meanS, 1));
  }
  const auto status = record::runStatusFromWord(entry.status);
  return status ? statusText(*status) : qstring(entry.status);
}

RunTone stateTone(const RunEntry& entry) {
  if (!entry.unreadable.empty() || entry.status == "failed") return RunTone::Bad;
  if (entry.status == "running") return RunTone::Accent;
  return entry.status == "canceled" || entry.noisy ? RunTone::Warning : RunTone::Good;
}

QString runTitle(const RunEntry& entry) { return QObject::tr("run %1").arg(entry.number); }

bool isOfKind(const RunEntry& entry, RunKind kind) {
  switch (kind) {
    case RunKind::All: return true;
    case RunKind::Done: return entry.status == "done";
    case RunKind::Failed: return entry.status == "failed";
    case RunKind::Canceled: return entry.status == "canceled";
    case RunKind::Noisy: return entry.noisy;
  }
  return false;
}

void RunTableModel::setRuns(RunListPtr runs) {
  const auto ticked = m_checked.size();
  QSet<QString> known;
  for (std::size_t i = 0; runs && i < runs->size(); ++i) known.insert(qstring((*runs)[i].folder));
  m_checked.removeIf([&known](const QString& folder) { return !known.contains(folder); });
  m_before.clear();
  for (const std::size_t place : m_rows) m_before.push_back((*m_runs)[place].folder);
  arrange(std::move(runs));
  if (m_checked.size() != ticked) Q_EMIT checkedChanged();
}

void RunTableModel::setSearch(const QString& text) {
  m_search = workspace::RunSearch(utf8(text));
  m_before.clear();
  arrange(m_runs);
}

void RunTableModel::setLeft(QHash<QString, QString> hosts) {
  m_left = std::move(hosts);
  if (rowCount() > 0) Q_EMIT dataChanged(index(0, State), index(rowCount() - 1, State));
}

void RunTableModel::setKind(RunKind kind) {
  m_kind = kind;
  m_before.clear();
  arrange(m_runs);
}

void RunTableModel::arrange(RunListPtr runs) {
  Rows rows;
  m_counts.fill(0);
  for (std::size_t i = 0; runs && i < runs->size(); ++i) {
    const RunEntry& entry = (*runs)[i];
    if (!m_search.matches(entry)) continue;
    for (std::size_t kind = 0; kind < kRunKinds; ++kind) {
      m_counts[kind] += isOfKind(entry, static_cast<RunKind>(kind)) ? 1 : 0;
    }
    if (isOfKind(entry, m_kind)) rows.push_back(i);
  }
  order(runs, rows);
  const bool same = areShown(runs, rows);
  if (!same) beginResetModel();
  m_runs = std::move(runs);
  m_rows = std::move(rows);
  if (!same) {
    endResetModel();
  } else if (!m_rows.empty()) {
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumnCount - 1));
  }
  Q_EMIT countsChanged();
}

bool RunTableModel::areShown(const RunListPtr& runs, const Rows& rows) const {
  return std::equal(rows.begin(), rows.end(), m_rows.begin(), m_rows.end(),
                    [&](std::size_t next, std::size_t shown) {
                      return (*runs)[next].folder == (*m_runs)[shown].folder;
                    });
}

/// The list is newest first, which stays the order of equal rows.
void RunTableModel::order(const RunListPtr& runs, Rows& rows) const {
  if (m_sortColumn == Started || m_sortColumn == Checked) {
    std::sort(rows.begin(), rows.end());
    if (m_sortColumn == Started && m_sortOrder == Qt::AscendingOrder) {
      std::reverse(rows.begin(), rows.end());
    }
    return;
  }
  const int sign = m_sortOrder == Qt::AscendingOrder ? 1 : -1;
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t left, std::size_t right) {
    return sign * compareBy(m_sortColumn, (*runs)[left], (*runs)[right]) < 0;
  });
}

void RunTableModel::sort(int column, Qt::SortOrder sortOrder) {
  beginResetModel();
  m_sortColumn = column;
  m_sortOrder = sortOrder;
  std::sort(m_rows.begin(), m_rows.end());
  order(m_runs, m_rows);
  endResetModel();
}

const RunEntry& RunTableModel::entry(int row) const {
  return (*m_runs)[m_rows[static_cast<std::size_t>(row)]];
}

QString RunTableModel::folderOf(int row) const {
  return row < 0 || row >= rowCount() ? QString() : qstring(entry(row).folder);
}

int RunTableModel::rowOf(const QString& folder) const {
  const std::string wanted = utf8(folder);
  for (std::size_t row = 0; row < m_rows.size(); ++row) {
    if ((*m_runs)[m_rows[row]].folder == wanted) return static_cast<int>(row);
  }
  return -1;
}

QList<int> RunTableModel::rowsOf(const QStringList& folders) const {
  const QSet<QString> wanted(folders.begin(), folders.end());
  QList<int> rows;
  for (int row = 0; !wanted.isEmpty() && row < rowCount(); ++row) {
    if (wanted.contains(folderOf(row))) rows.append(row);
  }
  return rows;
}

QString RunTableModel::successorOf(const QString& folder) const {
  const auto gone = std::find(m_before.begin(), m_before.end(), utf8(folder));
  if (gone == m_before.end()) return {};
  std::unordered_set<std::string_view> shown;
  for (const std::size_t place : m_rows) shown.insert((*m_runs)[place].folder);
  const auto stayed = [&shown](const std::string& other) { return shown.count(other) > 0; };
  if (const auto next = std::find_if(gone, m_before.end(), stayed); next != m_before.end()) {
    return qstring(*next);
  }
  const auto previous = std::find_if(std::make_reverse_iterator(gone), m_before.rend(), stayed);
  return previous == m_before.rend() ? QString() : qstring(*previous);
}

void RunTableModel::setChecked(const QString& folder, bool checked) {
  if (m_checked.contains(folder) == checked) return;
  if (checked) {
    m_checked.append(folder);
  } else {
    m_checked.removeAll(folder);
  }
  if (const int row = rowOf(folder); row >= 0) {
    Q_EMIT dataChanged(index(row, Checked), index(row, kColumnCount - 1));
  }
  Q_EMIT checkedChanged();
}

void RunTableModel::clearChecked() {
  m_checked.clear();
  if (rowCount() > 0) {
    Q_EMIT dataChanged(index(0, Checked), index(rowCount() - 1, kColumnCount - 1));
  }
  Q_EMIT checkedChanged();
}

int RunTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RunTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(kColumnCount);
}

QString RunTableModel::text(const RunEntry& entry, int column) const {
  const QString host = column == State ? m_left.value(qstring(entry.folder)) : QString();
  return host.isEmpty() ? cellText(entry, column) : tr("left on %1").arg(host);
}

QString RunTableModel::tip(const RunEntry& entry, int column) const {
  switch (column) {
    case Checked: return tr("Check two or more runs to compare them (Space)");
    case Favourite: return tr("Favorite (F)");
    case Devices: return qstring(entry.devices).replace(QChar(u','), u", "_s);
    case Time:
      return entry.best.id.empty()
                 ? QString()
                 : tr("Mean ± standard deviation of a repeat (all its batches); %1")
                       .arg(countedText(entry.best.repeats, tr("repeat"), tr("repeats")));
    case Prediction: return predictionErrorTip(tr("Step of the best variant"));
    case State:
      if (const QString host = m_left.value(qstring(entry.folder)); !host.isEmpty()) {
        return tr("The run continues on %1. Take it up to follow it (R)").arg(host);
      }
      if (!entry.unreadable.empty())
        return tr("%1. The row shows the last known values").arg(qstring(entry.unreadable));
      return entry.reason.empty() ? cellText(entry, column) : qstring(entry.reason);
    case Name: return qstring(entry.labels.note.empty() ? entry.folder : entry.labels.note);
    default: return cellText(entry, column);
  }
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const RunEntry& run = entry(index.row());
  const int column = index.column();
  switch (role) {
    case Qt::DisplayRole: return text(run, column);
    case Qt::ToolTipRole: return tip(run, column);
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(
          Qt::Alignment((isNumeric(column) && column != Speedup ? Qt::AlignRight : Qt::AlignLeft) |
                        Qt::AlignVCenter));
    case Qt::CheckStateRole:
      return column == Checked
                 ? QVariant(m_checked.contains(qstring(run.folder)) ? Qt::Checked : Qt::Unchecked)
                 : QVariant();
    case Qt::AccessibleTextRole:
      return column == Favourite ? (run.labels.favourite ? tr("favorite") : tr("not a favorite"))
                                 : text(run, column);
    case kFolderRole: return qstring(run.folder);
    case kToneRole: return static_cast<int>(cellTone(run, column));
    case kTagsRole: {
      QStringList tags;
      for (const std::string& tag : run.labels.tags) tags.append(qstring(tag));
      return tags;
    }
    default: return {};
  }
}

bool RunTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || index.column() != Checked || role != Qt::CheckStateRole) return false;
  setChecked(folderOf(index.row()), value.toInt() == Qt::Checked);
  return true;
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumnCount) return {};
  if (role == Qt::DisplayRole) {
    const char* const header = kHeaders[static_cast<std::size_t>(section)];
    return *header == 0 ? QString() : QObject::tr(header);
  }
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue(
        Qt::Alignment((isNumeric(section) && section != Speedup ? Qt::AlignRight : Qt::AlignLeft) |
                      Qt::AlignVCenter));
  }
  return {};
}

Qt::ItemFlags RunTableModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  const Qt::ItemFlags flags = Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemNeverHasChildren;
  return index.column() == Checked ? flags | Qt::ItemIsUserCheckable : flags;
}

}  // namespace stagelane::ui
