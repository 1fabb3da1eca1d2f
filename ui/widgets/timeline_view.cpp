#include "ui/widgets/timeline_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/models/formatting.h"
#include "ui/plots/timeline_painter.h"

namespace stagelane::ui {
namespace {

constexpr double kZoomStep = 1.25;
constexpr double kDragThreshold = 6.0;
constexpr std::size_t kZoomHistory = 64;

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
  m_data = std::move(timeline);
  m_hover = {};
  m_selection = {};
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

void TimelineView::select(const TimelineTarget& target) {
  m_selection = target;
  viewport()->update();
  Q_EMIT selectionChanged();
}

void TimelineView::zoomTo(const TimelineTarget& target) {
  if (!m_data || target.kind == TimelineTarget::Kind::None) return;
  const auto [start, end] = m_data->spanOf(target);
  const auto length = static_cast<double>(std::max<TimeNs>(1, end - start));
  showRange(static_cast<double>(start) - length, static_cast<double>(end) + length);
}

void TimelineView::showRange(double fromNs, double toNs) {
  rememberZoom();
  m_axis.show(fromNs, toNs);
  changed();
}

void TimelineView::zoomIn() {
  rememberZoom();
  m_axis.zoomAt(m_axis.widthPx() / 2.0, kZoomStep * kZoomStep);
  changed();
}

void TimelineView::zoomOut() {
  rememberZoom();
  m_axis.zoomAt(m_axis.widthPx() / 2.0, 1.0 / (kZoomStep * kZoomStep));
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
  if (!m_data || m_data->gaps().empty()) return;
  const auto& gaps = m_data->gaps();
  const auto current = std::find(gaps.begin(), gaps.end(), m_selection);
  std::size_t next = 0;
  if (current == gaps.end()) {
    next = direction > 0 ? 0 : gaps.size() - 1;
  } else {
    const auto index = static_cast<std::size_t>(current - gaps.begin());
    next = (index + gaps.size() + static_cast<std::size_t>(direction > 0 ? 1 : gaps.size() - 1)) %
           gaps.size();
  }
  select(gaps[next]);
  const auto [start, end] = m_data->spanOf(gaps[next]);
  const bool visible =
      static_cast<double>(start) >= m_axis.firstNs() && static_cast<double>(end) <= m_axis.lastNs();
  if (!visible) {
    const double span = m_axis.spanNs();
    const double middle = static_cast<double>(start + end) / 2.0;
    m_axis.show(middle - span / 2.0, middle + span / 2.0);
    changed();
  }
}

SceneInput TimelineView::input(const TimeAxis& axis, double top, double height) const {
  return {.data = *m_data,
          .layout = m_layout,
          .axis = axis,
          .top = top,
          .height = height,
          .hover = m_hover,
          .selection = m_selection,
          .filter = m_filter,
          .resolution = devicePixelRatioF()};
}

SceneInput TimelineView::visibleInput() const {
  return input(m_axis, verticalScrollBar()->value(),
               std::max(0, viewport()->height() - kRulerHeight));
}

TimelineTarget TimelineView::targetUnder(const QPointF& position) const {
  if (!m_data || position.x() < kTreeWidth || position.y() < kRulerHeight) return {};
  return targetAt(visibleInput(), position.x() - kTreeWidth, position.y() - kRulerHeight);
}

void TimelineView::relayout() {
  m_layout = m_data ? layoutRows(*m_data, m_options) : TimelineLayout{};
  m_axis.setWidth(std::max(1, viewport()->width() - kTreeWidth));
  const int visible = viewport()->height() - kRulerHeight;
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

void TimelineView::toggleDevice(std::int32_t device) {
  if (m_options.collapsed.erase(device) == 0) m_options.collapsed.insert(device);
  relayout();
}

bool TimelineView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    showTip(static_cast<QHelpEvent*>(event)->globalPos());
    return true;
  }
  if (event->type() == QEvent::Leave && m_hover.kind != TimelineTarget::Kind::None) {
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

void TimelineView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(viewport());
  const QRectF whole(viewport()->rect());
  painter.fillRect(whole, m_theme->control.panel);
  if (!m_data) return;
  const double top = verticalScrollBar()->value();
  paintTree(painter, {m_layout, m_options, top}, *m_theme,
            QRectF(0, kRulerHeight, kTreeWidth, whole.height() - kRulerHeight));
  painter.save();
  painter.translate(kTreeWidth, kRulerHeight);
  paintScene(painter, buildScene(visibleInput()), *m_theme, PaintMode::Screen);
  if (m_areaFrom && std::abs(m_areaTo - *m_areaFrom) > kDragThreshold) {
    QColor fill = m_theme->control.accent;
    fill.setAlphaF(0.18F);
    const double left = std::min(*m_areaFrom, m_areaTo);
    painter.fillRect(QRectF(left, 0, std::abs(m_areaTo - *m_areaFrom), whole.height()), fill);
  }
  painter.restore();
  painter.setPen(m_theme->control.muted);
  painter.setFont(fontOf(TextSize::Caption));
  painter.drawText(QRectF(12, 0, kTreeWidth - 16, kRulerHeight), Qt::AlignLeft | Qt::AlignVCenter,
                   QStringLiteral("from the step's start"));
  paintRuler(painter, m_axis, *m_theme,
             QRectF(kTreeWidth, 0, whole.width() - kTreeWidth, kRulerHeight));
}

void TimelineView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  relayout();
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
    pan(-0.1 * amount);
  } else {
    verticalScrollBar()->setValue(verticalScrollBar()->value() - static_cast<int>(notches * 48.0));
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
    const int row =
        m_layout.rowAt(event->position().y() - kRulerHeight + verticalScrollBar()->value());
    if (row >= 0 && m_layout.rows[static_cast<std::size_t>(row)].kind == RowKind::Header) {
      toggleDevice(m_layout.rows[static_cast<std::size_t>(row)].device);
    }
    return;
  }
  m_areaFrom = event->position().x() - kTreeWidth;
  m_areaTo = *m_areaFrom;
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
  if (m_panFrom) {
    m_axis.panBy(m_panFrom->x() - event->position().x());
    verticalScrollBar()->setValue(verticalScrollBar()->value() +
                                  static_cast<int>(m_panFrom->y() - event->position().y()));
    m_panFrom = event->position();
    changed();
    return;
  }
  if (m_areaFrom) {
    m_areaTo = std::clamp(event->position().x() - kTreeWidth, 0.0, m_axis.widthPx());
    viewport()->update();
    return;
  }
  const TimelineTarget target = targetUnder(event->position());
  if (target == m_hover) return;
  m_hover = target;
  viewport()->update();
  Q_EMIT hintChanged(m_data && target.kind != TimelineTarget::Kind::None
                         ? describeTarget(*m_data, target).title
                         : QString());
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
  m_panFrom.reset();
  if (!m_areaFrom) return;
  const double from = std::min(*m_areaFrom, m_areaTo), to = std::max(*m_areaFrom, m_areaTo);
  m_areaFrom.reset();
  if (to - from > kDragThreshold) {
    showRange(m_axis.timeAt(from), m_axis.timeAt(to));
  } else {
    select(targetUnder(event->position()));
  }
  viewport()->update();
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
  zoomTo(targetUnder(event->position()));
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_W: zoomIn(); break;
    case Qt::Key_S: zoomOut(); break;
    case Qt::Key_A:
    case Qt::Key_Left: pan(-0.1); break;
    case Qt::Key_D:
    case Qt::Key_Right: pan(0.1); break;
    case Qt::Key_F:
    case Qt::Key_0: fit(); break;
    case Qt::Key_Backspace: undoZoom(); break;
    case Qt::Key_BracketLeft: stepGap(-1); break;
    case Qt::Key_BracketRight: stepGap(1); break;
    case Qt::Key_Return:
    case Qt::Key_Enter: zoomTo(m_selection); break;
    case Qt::Key_Escape: select({}); break;
    default: QAbstractScrollArea::keyPressEvent(event); return;
  }
  event->accept();
}

QList<VirtualControl> TimelineView::virtualControls() const {
  QList<VirtualControl> controls;
  if (!m_data) return controls;
  const trace::Trace& trace = m_data->trace();
  const QRect lanes(kTreeWidth, kRulerHeight, viewport()->width() - kTreeWidth,
                    viewport()->height() - kRulerHeight);
  for (const TimelineRow& row : m_layout.rows) {
    const QString device = qstring(trace.devices()[static_cast<std::size_t>(row.device)]);
    const int y = static_cast<int>(row.y) + kRulerHeight - verticalScrollBar()->value();
    const QRect rowRect = QRect(kTreeWidth, y, lanes.width(), static_cast<int>(row.height)) & lanes;
    if (rowRect.isEmpty()) continue;
    if (row.kind == RowKind::Header) {
      controls.append({QStringLiteral("track.") + device, QStringLiteral("track"), device,
                       headerSentence(*m_data, row.device), rowRect, true});
    }
    if (row.kind != RowKind::Actions) continue;
    const auto range = trace.rangeOfTrack(static_cast<std::size_t>(row.track));
    for (std::size_t i = range.first; i < range.second && controls.size() < 2000; ++i) {
      const auto [start, end] = m_data->spanOf({.kind = TimelineTarget::Kind::Event, .event = i});
      const int x1 =
          static_cast<int>(std::ceil(m_axis.xOf(static_cast<double>(start)))) + kTreeWidth;
      const int x2 = static_cast<int>(m_axis.xOf(static_cast<double>(end))) + kTreeWidth;
      const QRect rect = QRect(x1, rowRect.y(), std::max(1, x2 - x1), rowRect.height()) & lanes;
      if (rect.isEmpty() || start < 0 || end > m_data->wallNs()) continue;
      controls.append({QStringLiteral("action.%1.%2").arg(qstring(trace.event(i).name), device),
                       QStringLiteral("action"), qstring(trace.event(i).name),
                       timeText(end - start), rect, true});
    }
  }
  return controls;
}

}  // namespace stagelane::ui
