#include "ui/plan/prediction/idle_bar.h"

#include <QPainter>

#include "profiler/analysis/idle.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/look.h"
#include "ui/kit/theme.h"

namespace stagelane::ui {
IdleBar::IdleBar(const CurrentTheme* theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
  setFixedHeight(12);
}

void IdleBar::show(const analysis::DeviceStep& step) {
  m_step = step;
  update();
}

void IdleBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setOpacity(isEnabled() ? 1.0 : kDimmed);
  const Theme& theme = m_theme->theme();
  TimeNs total = 0;
  for (const TimeNs part : m_step.causeNs) total += part;
  painter.fillRect(rect(), theme.control.grid);
  qreal x = 0;
  for (std::size_t cause = 0; cause < m_step.causeNs.size() && total > 0; ++cause) {
    const qreal partWidth =
        width() * static_cast<double>(m_step.causeNs[cause]) / static_cast<double>(total);
    if (partWidth > 0) {
      painter.fillRect(QRectF(x, 0, partWidth, height()),
                       brushOf(theme, static_cast<analysis::Cause>(cause), devicePixelRatioF()));
    }
    x += partWidth;
  }
}

}  // namespace stagelane::ui
