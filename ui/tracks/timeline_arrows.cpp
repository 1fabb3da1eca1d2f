/// The arrows of the selection as geometry. Part of ui/tracks/timeline_scene.h.

#include "ui/tracks/scene_canvas.h"

namespace stagelane::ui::detail {
namespace {

constexpr double kApproach = 6.0;

/// Where an arrow touches an event: the middle of its row, or of its folded device's header.
class Rows {
 public:
  explicit Rows(const SceneCanvas& canvas) : m_canvas(canvas) {}

  [[nodiscard]] const TimelineRow* rowOf(std::size_t event) const {
    const TimelineData& data = m_canvas.in.data;
    const auto track = static_cast<std::int32_t>(data.trace().event(event).track);
    const auto lane = static_cast<int>(data.lanes().laneOf(event));
    const TimelineRow* header = nullptr;
    for (const TimelineRow& row : m_canvas.in.layout.rows) {
      if (row.track == track && (row.lane == lane || row.folded)) return &row;
      if (row.kind == RowKind::Header && row.device == data.deviceOfEvent(event)) header = &row;
    }
    return header;
  }

 private:
  const SceneCanvas& m_canvas;
};

/// The visible part of a vertical or horizontal line.
std::optional<std::pair<QPointF, QPointF>> cutLine(const SceneCanvas& canvas, QPointF from,
                                                   QPointF to) {
  const double width = canvas.scene.width, height = canvas.scene.height;
  const bool beside = std::max(from.x(), to.x()) < 0.0 || std::min(from.x(), to.x()) > width;
  const bool above = std::max(from.y(), to.y()) < 0.0 || std::min(from.y(), to.y()) > height;
  if (beside || above) return std::nullopt;
  const auto inside = [&](const QPointF& point) {
    return QPointF(std::clamp(point.x(), 0.0, width), std::clamp(point.y(), 0.0, height));
  };
  return std::pair{inside(from), inside(to)};
}

void addArrow(SceneCanvas& canvas, const std::vector<QPointF>& points) {
  SceneArrow arrow;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const auto part = cutLine(canvas, points[i], points[i + 1]);
    if (!part) continue;
    if (!arrow.points.empty() && arrow.points.back() != part->first) {
      arrow.head = false;
      canvas.scene.arrows.push_back(std::move(arrow));
      arrow = {};
    }
    if (arrow.points.empty()) arrow.points.push_back(part->first);
    arrow.points.push_back(part->second);
  }
  if (arrow.points.size() < 2) return;
  arrow.head = arrow.points.back() == points.back();
  canvas.scene.arrows.push_back(std::move(arrow));
}

}  // namespace

void drawArrows(SceneCanvas& canvas) {
  if (canvas.in.flows == nullptr) return;
  const Rows rows(canvas);
  const TimelineData& data = canvas.in.data;
  const auto xOf = [&](TimeNs absolute) {
    return canvas.in.axis.xOf(static_cast<double>(absolute - data.startNs()));
  };
  for (const EventFlow& flow : *canvas.in.flows) {
    const TimelineRow *from = rows.rowOf(flow.from), *to = rows.rowOf(flow.to);
    if (from == nullptr || to == nullptr) continue;
    const auto starts = data.trace().startsNs();
    const TimeNs end = starts[flow.from] + data.trace().durationsNs()[flow.from];
    // A receive may begin before its send ends: arrows never lead back in time.
    const double x1 = xOf(std::max(starts[flow.from], std::min(end, starts[flow.to])));
    const double x2 = xOf(starts[flow.to]);
    const bool down = to->y > from->y;
    const double y1 = canvas.yOf(down ? from->bottom() : from->y);
    const double y2 = canvas.yOf(down ? to->y : to->bottom());
    if (from == to) {
      addArrow(canvas, {{x1, canvas.yOf(from->y)}, {x2, canvas.yOf(from->y)}});
      continue;
    }
    const double bend = down ? y2 - kApproach : y2 + kApproach;
    addArrow(canvas, {{x1, y1}, {x1, bend}, {x2, bend}, {x2, y2}});
  }
}

}  // namespace stagelane::ui::detail
