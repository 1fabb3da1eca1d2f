#pragma once

/// The lanes of the timeline: track tree on the left, ruler on top, and the scene of one step. Owns
/// view state (axis, scroll, hover, selection) and turns input into changes of it; what is drawn
/// and hit comes from ui/models/timeline_scene.h.

#include <QAbstractScrollArea>
#include <optional>
#include <vector>

#include "ui/models/theme.h"
#include "ui/models/timeline_scene.h"
#include "ui/plots/timeline_frame.h"
#include "ui/widgets/virtual_controls.h"

namespace stagelane::ui {

class TimelineView final : public QAbstractScrollArea, public VirtualControlSource {
  Q_OBJECT

 public:
  explicit TimelineView(QWidget* parent = nullptr);

  /// Null clears the view. Keeps the zoom when the step has the same length.
  void setData(TimelineDataPtr timeline);
  void setTheme(const Theme& theme);
  void setShowPredicted(bool show);
  void setFilter(const LegendFilter& filter);

  [[nodiscard]] const TimeAxis& axis() const { return m_axis; }
  [[nodiscard]] const TimelineTarget& selection() const { return m_selection; }
  void select(const TimelineTarget& target);
  /// Scrolls and zooms so that the target fills about a third of the view.
  void zoomTo(const TimelineTarget& target);
  void showRange(double fromNs, double toNs);

  void zoomIn();
  void zoomOut();
  void fit();
  void undoZoom();
  void pan(double fractionOfView);
  /// Selects the next (+1) or previous (−1) gap.
  void stepGap(int direction);

  [[nodiscard]] QList<VirtualControl> virtualControls() const override;

  static constexpr int kTreeWidth = kTimelineTreeWidth;
  static constexpr int kRulerHeight = kTimelineRulerHeight;

 Q_SIGNALS:
  void selectionChanged();
  void axisChanged();
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
  [[nodiscard]] SceneInput input(const TimeAxis& axis, double top, double height) const;
  [[nodiscard]] SceneInput visibleInput() const;
  [[nodiscard]] TimelineTarget targetUnder(const QPointF& position) const;
  void relayout();
  void changed();
  void rememberZoom();
  void toggleDevice(std::int32_t device);
  void showTip(const QPoint& globalPosition);

  TimelineDataPtr m_data;
  TimelineLayout m_layout;
  TimeAxis m_axis;
  std::vector<TimeAxis> m_zoomHistory;
  RowOptions m_options;
  LegendFilter m_filter;
  TimelineTarget m_hover, m_selection;
  const Theme* m_theme;
  std::optional<QPointF> m_panFrom;
  std::optional<double> m_areaFrom;  ///< x of a left drag over the lanes, relative to the lanes
  double m_areaTo = 0.0;
};

}  // namespace stagelane::ui
