#pragma once

/// The whole trace in 48 px: busy share per device, the visible part of the step as a box that can
/// be dragged, and the other steps dimmed, to be selected by a click. Pure view of a TimelineData,
/// its overview and a TimeAxis.

#include <QWidget>

#include "ui/kit/theme.h"
#include "ui/kit/virtual_controls.h"
#include "ui/timeline/trace_overview.h"
#include "ui/tracks/timeline_axis.h"
#include "ui/tracks/timeline_data.h"

namespace stagelane::ui {

class TimelineMinimap final : public QWidget, public VirtualControlSource {
  Q_OBJECT

 public:
  explicit TimelineMinimap(QWidget* parent = nullptr);
  /// `failure`: why the run ended early, shown after the last step; "" if it did not.
  void setData(TimelineDataPtr timeline, TraceOverview overview, const QString& failure);
  void setAxis(const TimeAxis& axis);
  void setTheme(const Theme& theme);
  [[nodiscard]] QSize sizeHint() const override { return {400, 48}; }
  [[nodiscard]] QList<VirtualControl> virtualControls() const override;

 Q_SIGNALS:
  /// The user selected this part. @units nanoseconds from the step's start
  void rangeWanted(double fromNs, double toNs);
  /// Another step was clicked. `index`: into the trace's steps
  void stepWanted(int index);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  /// The whole strip, and the shown step's part of it.
  [[nodiscard]] QRectF lanes() const;
  [[nodiscard]] QRectF shownLanes() const;
  [[nodiscard]] QRectF rectOf(const OverviewSegment& segment) const;
  [[nodiscard]] const OverviewSegment* otherStepAt(double x) const;
  void paintNames(QPainter& painter) const;
  void paintShown(QPainter& painter) const;
  void paintOther(QPainter& painter, const OverviewSegment& segment) const;
  void paintBox(QPainter& painter) const;
  /// The part of the box that the mouse holds.
  enum class Grip { Ground, Left, Box, Right, Elsewhere };
  [[nodiscard]] QRectF box() const;
  [[nodiscard]] Grip gripAt(double x) const;
  [[nodiscard]] double timeAt(double x) const;
  void moveTo(double firstNs);

  TimelineDataPtr m_timeline;
  TraceOverview m_overview;
  QString m_failure;
  TimeAxis m_axis;
  const Theme* m_theme;
  Grip m_grip = Grip::Ground;
  double m_heldNs = 0.0;  ///< from the box's start, or its edge, to the mouse
};

}  // namespace stagelane::ui
