#include "ui/models/timeline_tables.h"

#include <algorithm>
#include <array>

#include "engine/base/text.h"
#include "ui/models/formatting.h"

namespace stagelane::ui {
namespace {

constexpr std::array kIdleCauses{analysis::Cause::Warmup,       analysis::Cause::Starved,
                                 analysis::Cause::TransferWait, analysis::Cause::Host,
                                 analysis::Cause::Drain,        analysis::Cause::Tail,
                                 analysis::Cause::Unattributed};
/// Beyond this the table would only be scrolled past; the timeline itself shows them all.
constexpr std::size_t kMostEvents = 20000;

QString capitalized(QString text) {
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text;
}

/// One unit for all times of a step, so that columns can be compared.
struct StepUnit {
  QString name;
  double ns = 1e6;
};
StepUnit unitOf(const TimelineData& timeline) {
  return timeline.wallNs() < 10'000'000 ? StepUnit{QStringLiteral("µs"), 1e3}
                                        : StepUnit{QStringLiteral("ms"), 1e6};
}
QString inUnit(TimeNs ns, const StepUnit& unit) {
  const double value = static_cast<double>(ns) / unit.ns;
  return QString::number(value, 'f', value >= 9999.5 ? 0 : 1);
}

/// Busy, then each idle cause.
std::vector<TimeNs> partsOf(const analysis::DeviceStep& device) {
  std::vector<TimeNs> parts{device.busyNs()};
  for (const analysis::Cause cause : kIdleCauses) {
    parts.push_back(device.causeNs[static_cast<std::size_t>(cause)]);
  }
  return parts;
}

}  // namespace

void IdleCauseModel::setTimeline(TimelineDataPtr timeline) {
  beginResetModel();
  m_rows.clear();
  m_headers = {QString()};
  if (timeline) {
    m_rows.push_back({QStringLiteral("Busy"), analysis::Cause::Compute, {}});
    for (const analysis::Cause cause : kIdleCauses) {
      m_rows.push_back({capitalized(causeText(cause)), cause, {}});
    }
    m_rows.push_back({QStringLiteral("Step"), analysis::Cause::Compute, {}});
    const StepUnit unit = unitOf(*timeline);
    for (const analysis::DeviceStep& device : timeline->step().devices) {
      const QString name =
          qstring(timeline->trace().devices()[static_cast<std::size_t>(device.device)]);
      m_headers << name + QChar(u' ') + unit.name << QStringLiteral("%");
      const std::vector<TimeNs> parts = partsOf(device);
      const std::vector<double> shares = roundedPercentages(parts, 1);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        m_rows[i].cells << inUnit(parts[i], unit) << QString::number(shares[i], 'f', 1);
      }
      m_rows.back().cells << inUnit(timeline->wallNs(), unit) << QStringLiteral("100.0");
    }
  }
  endResetModel();
}

int IdleCauseModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int IdleCauseModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_headers.size());
}

QVariant IdleCauseModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Row& row = m_rows[static_cast<std::size_t>(index.row())];
  if (role == Qt::DisplayRole) {
    return index.column() == 0 ? row.name : row.cells.value(index.column() - 1);
  }
  if (role == Qt::TextAlignmentRole && index.column() > 0) {
    return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
  }
  return {};
}

QVariant IdleCauseModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::DisplayRole) return m_headers.value(section);
  if (role == Qt::TextAlignmentRole && section > 0) {
    return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
  }
  return {};
}

analysis::Cause IdleCauseModel::causeOf(int row) const {
  return m_rows[static_cast<std::size_t>(row)].cause;
}

void StepEventsModel::setTimeline(TimelineDataPtr timeline) {
  beginResetModel();
  m_timeline = std::move(timeline);
  m_events.clear();
  if (m_timeline) {
    m_unit = unitOf(*m_timeline).name;
    const trace::Trace& trace = m_timeline->trace();
    const TimeNs start = m_timeline->startNs(), end = start + m_timeline->wallNs();
    for (std::size_t i = 0; i < trace.size() && m_events.size() < kMostEvents; ++i) {
      const TimeNs at = trace.startsNs()[i];
      if (at >= start && at < end) m_events.push_back(i);
    }
    std::stable_sort(m_events.begin(), m_events.end(), [&](std::size_t a, std::size_t b) {
      return trace.startsNs()[a] < trace.startsNs()[b];
    });
  }
  endResetModel();
}

int StepEventsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_events.size());
}

int StepEventsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : 5;
}

QVariant StepEventsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  if (role == Qt::TextAlignmentRole && index.column() > 1) {
    return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
  }
  if (role != Qt::DisplayRole) return {};
  const std::size_t event = m_events[static_cast<std::size_t>(index.row())];
  const trace::EventView view = m_timeline->trace().event(event);
  switch (index.column()) {
    case 0: return qstring(view.name);
    case 1: {
      const std::int32_t device = m_timeline->deviceOfEvent(event);
      return device < 0 ? QString()
                        : qstring(m_timeline->trace().devices()[static_cast<std::size_t>(device)]);
    }
    case 2: return inUnit(view.startNs - m_timeline->startNs(), unitOf(*m_timeline));
    case 3: return inUnit(view.durationNs, unitOf(*m_timeline));
    default: break;
  }
  const auto predicted = m_timeline->predictedEvent(event);
  if (!predicted) return QStringLiteral("–");
  const auto expected = static_cast<double>(m_timeline->predicted()->durationsNs()[*predicted]);
  if (expected <= 0.0) return QStringLiteral("–");
  return percentDifferenceText((static_cast<double>(view.durationNs) - expected) / expected);
}

QVariant StepEventsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::DisplayRole) {
    switch (section) {
      case 0: return QStringLiteral("Action");
      case 1: return QStringLiteral("Device");
      case 2: return QStringLiteral("Start ") + m_unit;
      case 3: return QStringLiteral("Duration ") + m_unit;
      default: return QStringLiteral("to predicted");
    }
  }
  if (role == Qt::TextAlignmentRole && section > 1) {
    return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
  }
  return {};
}

TimelineTarget StepEventsModel::targetOf(int row) const {
  const std::size_t event = m_events[static_cast<std::size_t>(row)];
  return {.kind = TimelineTarget::Kind::Event,
          .event = event,
          .device = m_timeline->deviceOfEvent(event)};
}

int StepEventsModel::rowOf(const TimelineTarget& target) const {
  if (target.kind != TimelineTarget::Kind::Event) return -1;
  const auto found = std::find(m_events.begin(), m_events.end(), target.event);
  return found == m_events.end() ? -1 : static_cast<int>(found - m_events.begin());
}

trace::Category StepEventsModel::categoryOf(int row) const {
  return m_timeline->trace().categories()[m_events[static_cast<std::size_t>(row)]];
}

}  // namespace stagelane::ui
