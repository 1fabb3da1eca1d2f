#include "ui/plan/prediction/split_curve.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <optional>

#include "ui/kit/current_theme.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/prediction/cost_facts.h"

namespace stagelane::ui {
namespace {

constexpr int kHeight = 96;
constexpr qreal kTop = 22;
constexpr qreal kBottom = 18;
constexpr qreal kSide = 10;
constexpr qreal kReach = 9;  ///< distance in pixels at which a click hits a point

}  // namespace

SplitCurve::SplitCurve(const CurrentTheme* theme, QWidget* parent)
    : QWidget(parent), m_theme(theme) {
  setObjectName(u"splitCurve"_s);
  setAccessibleName(tr("Predicted step time by split size"));
  setFixedHeight(kHeight);
  setMouseTracking(true);
}

QSize SplitCurve::sizeHint() const { return {240, kHeight}; }

void SplitCurve::show(PlanSuggestionsPtr suggestions, std::int64_t ownSplit) {
  m_suggestions = std::move(suggestions);
  m_ownSplit = ownSplit;
  setVisible(m_suggestions != nullptr && m_suggestions->splits.size() > 1);
  update();
}

QPointF SplitCurve::pointOf(const SplitPoint& point) const {
  const auto& points = m_suggestions->splits;
  TimeNs least = points.front().stepNs;
  TimeNs most = least;
  for (const SplitPoint& other : points) {
    least = std::min(least, other.stepNs);
    most = std::max(most, other.stepNs);
  }
  const double first = std::log2(static_cast<double>(points.front().splitSize));
  const double last = std::log2(static_cast<double>(points.back().splitSize));
  const double x =
      (std::log2(static_cast<double>(point.splitSize)) - first) / std::max(1e-9, last - first);
  const double y = static_cast<double>(point.stepNs - least) /
                   static_cast<double>(std::max<TimeNs>(1, most - least));
  return {kSide + x * (width() - 2 * kSide), height() - kBottom - y * (height() - kTop - kBottom)};
}

void SplitCurve::paintEvent(QPaintEvent*) {
  if (!m_suggestions || m_suggestions->splits.empty()) return;
  const ControlColors& colors = m_theme->theme().control;
  const auto& points = m_suggestions->splits;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setOpacity(isEnabled() ? 1.0 : kDimmed);
  painter.setFont(fontOf(TextSize::Caption));
  painter.setPen(QPen(colors.grid, 1));
  painter.drawLine(QPointF(0, height() - kBottom + 4), QPointF(width(), height() - kBottom + 4));
  painter.setPen(QPen(colors.border2, 1));
  for (std::size_t at = 1; at < points.size(); ++at) {
    painter.drawLine(pointOf(points[at - 1]), pointOf(points[at]));
  }
  const auto top = m_suggestions->bestSplit();
  for (std::size_t at = 0; at < points.size(); ++at) {
    const bool own = points[at].splitSize == m_ownSplit;
    painter.setPen(own ? QPen(colors.accent, 1.5) : QPen(Qt::NoPen));
    painter.setBrush(points[at].overBudget ? colors.error : own ? colors.panel : colors.muted);
    painter.drawEllipse(pointOf(points[at]), own ? 3.5 : 2.5, own ? 3.5 : 2.5);
  }
  painter.setPen(colors.muted);
  painter.drawText(QRectF(0, height() - 14, width(), 14), Qt::AlignLeft | Qt::AlignVCenter,
                   QString::number(points.front().splitSize));
  painter.drawText(QRectF(0, height() - 14, width(), 14), Qt::AlignRight | Qt::AlignVCenter,
                   QString::number(points.back().splitSize));
  painter.drawText(QRectF(0, height() - 14, width(), 14), Qt::AlignCenter, tr("split size"));
  if (top) {
    const QPointF at = pointOf(points[*top]);
    painter.setPen(QPen(colors.success, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(at, 5.5, 5.5);
    const QString text =
        tr("best %1: %2")
            .arg(points[*top].splitSize)
            .arg(approximately(m_suggestions->basis) + timeText(points[*top].stepNs));
    painter.setPen(colors.success);
    painter.setFont(fontOf(TextSize::Caption, TextWeight::Bold));
    painter.drawText(QRectF(0, 0, width(), 16), Qt::AlignLeft | Qt::AlignVCenter, text);
  }
}

std::optional<std::size_t> SplitCurve::pointAt(const QPointF& at) const {
  std::optional<std::size_t> nearest;
  qreal distance = kReach;
  for (std::size_t point = 0; m_suggestions && point < m_suggestions->splits.size(); ++point) {
    const QPointF away = pointOf(m_suggestions->splits[point]) - at;
    const qreal length = std::hypot(away.x(), away.y());
    if (length <= distance) {
      distance = length;
      nearest = point;
    }
  }
  return nearest;
}

void SplitCurve::mousePressEvent(QMouseEvent* event) {
  if (const auto point = pointAt(event->position())) {
    Q_EMIT splitChosen(m_suggestions->splits[*point].splitSize);
  }
}

void SplitCurve::mouseMoveEvent(QMouseEvent* event) {
  const auto point = pointAt(event->position());
  setCursor(point ? Qt::PointingHandCursor : Qt::ArrowCursor);
  setToolTip(point ? tr("split %1: %2%3")
                         .arg(m_suggestions->splits[*point].splitSize)
                         .arg(approximately(m_suggestions->basis) +
                                  timeText(m_suggestions->splits[*point].stepNs),
                              m_suggestions->splits[*point].overBudget ? tr(", does not fit")
                                                                       : tr(". Click to apply it"))
                   : QString());
}

QList<VirtualControl> SplitCurve::virtualControls() const {
  QList<VirtualControl> controls;
  if (!m_suggestions) return controls;
  for (const SplitPoint& point : m_suggestions->splits) {
    const QPointF at = pointOf(point);
    controls.append({u"split.%1"_s.arg(point.splitSize), u"point"_s, timeText(point.stepNs),
                     point.overBudget ? tr("over budget") : QString(),
                     QRectF(at.x() - 3, at.y() - 3, 6, 6).toAlignedRect(), isEnabled()});
  }
  return controls;
}

}  // namespace stagelane::ui
