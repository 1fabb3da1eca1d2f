#include "ui/plan/prediction/gauge_bar.h"

#include <QPainter>
#include <algorithm>

#include "ui/kit/current_theme.h"
#include "ui/kit/error_bar.h"
#include "ui/kit/look.h"
#include "ui/kit/measured_mark.h"

namespace stagelane::ui {
GaugeBar::GaugeBar(const CurrentTheme* theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
  setFixedHeight(12);
}

void GaugeBar::show(double share, double tick, double mark, bool over) {
  m_share = share;
  m_tick = tick;
  m_mark = mark;
  m_over = over;
  update();
}

void GaugeBar::setParts(std::vector<std::pair<double, QColor>> parts) {
  m_parts = std::move(parts);
  update();
}

void GaugeBar::setMeasured(std::optional<double> share, bool stale) {
  m_measured = share;
  m_measuredStale = stale;
  update();
}

void GaugeBar::setRange(std::optional<std::pair<double, double>> range) {
  m_range = range;
  update();
}

void GaugeBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setOpacity(isEnabled() ? 1.0 : kDimmed);
  painter.setRenderHint(QPainter::Antialiasing);
  const ControlColors& colors = m_theme->theme().control;
  const QRectF bar(0, 3, width(), 6);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colors.grid);
  painter.drawRoundedRect(bar, 2, 2);
  painter.setBrush(m_over ? colors.error : colors.accent);
  const qreal filled = width() * std::clamp(m_share, 0.0, 1.0);
  painter.drawRoundedRect(QRectF(0, 3, filled, 6), 2, 2);
  qreal left = 0;
  for (const auto& [share, color] : m_parts) {
    painter.fillRect(QRectF(left, 3, filled * share, 6), m_over ? colors.error : color);
    left += filled * share;
  }
  if (m_range) paintErrorBar(painter, m_theme->theme(), bar, *m_range);
  if (m_tick >= 0) {
    painter.fillRect(QRectF(width() * std::min(m_tick, 1.0) - 0.75, 0, 1.5, 12), colors.text);
  }
  if (m_mark >= 0) {
    painter.setPen(QPen(colors.muted, 1.5, Qt::DotLine));
    const qreal x = width() * std::min(m_mark, 1.0) - 1;
    painter.drawLine(QPointF(x, 0), QPointF(x, 12));
  }
  if (m_measured) {
    const qreal x = std::clamp(width() * *m_measured, 5.0, width() - 5.0);
    paintMeasuredMark(painter, m_theme->theme(), QPointF(x, 6), m_measuredStale);
  }
}

}  // namespace stagelane::ui
