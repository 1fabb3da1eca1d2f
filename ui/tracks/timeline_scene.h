#pragma once

/// The timeline as plain geometry: rectangles, strips of pixels, lines and texts with meanings
/// instead of colors. The window paints it on screen, the exporter into PNG, SVG and PDF. All
/// geometry is clipped to the scene, because QSvgGenerator does not clip. The cost depends on
/// pixels, not events: where events are only a few pixels wide, a lane becomes a strip with the
/// busy share and kind of each pixel.

#include <QPointF>
#include <QRectF>
#include <QString>
#include <optional>
#include <vector>

#include "ui/session/legend_filter.h"
#include "ui/tracks/timeline_axis.h"
#include "ui/tracks/timeline_data.h"
#include "ui/tracks/timeline_flows.h"
#include "ui/tracks/timeline_rows.h"

namespace stagelane::ui {

/// The meaning of an action's color.
enum class ColorBy { Kind, MicroBatch, Stage };

/// A color that the painter looks up: below kCategoryCount a category, from there on one of the
/// theme's numbered colors.
using ColorKey = std::uint8_t;
[[nodiscard]] constexpr ColorKey colorKeyOf(trace::Category category) {
  return static_cast<ColorKey>(category);
}
inline constexpr int kNumberedColors = 8;
/// For a micro-batch or a stage; muted without a number.
[[nodiscard]] ColorKey numberedColor(std::int32_t number);
/// "stage 3", "micro-batch 3, 11, …": the legend text of a numbered color.
struct NumberedEntry {
  QString text;
  ColorKey color = 0;
};
/// The numbered colors in use. Empty when coloring by kind.
[[nodiscard]] std::vector<NumberedEntry> numberedEntries(const TimelineData& data, ColorBy colorBy);
inline constexpr ColorKey kMutedColor = trace::kCategoryCount + kNumberedColors;
inline constexpr std::size_t kColorKeys = std::size_t{kMutedColor} + 1;

/// The meaning of a rectangle; the painter chooses its color.
struct Ink {
  enum class Kind {
    Action,  ///< `color`
    Ghost,   ///< `color`, at 42 %
    Idle,    ///< `cause`, hatched
    HeaderGround,
    Dropped,  ///< records were lost here
  } kind = Kind::Action;
  ColorKey color = colorKeyOf(trace::Category::Other);
  analysis::Cause cause = analysis::Cause::Unattributed;
};

struct SceneRect {
  QRectF rect;
  Ink ink;
  QString label;  ///< drawn inside if there is room
};
/// A stretch of a lane by pixel. `share` is 0 for empty pixels, else at least kLeastShare, however
/// short the events.
struct StripPixel {
  ColorKey color = 0;
  std::uint8_t share = 0;  ///< of 255
  friend bool operator==(const StripPixel&, const StripPixel&) = default;
};
inline constexpr int kLeastShare = 128;
struct SceneStrip {
  QRectF rect;  ///< as wide as its pixels: `pixels.size()` ÷ the scene's resolution
  Ink::Kind kind = Ink::Kind::Action;
  std::vector<StripPixel> pixels;
};
struct SceneOutline {
  QRectF rect;
  enum class Kind { SameMicroBatch, Selected, Gap, Found, MarkedCause } kind = Kind::Selected;
};
struct SceneLine {
  double x1 = 0.0, y1 = 0.0, x2 = 0.0, y2 = 0.0;
  enum class Kind { Grid, MeasuredEnd, PredictedEnd, Failure } kind = Kind::Grid;
};
/// A filled curve: utilization or a counter. Points from left to right, closed along `baseline`.
struct SceneCurve {
  std::vector<QPointF> points;
  double baseline = 0.0;
};
struct SceneText {
  QRectF rect;
  QString text;
  enum class Kind { Header, Muted, GapLength, Warning, Failure } kind = Kind::Muted;
  bool right = false;  ///< aligned to the right edge
  QString lead{};      ///< bold, before the text
};
/// From a producer to a consumer; the head is at the last point unless clipped.
struct SceneArrow {
  std::vector<QPointF> points;
  bool head = true;
};

struct TimelineScene {
  double width = 0.0, height = 0.0;
  double resolution = 1.0;
  std::vector<SceneRect> rects;
  std::vector<SceneStrip> strips;
  std::vector<SceneCurve> curves;
  std::vector<SceneLine> lines;
  std::vector<SceneOutline> outlines;
  std::vector<SceneArrow> arrows;
  std::vector<SceneText> texts;
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
  ColorBy colorBy = ColorBy::Kind;
  TimeNs predictedShiftNs = 0;  ///< shift of the predicted step
  std::optional<analysis::Cause> markedCause{};
  const std::vector<std::uint32_t>* found = nullptr;  ///< search results, ascending
  const EventFlows* flows = nullptr;                  ///< of the selection
  double resolution = 1.0;                            ///< device pixels per logical pixel
};

/// Scene of the lanes (without the tree on the left); x 0 is the axis's first pixel.
[[nodiscard]] TimelineScene buildScene(const SceneInput& input);

/// The item at a point of the scene.
[[nodiscard]] TimelineTarget targetAt(const SceneInput& input, double x, double y);
/// The nearest start or end of an event or gap in the row under y, within `withinPx` of x.
[[nodiscard]] std::optional<double> snapAt(const SceneInput& input, double x, double y,
                                           double withinPx);

}  // namespace stagelane::ui
