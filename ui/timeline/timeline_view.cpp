#include "ui/timeline/timeline_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/kit/text/formatting.h"
#include "ui/timeline/timeline_controls.h"
#include "ui/timeline/timeline_gaps.h"
#include "ui/timeline/timeline_hints.h"
#include "ui/timeline/timeline_keys.h"
#include "ui/timeline/timeline_walk.h"
#include "ui/tracks/timeline_painter.h"

namespace stagelane::ui {
namespace {

constexpr double kDragThreshold = 6.0;
constexpr double kWheelScrollPx = 48.0;

}  // namespace

TimelineView::TimelineView(QWidget* parent) : QAbstractScrollArea(parent), m_theme(&lightTheme()) {
  setObjectName(u"timelineView"_s);
  setAccessibleName(tr("Timeline of the step: tracks of every device"));
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::StrongFocus);
  viewport()->setMouseTracking(true);
}

void TimelineView::setData(TimelineDataPtr timeline) {
  m_sight.setData(std::move(timeline));
  m_area.reset();
  m_measure.reset();
  fitScrollBar();
  Q_EMIT selectionChanged();
}

void TimelineView::setTheme(const Theme& theme) {
  m_theme = &theme;
  viewport()->update();
}

void TimelineView::setShowPredicted(bool show) {
  m_sight.panes.setPredicted(show);
  fitScrollBar();
}

void TimelineView::setFilter(const LegendFilter& filter) {
  m_sight.filter = filter;
  viewport()->update();
}

void TimelineView::setColorBy(ColorBy colorBy) {
  m_sight.colorBy = colorBy;
  viewport()->update();
}

void TimelineView::setAlignAtFirstDifference(bool align) {
  m_sight.alignAtFirstDifference = align;
  viewport()->update();
}

void TimelineView::setMarkedCause(std::optional<analysis::Cause> cause) {
  if (cause == m_sight.markedCause) return;
  m_sight.markedCause = cause;
  viewport()->update();
  Q_EMIT markedCauseChanged();
}

void TimelineView::setFound(SearchResultPtr found) {
  m_sight.found = std::move(found);
  viewport()->update();
}

void TimelineView::select(const TimelineTarget& target) {
  m_area.reset();
  m_sight.select(target);
  viewport()->update();
  Q_EMIT selectionChanged();
}

void TimelineView::reveal(const TimelineTarget& target) {
  select(target);
  if (!m_sight.data || target.kind == TimelineTarget::Kind::None) return;
  const TimelineRow* row = m_sight.panes.openRowOf(target);
  fitScrollBar();
  if (row != nullptr) {
    QScrollBar* bar = verticalScrollBar();
    const double height = scrolledPane().height;
    if (row->y < bar->value() || row->bottom() > bar->value() + height) {
      bar->setValue(static_cast<int>(row->y - height / 2.0));
    }
  }
  const auto [start, end] = m_sight.data->spanOf(target);
  m_sight.zoom.bringIntoView(static_cast<double>(start), static_cast<double>(end));
  changed();
}

void TimelineView::zoomTo(const TimelineTarget& target) {
  if (!m_sight.data || target.kind == TimelineTarget::Kind::None) return;
  const auto [start, end] = m_sight.data->spanOf(target);
  const auto length = static_cast<double>(std::max<TimeNs>(1, end - start));
  showRange(static_cast<double>(start) - length, static_cast<double>(end) + length);
}

void TimelineView::zoomToSelection() {
  if (m_area) {
    showRange(m_area->fromNs, m_area->toNs);
  } else {
    zoomTo(m_sight.selection);
  }
}

void TimelineView::showRange(double fromNs, double toNs) {
  m_sight.zoom.show(fromNs, toNs);
  changed();
}

double TimelineView::zoomX() const {
  const bool over = m_mouse && m_mouse->x() >= kTreeWidth;
  return over ? m_mouse->x() - kTreeWidth : m_sight.zoom.axis().widthPx() / 2.0;
}

void TimelineView::zoomIn() {
  m_sight.zoom.zoomAt(zoomX(), TimelineZoom::kStep * TimelineZoom::kStep);
  changed();
}

void TimelineView::zoomOut() {
  m_sight.zoom.zoomAt(zoomX(), 1.0 / (TimelineZoom::kStep * TimelineZoom::kStep));
  changed();
}

void TimelineView::fit() {
  m_sight.zoom.fit();
  changed();
}

void TimelineView::undoZoom() {
  if (m_sight.zoom.undo()) changed();
}

void TimelineView::pan(double fractionOfView) {
  m_sight.zoom.panBy(fractionOfView * axis().widthPx());
  changed();
}

void TimelineView::stepGap(int direction) {
  const auto step = m_sight.data ? nextGap(*m_sight.data, m_sight.zoom.axis(), m_sight.selection,
                                           direction, m_sight.filter)
                                 : std::nullopt;
  if (!step) return;
  reveal(step->gap);
  if (step->zoom) zoomTo(step->gap);
  Q_EMIT hintChanged(skippedText(*step));
}

void TimelineView::stepEvent(int direction) {
  if (!m_sight.data) return;
  if (const auto next = nextOnTrack(*m_sight.data, m_sight.zoom.axis(), m_sight.selection,
                                    direction, m_sight.filter)) {
    reveal(*next);
  }
}

TimelineSight::Viewport TimelineView::where() const {
  return {static_cast<double>(verticalScrollBar()->value()),
          static_cast<double>(viewport()->height()), devicePixelRatioF()};
}

TimelinePane TimelineView::scrolledPane() const {
  const TimelineSight::Viewport seen = where();
  return m_sight.panes.scrolled(seen.scroll, seen.height);
}

TimelinePane TimelineView::paneAt(double y) const { return m_sight.paneAt(y, where()); }

TimelineTarget TimelineView::targetUnder(const QPointF& position) const {
  return m_sight.targetAt(position, where());
}

const TimelineRow* TimelineView::rowUnder(const QPointF& position) const {
  return m_sight.rowAt(position, where());
}

/// Fits to the rows and the size of the viewport.
void TimelineView::fitScrollBar() {
  m_sight.zoom.setWidth(std::max(1, viewport()->width() - kTreeWidth));
  const int visible = static_cast<int>(scrolledPane().height);
  const int content = static_cast<int>(std::ceil(m_sight.panes.contentHeight()));
  verticalScrollBar()->setRange(0, std::max(0, content - visible));
  verticalScrollBar()->setPageStep(std::max(1, visible));
  verticalScrollBar()->setSingleStep(24);
  changed();
}

void TimelineView::changed() {
  viewport()->update();
  Q_EMIT axisChanged();
}

void TimelineView::paintPane(QPainter& painter, const TimelinePane& pane) {
  if (pane.height <= 0.0) return;
  const bool hovered =
      m_mouse && m_mouse->y() >= kRulerHeight && paneAt(m_mouse->y()).pinned == pane.pinned;
  const int row = hovered ? pane.layout->rowAt(m_mouse->y() - pane.y + pane.top) : -1;
  paintTree(painter, {*pane.layout, m_sight.panes.options(), pane.top, row}, *m_theme,
            QRectF(0, pane.y, kTreeWidth, pane.height));
  painter.save();
  painter.translate(kTreeWidth, pane.y);
  paintScene(painter, buildScene(m_sight.input(pane, where())), *m_theme, PaintMode::Screen);
  if (m_area) paintArea(painter, *m_area, pane, axis(), *m_theme);
  painter.restore();
}

void TimelineView::paintRulerRow(QPainter& painter) {
  painter.setPen(m_theme->control.muted);
  painter.setFont(fontOf(TextSize::Caption));
  painter.drawText(QRectF(12, 0, kTreeWidth - 16, kRulerHeight), Qt::AlignLeft | Qt::AlignVCenter,
                   rulerText(*m_sight.data));
  paintRuler(painter, axis(), m_sight.ends(), *m_theme,
             QRectF(kTreeWidth, 0, viewport()->width() - kTreeWidth, kRulerHeight));
}

void TimelineView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), m_theme->control.panel);
  if (!m_sight.data) return;
  paintPane(painter, scrolledPane());
  if (const TimelinePane pinned = m_sight.panes.pinned(); pinned.height > 0.0) {
    paintPane(painter, pinned);
    painter.setPen(QPen(m_theme->control.accent, 1.0));
    painter.drawLine(QPointF(0, pinned.y + pinned.height - 0.5),
                     QPointF(viewport()->width(), pinned.y + pinned.height - 0.5));
  }
  paintRulerRow(painter);
  if (m_measure) paintMeasure(painter, *m_measure, axis(), *m_theme, viewport()->size());
}

void TimelineView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  fitScrollBar();
}

QList<VirtualControl> TimelineView::virtualControls() const {
  QList<VirtualControl> controls;
  if (!m_sight.data) return controls;
  const ShownTimeline shown{*m_sight.data, axis(), m_sight.filter, viewport()->size()};
  addPaneControls(controls, shown, m_sight.panes.pinned());
  addPaneControls(controls, shown, scrolledPane());
  addRulerControls(controls, shown, m_sight.ends(), m_measure);
  return controls;
}

bool TimelineView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    showTip(static_cast<QHelpEvent*>(event)->globalPos());
    return true;
  }
  if (event->type() == QEvent::Leave) {
    m_mouse.reset();
    m_sight.hover = {};
    viewport()->update();
  }
  return QAbstractScrollArea::viewportEvent(event);
}

void TimelineView::showTip(const QPoint& globalPosition) {
  const TimelineTarget target = targetUnder(viewport()->mapFromGlobal(globalPosition));
  if (!m_sight.data || target.kind == TimelineTarget::Kind::None) {
    QToolTip::hideText();
    return;
  }
  QToolTip::showText(globalPosition, tipText(describeTarget(*m_sight.data, target)), viewport());
}

void TimelineView::wheelEvent(QWheelEvent* event) {
  const double notches = event->angleDelta().y() / 120.0;
  const double x = event->position().x() - kTreeWidth;
  if ((event->modifiers() & Qt::ControlModifier) != 0 && notches != 0.0) {
    m_sight.zoom.zoomAt(std::max(0.0, x), std::pow(TimelineZoom::kStep, notches));
    changed();
  } else if ((event->modifiers() & Qt::ShiftModifier) != 0) {
    const double amount = notches != 0.0 ? notches : event->angleDelta().x() / 120.0;
    pan(-kPanStep * amount);
  } else {
    verticalScrollBar()->setValue(verticalScrollBar()->value() -
                                  static_cast<int>(notches * kWheelScrollPx));
    viewport()->update();
  }
  event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::MiddleButton) {
    m_panFrom = event->position();
    return;
  }
  if (event->button() != Qt::LeftButton || !m_sight.data) return;
  if (event->position().x() < kTreeWidth) {
    clickTree(event->position());
    return;
  }
  m_pressed = event->position();
  if (m_measuring) {
    const double time = m_sight.snappedTimeAt(event->position(), where());
    m_measure = TimelineMeasure{time, time};
    viewport()->update();
  }
}

void TimelineView::clickTree(const QPointF& position) {
  const TimelineRow* row = rowUnder(position);
  if (row == nullptr) return;
  const TimelinePane pane = paneAt(position.y());
  const QRectF rect(0, row->y - pane.top + pane.y, kTreeWidth, row->height);
  if (row->track >= 0 && row->lane == 0 &&
      pinRect(rect).adjusted(-4, -4, 4, 4).contains(position)) {
    togglePinOf(row->track);
    return;
  }
  if (row->foldable) toggleFoldOf(*row);
}

void TimelineView::toggleFoldOf(const TimelineRow& row) {
  m_sight.panes.toggleFold(row);
  fitScrollBar();
}

void TimelineView::toggleFold() {
  const TimelineRow* under = m_mouse ? rowUnder(*m_mouse) : nullptr;
  const bool meant = under != nullptr && under->foldable;
  if (const TimelineRow* row = meant ? under : m_sight.panes.foldableRowOf(m_sight.selection)) {
    toggleFoldOf(*row);
  }
}

void TimelineView::togglePin() {
  const TimelineRow* row = m_mouse ? rowUnder(*m_mouse) : nullptr;
  if (row != nullptr && row->track >= 0) {
    togglePinOf(row->track);
  } else if (m_sight.data && m_sight.selection.kind == TimelineTarget::Kind::Event) {
    togglePinOf(m_sight.data->trace().event(m_sight.selection.event).track);
  }
}

void TimelineView::togglePinOf(std::int32_t track) {
  m_sight.panes.togglePin(track);
  fitScrollBar();
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
  m_mouse = event->position();
  if (m_panFrom) {
    m_sight.zoom.panBy(m_panFrom->x() - event->position().x());
    verticalScrollBar()->setValue(verticalScrollBar()->value() +
                                  static_cast<int>(m_panFrom->y() - event->position().y()));
    m_panFrom = event->position();
    changed();
  } else if (m_pressed && m_measuring) {
    m_measure->toNs = m_sight.snappedTimeAt(event->position(), where());
    viewport()->update();
  } else if (m_pressed) {
    if (m_area || std::abs(event->position().x() - m_pressed->x()) > kDragThreshold) {
      dragArea(event->position());
    }
  } else {
    hover(event->position());
  }
}

void TimelineView::dragArea(const QPointF& position) {
  const bool fromRuler = m_pressed->y() < kRulerHeight;
  m_area =
      areaOf({m_sight.timeAt(*m_pressed), m_sight.timeAt(position), m_pressed->y(), position.y()},
             fromRuler ? scrolledPane() : paneAt(m_pressed->y()));
  viewport()->update();
}

void TimelineView::setArea(std::optional<TimelineArea> area) {
  m_area = std::move(area);
  m_sight.selection = {};
  m_sight.flows.clear();
  viewport()->update();
  Q_EMIT areaChanged();
}

void TimelineView::hover(const QPointF& position) {
  viewport()->setCursor(m_measuring && position.x() >= kTreeWidth ? Qt::CrossCursor
                                                                  : Qt::ArrowCursor);
  const TimelineTarget target = targetUnder(position);
  const bool tree = position.x() < kTreeWidth;
  if (target == m_sight.hover && !tree) return;
  m_sight.hover = target;
  viewport()->update();
  if (!m_sight.data || target.kind == TimelineTarget::Kind::None) {
    Q_EMIT hintChanged(QString());
    return;
  }
  Q_EMIT hintChanged(hintText(describeTarget(*m_sight.data, target)));
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
  m_panFrom.reset();
  if (!m_pressed) return;
  const bool dragged = std::abs(event->position().x() - m_pressed->x()) > kDragThreshold;
  m_pressed.reset();
  if (m_measuring) return;
  if (dragged && m_area) {
    setArea(std::move(m_area));
  } else {
    select(targetUnder(event->position()));
  }
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->position().x() < kTreeWidth) {
    mousePressEvent(event);
    return;
  }
  const TimelineTarget target = targetUnder(event->position());
  if (target.kind == TimelineTarget::Kind::None && event->position().y() < kRulerHeight) {
    fit();
    return;
  }
  zoomTo(target);
}

void TimelineView::setMeasuring(bool measuring) {
  if (m_measuring == measuring) return;
  m_measuring = measuring;
  m_measure.reset();
  viewport()->setCursor(measuring ? Qt::CrossCursor : Qt::ArrowCursor);
  viewport()->update();
  Q_EMIT measuringChanged(measuring);
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
  if (takeTimelineKey(*this, *event)) {
    event->accept();
  } else {
    QAbstractScrollArea::keyPressEvent(event);
  }
}

}  // namespace stagelane::ui
