#include "ui/timeline/timeline_view.h"

#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/kit/text/formatting.h"
#include "ui/timeline/timeline_gaps.h"
#include "ui/timeline/timeline_walk.h"
#include "ui/tracks/timeline_ends.h"
#include "ui/tracks/timeline_painter.h"

namespace stagelane::ui {
namespace {

constexpr double kZoomStep = 1.25;
constexpr std::size_t kZoomHistory = 64;
constexpr double kPinnedGap = 4.0;
constexpr qsizetype kMostControls = 3000;

}  // namespace

TimelineView::TimelineView(QWidget* parent) : QAbstractScrollArea(parent), m_theme(&lightTheme()) {
  setObjectName(QStringLiteral("timelineView"));
  setAccessibleName(QStringLiteral("Timeline of the step: tracks of every device"));
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::StrongFocus);
  viewport()->setMouseTracking(true);
}

void TimelineView::setData(TimelineDataPtr timeline) {
  const bool sameRange = m_data && timeline && m_data->rangeNs() == timeline->rangeNs();
  const bool sameTracks = m_data && timeline &&
                          m_data->trace().devices() == timeline->trace().devices() &&
                          m_data->trace().tracks().size() == timeline->trace().tracks().size();
  m_data = std::move(timeline);
  m_hover = {};
  m_selection = {};
  m_flows.clear();
  m_found = nullptr;
  m_area.reset();
  m_measure.reset();
  if (!sameTracks) m_options = {.predicted = m_options.predicted};
  if (m_data && !sameRange) {
    m_axis.setRange(m_data->rangeNs());
    m_zoomHistory.clear();
  }
  relayout();
  Q_EMIT selectionChanged();
}

void TimelineView::setTheme(const Theme& theme) {
  m_theme = &theme;
  viewport()->update();
}

void TimelineView::setShowPredicted(bool show) {
  m_options.predicted = show;
  relayout();
}

void TimelineView::setFilter(const LegendFilter& filter) {
  m_filter = filter;
  viewport()->update();
}

void TimelineView::setColorBy(ColorBy colorBy) {
  m_colorBy = colorBy;
  viewport()->update();
}

void TimelineView::setAlignAtFirstDifference(bool align) {
  m_alignFirstDifference = align;
  viewport()->update();
}

void TimelineView::setMarkedCause(std::optional<analysis::Cause> cause) {
  if (cause == m_markedCause) return;
  m_markedCause = cause;
  viewport()->update();
  Q_EMIT markedCauseChanged();
}

void TimelineView::setFound(SearchResultPtr found) {
  m_found = std::move(found);
  viewport()->update();
}

TimeNs TimelineView::predictedShiftNs() const {
  return m_data && m_alignFirstDifference ? m_data->firstDifferenceNs() : 0;
}

void TimelineView::select(const TimelineTarget& target) {
  m_area.reset();
  m_selection = target;
  m_flows = m_data ? flowsOf(*m_data, target) : EventFlows{};
  viewport()->update();
  Q_EMIT selectionChanged();
}

void TimelineView::reveal(const TimelineTarget& target) {
  select(target);
  if (!m_data || target.kind == TimelineTarget::Kind::None) return;
  m_options.collapsed.erase(target.device);
  relayout();
  const bool event = target.kind == TimelineTarget::Kind::Event;
  const auto track =
      event ? static_cast<std::int32_t>(m_data->trace().event(target.event).track) : -1;
  const auto lane = event ? static_cast<int>(m_data->lanes().laneOf(target.event)) : 0;
  for (const TimelineRow& row : m_layout.rows) {
    const bool here = event ? row.track == track && (row.folded || row.lane == lane)
                            : row.device == target.device && showsIdle(row.kind);
    if (!here) continue;
    QScrollBar* bar = verticalScrollBar();
    const double height = scrolledPart().height;
    if (row.y < bar->value() || row.bottom() > bar->value() + height) {
      bar->setValue(static_cast<int>(row.y - height / 2.0));
    }
    break;
  }
  const auto [start, end] = m_data->spanOf(target);
  const bool visible =
      static_cast<double>(start) >= m_axis.firstNs() && static_cast<double>(end) <= m_axis.lastNs();
  if (!visible) {
    const double span = std::max(m_axis.spanNs(), 1.5 * static_cast<double>(end - start));
    const double middle = static_cast<double>(start + end) / 2.0;
    m_axis.show(middle - span / 2.0, middle + span / 2.0);
  }
  changed();
}

void TimelineView::zoomTo(const TimelineTarget& target) {
  if (!m_data || target.kind == TimelineTarget::Kind::None) return;
  const auto [start, end] = m_data->spanOf(target);
  const auto length = static_cast<double>(std::max<TimeNs>(1, end - start));
  showRange(static_cast<double>(start) - length, static_cast<double>(end) + length);
}

void TimelineView::zoomToSelection() {
  if (m_area) {
    showRange(m_area->fromNs, m_area->toNs);
  } else {
    zoomTo(m_selection);
  }
}

void TimelineView::showRange(double fromNs, double toNs) {
  rememberZoom();
  m_axis.show(fromNs, toNs);
  changed();
}

double TimelineView::zoomX() const {
  const bool over = m_mouse && m_mouse->x() >= kTreeWidth;
  return over ? m_mouse->x() - kTreeWidth : m_axis.widthPx() / 2.0;
}

void TimelineView::zoomIn() {
  rememberZoom();
  m_axis.zoomAt(zoomX(), kZoomStep * kZoomStep);
  changed();
}

void TimelineView::zoomOut() {
  rememberZoom();
  m_axis.zoomAt(zoomX(), 1.0 / (kZoomStep * kZoomStep));
  changed();
}

void TimelineView::fit() {
  rememberZoom();
  m_axis.fit();
  changed();
}

void TimelineView::undoZoom() {
  if (m_zoomHistory.empty()) return;
  const TimeAxis before = m_zoomHistory.back();
  m_zoomHistory.pop_back();
  m_axis.show(before.firstNs(), before.lastNs());
  changed();
}

void TimelineView::pan(double fractionOfView) {
  m_axis.panBy(fractionOfView * m_axis.widthPx());
  changed();
}

void TimelineView::stepGap(int direction) {
  const auto step =
      m_data ? nextGap(*m_data, m_axis, m_selection, direction, m_filter) : std::nullopt;
  if (!step) return;
  reveal(step->gap);
  if (step->zoom) zoomTo(step->gap);
  Q_EMIT hintChanged(skippedText(*step));
}

void TimelineView::stepEvent(int direction) {
  if (!m_data) return;
  if (const auto next = nextOnTrack(*m_data, m_axis, m_selection, direction, m_filter)) {
    reveal(*next);
  }
}

TimelineView::Part TimelineView::pinnedPart() const {
  const double height = m_pinned.rows.empty() ? 0.0 : m_pinned.height + kPinnedGap;
  return {&m_pinned, 0.0, kRulerHeight, height};
}

TimelineView::Part TimelineView::scrolledPart() const {
  const double y = kRulerHeight + pinnedPart().height;
  return {&m_layout, static_cast<double>(verticalScrollBar()->value()), y,
          std::max(0.0, viewport()->height() - y)};
}

TimelineView::Part TimelineView::partAt(double y) const {
  const Part pinned = pinnedPart();
  return y < pinned.y + pinned.height ? pinned : scrolledPart();
}

SceneInput TimelineView::input(const Part& part) const {
  return {.data = *m_data,
          .layout = *part.layout,
          .axis = m_axis,
          .top = part.top,
          .height = part.height,
          .hover = m_hover,
          .selection = m_selection,
          .filter = m_filter,
          .colorBy = m_colorBy,
          .predictedShiftNs = predictedShiftNs(),
          .markedCause = m_markedCause,
          .found = m_found ? &m_found->events : nullptr,
          .flows = part.layout == &m_layout ? &m_flows : nullptr,
          .resolution = devicePixelRatioF()};
}

TimelineTarget TimelineView::targetUnder(const QPointF& position) const {
  if (!m_data || position.x() < kTreeWidth || position.y() < kRulerHeight) return {};
  const Part part = partAt(position.y());
  return targetAt(input(part), position.x() - kTreeWidth, position.y() - part.y);
}

const TimelineRow* TimelineView::rowUnder(const QPointF& position) const {
  if (position.y() < kRulerHeight) return nullptr;
  const Part part = partAt(position.y());
  const int row = part.layout->rowAt(position.y() - part.y + part.top);
  return row < 0 ? nullptr : &part.layout->rows[static_cast<std::size_t>(row)];
}

void TimelineView::relayout() {
  m_layout = m_data ? layoutRows(*m_data, m_options) : TimelineLayout{};
  m_pinned = m_data ? layoutPinned(*m_data, m_options) : TimelineLayout{};
  m_axis.setWidth(std::max(1, viewport()->width() - kTreeWidth));
  const int visible = static_cast<int>(scrolledPart().height);
  verticalScrollBar()->setRange(
      0, std::max(0, static_cast<int>(std::ceil(m_layout.height)) - visible));
  verticalScrollBar()->setPageStep(std::max(1, visible));
  verticalScrollBar()->setSingleStep(24);
  changed();
}

void TimelineView::changed() {
  viewport()->update();
  Q_EMIT axisChanged();
}

void TimelineView::rememberZoom() {
  if (!m_zoomHistory.empty() && m_zoomHistory.back() == m_axis) return;
  m_zoomHistory.push_back(m_axis);
  if (m_zoomHistory.size() > kZoomHistory) m_zoomHistory.erase(m_zoomHistory.begin());
}

void TimelineView::paintPart(QPainter& painter, const Part& part) {
  if (part.height <= 0.0) return;
  const TimelineRow* hovered = m_mouse ? rowUnder(*m_mouse) : nullptr;
  const bool inThis = hovered != nullptr && !part.layout->rows.empty() &&
                      hovered >= part.layout->rows.data() &&
                      hovered < part.layout->rows.data() + part.layout->rows.size();
  paintTree(painter,
            {*part.layout, m_options, part.top,
             inThis ? static_cast<int>(hovered - part.layout->rows.data()) : -1},
            *m_theme, QRectF(0, part.y, kTreeWidth, part.height));
  painter.save();
  painter.translate(kTreeWidth, part.y);
  paintScene(painter, buildScene(input(part)), *m_theme, PaintMode::Screen);
  paintArea(painter, part);
  painter.restore();
}

void TimelineView::paintArea(QPainter& painter, const Part& part) {
  if (!m_area || part.layout != (m_area->pinned ? &m_pinned : &m_layout)) return;
  const double x1 = std::clamp(m_axis.xOf(m_area->fromNs), 0.0, m_axis.widthPx());
  const double x2 = std::clamp(m_axis.xOf(m_area->toNs), 0.0, m_axis.widthPx());
  const double y1 = std::clamp(m_area->top - part.top, 0.0, part.height);
  const double y2 = std::clamp(m_area->bottom - part.top, 0.0, part.height);
  if (x2 <= x1 || y2 <= y1) return;
  QColor fill = m_theme->control.accent;
  fill.setAlphaF(0.18F);
  painter.fillRect(QRectF(x1, y1, x2 - x1, y2 - y1), fill);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(m_theme->control.accent, 1.0));
  painter.drawRect(QRectF(x1 + 0.5, y1 + 0.5, x2 - x1 - 1.0, y2 - y1 - 1.0));
}

void TimelineView::paintMeasure(QPainter& painter) {
  if (!m_measure) return;
  const double x1 = kTreeWidth + m_axis.xOf(m_measure->fromNs);
  const double x2 = kTreeWidth + m_axis.xOf(m_measure->toNs);
  painter.save();
  painter.setClipRect(QRectF(kTreeWidth, 0, m_axis.widthPx(), viewport()->height()));
  painter.setPen(QPen(m_theme->control.accent, 1.0));
  for (const double x : {x1, x2}) {
    painter.drawLine(QPointF(x, kRulerHeight), QPointF(x, viewport()->height()));
  }
  const auto length =
      static_cast<TimeNs>(std::llround(std::abs(m_measure->toNs - m_measure->fromNs)));
  if (length > 0) {
    painter.setFont(fontOf(TextSize::Caption, TextWeight::Bold));
    const QString text = timeText(length);
    const double width = QFontMetricsF(painter.font()).horizontalAdvance(text) + 12.0;
    const double middle =
        std::clamp((x1 + x2) / 2.0, kTreeWidth + width / 2.0,
                   std::max(kTreeWidth + width / 2.0, viewport()->width() - width / 2.0));
    const QRectF pill(middle - width / 2.0, 3.0, width, kRulerHeight - 6.0);
    painter.drawLine(QPointF(x1, pill.center().y()), QPointF(x2, pill.center().y()));
    painter.fillRect(pill, m_theme->control.accent);
    painter.setPen(m_theme->control.onAccent);
    painter.drawText(pill, Qt::AlignCenter, text);
  }
  painter.restore();
}

void TimelineView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(viewport());
  const QRectF whole(viewport()->rect());
  painter.fillRect(whole, m_theme->control.panel);
  if (!m_data) return;
  paintPart(painter, scrolledPart());
  const Part pinned = pinnedPart();
  if (pinned.height > 0.0) {
    paintPart(painter, pinned);
    painter.setPen(QPen(m_theme->control.accent, 1.0));
    painter.drawLine(QPointF(0, pinned.y + pinned.height - 0.5),
                     QPointF(whole.width(), pinned.y + pinned.height - 0.5));
  }
  painter.setPen(m_theme->control.muted);
  painter.setFont(fontOf(TextSize::Caption));
  painter.drawText(QRectF(12, 0, kTreeWidth - 16, kRulerHeight), Qt::AlignLeft | Qt::AlignVCenter,
                   rulerText());
  paintRuler(painter, m_axis, ends(), *m_theme,
             QRectF(kTreeWidth, 0, whole.width() - kTreeWidth, kRulerHeight));
  paintMeasure(painter);
}

QString TimelineView::rulerText() const {
  return m_data->whole() ? QStringLiteral("from the trace's start")
                         : QStringLiteral("from the step's start");
}

std::vector<RulerEnd> TimelineView::ends() const {
  return rulerEnds(*m_data, m_axis, predictedShiftNs(), kRulerHeight);
}

void TimelineView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  relayout();
}

void TimelineView::addEventControls(QList<VirtualControl>& controls, const Part& part,
                                    const TimelineRow& row) const {
  const QString device =
      row.device < 0 ? QString()
                     : qstring(m_data->trace().devices()[static_cast<std::size_t>(row.device)]);
  const QRect lanes(kTreeWidth, static_cast<int>(part.y), viewport()->width() - kTreeWidth,
                    static_cast<int>(part.height));
  const int y = static_cast<int>(row.y - part.top + part.y);
  trace::LaneCursor cursor(m_data->lanes(), static_cast<std::size_t>(row.track),
                           static_cast<std::size_t>(row.lane));
  const auto first = static_cast<TimeNs>(std::floor(m_axis.firstNs())) + m_data->startNs();
  for (std::size_t at = cursor.firstReaching(first);
       at < cursor.count() && controls.size() < kMostControls; ++at) {
    const std::size_t event = cursor.eventAt(at);
    const auto [start, end] = m_data->spanOf({.kind = TimelineTarget::Kind::Event, .event = event});
    if (static_cast<double>(start) > m_axis.lastNs()) break;
    if (start < 0 || end > m_data->wallNs()) continue;
    if (hides(m_filter, m_data->trace().categories()[event])) continue;
    const int x1 = static_cast<int>(std::ceil(m_axis.xOf(static_cast<double>(start)))) + kTreeWidth;
    const int x2 = static_cast<int>(m_axis.xOf(static_cast<double>(end))) + kTreeWidth;
    const QRect rect = QRect(x1, y, std::max(1, x2 - x1), static_cast<int>(row.height)) & lanes;
    if (rect.isEmpty()) continue;
    const QString name = qstring(m_data->trace().event(event).name);
    controls.append({QStringLiteral("action.%1.%2").arg(name, device), QStringLiteral("action"),
                     name, timeText(end - start), rect, true});
  }
}

void TimelineView::addRowControls(QList<VirtualControl>& controls, const Part& part) const {
  for (const TimelineRow& row : part.layout->rows) {
    const int y = static_cast<int>(row.y - part.top + part.y);
    const QRect whole(0, static_cast<int>(part.y), viewport()->width(),
                      static_cast<int>(part.height));
    const QRect rect = QRect(0, y, viewport()->width(), static_cast<int>(row.height)) & whole;
    if (rect.isEmpty()) continue;
    const QString device =
        row.device < 0 ? QStringLiteral("host")
                       : qstring(m_data->trace().devices()[static_cast<std::size_t>(row.device)]);
    const QString state =
        row.foldable ? row.folded ? QStringLiteral("folded") : QStringLiteral("open") : QString();
    if (row.kind == RowKind::Header) {
      controls.append({QStringLiteral("track.") + device, QStringLiteral("track"), device,
                       row.device < 0 ? state : headerSentence(*m_data, row.device), rect, true});
      controls.append({QStringLiteral("fold.") + device, QStringLiteral("fold"), row.label, state,
                       QRect(rect.left(), rect.top(), 20, rect.height()), true});
    } else if (row.kind == RowKind::Notice) {
      controls.append(
          {QStringLiteral("notice"), QStringLiteral("notice"), row.label, row.detail, rect, true});
    } else if (row.lane == 0) {
      const QString prefix = part.layout == &m_pinned ? QStringLiteral("pinned.")
                                                      : QStringLiteral("row.%1.").arg(device);
      controls.append({prefix + row.label, QStringLiteral("row"), row.label, state,
                       QRect(rect.left(), rect.top(), kTreeWidth - 24, rect.height()), true});
      if (row.track >= 0) {
        controls.append({QStringLiteral("pin.") + prefix + row.label, QStringLiteral("pin"),
                         row.label, QString(),
                         pinRect(QRectF(0, rect.top(), kTreeWidth, rect.height())).toRect(), true});
      }
    }
    if (row.kind == RowKind::Actions) addEventControls(controls, part, row);
  }
}

QList<VirtualControl> TimelineView::virtualControls() const {
  QList<VirtualControl> controls;
  if (!m_data) return controls;
  addRowControls(controls, pinnedPart());
  addRowControls(controls, scrolledPart());
  controls.append(
      {QStringLiteral("timelineRange"), QStringLiteral("ruler"), rulerText(),
       QStringLiteral("%1 %2").arg(m_axis.firstNs(), 0, 'f', 3).arg(m_axis.lastNs(), 0, 'f', 3),
       QRect(kTreeWidth, 0, viewport()->width() - kTreeWidth, kRulerHeight), true});
  for (const RulerEnd& end : ends()) {
    controls.append({end.predicted ? QStringLiteral("predictedEnd") : QStringLiteral("measuredEnd"),
                     QStringLiteral("mark"), end.text, QString(),
                     end.rect.translated(kTreeWidth, 0.0).toAlignedRect(), true});
  }
  if (m_measure) {
    const auto length =
        static_cast<TimeNs>(std::llround(std::abs(m_measure->toNs - m_measure->fromNs)));
    controls.append({QStringLiteral("measure"), QStringLiteral("measure"), timeText(length),
                     QString::number(length), QRect(kTreeWidth, 0, 40, kRulerHeight), true});
  }
  return controls;
}

}  // namespace stagelane::ui
