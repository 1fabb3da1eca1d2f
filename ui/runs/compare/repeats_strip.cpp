#include "ui/runs/compare/repeats_strip.h"

#include <QPainter>
#include <algorithm>
#include <limits>

#include "ui/kit/current_theme.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/round_ticks.h"

namespace stagelane::ui {
namespace {

constexpr int kTitleWidth = 64;
constexpr int kRowHeight = 26;
constexpr int kAxisHeight = 20;
constexpr double kDot = 2.8;
constexpr double kTickWidth = 80.0;

}  // namespace

RepeatsStrip::RepeatsStrip(const CurrentTheme* theme, QWidget* parent)
    : QWidget(parent), m_theme(theme) {
  setNames(this, u"compareRepeats"_s, tr("Single repeats of the compared runs"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void RepeatsStrip::show(const QStringList& titles,
                        const std::vector<std::vector<double>>& repeats) {
  m_titles = titles;
  m_repeats = repeats;
  updateGeometry();
  update();
}

QSize RepeatsStrip::sizeHint() const {
  return {320, static_cast<int>(m_repeats.size()) * kRowHeight + kAxisHeight};
}

void RepeatsStrip::paintEvent(QPaintEvent*) {
  double low = std::numeric_limits<double>::max();
  double high = 0.0;
  for (const std::vector<double>& row : m_repeats) {
    for (const double seconds : row) {
      low = std::min(low, seconds);
      high = std::max(high, seconds);
    }
  }
  if (high <= 0.0) return;
  const double margin = std::max((high - low) * 0.08, high * 1e-3);
  low -= margin;
  high += margin;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(fontOf(TextSize::Caption));
  const ControlColors& colors = m_theme->theme().control;
  const double room = width() - kTitleWidth - 16;
  const auto x = [&](double seconds) {
    return kTitleWidth + (seconds - low) / (high - low) * room;
  };
  const int bottom = static_cast<int>(m_repeats.size()) * kRowHeight;
  const RoundTicks ticks = roundTicks(low, high, std::max(2, static_cast<int>(room / kTickWidth)));
  for (const double seconds : ticks.values) {
    painter.setPen(colors.grid);
    painter.drawLine(QPointF(x(seconds), 0), QPointF(x(seconds), bottom));
    painter.setPen(colors.muted);
    const double left = std::min(x(seconds) - kTickWidth / 2, width() - kTickWidth);
    painter.drawText(QRectF(left, bottom + 2, kTickWidth, kAxisHeight - 2), Qt::AlignCenter,
                     tickText(seconds, ticks.step, secondsUnitOf(high)));
  }
  for (std::size_t row = 0; row < m_repeats.size(); ++row) {
    const double y = (static_cast<double>(row) + 0.5) * kRowHeight;
    painter.setPen(colors.text);
    painter.drawText(QRectF(0, y - 10, kTitleWidth - 8, 20), Qt::AlignLeft | Qt::AlignVCenter,
                     m_titles.value(static_cast<qsizetype>(row)));
    double sum = 0.0;
    painter.setPen(Qt::NoPen);
    painter.setBrush(row == 0 ? colors.muted : colors.accent);
    for (std::size_t i = 0; i < m_repeats[row].size(); ++i) {
      // Offset, so that overlapping dots stay visible.
      const double offset = (static_cast<double>(i % 3) - 1.0) * 4.0;
      painter.drawEllipse(QPointF(x(m_repeats[row][i]), y + offset), kDot, kDot);
      sum += m_repeats[row][i];
    }
    if (!m_repeats[row].empty()) {
      const double mean = x(sum / static_cast<double>(m_repeats[row].size()));
      painter.setPen(QPen(colors.text, 1.5));
      painter.drawLine(QPointF(mean, y - 9), QPointF(mean, y + 9));
    }
  }
}

}  // namespace stagelane::ui
