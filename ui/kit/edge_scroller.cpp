#include "ui/kit/edge_scroller.h"

#include <QScrollBar>
#include <algorithm>

namespace stagelane::ui {
namespace {

/// Interval between scroll steps.
constexpr int kEdgeScrollMs = 16;

/// @param depth pixels inside the zone, or beyond the edge
int stepFor(int depth) { return depth <= 0 ? 0 : 1 + std::min(depth, 2 * kEdgeZone) / 4; }

}  // namespace

int edgeStep(int position, int length) {
  // Keep a middle zone without scrolling in small views.
  const int zone = std::min(kEdgeZone, length / 3);
  const int before = zone - position;
  const int behind = position - (length - zone);
  return stepFor(behind) - stepFor(before);
}

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
