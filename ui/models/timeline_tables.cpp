#include "ui/models/timeline_tables.h"

#include <QPainter>
#include <QPixmap>
#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "engine/base/text.h"
#include "ui/models/formatting.h"

namespace stagelane::ui {
namespace {

constexpr std::array kIdleCauses{analysis::Cause::Warmup,       analysis::Cause::Starved,
                                 analysis::Cause::TransferWait, analysis::Cause::Host,
                                 analysis::Cause::Drain,        analysis::Cause::Tail,
                                 analysis::Cause::Unattributed};
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
/// To the nanosecond: events may be far shorter than their step.
QString exactInUnit(TimeNs ns, const StepUnit& unit) {
  const int decimals = unit.ns > 1e3 ? 6 : 3;
  const QString text = QString::number(std::abs(static_cast<double>(ns)) / unit.ns, 'f', decimals);
  return ns < 0 ? QChar(u'\u2212') + text : text;
}

QString inUnit(TimeNs ns, const StepUnit& unit) {
  const double value = static_cast<double>(ns) / unit.ns;
  QString text = QString::number(std::abs(value), 'f', std::abs(value) >= 9999.5 ? 0 : 1);
  return value <= -0.05 ? QChar(u'\u2212') + text : text;
}

/// Busy, then each idle cause.
std::vector<TimeNs> partsOf(const analysis::DeviceStep& device) {
  std::vector<TimeNs> parts{device.busyNs()};
  for (const analysis::Cause cause : kIdleCauses) {
    parts.push_back(device.causeNs[static_cast<std::size_t>(cause)]);
  }
  return parts;
}

/// Whether any device waited, or was predicted to wait, for a reason. What cannot be said is only
/// listed where it occurs.
bool isListed(const TimelineData& timeline, analysis::Cause cause) {
  if (cause != analysis::Cause::Unattributed) return true;
  const auto has = [&](const analysis::DeviceStep& device) {
    return device.causeNs[static_cast<std::size_t>(cause)] > 0;
  };
  const auto& devices = timeline.step().devices;
  if (std::any_of(devices.begin(), devices.end(), has)) return true;
  const analysis::StepBreakdown* predicted = timeline.predictedStep();
  return predicted != nullptr &&
         std::any_of(predicted->devices.begin(), predicted->devices.end(), has);
}

/// What a colour or hatch looks like, beside a name.
QPixmap swatch(const QBrush& brush) {
  constexpr int kSide = 12, kRatio = 2;
  QPixmap pixmap(kSide * kRatio, kSide * kRatio);
  pixmap.setDevicePixelRatio(kRatio);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.fillRect(0, 0, kSide, kSide, brush);
  return pixmap;
}

/// The device of that name in the predicted step; null where there is none.
const analysis::DeviceStep* predictedTwin(const TimelineData& timeline, const QString& name) {
  if (timeline.predictedStep() == nullptr) return nullptr;
  for (const analysis::DeviceStep& device : timeline.predictedStep()->devices) {
    const auto& devices = timeline.predicted()->devices();
    if (qstring(devices[static_cast<std::size_t>(device.device)]) == name) return &device;
  }
  return nullptr;
}

}  // namespace

void IdleCauseModel::setTimeline(TimelineDataPtr timeline) {
  beginResetModel();
  m_rows.clear();
  m_headers = {QString()};
  if (timeline && !timeline->step().devices.empty()) {
    m_rows.push_back({QStringLiteral("Busy"), analysis::Cause::Compute, {}});
    for (const analysis::Cause cause : kIdleCauses) {
      if (isListed(*timeline, cause)) m_rows.push_back({capitalized(causeText(cause)), cause, {}});
    }
    m_rows.push_back({QStringLiteral("Step"), analysis::Cause::Compute, {}});
    const StepUnit unit = unitOf(*timeline);
    for (const analysis::DeviceStep& device : timeline->step().devices) {
      const QString name =
          qstring(timeline->trace().devices()[static_cast<std::size_t>(device.device)]);
      m_headers << name + QChar(u' ') + unit.name << QStringLiteral("%");
      const analysis::DeviceStep* twin = predictedTwin(*timeline, name);
      const std::vector<double> expected =
          twin == nullptr ? std::vector<double>{} : roundedPercentages(partsOf(*twin), 1);
      if (timeline->predictedStep() != nullptr) m_headers << QStringLiteral("pred. %");
      const std::vector<TimeNs> parts = partsOf(device);
      const std::vector<double> shares = roundedPercentages(parts, 1);
      for (std::size_t i = 0; i + 1 < m_rows.size(); ++i) {
        m_rows[i].cells << inUnit(parts[i], unit) << QString::number(shares[i], 'f', 1);
        if (timeline->predictedStep() == nullptr) continue;
        m_rows[i].cells << (expected.empty() ? QStringLiteral("–")
                                             : QString::number(expected[i], 'f', 1));
      }
      m_rows.back().cells << inUnit(timeline->step().wallNs(), unit) << QStringLiteral("100.0");
      if (timeline->predictedStep() != nullptr) {
        m_rows.back().cells << (expected.empty() ? QStringLiteral("–") : QStringLiteral("100.0"));
      }
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
  const bool last = index.row() + 1 == rowCount();
  if (role == Qt::DecorationRole && index.column() == 0 && !last) {
    return swatch(brushOf(*m_theme, row.cause, 2.0));
  }
  if (role == Qt::FontRole && last) return fontOf(TextSize::Body, TextWeight::Bold);
  return {};
}

void IdleCauseModel::setTheme(const Theme& theme) {
  m_theme = &theme;
  if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, 0));
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

std::vector<std::size_t> firstEvents(const TimelineData& data, const EventRange& range,
                                     std::size_t most) {
  const trace::Trace& trace = data.trace();
  const auto starts = trace.startsNs();
  // A heap of the next event of each lane, the earliest on top.
  struct Next {
    TimeNs startNs;
    std::size_t event;
    std::size_t lane;
    std::size_t position;
  };
  const auto later = [](const Next& left, const Next& right) {
    return std::tie(left.startNs, left.event) > std::tie(right.startNs, right.event);
  };
  std::vector<Next> heap;
  std::vector<trace::LaneCursor> cursors;
  const auto push = [&](std::size_t lane, std::size_t position) {
    if (position >= cursors[lane].count()) return;
    const std::size_t event = cursors[lane].eventAt(position);
    if (starts[event] >= range.toNs) return;
    heap.push_back({starts[event], event, lane, position});
    std::push_heap(heap.begin(), heap.end(), later);
  };
  const auto addTrack = [&](std::size_t track) {
    for (std::size_t lane = 0; lane < data.lanes().laneCount(track); ++lane) {
      cursors.emplace_back(data.lanes(), track, lane);
      push(cursors.size() - 1, cursors.back().firstReaching(range.fromNs));
    }
  };
  if (range.tracks.empty()) {
    for (std::size_t track = 0; track < trace.tracks().size(); ++track) addTrack(track);
  } else {
    for (const std::size_t track : range.tracks) addTrack(track);
  }
  std::vector<std::size_t> events;
  while (!heap.empty() && events.size() < most) {
    std::pop_heap(heap.begin(), heap.end(), later);
    const Next next = heap.back();
    heap.pop_back();
    events.push_back(next.event);
    push(next.lane, next.position + 1);
  }
  return events;
}

void StepEventsModel::setTimeline(TimelineDataPtr timeline) {
  std::vector<std::size_t> events;
  if (timeline) {
    const TimeNs start = timeline->startNs();
    events = firstEvents(*timeline, {start, start + timeline->wallNs()}, kMostTableEvents);
  }
  setEvents(std::move(timeline), std::move(events));
}

void StepEventsModel::setEvents(TimelineDataPtr timeline, std::vector<std::size_t> events) {
  beginResetModel();
  m_timeline = std::move(timeline);
  m_events = std::move(events);
  if (m_timeline) m_unit = unitOf(*m_timeline).name;
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
  if (role == Qt::DecorationRole && index.column() == 0) {
    return swatch(fillOf(*m_theme, categoryOf(index.row())));
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
    case 2: return exactInUnit(view.startNs - m_timeline->startNs(), unitOf(*m_timeline));
    case 3: return exactInUnit(view.durationNs, unitOf(*m_timeline));
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

void StepEventsModel::setTheme(const Theme& theme) {
  m_theme = &theme;
  if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, 0));
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
