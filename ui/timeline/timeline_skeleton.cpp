#include "ui/timeline/timeline_skeleton.h"

#include <QPainter>

#include "ui/tracks/timeline_frame.h"

namespace stagelane::ui {
namespace {

constexpr double kMinimap = 48.0, kPanel = 224.0;
constexpr double kHeader = 24.0, kUtilisation = 20.0, kActions = 28.0, kCopies = 14.0, kGap = 4.0;
constexpr double kLabelX = 28.0, kLabelTall = 8.0;
/// Lengths of bars and gaps, repeated; arbitrary values.
constexpr double kBars[] = {86, 6, 118, 30, 64, 6, 152, 44, 96, 6, 74, 18};

/// Draws placeholder bars over a row.
void paintBars(QPainter& painter, const QRectF& row, const QColor& color, std::size_t from) {
  double x = row.left();
  for (std::size_t i = from; x < row.right(); ++i) {
    const double length = kBars[i % std::size(kBars)];
    if (i % 2 == 0) {
      painter.fillRect(QRectF(x, row.top(), std::min(length, row.right() - x), row.height()),
                       color);
    }
    x += length;
  }
}

}  // namespace

TimelineSkeleton::TimelineSkeleton(QWidget* parent) : QWidget(parent), m_theme(&lightTheme()) {
  setAttribute(Qt::WA_OpaquePaintEvent);
}

void TimelineSkeleton::setTheme(const Theme& theme) {
  m_theme = &theme;
  update();
}

void TimelineSkeleton::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const ControlColors& colors = m_theme->control;
  const double end = height() - kPanel;
  painter.fillRect(rect(), colors.panel);
  painter.fillRect(QRectF(0, 0, width(), kMinimap), colors.panel2);
  const QRectF lanes(kTimelineTreeWidth, 0, std::max(0, width() - kTimelineTreeWidth - 6), end);
  paintBars(painter, QRectF(lanes.left(), 6, lanes.width(), 16), colors.grid, 2);
  paintBars(painter, QRectF(lanes.left(), 26, lanes.width(), 16), colors.grid, 6);
  double y = kMinimap + kTimelineRulerHeight;
  for (std::size_t device = 0; y + kHeader + kUtilisation + kActions < end; ++device) {
    painter.fillRect(QRectF(0, y, width(), kHeader), colors.panel2);
    painter.fillRect(QRectF(kLabelX, y + kLabelTall, 52, kLabelTall), colors.border);
    y += kHeader + kGap;
    for (const double tall : {kUtilisation, kActions, kCopies}) {
      if (y + tall > end) break;
      painter.fillRect(QRectF(kLabelX, y + (tall - kLabelTall) / 2.0, 72, kLabelTall), colors.grid);
      paintBars(painter, QRectF(lanes.left(), y, lanes.width(), tall), colors.grid, device * 4);
      y += tall + kGap;
    }
  }
  painter.setPen(colors.border);
  painter.drawLine(QPointF(kTimelineTreeWidth - 0.5, kMinimap),
                   QPointF(kTimelineTreeWidth - 0.5, end));
  painter.fillRect(QRectF(0, end, width(), 1.0), colors.border);
}

}  // namespace stagelane::ui
