/// Lanes of events as geometry. Part of ui/models/timeline_scene.h.

#include <array>
#include <cmath>

#include "ui/models/detail/scene_canvas.h"
#include "ui/models/formatting.h"

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
    QString text =
        (stages ? QStringLiteral("stage %1") : QStringLiteral("micro-batch %1")).arg(number);
    if (number + kNumberedColors < count) {
      text += QStringLiteral(", %1").arg(number + kNumberedColors);
    }
    if (number + 2 * kNumberedColors < count) text += QStringLiteral(", …");
    entries.push_back({text, numberedColor(number)});
  }
  return entries;
}

namespace detail {
namespace {

constexpr double kLabelFrom = 22.0;  ///< "F3" is written from this width on
constexpr double kOwnFrom = 3.0;     ///< pixels from which an event has a rectangle of its own
/// From this many blocks of events a pixel, their sums say enough.
constexpr std::int64_t kDenseBlocks = 3;

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
  }

  void draw() {
    if (!m_visible || m_cursor.count() == 0) return;
    for (int pixel = 0; pixel < m_pixels;) pixel = drawFrom(pixel);
    flush();
  }

 private:
  /// Draws what is in `pixel` and answers the next one to look at; m_pixels at the end.
  int drawFrom(int pixel) {
    const TimeNs from = edge(pixel);
    const std::int64_t first = m_blockPixel == pixel ? m_block : m_cursor.blockAt(from);
    const std::int64_t last = m_cursor.blockAt(edge(pixel + 1));
    m_block = last;
    m_blockPixel = pixel + 1;
    if (last - first >= kDenseBlocks) {
      addPixel(pixel, m_cursor.eventOfBlock(first + (last - first) / 2), false);
      return pixel + 1;
    }
    const std::size_t at = std::max(m_cursor.firstReaching(from), m_next);
    if (at >= m_cursor.count()) return m_pixels;
    const double x1 = xOf(m_cursor.startAt(at)), x2 = xOf(m_cursor.endAt(at));
    if (x1 >= pixel + 1.0) return static_cast<int>(std::min<double>(m_pixels, std::floor(x1)));
    const std::size_t event = m_cursor.eventAt(at);
    if (x2 - x1 < kOwnFrom) {
      addPixel(pixel, event, true);
      return pixel + 1;
    }
    m_next = at + 1;
    if (!hidden(event)) addEvent(event, x1, x2);
    // What comes next may begin in the pixel in which this one ends.
    return std::max(pixel, static_cast<int>(std::min<double>(m_pixels, std::floor(x2))));
  }

  void addEvent(std::size_t event, double x1, double x2) {
    const auto rect = m_canvas.cut(m_row, x1 / m_scale, x2 / m_scale);
    if (!rect) return;
    SceneRect entry{*rect, {.kind = m_lane.kind, .color = colorOf(event)}, {}};
    if (m_lane.kind == Ink::Kind::Action && rect->width() >= kLabelFrom &&
        rect->height() >= m_row.height) {
      entry.label = qstring(m_trace.event(event).name);
    }
    m_canvas.scene.rects.push_back(std::move(entry));
    addOutline(event, *rect);
  }

  /// Adds to the strip in the making how busy the pixel is.
  void addPixel(int pixel, std::size_t sample, bool exact) {
    if (!m_strip.empty() && m_stripBegin + static_cast<int>(m_strip.size()) != pixel) flush();
    if (m_strip.empty()) m_stripBegin = pixel;
    const auto [category, busy] = busiest(pixel, exact, sample);
    StripPixel entry;
    if (busy >= 0) {
      const TimeNs length = std::max<TimeNs>(1, edge(pixel + 1) - edge(pixel));
      const double share = std::min(1.0, static_cast<double>(busy) / static_cast<double>(length));
      entry.share = static_cast<std::uint8_t>(kLeastShare + (255.0 - kLeastShare) * share + 0.5);
      entry.color = m_in.colorBy == ColorBy::Kind ? colorKeyOf(category) : colorOf(sample);
    }
    m_strip.push_back(entry);
  }

  /// What took the most of a pixel, and the busy time of all that is shown; −1 when all is hidden.
  std::pair<trace::Category, TimeNs> busiest(int pixel, bool exact, std::size_t sample) {
    if (m_beforeAt != pixel || m_beforeExact != exact) {
      m_before = {};
      m_cursor.busyBefore(edge(pixel), exact, 1, m_before);
    }
    trace::BusySums after{};
    m_cursor.busyBefore(edge(pixel + 1), exact, 1, after);
    trace::Category best = m_trace.categories()[sample];
    TimeNs most = 0, sum = 0;
    bool shown = !hidden(sample);
    for (const trace::Category kind : m_cursor.kinds()) {
      const auto index = static_cast<std::size_t>(kind);
      const TimeNs busy = after[index] - m_before[index];
      if (m_hidden[index] || busy <= 0) continue;
      shown = true;
      sum += busy;
      if (busy > most) {
        most = busy;
        best = kind;
      }
    }
    m_before = after;
    m_beforeAt = pixel + 1;
    m_beforeExact = exact;
    return {best, shown ? sum : -1};
  }

  void flush() {
    if (m_strip.empty()) return;
    const double x1 = m_stripBegin / m_scale;
    const double x2 = (m_stripBegin + static_cast<int>(m_strip.size())) / m_scale;
    if (const auto rect = m_canvas.cut(m_row, x1, x2)) {
      m_canvas.scene.strips.push_back({*rect, m_lane.kind, std::move(m_strip)});
    }
    m_strip.clear();
  }

  void addOutline(std::size_t event, const QRectF& rect) {
    if (m_lane.kind != Ink::Kind::Action) {
      const TimelineTarget& hover = m_in.hover;
      if (hover.kind == TimelineTarget::Kind::Predicted && hover.event == event) {
        m_canvas.scene.outlines.push_back({rect, SceneOutline::Kind::SameMicroBatch});
      }
      return;
    }
    const std::int32_t wanted = hoveredMicroBatch();
    const bool action = trace::actionKindOf(m_trace.categories()[event]).has_value();
    if (action && wanted >= 0 && m_trace.microBatches()[event] == wanted) {
      m_canvas.scene.outlines.push_back({rect, SceneOutline::Kind::SameMicroBatch});
    }
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
  /// Absolute time of a pixel's left edge.
  [[nodiscard]] TimeNs timeAt(int pixel) const {
    return static_cast<TimeNs>(std::floor(m_in.axis.timeAt(pixel / m_scale))) + m_lane.zeroNs;
  }
  /// The same, for a walk: a pixel's right edge is the left one of the next.
  [[nodiscard]] TimeNs edge(int pixel) {
    const auto place = static_cast<std::size_t>(pixel & 1);
    if (m_edgePixel[place] != pixel) {
      m_edgePixel[place] = pixel;
      m_edge[place] = timeAt(pixel);
    }
    return m_edge[place];
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
  std::size_t m_next = 0;  ///< what lies before is drawn
  std::vector<StripPixel> m_strip;
  int m_stripBegin = 0;
  trace::BusySums m_before{};
  int m_beforeAt = -1;
  bool m_beforeExact = false;
  std::array<TimeNs, 2> m_edge{};
  std::array<int, 2> m_edgePixel{-1, -1};
  std::int64_t m_block = -1;  ///< the last one that begins by the left edge of m_blockPixel
  int m_blockPixel = -1;
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
  // Long events may begin before the view: as many are looked at as there are lanes, and then one
  // a pixel.
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
    // One mark a pixel; where other lanes have them all, a few are looked at before going on.
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
