#pragma once

/// What the timeline looks like, as plain geometry: rectangles, lines and texts with meanings
/// instead of colours. The window paints it on screen, the exporter into PNG, SVG and PDF. All
/// geometry is clipped to the scene, because QSvgGenerator does not clip. Cost follows pixels, not
/// events: what is narrower than a pixel is merged by binary search.

#include <QRectF>
#include <QString>
#include <optional>
#include <vector>

#include "ui/models/timeline_axis.h"
#include "ui/models/timeline_data.h"
#include "ui/models/timeline_rows.h"

namespace stagelane::ui {

/// What a rectangle means; the painter chooses its colour.
struct Ink {
  enum class Kind {
    Action,  ///< `category`
    Ghost,   ///< `category`, at 42 %
    Idle,    ///< `cause`, hatched
    HeaderGround,
    RowGround,
    Busy,     ///< many busy events under a pixel
    Dropped,  ///< records were lost here
  } kind = Kind::Action;
  trace::Category category = trace::Category::Other;
  analysis::Cause cause = analysis::Cause::Unattributed;
};

struct SceneRect {
  QRectF rect;
  Ink ink;
  QString label;  ///< written inside when there is room
};
struct SceneOutline {
  QRectF rect;
  enum class Kind { SameMicroBatch, Selected, Gap } kind = Kind::Selected;
};
struct SceneLine {
  double x1 = 0.0, y1 = 0.0, x2 = 0.0, y2 = 0.0;
  enum class Kind { Grid, Separator, MeasuredEnd, PredictedEnd } kind = Kind::Grid;
};
/// A filled curve: utilisation or memory. Points from left to right, closed along `baseline`.
struct SceneCurve {
  std::vector<QPointF> points;
  double baseline = 0.0;
};
struct SceneText {
  QRectF rect;
  QString text;
  enum class Kind { HeaderName, Header, Muted, GapLength } kind = Kind::Muted;
  bool right = false;  ///< aligned to the right edge
};

struct TimelineScene {
  double width = 0.0, height = 0.0;
  std::vector<SceneRect> rects;
  std::vector<SceneCurve> curves;
  std::vector<SceneLine> lines;
  std::vector<SceneOutline> outlines;
  std::vector<SceneText> texts;
};

/// Causes and categories switched off in the legend.
struct LegendFilter {
  std::vector<trace::Category> hiddenCategories;
  std::vector<analysis::Cause> hiddenCauses;
};

struct SceneInput {
  const TimelineData& data;
  const TimelineLayout& layout;
  TimeAxis axis;
  double top = 0.0;     ///< content y shown at scene y 0
  double height = 0.0;  ///< height of the scene
  TimelineTarget hover{};
  TimelineTarget selection{};
  LegendFilter filter{};
};

/// Scene of the lanes (without the tree on the left), x 0 = the axis's first pixel.
[[nodiscard]] TimelineScene buildScene(const SceneInput& input);

/// What is under a point of the scene.
[[nodiscard]] TimelineTarget targetAt(const SceneInput& input, double x, double y);

}  // namespace stagelane::ui
