#include "ui/tracks/timeline_rows.h"

#include <QObject>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "engine/plan/device.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

constexpr double kHeader = 24.0, kUtilisation = 20.0, kGhost = 12.0, kActions = 28.0;
constexpr double kCopies = 14.0, kOperators = 14.0, kCounter = 40.0, kNotice = 18.0, kGap = 4.0;
constexpr double kIdle = 16.0;
constexpr double kFolded = 14.0;

bool hasEvents(const trace::Trace& trace, std::size_t track) {
  const auto range = trace.rangeOfTrack(track);
  return range.first < range.second;
}

bool hasCounter(const trace::Trace& trace, std::size_t track) {
  return std::any_of(trace.counters().begin(), trace.counters().end(),
                     [&](const auto& series) { return series.track == track; });
}

/// Whether a track has content in the shown range. A counter keeps its value between samples.
bool occurs(const TimelineData& data, std::size_t track) {
  const TimeNs from = data.startNs(), to = from + data.wallNs();
  for (std::size_t lane = 0; lane < data.lanes().laneCount(track); ++lane) {
    trace::LaneCursor cursor(data.lanes(), track, lane);
    const std::size_t first = cursor.firstReaching(from);
    if (first < cursor.count() && cursor.startAt(first) <= to) return true;
  }
  const auto& counters = data.trace().counters();
  return std::any_of(counters.begin(), counters.end(), [&](const trace::CounterSeries& series) {
    return series.track == track && !series.timesNs.empty() && series.timesNs.front() <= to;
  });
}

RowKind rowKindOf(trace::TrackKind kind) {
  switch (kind) {
    case trace::TrackKind::Compute: return RowKind::Actions;
    case trace::TrackKind::Copy: return RowKind::Copies;
    case trace::TrackKind::Counter: return RowKind::Counter;
    default: return RowKind::Operators;
  }
}

double heightOf(RowKind kind) {
  switch (kind) {
    case RowKind::Header: return kHeader;
    case RowKind::Utilisation: return kUtilisation;
    case RowKind::Ghost: return kGhost;
    case RowKind::Actions: return kActions;
    case RowKind::Idle: return kIdle;
    case RowKind::Copies: return kCopies;
    case RowKind::Operators: return kOperators;
    case RowKind::Counter: return kCounter;
    case RowKind::Notice: return kNotice;
  }
  return kOperators;
}

/// "3.3 GiB", "290.0 M", "0.25 ms". Without a unit, the counter's name can indicate bytes.
QString counterText(double value, const std::string& unit, const std::string& name) {
  const QString called = qstring(name).toLower();
  const bool named =
      called.contains(u"byte"_s) || called.contains(u"memory"_s) || called.contains(u"allocated"_s);
  if (unit == "bytes" || unit == "B" || (unit.empty() && named)) {
    return bytesText(static_cast<Bytes>(value));
  }
  constexpr double kCounted = 1e4;
  const QString number = std::abs(value) >= kCounted && std::abs(value) < 9e18
                             ? countText(std::llround(value))
                             : preciseText(value, 4);
  return unit.empty() ? number : number + QChar(u' ') + qstring(unit);
}

/// Empty for devices of other programs.
QString kindOf(const QString& device) {
  return plan::parseDevice(DeviceId{utf8(device)}) ? deviceKindText(DeviceId{utf8(device)})
                                                   : QString();
}

/// Stacks rows vertically.
class Stack {
 public:
  Stack(const TimelineData& data, const RowOptions& options) : m_data(data), m_options(options) {}

  void add(TimelineRow row, double height, double gapAfter = kGap) {
    row.y = m_layout.height;
    row.height = height;
    m_layout.height += height + gapAfter;
    m_layout.rows.push_back(std::move(row));
  }

  void addNotices() {
    const TimelineNotes& notes = m_data.notes();
    if (notes.lost > 0) {
      add({.kind = RowKind::Notice,
           .label = countedText(static_cast<std::int64_t>(notes.lost), QObject::tr("record lost"),
                                QObject::tr("records lost")),
           .detail = notes.lostReason},
          kNotice);
    }
  }

  void addDevice(std::int32_t device) {
    const trace::Trace& trace = m_data.trace();
    const bool known = device >= 0;
    const QString name = known ? qstring(trace.devices()[static_cast<std::size_t>(device)])
                               : QObject::tr("host and others");
    const bool folded = m_options.collapsed.count(device) != 0;
    add({.kind = RowKind::Header,
         .device = device,
         .label = name,
         .detail = known ? kindOf(name) : QString(),
         .foldable = true,
         .folded = folded},
        kHeader);
    if (folded) return;
    if (known && m_data.deviceStep(device) != nullptr) addUtilisation(device);
    for (const std::size_t track : tracksOf(device)) addTrack(track, QString());
  }

  void addTrack(std::size_t index, const QString& prefix) {
    const trace::Track& track = m_data.trace().tracks()[index];
    TimelineRow row{.kind = rowKindOf(track.kind),
                    .device = track.device,
                    .track = static_cast<std::int32_t>(index)};
    row.label = prefix + labelOf(track);
    row.foldable = row.kind == RowKind::Operators || row.kind == RowKind::Counter;
    row.folded = row.foldable && isFolded(track, row.track);
    const std::size_t lanes = row.kind == RowKind::Counter
                                  ? 1
                                  : std::max<std::size_t>(1, m_data.lanes().laneCount(index));
    if (row.kind == RowKind::Counter) row.detail = mostOf(index);
    if (row.folded) {
      if (lanes > 1) row.detail = QObject::tr("depth %1").arg(lanes);
      add(row, kFolded);
      return;
    }
    if (row.kind == RowKind::Counter) addScale(row, index);
    for (std::size_t lane = 0; lane < lanes; ++lane) addLane(row, lane, lanes);
  }

  [[nodiscard]] TimelineLayout take() { return std::move(m_layout); }

  /// Tracks of a device in display order.
  [[nodiscard]] std::vector<std::size_t> tracksOf(std::int32_t device) const {
    static constexpr std::array kOrder{trace::TrackKind::Compute,   trace::TrackKind::Copy,
                                       trace::TrackKind::Operators, trace::TrackKind::Kernels,
                                       trace::TrackKind::Other,     trace::TrackKind::Counter};
    const trace::Trace& trace = m_data.trace();
    std::vector<std::size_t> answer;
    for (const trace::TrackKind kind : kOrder) {
      for (std::size_t i = 0; i < trace.tracks().size(); ++i) {
        const trace::Track& track = trace.tracks()[i];
        if (track.device != device || track.kind != kind) continue;
        // Devices keep their tracks in all steps; tracks without a device appear only if they have
        // events.
        const bool wanted =
            device < 0 ? occurs(m_data, i) : hasEvents(trace, i) || hasCounter(trace, i);
        if (wanted) answer.push_back(i);
      }
    }
    return answer;
  }

 private:
  void addUtilisation(std::int32_t device) {
    add({.kind = RowKind::Utilisation, .device = device, .label = QObject::tr("utilization")},
        kUtilisation);
    const trace::Trace* predicted = m_data.predicted();
    const std::string& name = m_data.trace().devices()[static_cast<std::size_t>(device)];
    if (predicted != nullptr && m_options.predicted && deviceNamed(*predicted, name) >= 0) {
      add({.kind = RowKind::Ghost, .device = device, .label = QObject::tr("predicted")}, kGhost,
          2.0);
    }
    if (!hasActions(device)) {
      add({.kind = RowKind::Idle, .device = device, .label = QObject::tr("idle")}, kIdle);
    }
  }

  void addLane(TimelineRow row, std::size_t lane, std::size_t lanes) {
    const bool last = lane + 1 == lanes;
    row.lane = static_cast<int>(lane);
    if (lane > 0) {
      row.label.clear();
      row.detail.clear();
      row.foldable = false;
    }
    const std::size_t crowded = m_data.lanes().crowded(static_cast<std::size_t>(row.track));
    if (last && crowded > 0) row.detail = QObject::tr("%1 more overlap").arg(crowded);
    const double height = row.kind == RowKind::Actions && lane > 0 ? kCopies : heightOf(row.kind);
    add(std::move(row), height, last ? kGap : 1.0);
  }

  [[nodiscard]] static QString labelOf(const trace::Track& track) {
    if (track.kind == trace::TrackKind::Compute) return QObject::tr("actions");
    return track.name.empty() ? QObject::tr("copies") : qstring(track.name);
  }

  [[nodiscard]] bool isFolded(const trace::Track& track, std::int32_t index) const {
    if (m_options.everything) return false;
    // Counters, and operators and kernels below actions, are folded at first.
    const bool folded = track.kind == trace::TrackKind::Counter || hasActions(track.device);
    return folded != (m_options.toggled.count(index) != 0);
  }

  [[nodiscard]] bool hasActions(std::int32_t device) const {
    const auto& tracks = m_data.trace().tracks();
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      if (tracks[i].device == device && tracks[i].kind == trace::TrackKind::Compute &&
          hasEvents(m_data.trace(), i)) {
        return true;
      }
    }
    return false;
  }

  /// The highest sample, which can miss the peak; Charts and Runs show the measured peak.
  [[nodiscard]] QString mostOf(std::size_t track) const {
    const auto series = seriesOf(track);
    if (!series) return {};
    return QObject::tr("max %1").arg(textOf(*series, m_data.counter(*series).all().most));
  }

  /// The scale of the curve: from 0 or the minimum below 0, to the maximum.
  void addScale(TimelineRow& row, std::size_t track) const {
    const auto series = seriesOf(track);
    if (!series) return;
    const trace::CounterIndex::Extremes all = m_data.counter(*series).all();
    const double least = std::min(0.0, all.least);
    row.lowest = textOf(*series, least);
    if (all.most > least) row.highest = textOf(*series, all.most);
  }

  /// The counter of a track that supplies its figures.
  [[nodiscard]] std::optional<std::size_t> seriesOf(std::size_t track) const {
    const auto& counters = m_data.trace().counters();
    const auto found = std::find_if(counters.begin(), counters.end(),
                                    [&](const auto& series) { return series.track == track; });
    if (found == counters.end()) return std::nullopt;
    return static_cast<std::size_t>(found - counters.begin());
  }

  [[nodiscard]] QString textOf(std::size_t series, double value) const {
    const trace::CounterSeries& counter = m_data.trace().counters()[series];
    return counterText(value, counter.unit, m_data.trace().tracks()[counter.track].name);
  }

  const TimelineData& m_data;
  const RowOptions& m_options;
  TimelineLayout m_layout;
};

}  // namespace

int TimelineLayout::rowAt(double y) const {
  const auto after = std::upper_bound(rows.begin(), rows.end(), y,
                                      [](double value, const auto& row) { return value < row.y; });
  if (after == rows.begin()) return -1;
  const auto row = std::prev(after);
  return y < row->bottom() ? static_cast<int>(row - rows.begin()) : -1;
}

TimelineLayout layoutRows(const TimelineData& data, const RowOptions& options) {
  Stack stack(data, options);
  stack.addNotices();
  for (std::size_t index = 0; index < data.trace().devices().size(); ++index) {
    stack.addDevice(static_cast<std::int32_t>(index));
  }
  if (!stack.tracksOf(-1).empty()) stack.addDevice(-1);
  return stack.take();
}

TimelineLayout layoutPinned(const TimelineData& data, const RowOptions& options) {
  Stack stack(data, options);
  for (const std::int32_t track : options.pinned) {
    const auto index = static_cast<std::size_t>(track);
    if (track < 0 || index >= data.trace().tracks().size()) continue;
    const std::int32_t device = data.trace().tracks()[index].device;
    stack.addTrack(index, device < 0
                              ? QString()
                              : qstring(data.trace().devices()[static_cast<std::size_t>(device)]) +
                                    QChar(u' '));
  }
  return stack.take();
}

std::int32_t deviceNamed(const trace::Trace& trace, const std::string& name) {
  const auto& devices = trace.devices();
  const auto found = std::find(devices.begin(), devices.end(), name);
  return found == devices.end() ? -1 : static_cast<std::int32_t>(found - devices.begin());
}

}  // namespace stagelane::ui
