#pragma once

/// The whole step in 48 px: busy share per device, and the part that the timeline shows as a box
/// that can be dragged. Pure view of a TimelineData and a TimeAxis.

#include <QWidget>
#include <optional>

#include "ui/models/theme.h"
#include "ui/models/timeline_axis.h"
#include "ui/models/timeline_data.h"
#include "ui/widgets/virtual_controls.h"

namespace stagelane::ui {

class TimelineMinimap final : public QWidget, public VirtualControlSource {
  Q_OBJECT

 public:
  explicit TimelineMinimap(QWidget* parent = nullptr);
  void setData(TimelineDataPtr timeline);
  void setAxis(const TimeAxis& axis);
  void setTheme(const Theme& theme);
  [[nodiscard]] QSize sizeHint() const override { return {400, 48}; }
  [[nodiscard]] QList<VirtualControl> virtualControls() const override;

 Q_SIGNALS:
  /// The user wants to see this part. @units nanoseconds from the step's start
  void rangeWanted(double fromNs, double toNs);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  [[nodiscard]] QRectF lanes() const;
  /// What the mouse has hold of.
  enum class Grip { Ground, Left, Box, Right };
  [[nodiscard]] QRectF box() const;
  [[nodiscard]] Grip gripAt(double x) const;
  [[nodiscard]] double timeAt(double x) const;
  void moveTo(double firstNs);

  TimelineDataPtr m_timeline;
  TimeAxis m_axis;
  const Theme* m_theme;
  Grip m_grip = Grip::Ground;
  double m_heldNs = 0.0;  ///< from the box's start, or its edge, to the mouse
};

}  // namespace stagelane::ui
