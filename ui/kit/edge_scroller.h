#pragma once

/// Scrolls an area for as long as something is dragged near one of its edges, though the mouse
/// stands still.

#include <QObject>
#include <QPoint>
#include <QScrollArea>
#include <QTimer>

namespace stagelane::ui {

/// Pixels of one scroll: negative near the beginning, positive near the end, 0 between. Grows up to
/// the edge and as far again beyond it.
/// @param position of the cursor along the view, 0 at its beginning
[[nodiscard]] int edgeStep(int position, int length);

class EdgeScroller final : public QObject {
  Q_OBJECT

 public:
  /// The area must outlive it. So many pixels on its left are covered by what is not scrolled.
  explicit EdgeScroller(QScrollArea* area, int coveredLeft = 0);
  /// Where the drag is, on the screen.
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
