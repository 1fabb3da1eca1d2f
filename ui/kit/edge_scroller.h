#pragma once

/// Scrolls an area while something is dragged near an edge, even if the mouse does not move.

#include <QObject>
#include <QPoint>
#include <QScrollArea>
#include <QTimer>

namespace stagelane::ui {

/// Distance from the edge at which scrolling starts.
inline constexpr int kEdgeZone = 28;

/// Pixels per scroll step: negative near the beginning, positive near the end, 0 between. Grows up
/// to the edge and for the same distance beyond it.
/// @param position of the cursor along the view, 0 at its beginning
[[nodiscard]] int edgeStep(int position, int length);

class EdgeScroller final : public QObject {
  Q_OBJECT

 public:
  /// @pre the area outlives this. Fixed content covers `coveredLeft` pixels at its left.
  explicit EdgeScroller(QScrollArea* area, int coveredLeft = 0);
  /// Sets the position of the drag.
  void follow(const QPoint& globalAt);
  void stop() { m_timer.stop(); }

 Q_SIGNALS:
  void scrolled();

 private:
  void scroll();
  [[nodiscard]] QPoint step() const;

  QScrollArea* m_area;
  int m_coveredLeft;
  QTimer m_timer;
  QPoint m_at;
};

}  // namespace stagelane::ui
