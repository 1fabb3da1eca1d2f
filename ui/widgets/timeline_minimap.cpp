#include "ui/widgets/timeline_minimap.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/models/formatting.h"
#include "ui/widgets/timeline_view.h"

namespace stagelane::ui {
namespace {

constexpr double kBucket = 3.0;
constexpr int kMostNames = 4;
/// Of the handles on the box's edges, and how far from an edge they are taken.
constexpr double kHandle = 4.0, kHandleTall = 14.0, kReach = 5.0;
/// Where zooming ends.
constexpr double kLeastNs = 10.0;

}  // namespace

TimelineMinimap::TimelineMinimap(QWidget* parent) : QWidget(parent), m_theme(&lightTheme()) {
  setObjectName(QStringLiteral("timelineMinimap"));
  setAccessibleName(QStringLiteral("Overview of the step: busy share of every device"));
  setFixedHeight(48);
  setMouseTracking(true);
  setToolTip(QStringLiteral("Drag the box to move the view, its edges to widen or narrow it"));
}

void TimelineMinimap::setData(TimelineDataPtr timeline) {
  m_timeline = std::move(timeline);
  update();
}

void TimelineMinimap::setAxis(const TimeAxis& axis) {
  m_axis = axis;
  update();
}

void TimelineMinimap::setTheme(const Theme& theme) {
  m_theme = &theme;
  update();
}

QRectF TimelineMinimap::lanes() const {
  return {TimelineView::kTreeWidth, 3.0, std::max(1.0, width() - TimelineView::kTreeWidth - 6.0),
          height() - 6.0};
}

void TimelineMinimap::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), m_theme->control.panel2);
  painter.setPen(m_theme->control.muted);
  painter.setFont(fontOf(TextSize::Caption));
  painter.drawText(QRectF(12, 0, 120, height()), Qt::AlignLeft | Qt::AlignVCenter,
                   QStringLiteral("busy share"));
  if (!m_timeline) return;
  const QRectF area = lanes();
  const auto range = static_cast<double>(m_timeline->rangeNs());
  const auto& devices = m_timeline->trace().devices();
  const double band = area.height() / static_cast<double>(std::max<std::size_t>(1, devices.size()));
  QColor fill = m_theme->control.accent;
  fill.setAlphaF(0.45F);
  for (std::size_t index = 0; index < devices.size(); ++index) {
    const double bottom = area.top() + band * static_cast<double>(index + 1) - 1.0;
    if (devices.size() <= kMostNames) {
      painter.setPen(m_theme->control.muted);
      painter.drawText(QRectF(100, bottom - band, TimelineView::kTreeWidth - 108, band),
                       Qt::AlignRight | Qt::AlignVCenter, qstring(devices[index]));
    }
    for (double x = 0.0; x < area.width(); x += kBucket) {
      const double right = std::min(x + kBucket, area.width());
      const double share = m_timeline->busyShare(
          static_cast<std::int32_t>(index), x / area.width() * range, right / area.width() * range);
      const double tall = share * (band - 2.0);
      painter.fillRect(QRectF(area.left() + x, bottom - tall, right - x, tall), fill);
    }
  }
  const QRectF view = box();
  painter.setPen(QPen(m_theme->control.accent, 2.0));
  painter.drawRect(view);
  for (const double x : {view.left(), view.right()}) {
    painter.fillRect(
        QRectF(x - kHandle / 2.0, view.center().y() - kHandleTall / 2.0, kHandle, kHandleTall),
        m_theme->control.accent);
  }
}

QRectF TimelineMinimap::box() const {
  const QRectF area = lanes();
  const auto range = static_cast<double>(m_timeline->rangeNs());
  return {area.left() + m_axis.firstNs() / range * area.width(), area.top(),
          std::max(4.0, m_axis.spanNs() / range * area.width()), area.height()};
}

TimelineMinimap::Grip TimelineMinimap::gripAt(double x) const {
  const QRectF view = box();
  const double toLeft = std::abs(x - view.left());
  const double toRight = std::abs(x - view.right());
  if (std::min(toLeft, toRight) > kReach) {
    return x > view.left() && x < view.right() ? Grip::Box : Grip::Ground;
  }
  // A box too narrow to be held in its middle is widened from the side that is nearer.
  return toLeft < toRight ? Grip::Left : Grip::Right;
}

void TimelineMinimap::mousePressEvent(QMouseEvent* event) {
  if (!m_timeline || event->button() != Qt::LeftButton) return;
  const double x = event->position().x();
  m_grip = gripAt(x);
  if (m_grip == Grip::Ground) {
    m_grip = Grip::Box;
    moveTo(timeAt(x) - m_axis.spanNs() / 2.0);
    m_heldNs = m_axis.spanNs() / 2.0;
    return;
  }
  m_heldNs =
      timeAt(x) - (m_grip == Grip::Right ? m_axis.firstNs() + m_axis.spanNs() : m_axis.firstNs());
}

void TimelineMinimap::mouseMoveEvent(QMouseEvent* event) {
  if (!m_timeline) return;
  const double x = event->position().x();
  if ((event->buttons() & Qt::LeftButton) == 0) {
    const Grip grip = gripAt(x);
    setCursor(grip == Grip::Box      ? Qt::OpenHandCursor
              : grip == Grip::Ground ? Qt::ArrowCursor
                                     : Qt::SizeHorCursor);
    return;
  }
  const double time = timeAt(x) - m_heldNs;
  const double first = m_axis.firstNs();
  const double last = first + m_axis.spanNs();
  if (m_grip == Grip::Box) moveTo(time);
  if (m_grip == Grip::Left) Q_EMIT rangeWanted(std::min(time, last - kLeastNs), last);
  if (m_grip == Grip::Right) Q_EMIT rangeWanted(first, std::max(time, first + kLeastNs));
}

double TimelineMinimap::timeAt(double x) const {
  return (x - lanes().left()) / lanes().width() * static_cast<double>(m_timeline->rangeNs());
}

void TimelineMinimap::moveTo(double firstNs) {
  const double last = static_cast<double>(m_timeline->rangeNs()) - m_axis.spanNs();
  const double first = std::clamp(firstNs, 0.0, std::max(0.0, last));
  Q_EMIT rangeWanted(first, first + m_axis.spanNs());
}

QList<VirtualControl> TimelineMinimap::virtualControls() const {
  if (!m_timeline) return {};
  const QRectF view = box();
  const auto part = [&](const char* name, double from, double to) {
    const QRectF rect(from, view.top(), to - from, view.height());
    return VirtualControl{QString::fromLatin1(name),
                          QStringLiteral("handle"),
                          {},
                          QString::fromLatin1(name),
                          rect.toAlignedRect() & this->rect(),
                          true};
  };
  return {part("minimap.left", view.left() - kReach, view.left() + 1.0),
          part("minimap.right", view.right() - 1.0, view.right() + kReach)};
}

}  // namespace stagelane::ui
