#include "ui/timeline/timeline_keys.h"

#include <QKeyEvent>
#include <optional>

#include "ui/timeline/timeline_view.h"

namespace stagelane::ui {

bool takeTimelineKey(TimelineView& view, const QKeyEvent& event) {
  const bool shift = (event.modifiers() & Qt::ShiftModifier) != 0;
  switch (event.key()) {
    case Qt::Key_W: view.zoomIn(); return true;
    case Qt::Key_S: view.zoomOut(); return true;
    case Qt::Key_A:
    case Qt::Key_Left: view.pan(-TimelineView::kPanStep); return true;
    case Qt::Key_D:
    case Qt::Key_Right: view.pan(TimelineView::kPanStep); return true;
    case Qt::Key_F:
    case Qt::Key_0: view.fit(); return true;
    case Qt::Key_Backspace: view.undoZoom(); return true;
    case Qt::Key_BracketLeft: view.stepGap(-1); return true;
    case Qt::Key_BracketRight: view.stepGap(1); return true;
    case Qt::Key_Comma: view.stepEvent(-1); return true;
    case Qt::Key_Period: view.stepEvent(1); return true;
    case Qt::Key_E: view.toggleFold(); return true;
    case Qt::Key_Slash: Q_EMIT view.findRequested(); return true;
    case Qt::Key_N: Q_EMIT view.matchWanted(shift ? -1 : 1); return true;
    case Qt::Key_M: view.setMeasuring(!view.measuring()); return true;
    case Qt::Key_P: view.togglePin(); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: view.zoomToSelection(); return true;
    case Qt::Key_Escape:
      view.setMeasuring(false);
      view.setMarkedCause(std::nullopt);
      view.select({});
      return true;
    default: return false;
  }
}

}  // namespace stagelane::ui
