#include "ui/kit/edge_scroller.h"

#include <QScrollBar>

#include "ui/kit/edge_scroll.h"

namespace stagelane::ui {

EdgeScroller::EdgeScroller(QScrollArea* area, int coveredLeft)
    : QObject(area), m_area(area), m_coveredLeft(coveredLeft) {
  m_timer.setInterval(kEdgeScrollMs);
  connect(&m_timer, &QTimer::timeout, this, &EdgeScroller::scroll);
}

QPoint EdgeScroller::step() const {
  const QWidget* view = m_area->viewport();
  const QPoint at = view->mapFromGlobal(m_at);
  return {edgeStep(at.x() - m_coveredLeft, view->width() - m_coveredLeft),
          edgeStep(at.y(), view->height())};
}

void EdgeScroller::follow(const QPoint& globalAt) {
  m_at = globalAt;
  if (step().isNull()) {
    m_timer.stop();
  } else if (!m_timer.isActive()) {
    m_timer.start();
  }
}

void EdgeScroller::scroll() {
  QScrollBar* across = m_area->horizontalScrollBar();
  QScrollBar* down = m_area->verticalScrollBar();
  const QPoint before(across->value(), down->value());
  const QPoint by = step();
  across->setValue(before.x() + by.x());
  down->setValue(before.y() + by.y());
  if (QPoint(across->value(), down->value()) == before) {
    m_timer.stop();
    return;
  }
  Q_EMIT scrolled();
}

}  // namespace stagelane::ui
