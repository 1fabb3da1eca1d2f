/// Lanes of events as geometry. Part of ui/tracks/timeline_scene.h.

#include <QObject>
#include <array>
#include <cmath>

#include "ui/kit/text/formatting.h"
#include "ui/kit/text/short_name.h"
#include "ui/tracks/scene_canvas.h"

namespace stagelane::ui {

ColorKey numberedColor(std::int32_t number) {
  return number < 0 ? kMutedColor
                    : static_cast<ColorKey>(trace::kCategoryCount +
                                            static_cast<std::size_t>(number % kNumberedColors));
}

std::vector<NumberedEntry> numberedEntries(const TimelineData& data, ColorBy colorBy) {
  if (colorBy == ColorBy::Kind) return {};
  const bool stages = colorBy == ColorBy::Stage;
  const std::int32_t count = stages ? data.stageCount() : data.microBatchCount();
  std::vector<NumberedEntry> entries;
  for (std::int32_t number = 0; number < std::min(count, kNumberedColors); ++number) {
    QString text = (stages ? QObject::tr("stage %1") : QObject::tr("micro-batch %1")).arg(number);
    if (number + kNumberedColors < count) text += u", %1"_s.arg(number + kNumberedColors);
    if (number + 2 * kNumberedColors < count) text += u", …"_s;
    entries.push_back({text, numberedColor(number)});
  }
  return entries;
}

namespace detail {
namespace {

constexpr double kLabelFrom = 22.0;  ///< minimum width for a label such as "F3"
constexpr double kOwnFrom = 3.0;     ///< minimum width in pixels of an event with its own rectangle
/// From this many blocks of events per pixel, their sums are precise enough.
constexpr std::int64_t kDenseBlocks = 3;

/// Events of a pixel that are checked for the hovered micro-batch.
constexpr std::size_t kMostLooked = 64;

class LaneWalk {
 public:
  LaneWalk(SceneCanvas& canvas, const LaneToDraw& lane, const TimelineRow& row)
      : m_canvas(canvas),
        m_in(canvas.in),
        m_lane(lane),
        m_row(row),
        m_trace(lane.index.trace()),
        m_cursor(lane.index, lane.track, lane.lane),
        m_scale(canvas.in.resolution),
        m_pixels(static_cast<int>(std::ceil(canvas.scene.width * m_scale))) {
    for (std::size_t kind = 0; kind < trace::kCategoryCount; ++kind) {
      m_hidden[kind] = hides(m_in.filter, static_cast<trace::Category>(kind));
    }
    const double yTop = canvas.yOf(row.y);
    m_visible = yTop < canvas.scene.height && yTop + row.height > 0.0;
    m_hovered = hoveredMicroBatch();
  }

  void draw() {
    if (!m_visible || m_cursor.count() == 0) return;
    for (int pixel = 0; pixel < m_pixels;) pixel = drawFrom(pixel);
    flush();
  }

 private:
  /// A pixel's left edge, which is the previous pixel's right edge.
  struct Edge {
    int pixel = -1;
    TimeNs timeNs = 0;
    std::int64_t block = -1;  ///< the cursor's block at the edge
    bool summed = false;
    trace::BusySums busyNs;  ///< before it, by the cursor's kinds, if `summed`
  };

  /// Draws the contents of `pixel` and returns the next pixel to draw; m_pixels at the end.
  int drawFrom(int pixel) {
    if (m_left->pixel != pixel) goTo(*m_left, pixel);
    goTo(*m_right, pixel + 1);
    const int next =
        m_right->block - m_left->block >= kDenseBlocks ? drawDense(pixel) : drawSparse(pixel);
    std::swap(m_left, m_right);
    return next;
  }

  void goTo(Edge& edge, int pixel) {
    edge.pixel = pixel;
    edge.timeNs = timeAt(pixel);
    edge.block = m_cursor.blockAt(edge.timeNs);
    edge.summed = false;
  }

  int drawDense(int pixel) {
    const std::size_t at = m_left->block + (m_right->block - m_left->block) / 2;
    addPixel(pixel, spreadBusiest(), [this, at] { return m_cursor.eventOfBlock(at); });
    outlinePixel(pixel);
    return pixel + 1;
  }

  int drawSparse(int pixel) {
    const std::size_t at = std::max(m_cursor.firstReaching(m_left->timeNs), m_next);
    if (at >= m_cursor.count()) return m_pixels;
    const double x1 = xOf(m_cursor.startAt(at)), x2 = xOf(m_cursor.endAt(at));
    if (x1 >= pixel + 1.0) return static_cast<int>(std::min<double>(m_pixels, std::floor(x1)));
    const std::size_t event = m_cursor.eventAt(at);
    if (x2 - x1 < kOwnFrom) {
      addPixel(pixel, exactBusiest(), [event] { return event; });
      outlinePixel(pixel);
      return pixel + 1;
    }
    m_next = at + 1;
    if (!hidden(event)) addEvent(event, x1, x2);
    // The next event may begin in the pixel in which this one ends.
    return std::max(pixel, static_cast<int>(std::min<double>(m_pixels, std::floor(x2))));
  }

  void addEvent(std::size_t event, double x1, double x2) {
    const auto rect = m_canvas.cut(m_row, x1 / m_scale, x2 / m_scale);
    if (!rect) return;
    SceneRect entry{*rect, {.kind = m_lane.kind, .color = colorOf(event)}, {}};
    if (m_lane.kind == Ink::Kind::Action && rect->width() >= kLabelFrom &&
        rect->height() >= m_row.height) {
      entry.label = shortName(m_trace.event(event).name);
    }
    m_canvas.scene.rects.push_back(std::move(entry));
    addOutline(event, *rect);
  }

  /// The contents of a pixel: the category with the most time, and the total time.
  struct Busiest {
    trace::Category category = trace::Category::Other;
    TimeNs sumNs = 0, mostNs = 0;
    void add(trace::Category kind, TimeNs busyNs) {
      if (busyNs <= 0) return;
      sumNs += busyNs;
      if (busyNs <= mostNs) return;
      mostNs = busyNs;
      category = kind;
    }
  };

  Busiest spreadBusiest() {
    for (Edge* edge : {m_left, m_right}) {
      if (edge->summed) continue;
      m_cursor.spreadBefore(edge->block, edge->timeNs, edge->busyNs);
      edge->summed = true;
    }
    Busiest busiest;
    const auto& kinds = m_cursor.kinds();
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
      if (m_hidden[static_cast<std::size_t>(kinds[kind])]) continue;
      busiest.add(kinds[kind], m_right->busyNs[kind] - m_left->busyNs[kind]);
    }
    return busiest;
  }

  Busiest exactBusiest() {
    if (m_exactAt != m_left->pixel) m_exact = m_cursor.busyBefore(m_left->timeNs);
    const trace::BusySums after = m_cursor.busyBefore(m_right->timeNs);
    Busiest busiest;
    for (const trace::Category kind : m_cursor.kinds()) {
      const auto index = static_cast<std::size_t>(kind);
      if (!m_hidden[index]) busiest.add(kind, after[index] - m_exact[index]);
    }
    m_exact = after;
    m_exactAt = m_right->pixel;
    return busiest;
  }

  /// Appends the pixel's busy share to the current strip. `sample`: an event in it, which
  /// represents zero-length events and supplies the number for numbered colors.
  template <class Sample>
  void addPixel(int pixel, Busiest busiest, Sample sample) {
    if (!m_strip.empty() && m_stripBegin + static_cast<int>(m_strip.size()) != pixel) flush();
    if (m_strip.empty()) m_stripBegin = pixel;
    const bool byKind = m_in.colorBy == ColorBy::Kind;
    bool shown = busiest.sumNs > 0;
    std::size_t event = 0;
    if (!shown || !byKind) event = sample();
    if (!shown) {
      shown = !hidden(event);
      busiest.category = m_trace.categories()[event];
    }
    StripPixel entry;
    if (shown) {
      const TimeNs length = std::max<TimeNs>(1, m_right->timeNs - m_left->timeNs);
      const double share =
          std::min(1.0, static_cast<double>(busiest.sumNs) / static_cast<double>(length));
      entry.share = static_cast<std::uint8_t>(kLeastShare + (255.0 - kLeastShare) * share + 0.5);
      entry.color = colorKeyOf(busiest.category);
    }
    m_strip.push_back(entry);
    if (!byKind) m_samples.push_back(static_cast<std::uint32_t>(event));
  }

  void flush() {
    if (m_strip.empty()) return;
    // Resolved together, because each lookup is a cache miss.
    for (std::size_t i = 0; i < m_samples.size(); ++i) {
      if (m_strip[i].share > 0) m_strip[i].color = colorOf(m_samples[i]);
    }
    const double x1 = m_stripBegin / m_scale;
    const double x2 = (m_stripBegin + static_cast<int>(m_strip.size())) / m_scale;
    if (const auto rect = m_canvas.cut(m_row, x1, x2)) {
      m_canvas.scene.strips.push_back({*rect, m_lane.kind, m_strip});
    }
    m_strip.clear();
    m_samples.clear();
  }

  void addOutline(std::size_t event, const QRectF& rect) {
    if (m_lane.kind != Ink::Kind::Action) {
      const TimelineTarget& hover = m_in.hover;
      if (hover.kind == TimelineTarget::Kind::Predicted && hover.event == event) {
        m_canvas.scene.outlines.push_back({rect, SceneOutline::Kind::SameMicroBatch});
      }
      return;
    }
    if (isOfHovered(event)) {
      m_canvas.scene.outlines.push_back({rect, SceneOutline::Kind::SameMicroBatch});
    }
  }

  /// Outlines a pixel of a strip that contains the hovered micro-batch. Checks all of the pixel's
  /// events if they are few, else an even sample.
  void outlinePixel(int pixel) {
    if (m_hovered < 0 || m_lane.kind != Ink::Kind::Action) return;
    const std::size_t first = m_cursor.firstReaching(m_left->timeNs);
    std::size_t end = m_cursor.firstReaching(m_right->timeNs);
    if (end < m_cursor.count() && m_cursor.startAt(end) < m_right->timeNs) ++end;
    const std::size_t stride = std::max<std::size_t>(1, (end - std::min(first, end)) / kMostLooked);
    for (std::size_t at = first; at < end; at += stride) {
      if (!isOfHovered(m_cursor.eventAt(at))) continue;
      if (const auto rect = m_canvas.cut(m_row, pixel / m_scale, (pixel + 1) / m_scale)) {
        m_canvas.scene.outlines.push_back({*rect, SceneOutline::Kind::SameMicroBatch});
      }
      return;
    }
  }

  [[nodiscard]] bool isOfHovered(std::size_t event) const {
    const bool action = trace::actionKindOf(m_trace.categories()[event]).has_value();
    return action && m_hovered >= 0 && m_trace.microBatches()[event] == m_hovered && !hidden(event);
  }

  [[nodiscard]] std::int32_t hoveredMicroBatch() const {
    if (m_in.hover.kind == TimelineTarget::Kind::Event) {
      return m_in.data.trace().microBatches()[m_in.hover.event];
    }
    if (m_in.hover.kind == TimelineTarget::Kind::Predicted) {
      return m_in.data.predicted()->microBatches()[m_in.hover.event];
    }
    return -1;
  }

  [[nodiscard]] ColorKey colorOf(std::size_t event) const {
    switch (m_in.colorBy) {
      case ColorBy::MicroBatch: return numberedColor(m_trace.microBatches()[event]);
      case ColorBy::Stage: return numberedColor(m_trace.stages()[event]);
      case ColorBy::Kind: break;
    }
    return colorKeyOf(m_trace.categories()[event]);
  }
  [[nodiscard]] bool hidden(std::size_t event) const {
    return m_hidden[static_cast<std::size_t>(m_trace.categories()[event])];
  }
  /// Absolute time of a pixel's left edge; never before 0 on the axis.
  [[nodiscard]] TimeNs timeAt(int pixel) const {
    return static_cast<TimeNs>(m_in.axis.timeAt(pixel / m_scale)) + m_lane.zeroNs;
  }
  [[nodiscard]] double xOf(TimeNs absolute) const {
    return m_in.axis.xOf(static_cast<double>(absolute - m_lane.zeroNs)) * m_scale;
  }

  SceneCanvas& m_canvas;
  const SceneInput& m_in;
  const LaneToDraw& m_lane;
  const TimelineRow& m_row;
  const trace::Trace& m_trace;
  trace::LaneCursor m_cursor;
  double m_scale;
  int m_pixels;
  bool m_visible = false;
  std::array<bool, trace::kCategoryCount> m_hidden{};
  std::size_t m_next = 0;       ///< everything before is drawn
  std::int32_t m_hovered = -1;  ///< hovered micro-batch
  std::array<Edge, 2> m_edges{};
  Edge* m_left = &m_edges[0];
  Edge* m_right = &m_edges[1];
  trace::BusySums m_exact{};  ///< before the pixel m_exactAt
  int m_exactAt = -1;
  std::vector<StripPixel> m_strip;
  std::vector<std::uint32_t> m_samples;  ///< one event per pixel, for numbered colors
  int m_stripBegin = 0;
};

}  // namespace

void drawLane(SceneCanvas& canvas, const LaneToDraw& lane, const TimelineRow& row) {
  LaneWalk(canvas, lane, row).draw();
}

void drawFound(SceneCanvas& canvas, const TimelineRow& row) {
  if (canvas.in.found == nullptr || row.track < 0) return;
  const TimelineData& data = canvas.in.data;
  const auto [first, last] = data.trace().rangeOfTrack(static_cast<std::size_t>(row.track));
  const auto& found = *canvas.in.found;
  auto at = std::lower_bound(found.begin(), found.end(), first);
  const auto end = std::lower_bound(found.begin(), found.end(), last);
  const auto startOf = [&](std::uint32_t event) {
    return static_cast<double>(data.trace().startsNs()[event] - data.startNs());
  };
  // Long events may begin before the view: check as many as there are lanes, then one per pixel.
  const double viewBegin = canvas.in.axis.firstNs();
  const auto inView = std::partition_point(
      at, end, [&](std::uint32_t event) { return startOf(event) < viewBegin; });
  at = inView - std::min<std::ptrdiff_t>(inView - at, trace::LaneIndex::kMostLanes);
  double marked = 0.0;
  std::size_t inPixel = 0;
  while (at != end) {
    const double x1 = canvas.in.axis.xOf(startOf(*at));
    if (x1 > canvas.scene.width) break;
    const double x2 =
        canvas.in.axis.xOf(startOf(*at) + static_cast<double>(data.trace().durationsNs()[*at]));
    const bool here = row.folded || data.lanes().laneOf(*at) == static_cast<std::size_t>(row.lane);
    const auto rect = here ? canvas.cut(row, x1, std::max(x2, x1 + 2.0)) : std::nullopt;
    if (rect) canvas.scene.outlines.push_back({*rect, SceneOutline::Kind::Found});
    ++at;
    // One mark per pixel; if the next events belong to other lanes, check a few before skipping
    // ahead.
    inPixel = x1 < marked ? inPixel + 1 : 0;
    marked = std::max(x1, marked);
    if (rect) marked = std::max(marked, x1 + 1.0);
    if ((!rect && inPixel < trace::LaneIndex::kMostLanes) || x2 - x1 >= 1.0) continue;
    const double next = canvas.in.axis.timeAt(x1 + 1.0);
    at = std::partition_point(at, end, [&](std::uint32_t event) { return startOf(event) < next; });
  }
}

}  // namespace detail
}  // namespace stagelane::ui
