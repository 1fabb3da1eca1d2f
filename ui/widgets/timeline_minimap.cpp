#include "ui/widgets/timeline_minimap.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "ui/models/formatting.h"
#include "ui/widgets/timeline_view.h"

namespace stagelane::ui {
namespace {

constexpr double kBucket = 3.0;
constexpr int kMostNames = 4;

}  // namespace

TimelineMinimap::TimelineMinimap(QWidget* parent) : QWidget(parent), m_theme(&lightTheme()) {
  setObjectName(QStringLiteral("timelineMinimap"));
  setAccessibleName(QStringLiteral("Overview of the step: busy share of every device"));
  setFixedHeight(48);
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
  painter.setPen(QPen(m_theme->control.accent, 2.0));
  painter.drawRect(QRectF(area.left() + m_axis.firstNs() / range * area.width(), area.top(),
                          std::max(4.0, m_axis.spanNs() / range * area.width()), area.height()));
}

void TimelineMinimap::mousePressEvent(QMouseEvent* event) { centreOn(event->position().x()); }

void TimelineMinimap::mouseMoveEvent(QMouseEvent* event) {
  if ((event->buttons() & Qt::LeftButton) != 0) centreOn(event->position().x());
}

void TimelineMinimap::centreOn(double x) {
  if (!m_timeline) return;
  const double time =
      (x - lanes().left()) / lanes().width() * static_cast<double>(m_timeline->rangeNs());
  Q_EMIT rangeWanted(time - m_axis.spanNs() / 2.0, time + m_axis.spanNs() / 2.0);
}

}  // namespace stagelane::ui
