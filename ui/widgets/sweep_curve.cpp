#include "ui/widgets/sweep_curve.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/models/formatting.h"
#include "ui/models/sweep_text.h"
#include "ui/widgets/look.h"

namespace stagelane::ui {
namespace {

constexpr int kLeft = 64;
constexpr int kRight = 12;
constexpr int kTop = 8;
constexpr int kBottom = 20;

}  // namespace

SweepCurve::SweepCurve(const Session* session, QWidget* parent)
    : QWidget(parent), m_session(session) {
  setNames(this, QStringLiteral("sweepCurve"), tr("Predicted and measured points of the sweep"));
  setMinimumHeight(90);
}

void SweepCurve::show(SweepViewPtr sweep) {
  m_sweep = std::move(sweep);
  m_most = 0.0;
  for (const SweepPoint& point : m_sweep ? m_sweep->points : std::vector<SweepPoint>{}) {
    m_most = std::max({m_most, point.predictedS, point.meanS + point.stdS});
  }
  update();
}

QPointF SweepCurve::at(std::size_t index, double seconds) const {
  const double room = width() - kLeft - kRight;
  const auto count = static_cast<double>(std::max<std::size_t>(1, m_sweep->points.size()));
  const double high = height() - kTop - kBottom;
  return {kLeft + (static_cast<double>(index) + 0.5) / count * room,
          kTop + high - seconds / std::max(m_most, 1e-12) * high};
}

void SweepCurve::paintEvent(QPaintEvent*) {
  if (!m_sweep || m_sweep->points.empty() || m_most <= 0.0) {
    return;
  }
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(fontOf(TextSize::Caption));
  const ControlColors& colors = m_session->theme().control;
  painter.fillRect(QRectF(kLeft, kTop, width() - kLeft - kRight, height() - kTop - kBottom),
                   colors.lane);
  for (int tick = 0; tick <= 2; ++tick) {
    const double seconds = m_most * tick / 2.0;
    const double y = at(0, seconds).y();
    painter.setPen(colors.grid);
    painter.drawLine(QPointF(kLeft, y), QPointF(width() - kRight, y));
    painter.setPen(colors.muted);
    painter.drawText(QRectF(0, y - 8, kLeft - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
                     tick == 0 ? QStringLiteral("0") : secondsText(seconds));
  }
  const std::vector<SweepPoint>& points = m_sweep->points;
  painter.setPen(QPen(colors.muted, 1.5, Qt::DashLine));
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (points[i].predictedS > 0.0 && points[i - 1].predictedS > 0.0) {
      painter.drawLine(at(i - 1, points[i - 1].predictedS), at(i, points[i].predictedS));
    }
  }
  const SweepPoint* best = bestOf(*m_sweep);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const SweepPoint& point = points[i];
    if (points.size() == 1 && point.predictedS > 0.0) {
      painter.setPen(QPen(colors.muted, 1.5));
      painter.drawLine(at(i, point.predictedS) - QPointF(8, 0),
                       at(i, point.predictedS) + QPointF(8, 0));
    }
    if (point.repeats == 0) {
      continue;
    }
    // Hollow is what has not all of its repeats, muted what was ended early.
    const bool stopped = !point.reason.isEmpty();
    painter.setPen(QPen(stopped ? colors.muted : colors.accent, 1.5));
    painter.setBrush(stopped || !isMeasured(point) ? colors.panel : colors.accent);
    painter.drawLine(at(i, std::max(0.0, point.meanS - point.stdS)),
                     at(i, point.meanS + point.stdS));
    painter.drawEllipse(at(i, point.meanS), 3.5, 3.5);
    if (&point == best) {
      painter.setBrush(Qt::NoBrush);
      painter.drawEllipse(at(i, point.meanS), 7, 7);
    }
  }
  painter.setPen(colors.muted);
  const double slot = (width() - kLeft - kRight) / static_cast<double>(points.size());
  const auto every = static_cast<std::size_t>(std::ceil(96.0 / std::max(slot, 1.0)));
  for (std::size_t i = 0; i < points.size(); i += every) {
    const double wide = slot * static_cast<double>(every) - 6.0;
    const QRectF box(at(i, 0).x() - slot / 2, height() - kBottom + 2, wide, kBottom - 2);
    painter.drawText(
        box, Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(points[i].label, Qt::ElideRight, static_cast<int>(wide)));
  }
}

QList<VirtualControl> SweepCurve::virtualControls() const {
  QList<VirtualControl> controls;
  for (std::size_t i = 0; m_sweep && i < m_sweep->points.size(); ++i) {
    const SweepPoint& point = m_sweep->points[i];
    if (point.repeats > 0) {
      const QPoint middle = at(i, point.meanS).toPoint();
      controls.append({QStringLiteral("sweepPoint.%1").arg(i), QStringLiteral("point"), point.label,
                       QString::number(point.repeats), QRect(middle - QPoint(3, 3), QSize(7, 7)),
                       true});
    }
  }
  return controls;
}

bool SweepCurve::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip && m_sweep && !m_sweep->points.empty()) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const double slot = (width() - kLeft - kRight) / static_cast<double>(m_sweep->points.size());
    const int index = static_cast<int>((help->pos().x() - kLeft) / std::max(slot, 1.0));
    if (index >= 0 && index < static_cast<int>(m_sweep->points.size())) {
      QToolTip::showText(help->globalPos(),
                         sweepPointText(m_sweep->points[static_cast<std::size_t>(index)]), this);
    }
    return true;
  }
  return QWidget::event(event);
}

}  // namespace stagelane::ui
