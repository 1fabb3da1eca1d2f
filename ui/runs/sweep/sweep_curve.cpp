#include "ui/runs/sweep/sweep_curve.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/kit/current_theme.h"
#include "ui/kit/look.h"
#include "ui/kit/painted_access.h"
#include "ui/kit/text/formatting.h"
#include "ui/plots/sweep_picture.h"
#include "ui/session/run/sweep_text.h"
#include "ui/session/run/sweep_view.h"

namespace stagelane::ui {

SweepCurve::SweepCurve(const CurrentTheme* theme, QWidget* parent)
    : QWidget(parent), m_theme(theme) {
  setNames(this, u"sweepCurve"_s, tr("Predicted and measured points of the sweep"));
  setMouseTracking(true);
  setFocusPolicy(Qt::TabFocus);
}

void SweepCurve::show(SweepViewPtr sweep) {
  m_sweep = std::move(sweep);
  const int count = m_sweep ? static_cast<int>(m_sweep->points.size()) : 0;
  m_cursor = std::min(m_cursor, count - 1);
  if (m_sweep) setMinimumHeight(leastSweepHeight(*m_sweep));
  updateGeometry();
  update();
}

QSize SweepCurve::sizeHint() const {
  return {400, m_sweep ? goodSweepHeight(*m_sweep) : minimumHeight()};
}

const SweepPoint& SweepCurve::point(int index) const {
  return m_sweep->points[static_cast<std::size_t>(index)];
}

/// Only a run that has begun can be opened.
bool SweepCurve::opens(int index) const {
  return index >= 0 && point(index).repeats > 0 && !point(index).run.isEmpty();
}

int SweepCurve::pointAt(const QPointF& at) const {
  return m_sweep && !m_sweep->points.empty() ? SweepAxes(*m_sweep, size()).pointAt(at.x()) : -1;
}

void SweepCurve::paintEvent(QPaintEvent*) {
  if (!m_sweep) return;
  QPainter painter(this);
  paintSweep(painter, *m_sweep, size(), m_theme->theme());
  if (!hasFocus()) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(m_theme->theme().control.accent, 2));
  painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
  if (m_cursor >= 0) {
    const SweepAxes axes(*m_sweep, size());
    const double middle = axes.at(static_cast<std::size_t>(m_cursor), 0.0).x();
    painter.setPen(QPen(m_theme->theme().control.text, 1.5));
    painter.drawRect(
        QRectF(middle - axes.column() / 2, axes.plot().top(), axes.column(), axes.plot().height()));
  }
}

void SweepCurve::choose(int index) {
  if (opens(index)) Q_EMIT pointChosen(SweepPoint(point(index)));
}

void SweepCurve::mouseMoveEvent(QMouseEvent* event) {
  const int index = pointAt(event->position());
  setCursor(opens(index) ? Qt::PointingHandCursor : Qt::ArrowCursor);
  Q_EMIT hinted(
      opens(index)
          ? tr("Click to open the median step of %1 in the Timeline").arg(point(index).label)
          : QString());
}

void SweepCurve::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) choose(pointAt(event->position()));
}

void SweepCurve::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  Q_EMIT hinted({});
}

void SweepCurve::keyPressEvent(QKeyEvent* event) {
  const int last = m_sweep ? static_cast<int>(m_sweep->points.size()) - 1 : -1;
  switch (event->key()) {
    case Qt::Key_Left: setCursorTo(std::max(0, m_cursor - 1)); return;
    case Qt::Key_Right: setCursorTo(std::min(last, m_cursor + 1)); return;
    case Qt::Key_Home: setCursorTo(0); return;
    case Qt::Key_End: setCursorTo(last); return;
    case Qt::Key_Return:
    case Qt::Key_Enter: choose(m_cursor); return;
    default: QWidget::keyPressEvent(event);
  }
}

void SweepCurve::setCursorTo(int index) {
  m_cursor = m_sweep && !m_sweep->points.empty() ? index : -1;
  const QString text = m_cursor < 0 ? QString() : sweepPointText(point(m_cursor));
  setAccessibleDescription(text);
  Q_EMIT hinted(opens(m_cursor) ? tr("%1 · Enter opens it in the Timeline").arg(text) : text);
  tellPaintedFocus(this);
  update();
}

void SweepCurve::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  Q_EMIT hinted(tr("Sweep: ← and → select a point, Enter opens it"));
}

void SweepCurve::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  Q_EMIT hinted({});
}

QList<VirtualControl> SweepCurve::virtualControls() const {
  QList<VirtualControl> controls;
  if (!m_sweep) return controls;
  const SweepAxes axes(*m_sweep, size());
  for (std::size_t i = 0; i < m_sweep->points.size(); ++i) {
    const SweepPoint& shown = m_sweep->points[i];
    const bool measured = shown.repeats > 0;
    if (!measured && shown.predictedS <= 0.0) continue;
    const QPoint middle = axes.at(i, measured ? shown.meanS : shown.predictedS).toPoint();
    controls.append({(measured ? u"sweepPoint.%1"_s : u"sweepPredicted.%1"_s).arg(i), u"point"_s,
                     shown.label, measured ? QString::number(shown.repeats) : QString(),
                     QRect(middle - QPoint(3, 3), QSize(7, 7)), true, false,
                     static_cast<int>(i) == m_cursor});
  }
  return controls;
}

bool SweepCurve::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int index = pointAt(help->pos());
    if (index >= 0) QToolTip::showText(help->globalPos(), sweepPointText(point(index)), this);
    return true;
  }
  return QWidget::event(event);
}

}  // namespace stagelane::ui
