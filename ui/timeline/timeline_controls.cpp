#include "ui/timeline/timeline_controls.h"

#include <QObject>
#include <algorithm>
#include <cmath>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

constexpr qsizetype kMostControls = 3000;

QString stateOf(const TimelineRow& row) {
  if (!row.foldable) return {};
  return row.folded ? u"folded"_s : u"open"_s;
}

void addActionControls(QList<VirtualControl>& controls, const ShownTimeline& shown,
                       const TimelinePane& pane, const TimelineRow& row) {
  const QString device =
      row.device < 0 ? QString()
                     : qstring(shown.data.trace().devices()[static_cast<std::size_t>(row.device)]);
  const QRect lanes(kTimelineTreeWidth, static_cast<int>(pane.y),
                    shown.viewport.width() - kTimelineTreeWidth, static_cast<int>(pane.height));
  const int y = static_cast<int>(row.y - pane.top + pane.y);
  trace::LaneCursor cursor(shown.data.lanes(), static_cast<std::size_t>(row.track),
                           static_cast<std::size_t>(row.lane));
  const auto first = static_cast<TimeNs>(std::floor(shown.axis.firstNs())) + shown.data.startNs();
  for (std::size_t at = cursor.firstReaching(first);
       at < cursor.count() && controls.size() < kMostControls; ++at) {
    const std::size_t event = cursor.eventAt(at);
    const auto [start, end] =
        shown.data.spanOf({.kind = TimelineTarget::Kind::Event, .event = event});
    if (static_cast<double>(start) > shown.axis.lastNs()) break;
    if (start < 0 || end > shown.data.wallNs()) continue;
    if (hides(shown.filter, shown.data.trace().categories()[event])) continue;
    const int x1 = static_cast<int>(std::ceil(shown.axis.xOf(static_cast<double>(start)))) +
                   kTimelineTreeWidth;
    const int x2 = static_cast<int>(shown.axis.xOf(static_cast<double>(end))) + kTimelineTreeWidth;
    const QRect rect = QRect(x1, y, std::max(1, x2 - x1), static_cast<int>(row.height)) & lanes;
    if (rect.isEmpty()) continue;
    const QString name = qstring(shown.data.trace().event(event).name);
    controls.append({u"action.%1.%2"_s.arg(name, device), u"action"_s, name, timeText(end - start),
                     rect, true});
  }
}

QString deviceName(const TimelineData& data, std::int32_t device) {
  return qstring(data.trace().devices()[static_cast<std::size_t>(device)]);
}

void addHeaderControls(QList<VirtualControl>& controls, const TimelineData& data,
                       const TimelineRow& row, const QRect& rect) {
  const QString device = row.device < 0 ? u"host"_s : deviceName(data, row.device);
  const QString state = stateOf(row);
  controls.append({u"track."_s + device, u"track"_s, row.device < 0 ? QObject::tr("host") : device,
                   row.device < 0 ? state : headerSentence(data, row.device), rect, true});
  controls.append({u"fold."_s + device, u"fold"_s, row.label, state,
                   QRect(rect.left(), rect.top(), 20, rect.height()), true});
}

void addTrackControls(QList<VirtualControl>& controls, const QString& prefix,
                      const TimelineRow& row, const QRect& rect) {
  controls.append({prefix + row.label, u"row"_s, row.label, stateOf(row),
                   QRect(rect.left(), rect.top(), kTimelineTreeWidth - 24, rect.height()), true});
  if (row.track < 0) return;
  controls.append({u"pin."_s + prefix + row.label, u"pin"_s, row.label, QString(),
                   pinRect(QRectF(0, rect.top(), kTimelineTreeWidth, rect.height())).toRect(),
                   true});
}

}  // namespace

void addPaneControls(QList<VirtualControl>& controls, const ShownTimeline& shown,
                     const TimelinePane& pane) {
  const int width = shown.viewport.width();
  const QRect whole(0, static_cast<int>(pane.y), width, static_cast<int>(pane.height));
  for (const TimelineRow& row : pane.layout->rows) {
    const int y = static_cast<int>(row.y - pane.top + pane.y);
    const QRect rect = QRect(0, y, width, static_cast<int>(row.height)) & whole;
    if (rect.isEmpty()) continue;
    if (row.kind == RowKind::Header) {
      addHeaderControls(controls, shown.data, row, rect);
    } else if (row.kind == RowKind::Notice) {
      controls.append({u"notice"_s, u"notice"_s, row.label, row.detail, rect, true});
    } else if (row.lane == 0) {
      const QString device = row.device < 0 ? u"host"_s : deviceName(shown.data, row.device);
      addTrackControls(controls, pane.pinned ? u"pinned."_s : u"row.%1."_s.arg(device), row, rect);
    }
    if (row.kind == RowKind::Actions) addActionControls(controls, shown, pane, row);
  }
}

QString rulerText(const TimelineData& data) {
  return data.whole() ? QObject::tr("from the trace's start")
                      : QObject::tr("from the step's start");
}

void addRulerControls(QList<VirtualControl>& controls, const ShownTimeline& shown,
                      const std::vector<RulerEnd>& ends,
                      const std::optional<TimelineMeasure>& measure) {
  controls.append(
      {u"timelineRange"_s, u"ruler"_s, rulerText(shown.data),
       u"%1 %2"_s.arg(shown.axis.firstNs(), 0, 'f', 3).arg(shown.axis.lastNs(), 0, 'f', 3),
       QRect(kTimelineTreeWidth, 0, shown.viewport.width() - kTimelineTreeWidth,
             kTimelineRulerHeight),
       true});
  for (const RulerEnd& end : ends) {
    controls.append({end.predicted ? u"predictedEnd"_s : u"measuredEnd"_s, u"mark"_s, end.text,
                     QString(), end.rect.translated(kTimelineTreeWidth, 0.0).toAlignedRect(),
                     true});
  }
  if (measure) {
    const TimeNs length = measure->lengthNs();
    controls.append({u"measure"_s, u"measure"_s, timeText(length), QString::number(length),
                     QRect(kTimelineTreeWidth, 0, 40, kTimelineRulerHeight), true});
  }
}

}  // namespace stagelane::ui
