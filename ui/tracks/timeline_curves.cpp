/// Utilization, counters and idle pieces as geometry. Part of ui/tracks/timeline_scene.h.

#include <cmath>

#include "ui/kit/text/formatting.h"
#include "ui/tracks/scene_canvas.h"

namespace stagelane::ui::detail {
namespace {

constexpr double kUtilisationBucket = 3.0;
constexpr double kOwnIdlePx = 0.5;  ///< an idle piece from this width on is drawn by itself

void addCurve(SceneCanvas& canvas, const TimelineRow& row, SceneCurve curve) {
  curve.baseline = std::clamp(canvas.yOf(row.bottom()), 0.0, canvas.scene.height);
  for (QPointF& point : curve.points) point.setY(std::clamp(point.y(), 0.0, canvas.scene.height));
  if (curve.points.size() > 1) canvas.scene.curves.push_back(std::move(curve));
}

bool visible(const SceneCanvas& canvas, const TimelineRow& row) {
  return canvas.yOf(row.bottom()) > 0.0 && canvas.yOf(row.y) < canvas.scene.height;
}

/// A counter as steps: for each pixel the range of its values, and the last one.
class CounterCurve {
 public:
  CounterCurve(SceneCanvas& canvas, const TimelineRow& row, std::size_t series)
      : m_canvas(canvas),
        m_row(row),
        m_series(canvas.in.data.trace().counters()[series]),
        m_index(canvas.in.data.counter(series)),
        m_bottom(canvas.yOf(row.bottom())) {
    m_least = std::min(0.0, m_index.all().least);
    const double span = m_index.all().most - m_least;
    m_perUnit = span > 0.0 ? (row.height - 2.0) / span : 0.0;
  }

  void draw() {
    const TimelineData& data = m_canvas.in.data;
    const double end =
        std::min(m_canvas.scene.width, m_canvas.in.axis.xOf(static_cast<double>(data.wallNs())));
    SceneCurve curve;
    for (double x = 0.0; x < end; x += 1.0) addPixel(curve, x);
    if (!curve.points.empty()) {
      curve.points.emplace_back(std::max(curve.points.back().x(), end), curve.points.back().y());
    }
    addCurve(m_canvas, m_row, std::move(curve));
  }

 private:
  void addPixel(SceneCurve& curve, double x) {
    const std::size_t first = firstAfter(x), last = firstAfter(x + 1.0);
    if (first == 0 && last == 0) return;
    // Constant values continue the line.
    if (first == last && !curve.points.empty()) return;
    const double before = first > 0 ? yOf(m_series.values[first - 1]) : m_bottom;
    curve.points.emplace_back(x, before);
    if (first == last) return;
    const auto extremes = m_index.between(first, last);
    const double after = yOf(m_series.values[last - 1]);
    for (const double y : {yOf(extremes.least), yOf(extremes.most), after}) {
      if (y != curve.points.back().y()) curve.points.emplace_back(x, y);
    }
  }

  /// Number of samples before an x.
  [[nodiscard]] std::size_t firstAfter(double x) const {
    const double time = m_canvas.in.axis.timeAt(x);
    const TimeNs absolute = static_cast<TimeNs>(std::floor(time)) + m_canvas.in.data.startNs();
    const auto found = std::upper_bound(m_series.timesNs.begin(), m_series.timesNs.end(), absolute);
    return static_cast<std::size_t>(found - m_series.timesNs.begin());
  }
  [[nodiscard]] double yOf(double value) const { return m_bottom - (value - m_least) * m_perUnit; }

  SceneCanvas& m_canvas;
  const TimelineRow& m_row;
  const trace::CounterSeries& m_series;
  const trace::CounterIndex& m_index;
  double m_bottom, m_least = 0.0, m_perUnit = 0.0;
};

/// The idle pieces of a device. Pieces below half a pixel are accumulated by cause, and a pixel is
/// shaded where the sum since the step's start reaches the next pixel. Each cause thus covers its
/// share of the row, at the same moments however the view moves.
class IdleWalk {
 public:
  IdleWalk(SceneCanvas& canvas, const TimelineRow& row, const analysis::DeviceStep& step)
      : m_canvas(canvas), m_row(row), m_step(step), m_cursor(canvas.in.data.piecesOf(step)) {}

  void draw() {
    const auto& pieces = m_step.pieces;
    std::size_t at = m_cursor.endingAfter(m_canvas.in.axis.firstNs());
    double x = 0.0;
    while (at < pieces.size() && x < m_canvas.scene.width) {
      const double x1 = xOf(pieces[at].startNs), x2 = xOf(pieces[at].endNs);
      if (x1 >= m_canvas.scene.width) break;
      if (x2 - x1 >= kOwnIdlePx) {
        shade(pieces[at].cause, x1, std::max(x2, x1 + 1.0));
        m_drawnTo = std::round(x2);
        x = std::max(x, x2);
        ++at;
      } else {
        x = drawTogether(std::max(x, x1));
        at = std::max(at + 1, m_cursor.endingAfter(m_canvas.in.axis.timeAt(x)));
      }
    }
    flush();
    addGapOutline();
  }

 private:
  struct Run {
    analysis::Cause cause = analysis::Cause::Unattributed;
    double x1 = 0.0, x2 = 0.0;
  };

  /// Advances to the end of the half pixel at `left`, or to a piece with a rectangle of its own.
  /// @returns that position
  double drawTogether(double left) {
    double right = (std::floor(left / kOwnIdlePx) + 1.0) * kOwnIdlePx;
    const std::size_t next = m_cursor.endingAfter(m_canvas.in.axis.timeAt(right));
    if (next < m_step.pieces.size()) {
      const double x1 = xOf(m_step.pieces[next].startNs), x2 = xOf(m_step.pieces[next].endNs);
      if (x2 - x1 >= kOwnIdlePx) right = std::clamp(x1, left, right);
    }
    if (m_summedTo != left) m_sums = m_cursor.idleBeforeNs(m_canvas.in.axis.timeAt(left));
    const IdleSums after = m_cursor.idleBeforeNs(m_canvas.in.axis.timeAt(right));
    if (const auto cause = passing(m_sums, after)) {
      const double x = std::max(std::floor(left), m_drawnTo);
      shade(*cause, x, x + 1.0);
      m_drawnTo = x + 1.0;
    }
    m_sums = after;
    m_summedTo = right;
    return right;
  }

  /// The cause that is due a pixel: if there are several, the marked one, else the longest here.
  /// The others stay due.
  std::optional<analysis::Cause> passing(const IdleSums& before, const IdleSums& after) {
    const double pixelNs = m_canvas.in.axis.nsPerPixel();
    const auto passed = [&](double ns) { return std::floor(ns / pixelNs + 0.5); };
    std::optional<analysis::Cause> best;
    double most = -1.0;
    for (const analysis::Cause cause : m_cursor.idleCauses()) {
      if (hides(m_canvas.in.filter, cause)) continue;
      const auto index = static_cast<std::size_t>(cause);
      m_owed[index] += passed(after[index]) - passed(before[index]);
      const double weight =
          m_canvas.in.markedCause == cause ? 2.0 * pixelNs : after[index] - before[index];
      if (m_owed[index] < 1.0 || weight <= most) continue;
      most = weight;
      best = cause;
    }
    if (best) m_owed[static_cast<std::size_t>(*best)] -= 1.0;
    return best;
  }

  /// Merges adjacent pieces of one cause into one rectangle.
  void shade(analysis::Cause cause, double x1, double x2) {
    if (m_run && m_run->cause == cause && m_run->x2 == x1) {
      m_run->x2 = x2;
      return;
    }
    flush();
    if (!analysis::isBusy(cause) && !hides(m_canvas.in.filter, cause)) m_run = Run{cause, x1, x2};
  }

  void flush() {
    if (!m_run) return;
    const Run run = *m_run;
    m_run.reset();
    const auto rect = m_canvas.cut(m_row, run.x1, run.x2);
    if (!rect) return;
    m_canvas.scene.rects.push_back(
        {*rect, {.kind = Ink::Kind::Idle, .color = 0, .cause = run.cause}, {}});
    if (m_canvas.in.markedCause == run.cause) {
      m_canvas.scene.outlines.push_back({*rect, SceneOutline::Kind::MarkedCause});
    }
  }

  /// The selected gap, however narrow.
  void addGapOutline() {
    const TimelineTarget& chosen = m_canvas.in.selection;
    if (chosen.kind != TimelineTarget::Kind::Gap || chosen.device != m_row.device) return;
    const auto [start, end] = m_canvas.in.data.spanOf(chosen);
    const double x1 = m_canvas.in.axis.xOf(static_cast<double>(start));
    const double x2 = m_canvas.in.axis.xOf(static_cast<double>(end));
    const auto rect = m_canvas.cut(m_row, x1, std::max(x2, x1 + 3.0));
    if (!rect) return;
    m_canvas.scene.outlines.push_back({*rect, SceneOutline::Kind::Gap});
    m_canvas.scene.texts.push_back(
        {.rect = QRectF(rect->center().x() - 40.0, rect->top() - 15.0, 80.0, 14.0),
         .text = timeText(end - start),
         .kind = SceneText::Kind::GapLength});
  }

  [[nodiscard]] double xOf(TimeNs absolute) const {
    return m_canvas.in.axis.xOf(static_cast<double>(absolute - m_canvas.in.data.startNs()));
  }

  SceneCanvas& m_canvas;
  const TimelineRow& m_row;
  const analysis::DeviceStep& m_step;
  PieceCursor m_cursor;
  std::optional<Run> m_run;  ///< not yet drawn
  double m_drawnTo = 0.0;
  IdleSums m_sums{};  ///< before m_summedTo
  double m_summedTo = -1.0;
  IdleSums m_owed{};  ///< pixels
};

}  // namespace

void drawUtilisation(SceneCanvas& canvas, const TimelineRow& row) {
  const analysis::DeviceStep* step = canvas.in.data.deviceStep(row.device);
  if (step == nullptr || !visible(canvas, row)) return;
  PieceCursor pieces = canvas.in.data.piecesOf(*step);
  const TimeAxis& axis = canvas.in.axis;
  const double bottom = canvas.yOf(row.bottom());
  const double last =
      std::min(canvas.scene.width, axis.xOf(static_cast<double>(canvas.in.data.wallNs())));
  SceneCurve curve;
  double fromNs = axis.timeAt(0.0);
  double busyNs = pieces.busyBeforeNs(fromNs);
  for (double x = 0.0; x < last; x += kUtilisationBucket) {
    const double right = std::min(x + kUtilisationBucket, last);
    const double toNs = axis.timeAt(right);
    const double nextNs = pieces.busyBeforeNs(toNs);
    const double share = toNs > fromNs ? (nextNs - busyNs) / (toNs - fromNs) : 0.0;
    fromNs = toNs;
    busyNs = nextNs;
    const double y = bottom - share * (row.height - 2.0);
    curve.points.emplace_back(x, y);
    curve.points.emplace_back(right, y);
  }
  addCurve(canvas, row, std::move(curve));
}

void drawCounter(SceneCanvas& canvas, const TimelineRow& row) {
  if (!visible(canvas, row)) return;
  const auto& counters = canvas.in.data.trace().counters();
  for (std::size_t series = 0; series < counters.size(); ++series) {
    if (counters[series].track == row.track && !counters[series].values.empty()) {
      CounterCurve(canvas, row, series).draw();
    }
  }
}

void drawIdle(SceneCanvas& canvas, const TimelineRow& row) {
  const analysis::DeviceStep* step = canvas.in.data.deviceStep(row.device);
  if (step != nullptr && visible(canvas, row)) IdleWalk(canvas, row, *step).draw();
}

}  // namespace stagelane::ui::detail
