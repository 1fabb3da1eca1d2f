#include "ui/timeline/timeline_minimap.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/kit/text/formatting.h"
#include "ui/timeline/timeline_view.h"

namespace stagelane::ui {
namespace {

constexpr double kBucket = 3.0;         ///< pixels per bar
constexpr double kFineDevices = 128.0;  ///< more devices make wider bars
constexpr std::size_t kMostNames = 3;
constexpr double kLeastName = 60.0;
constexpr const char* kHowTo = QT_TRANSLATE_NOOP(
    "stagelane::ui::TimelineMinimap", "Drag the box to move the view, its edges to resize it");
/// Size of the handles on the box's edges, and how far from an edge they can be grabbed.
constexpr double kHandle = 4.0, kHandleTall = 14.0, kReach = 5.0;
/// Smallest range of the box.
constexpr double kLeastNs = 10.0;

}  // namespace

TimelineMinimap::TimelineMinimap(QWidget* parent) : QWidget(parent), m_theme(&lightTheme()) {
  setObjectName(u"timelineMinimap"_s);
  setAccessibleName(tr("Overview of the trace: busy share of every device"));
  setFixedHeight(48);
  setMouseTracking(true);
  setToolTip(tr(kHowTo));
}

void TimelineMinimap::setData(TimelineDataPtr timeline, TraceOverview overview,
                              const QString& failure) {
  m_timeline = std::move(timeline);
  m_overview = std::move(overview);
  m_failure = failure;
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

QRectF TimelineMinimap::rectOf(const OverviewSegment& segment) const {
  const QRectF area = lanes();
  return {area.left() + segment.left * area.width(), area.top(),
          std::max(1.0, (segment.right - segment.left) * area.width()), area.height()};
}

QRectF TimelineMinimap::shownLanes() const {
  const OverviewSegment* shown = m_overview.shown();
  return shown == nullptr ? lanes() : rectOf(*shown);
}

const OverviewSegment* TimelineMinimap::otherStepAt(double x) const {
  const QRectF area = lanes();
  const OverviewSegment* segment = m_overview.at((x - area.left()) / area.width());
  return segment == nullptr || segment->shown ? nullptr : segment;
}

void TimelineMinimap::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), m_theme->control.panel2);
  painter.setPen(m_theme->control.text);
  painter.setFont(fontOf(TextSize::Caption, TextWeight::Bold));
  painter.drawText(QRectF(12, 6, 100, 16), Qt::AlignLeft | Qt::AlignVCenter, tr("Trace"));
  painter.setPen(m_theme->control.muted);
  painter.setFont(fontOf(TextSize::Caption));
  painter.drawText(QRectF(12, 24, 120, 16), Qt::AlignLeft | Qt::AlignVCenter, tr("busy share"));
  if (!m_timeline) return;
  paintNames(painter);
  for (const OverviewSegment& segment : m_overview.segments) {
    if (!segment.shown) paintOther(painter, segment);
  }
  paintShown(painter);
  paintBox(painter);
  if (!m_failure.isEmpty()) {
    painter.fillRect(QRectF(lanes().right() - 2.0, 0.0, 2.0, height()), m_theme->control.error);
  }
}

void TimelineMinimap::paintNames(QPainter& painter) const {
  const auto& devices = m_timeline->trace().devices();
  if (devices.size() > kMostNames) return;
  const double band =
      lanes().height() / static_cast<double>(std::max<std::size_t>(1, devices.size()));
  for (std::size_t index = 0; index < devices.size(); ++index) {
    painter.drawText(QRectF(80, lanes().top() + band * static_cast<double>(index) - 1.0,
                            TimelineView::kTreeWidth - 88, band),
                     Qt::AlignRight | Qt::AlignVCenter, qstring(devices[index]));
  }
}

void TimelineMinimap::paintShown(QPainter& painter) const {
  const QRectF area = shownLanes();
  const auto range = static_cast<double>(m_timeline->rangeNs());
  const std::size_t devices = m_timeline->trace().devices().size();
  const OverviewRows rows(devices, area.height());
  // Coarser with more devices, to limit the cost.
  const double bucket = kBucket * std::max(1.0, static_cast<double>(devices) / kFineDevices);
  QColor fill = m_theme->control.accent;
  fill.setAlphaF(0.45F);
  for (std::size_t row = 0; row < rows.count(); ++row) {
    const auto [first, end] = rows.devicesOf(row);
    for (double x = 0.0; x < area.width(); x += bucket) {
      const double right = std::min(x + bucket, area.width());
      double busy = 0.0;
      for (std::size_t device = first; device < end; ++device) {
        busy += m_timeline->busyShare(static_cast<std::int32_t>(device), x / area.width() * range,
                                      right / area.width() * range);
      }
      const auto [top, tall] = rows.barOf(row, busy / static_cast<double>(end - first));
      painter.fillRect(QRectF(area.left() + x, area.top() + top, right - x, tall), fill);
    }
  }
}

/// Dimmed, and named if there is room.
void TimelineMinimap::paintOther(QPainter& painter, const OverviewSegment& segment) const {
  const QRectF area = rectOf(segment);
  const OverviewRows rows(segment.busy.size(), area.height());
  QColor fill = m_theme->control.accent;
  fill.setAlphaF(0.2F);
  for (std::size_t row = 0; row < rows.count(); ++row) {
    const auto [first, end] = rows.devicesOf(row);
    const std::size_t count = segment.busy[first].size();
    const double wide = area.width() / static_cast<double>(count);
    for (std::size_t i = 0; i < count; ++i) {
      double busy = 0.0;
      for (std::size_t device = first; device < end; ++device) {
        busy += static_cast<double>(segment.busy[device][i]);
      }
      const auto [top, tall] = rows.barOf(row, busy / static_cast<double>(end - first));
      painter.fillRect(
          QRectF(area.left() + static_cast<double>(i) * wide, area.top() + top, wide, tall), fill);
    }
  }
  const QFontMetricsF metrics(painter.font());
  const double room = area.width() - 16.0;
  if (room < kLeastName) return;
  const QString name = metrics.elidedText(segment.name, Qt::ElideRight, room);
  const double width = metrics.horizontalAdvance(name) + 12.0;
  const QRectF pill(area.center().x() - width / 2.0, area.center().y() - 9.0, width, 18.0);
  painter.fillRect(pill, m_theme->control.panel);
  painter.setPen(m_theme->control.muted);
  painter.drawText(pill, Qt::AlignCenter, name);
}

void TimelineMinimap::paintBox(QPainter& painter) const {
  const QRectF view = box();
  painter.setPen(QPen(m_theme->control.accent, 2.0));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(view);
  for (const double x : {view.left(), view.right()}) {
    painter.fillRect(
        QRectF(x - kHandle / 2.0, view.center().y() - kHandleTall / 2.0, kHandle, kHandleTall),
        m_theme->control.accent);
  }
}

QRectF TimelineMinimap::box() const {
  const QRectF area = shownLanes();
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
  // A box too narrow to grab in its middle is resized at the nearer edge.
  return toLeft < toRight ? Grip::Left : Grip::Right;
}

void TimelineMinimap::mousePressEvent(QMouseEvent* event) {
  if (!m_timeline || event->button() != Qt::LeftButton) return;
  const double x = event->position().x();
  m_grip = gripAt(x);
  if (const OverviewSegment* other = otherStepAt(x); other != nullptr && m_grip == Grip::Ground) {
    m_grip = Grip::Elsewhere;
    Q_EMIT stepWanted(other->step);
    return;
  }
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
    const OverviewSegment* other = grip == Grip::Ground ? otherStepAt(x) : nullptr;
    setToolTip(other != nullptr ? tr("Show %1").arg(other->name) : tr(kHowTo));
    setCursor(other != nullptr       ? Qt::PointingHandCursor
              : grip == Grip::Box    ? Qt::OpenHandCursor
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
  return (x - shownLanes().left()) / shownLanes().width() *
         static_cast<double>(m_timeline->rangeNs());
}

void TimelineMinimap::moveTo(double firstNs) {
  const double last = static_cast<double>(m_timeline->rangeNs()) - m_axis.spanNs();
  const double first = std::clamp(firstNs, 0.0, std::max(0.0, last));
  Q_EMIT rangeWanted(first, first + m_axis.spanNs());
}

QList<VirtualControl> TimelineMinimap::virtualControls() const {
  if (!m_timeline) return {};
  const QRectF view = box();
  const auto part = [&](const char* name, const QString& text, double from, double to) {
    const QRectF rect(from, view.top(), to - from, view.height());
    return VirtualControl{
        QString::fromLatin1(name),           u"handle"_s, text, QString::fromLatin1(name),
        rect.toAlignedRect() & this->rect(), true};
  };
  QList<VirtualControl> controls{
      part("minimap.left", tr("Start of the view"), view.left() - kReach, view.left() + 1.0),
      part("minimap.right", tr("End of the view"), view.right() - 1.0, view.right() + kReach)};
  for (const OverviewSegment& segment : m_overview.segments) {
    if (segment.shown) continue;
    controls.append({u"minimap.step.%1"_s.arg(segment.step), u"step"_s, segment.name, QString(),
                     rectOf(segment).toAlignedRect() & rect(), true});
  }
  return controls;
}

}  // namespace stagelane::ui
