#include "ui/runs/compare/steps_strip.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/kit/current_theme.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/theme.h"

namespace stagelane::ui {
namespace {

constexpr int kTitleWidth = 100;
constexpr int kIdleWidth = 50;
constexpr int kLaneHeight = 14;
constexpr int kLaneStep = 19;
constexpr int kRunGap = 8;
constexpr int kAxisHeight = 18;

}  // namespace

StepsStrip::StepsStrip(const CurrentTheme* theme, QWidget* parent)
    : QWidget(parent), m_theme(theme) {
  setNames(this, u"compareSteps"_s, tr("Median steps of the compared runs"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StepsStrip::show(const std::vector<LoadedRun>& runs) {
  m_lanes.clear();
  m_longestNs = 0;
  for (const LoadedRun& run : runs) {
    m_longestNs = std::max(m_longestNs, run.stepNs);
    for (const StepLane& lane : run.lanes) {
      m_lanes.push_back({u"%1 %2"_s.arg(run.title, lane.device), percentText(lane.idleShare, 1),
                         lane, run.stepNs, &lane == &run.lanes.front()});
    }
  }
  updateGeometry();
  update();
}

double StepsStrip::yOf(std::size_t lane) const {
  double y = 2.0;
  for (std::size_t i = 0; i < lane; ++i) {
    y += kLaneStep;
    y += i + 1 < m_lanes.size() && m_lanes[i + 1].firstOfRun ? kRunGap : 0;
  }
  return y;
}

double StepsStrip::xOf(TimeNs ns) const {
  return kTitleWidth + static_cast<double>(ns) /
                           static_cast<double>(std::max<TimeNs>(m_longestNs, 1)) *
                           (width() - kTitleWidth - kIdleWidth);
}

QSize StepsStrip::sizeHint() const {
  return {320, m_lanes.empty()
                   ? 0
                   : static_cast<int>(yOf(m_lanes.size() - 1)) + kLaneStep + kAxisHeight};
}

void StepsStrip::paintEvent(QPaintEvent*) {
  if (m_lanes.empty()) return;
  QPainter painter(this);
  painter.setFont(fontOf(TextSize::Caption));
  const Theme& theme = m_theme->theme();
  for (std::size_t i = 0; i < m_lanes.size(); ++i) {
    const Lane& lane = m_lanes[i];
    const double y = yOf(i);
    painter.setPen(theme.control.text);
    painter.drawText(QRectF(0, y, kTitleWidth - 6, kLaneHeight), Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(lane.title, Qt::ElideRight, kTitleWidth - 6));
    painter.fillRect(QRectF(xOf(0), y, xOf(lane.endNs) - xOf(0), kLaneHeight), theme.control.lane);
    for (const analysis::Piece& piece : lane.step.pieces) {
      const double left = xOf(piece.startNs);
      painter.fillRect(QRectF(left, y, xOf(piece.endNs) - left, kLaneHeight),
                       brushOf(theme, piece.cause, devicePixelRatioF()));
    }
    painter.setPen(theme.control.text);
    painter.drawText(QRectF(width() - kIdleWidth, y, kIdleWidth, kLaneHeight),
                     Qt::AlignRight | Qt::AlignVCenter, lane.idle);
  }
  const double bottom = yOf(m_lanes.size() - 1) + kLaneStep;
  painter.setPen(theme.control.muted);
  painter.drawText(QRectF(kTitleWidth, bottom, 60, kAxisHeight), Qt::AlignLeft | Qt::AlignVCenter,
                   u"0"_s);
  painter.drawText(QRectF(xOf(m_longestNs) - 90, bottom, 90, kAxisHeight),
                   Qt::AlignRight | Qt::AlignVCenter, timeText(m_longestNs));
  painter.drawText(QRectF(width() - kIdleWidth, bottom, kIdleWidth, kAxisHeight),
                   Qt::AlignRight | Qt::AlignVCenter, tr("idle"));
}

bool StepsStrip::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  QToolTip::hideText();
  for (std::size_t i = 0; i < m_lanes.size(); ++i) {
    const double y = help->pos().y() - yOf(i);
    if (y < 0 || y >= kLaneHeight) continue;
    for (const analysis::Piece& piece : m_lanes[i].step.pieces) {
      if (help->pos().x() >= xOf(piece.startNs) && help->pos().x() < xOf(piece.endNs)) {
        QString words = qstring(analysis::word(piece.cause)).replace(QChar(u'_'), QChar(u' '));
        QToolTip::showText(
            help->globalPos(),
            tr("%1: %2, %3 after the step's start")
                .arg(words, timeText(piece.endNs - piece.startNs), timeText(piece.startNs)),
            this);
      }
    }
  }
  return true;
}

}  // namespace stagelane::ui
