#pragma once

/// The lanes of the timeline: track tree on the left, ruler on top, pinned tracks below it, and the
/// scrolled scene of one step. Handles mouse and wheel. TimelineSight has the visible state and hit
/// tests; ui/tracks/timeline_scene.h has the drawn scene.

#include <QAbstractScrollArea>
#include <optional>

#include "ui/kit/theme.h"
#include "ui/kit/virtual_controls.h"
#include "ui/timeline/timeline_area.h"
#include "ui/timeline/timeline_sight.h"

namespace stagelane::ui {

class TimelineView final : public QAbstractScrollArea, public VirtualControlSource {
  Q_OBJECT

 public:
  explicit TimelineView(QWidget* parent = nullptr);

  /// Null clears the view. Keeps the zoom if the step has the same length.
  void setData(TimelineDataPtr timeline);
  void setTheme(const Theme& theme);
  void setShowPredicted(bool show);
  void setFilter(const LegendFilter& filter);
  void setColorBy(ColorBy colorBy);
  /// Aligns the predicted step at the first difference, else at the step's start.
  void setAlignAtFirstDifference(bool align);
  [[nodiscard]] std::optional<analysis::Cause> markedCause() const { return m_sight.markedCause; }
  void setMarkedCause(std::optional<analysis::Cause> cause);
  /// Null ends the search.
  void setFound(SearchResultPtr found);

  [[nodiscard]] const TimeAxis& axis() const { return m_sight.zoom.axis(); }
  [[nodiscard]] const RowOptions& rows() const { return m_sight.panes.options(); }
  [[nodiscard]] ColorBy colorBy() const { return m_sight.colorBy; }
  [[nodiscard]] TimeNs predictedShiftNs() const { return m_sight.predictedShiftNs(); }
  [[nodiscard]] const TimelineTarget& selection() const { return m_sight.selection; }
  [[nodiscard]] const std::optional<TimelineArea>& area() const { return m_area; }
  void select(const TimelineTarget& target);
  /// Selects the target and scrolls and unfolds rows to show it.
  void reveal(const TimelineTarget& target);
  /// Scrolls and zooms so that the target fills about a third of the view.
  void zoomTo(const TimelineTarget& target);
  void zoomToSelection();
  void showRange(double fromNs, double toNs);

  void zoomIn();
  void zoomOut();
  void fit();
  void undoZoom();
  void pan(double fractionOfView);
  /// Selects the next (+1) or previous (−1) visible gap; zooms if none is visible.
  void stepGap(int direction);
  /// Selects the next (+1) or previous (−1) event of the selected one's track.
  void stepEvent(int direction);
  void setMeasuring(bool measuring);
  [[nodiscard]] bool measuring() const { return m_measuring; }
  /// Pins or unpins the track under the mouse, else the selected event's.
  void togglePin();
  /// Folds or unfolds the track under the mouse, else the selected event's, else its device.
  void toggleFold();

  [[nodiscard]] QList<VirtualControl> virtualControls() const override;

  static constexpr double kPanStep = 0.1;  ///< fraction of the view per key press
  static constexpr int kTreeWidth = kTimelineTreeWidth;
  static constexpr int kRulerHeight = kTimelineRulerHeight;

 Q_SIGNALS:
  void selectionChanged();
  void areaChanged();
  void axisChanged();
  void measuringChanged(bool measuring);
  void findRequested();
  void matchWanted(int direction);
  void markedCauseChanged();
  void hintChanged(const QString& hint);

 protected:
  bool viewportEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  [[nodiscard]] TimelineSight::Viewport where() const;
  [[nodiscard]] TimelinePane scrolledPane() const;
  [[nodiscard]] TimelinePane paneAt(double y) const;
  [[nodiscard]] TimelineTarget targetUnder(const QPointF& position) const;
  [[nodiscard]] const TimelineRow* rowUnder(const QPointF& position) const;
  [[nodiscard]] double zoomX() const;
  void paintPane(QPainter& painter, const TimelinePane& pane);
  void paintRulerRow(QPainter& painter);
  void fitScrollBar();
  void changed();
  void clickTree(const QPointF& position);
  void togglePinOf(std::int32_t track);
  void toggleFoldOf(const TimelineRow& row);
  void dragArea(const QPointF& position);
  void setArea(std::optional<TimelineArea> area);
  void hover(const QPointF& position);
  void showTip(const QPoint& globalPosition);

  TimelineSight m_sight;
  const Theme* m_theme;
  std::optional<QPointF> m_mouse, m_panFrom, m_pressed;
  std::optional<TimelineArea> m_area;
  bool m_measuring = false;
  std::optional<TimelineMeasure> m_measure;
};

}  // namespace stagelane::ui
