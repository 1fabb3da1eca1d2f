#pragma once

/// The lanes of the timeline: track tree on the left, ruler on top, pinned tracks below it, and the
/// scrolled scene of one step. Owns view state (axis, scroll, hover, selection, area, measure) and
/// turns input into changes of it; what is drawn and hit comes from ui/tracks/timeline_scene.h.

#include <QAbstractScrollArea>
#include <memory>
#include <optional>
#include <vector>

#include "ui/kit/theme.h"
#include "ui/kit/virtual_controls.h"
#include "ui/timeline/timeline_search.h"
#include "ui/tracks/timeline_frame.h"
#include "ui/tracks/timeline_scene.h"

namespace stagelane::ui {

/// A stretch of time on some tracks. @units nanoseconds from the step's start; content y
struct TimelineArea {
  double fromNs = 0.0, toNs = 0.0;
  double top = 0.0, bottom = 0.0;
  bool pinned = false;  ///< of the pinned part, else of the scrolled one
  std::vector<std::size_t> tracks{};
};

class TimelineView final : public QAbstractScrollArea, public VirtualControlSource {
  Q_OBJECT

 public:
  explicit TimelineView(QWidget* parent = nullptr);

  /// Null clears the view. Keeps the zoom when the step has the same length.
  void setData(TimelineDataPtr timeline);
  void setTheme(const Theme& theme);
  void setShowPredicted(bool show);
  void setFilter(const LegendFilter& filter);
  void setColorBy(ColorBy colorBy);
  /// The predicted step begins with the measured one, or is moved to the first difference.
  void setAlignAtFirstDifference(bool align);
  [[nodiscard]] std::optional<analysis::Cause> markedCause() const { return m_markedCause; }
  void setMarkedCause(std::optional<analysis::Cause> cause);
  /// Null ends the search.
  void setFound(SearchResultPtr found);

  [[nodiscard]] const TimeAxis& axis() const { return m_axis; }
  [[nodiscard]] const RowOptions& rows() const { return m_options; }
  [[nodiscard]] ColorBy colorBy() const { return m_colorBy; }
  [[nodiscard]] TimeNs predictedShiftNs() const;
  [[nodiscard]] const TimelineTarget& selection() const { return m_selection; }
  [[nodiscard]] const std::optional<TimelineArea>& area() const { return m_area; }
  void select(const TimelineTarget& target);
  /// Selects and brings into sight, scrolling and opening what is folded over it.
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
  /// Selects the next (+1) or previous (−1) gap that can be seen; zooms where none can.
  void stepGap(int direction);
  /// Selects the next (+1) or previous (−1) event of the selected one's track.
  void stepEvent(int direction);
  /// Does what a key means here. @returns whether it means anything
  bool takeKey(const QKeyEvent& event);
  void setMeasuring(bool measuring);
  [[nodiscard]] bool measuring() const { return m_measuring; }
  /// Pins the track under the mouse, else the selected event's, or lets go of it.
  void togglePin();
  /// Folds or opens the track under the mouse, else the selected event's, else its device.
  void toggleFold();

  [[nodiscard]] QList<VirtualControl> virtualControls() const override;

  static constexpr double kPanStep = 0.1;  ///< of the view, a press of a key
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
  /// The pinned or the scrolled part, and a point in it.
  struct Part {
    const TimelineLayout* layout = nullptr;
    double top = 0.0;     ///< content y at its upper edge
    double y = 0.0;       ///< of its upper edge in the viewport
    double height = 0.0;  ///< in the viewport
  };
  struct Measure {
    double fromNs = 0.0, toNs = 0.0;
  };
  [[nodiscard]] Part pinnedPart() const;
  [[nodiscard]] Part scrolledPart() const;
  [[nodiscard]] Part partAt(double y) const;
  [[nodiscard]] SceneInput input(const Part& part) const;
  [[nodiscard]] TimelineTarget targetUnder(const QPointF& position) const;
  [[nodiscard]] const TimelineRow* rowUnder(const QPointF& position) const;
  [[nodiscard]] double timeUnder(const QPointF& position, bool snap) const;
  void paintPart(QPainter& painter, const Part& part);
  void paintArea(QPainter& painter, const Part& part);
  void paintMeasure(QPainter& painter);
  [[nodiscard]] QString rulerText() const;
  [[nodiscard]] std::vector<RulerEnd> ends() const;
  void relayout();
  void changed();
  void rememberZoom();
  void clickTree(const QPointF& position);
  void togglePinOf(std::int32_t track);
  void toggleFoldOf(const TimelineRow& row);
  [[nodiscard]] const TimelineRow* rowToFold() const;
  void dragArea(const QPointF& position);
  void setArea(std::optional<TimelineArea> area);
  void hover(const QPointF& position);
  void showTip(const QPoint& globalPosition);
  void addRowControls(QList<VirtualControl>& controls, const Part& part) const;
  void addEventControls(QList<VirtualControl>& controls, const Part& part,
                        const TimelineRow& row) const;
  [[nodiscard]] double zoomX() const;

  TimelineDataPtr m_data;
  TimelineLayout m_layout, m_pinned;
  TimeAxis m_axis;
  std::vector<TimeAxis> m_zoomHistory;
  RowOptions m_options;
  LegendFilter m_filter;
  ColorBy m_colorBy = ColorBy::Kind;
  bool m_alignFirstDifference = false;
  std::optional<analysis::Cause> m_markedCause;
  SearchResultPtr m_found;
  TimelineTarget m_hover, m_selection;
  EventFlows m_flows;
  const Theme* m_theme;
  std::optional<QPointF> m_mouse, m_panFrom, m_pressed;
  std::optional<TimelineArea> m_area;
  bool m_measuring = false;
  std::optional<Measure> m_measure;
};

}  // namespace stagelane::ui
