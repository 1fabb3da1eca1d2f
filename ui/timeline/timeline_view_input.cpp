/// Mouse and keys of the timeline's lanes. Part of ui/timeline/timeline_view.h.

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/kit/text/formatting.h"
#include "ui/timeline/timeline_view.h"

namespace stagelane::ui {
namespace {

constexpr double kZoomStep = 1.25;
constexpr double kDragThreshold = 6.0;
constexpr double kSnapPx = 8.0;
constexpr double kWheelScrollPx = 48.0;

}  // namespace

bool TimelineView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    showTip(static_cast<QHelpEvent*>(event)->globalPos());
    return true;
  }
  if (event->type() == QEvent::Leave) {
    m_mouse.reset();
    m_hover = {};
    viewport()->update();
  }
  return QAbstractScrollArea::viewportEvent(event);
}

void TimelineView::showTip(const QPoint& globalPosition) {
  const TimelineTarget target = targetUnder(viewport()->mapFromGlobal(globalPosition));
  if (!m_data || target.kind == TimelineTarget::Kind::None) {
    QToolTip::hideText();
    return;
  }
  const TargetText text = describeTarget(*m_data, target);
  QStringList lines{text.title};
  if (!text.sentence.isEmpty()) {
    lines << text.sentence;
  } else {
    for (const auto& fact : text.facts) lines << fact.first + QStringLiteral(": ") + fact.second;
  }
  QToolTip::showText(globalPosition, lines.join(QChar(u'\n')), viewport());
}

double TimelineView::timeUnder(const QPointF& position, bool snap) const {
  const double x = std::clamp(position.x() - kTreeWidth, 0.0, m_axis.widthPx());
  if (snap && m_data) {
    const Part part = partAt(position.y());
    if (const auto edge = snapAt(input(part), x, position.y() - part.y, kSnapPx)) return *edge;
  }
  return m_axis.timeAt(x);
}

void TimelineView::wheelEvent(QWheelEvent* event) {
  const double notches = event->angleDelta().y() / 120.0;
  const double x = event->position().x() - kTreeWidth;
  if ((event->modifiers() & Qt::ControlModifier) != 0 && notches != 0.0) {
    rememberZoom();
    m_axis.zoomAt(std::max(0.0, x), std::pow(kZoomStep, notches));
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
  if (event->button() != Qt::LeftButton || !m_data) return;
  if (event->position().x() < kTreeWidth) {
    clickTree(event->position());
    return;
  }
  m_pressed = event->position();
  if (m_measuring) {
    const double time = timeUnder(event->position(), true);
    m_measure = Measure{time, time};
    viewport()->update();
  }
}

void TimelineView::clickTree(const QPointF& position) {
  const TimelineRow* row = rowUnder(position);
  if (row == nullptr) return;
  const Part part = partAt(position.y());
  const QRectF rect(0, row->y - part.top + part.y, kTreeWidth, row->height);
  if (row->track >= 0 && row->lane == 0 &&
      pinRect(rect).adjusted(-4, -4, 4, 4).contains(position)) {
    togglePinOf(row->track);
    return;
  }
  if (row->foldable) toggleFoldOf(*row);
}

void TimelineView::toggleFoldOf(const TimelineRow& row) {
  auto& folded = row.kind == RowKind::Header ? m_options.collapsed : m_options.toggled;
  const std::int32_t key = row.kind == RowKind::Header ? row.device : row.track;
  if (folded.erase(key) == 0) folded.insert(key);
  relayout();
}

const TimelineRow* TimelineView::rowToFold() const {
  const TimelineRow* under = m_mouse ? rowUnder(*m_mouse) : nullptr;
  if (under != nullptr && under->foldable) return under;
  if (!m_data || m_selection.kind == TimelineTarget::Kind::None) return nullptr;
  const bool event = m_selection.kind == TimelineTarget::Kind::Event;
  const std::int32_t track = event ? m_data->trace().event(m_selection.event).track : -1;
  const TimelineRow* found = nullptr;
  for (const TimelineRow& row : m_layout.rows) {
    if (!row.foldable) continue;
    if (track >= 0 && row.track == track) return &row;
    if (row.kind == RowKind::Header && row.device == m_selection.device) found = &row;
  }
  return found;
}

void TimelineView::toggleFold() {
  if (const TimelineRow* row = rowToFold()) toggleFoldOf(*row);
}

void TimelineView::togglePin() {
  const TimelineRow* row = m_mouse ? rowUnder(*m_mouse) : nullptr;
  if (row != nullptr && row->track >= 0) {
    togglePinOf(row->track);
  } else if (m_data && m_selection.kind == TimelineTarget::Kind::Event) {
    togglePinOf(m_data->trace().event(m_selection.event).track);
  }
}

void TimelineView::togglePinOf(std::int32_t track) {
  auto& pinned = m_options.pinned;
  const auto found = std::find(pinned.begin(), pinned.end(), track);
  if (found == pinned.end()) {
    pinned.push_back(track);
  } else {
    pinned.erase(found);
  }
  relayout();
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
  m_mouse = event->position();
  if (m_panFrom) {
    m_axis.panBy(m_panFrom->x() - event->position().x());
    verticalScrollBar()->setValue(verticalScrollBar()->value() +
                                  static_cast<int>(m_panFrom->y() - event->position().y()));
    m_panFrom = event->position();
    changed();
  } else if (m_pressed && m_measuring) {
    m_measure->toNs = timeUnder(event->position(), true);
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
  const auto timeAt = [this](const QPointF& point) { return timeUnder(point, false); };
  TimelineArea area;
  area.fromNs = std::min(timeAt(*m_pressed), timeAt(position));
  area.toNs = std::max(timeAt(*m_pressed), timeAt(position));
  const bool fromRuler = m_pressed->y() < kRulerHeight;
  const Part part = fromRuler ? scrolledPart() : partAt(m_pressed->y());
  area.pinned = part.layout == &m_pinned;
  if (fromRuler) {
    area.bottom = m_layout.height;  // every track
  } else {
    const auto contentY = [&](double y) {
      return std::clamp(y - part.y, 0.0, part.height) + part.top;
    };
    area.top = contentY(std::min(m_pressed->y(), position.y()));
    area.bottom = contentY(std::max(m_pressed->y(), position.y()));
  }
  // Whole rows: a row that is touched is meant.
  for (const TimelineRow& row : part.layout->rows) {
    if (row.bottom() <= area.top || row.y >= area.bottom) continue;
    area.top = std::min(area.top, row.y);
    area.bottom = std::max(area.bottom, row.bottom());
    if (row.track >= 0 && row.kind != RowKind::Counter) {
      const auto track = static_cast<std::size_t>(row.track);
      if (area.tracks.empty() || area.tracks.back() != track) area.tracks.push_back(track);
    }
  }
  m_area = std::move(area);
  viewport()->update();
}

void TimelineView::setArea(std::optional<TimelineArea> area) {
  m_area = std::move(area);
  m_selection = {};
  m_flows.clear();
  viewport()->update();
  Q_EMIT areaChanged();
}

void TimelineView::hover(const QPointF& position) {
  viewport()->setCursor(m_measuring && position.x() >= kTreeWidth ? Qt::CrossCursor
                                                                  : Qt::ArrowCursor);
  const TimelineTarget target = targetUnder(position);
  const bool tree = position.x() < kTreeWidth;
  if (target == m_hover && !tree) return;
  m_hover = target;
  viewport()->update();
  if (!m_data || target.kind == TimelineTarget::Kind::None) {
    Q_EMIT hintChanged(QString());
    return;
  }
  const TargetText text = describeTarget(*m_data, target);
  QString hint = text.sentence.isEmpty() ? text.title : text.sentence;
  for (const auto& fact : text.facts) {
    const bool wanted = fact.first == QStringLiteral("Duration") ||
                        fact.first == QStringLiteral("Predicted") ||
                        fact.first == QStringLiteral("Difference");
    if (text.sentence.isEmpty() && wanted) {
      hint += QStringLiteral(" · %1 %2").arg(fact.first.toLower(), fact.second);
    }
  }
  Q_EMIT hintChanged(hint);
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
  if (takeKey(*event)) {
    event->accept();
  } else {
    QAbstractScrollArea::keyPressEvent(event);
  }
}

bool TimelineView::takeKey(const QKeyEvent& event) {
  const bool shift = (event.modifiers() & Qt::ShiftModifier) != 0;
  switch (event.key()) {
    case Qt::Key_W: zoomIn(); return true;
    case Qt::Key_S: zoomOut(); return true;
    case Qt::Key_A:
    case Qt::Key_Left: pan(-kPanStep); return true;
    case Qt::Key_D:
    case Qt::Key_Right: pan(kPanStep); return true;
    case Qt::Key_F:
    case Qt::Key_0: fit(); return true;
    case Qt::Key_Backspace: undoZoom(); return true;
    case Qt::Key_BracketLeft: stepGap(-1); return true;
    case Qt::Key_BracketRight: stepGap(1); return true;
    case Qt::Key_Comma: stepEvent(-1); return true;
    case Qt::Key_Period: stepEvent(1); return true;
    case Qt::Key_E: toggleFold(); return true;
    case Qt::Key_Slash: Q_EMIT findRequested(); return true;
    case Qt::Key_N: Q_EMIT matchWanted(shift ? -1 : 1); return true;
    case Qt::Key_M: setMeasuring(!m_measuring); return true;
    case Qt::Key_P: togglePin(); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: zoomToSelection(); return true;
    case Qt::Key_Escape:
      setMeasuring(false);
      setMarkedCause(std::nullopt);
      select({});
      return true;
    default: return false;
  }
}

}  // namespace stagelane::ui
