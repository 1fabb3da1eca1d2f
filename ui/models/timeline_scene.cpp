#include "ui/models/timeline_scene.h"

#include <algorithm>
#include <cmath>

#include "ui/models/formatting.h"

namespace stagelane::ui {
namespace {

constexpr double kLabelFrom = 22.0;  ///< "F3" is written from this width on
constexpr double kTicksPx = 80.0;
constexpr double kUtilisationBucket = 3.0;

template <class T>
bool contains(const std::vector<T>& values, T value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

using LaneEvents = std::vector<std::size_t>;

/// Position in `lane` of the first event that ends after `timeNs` (absolute).
std::size_t firstVisible(const trace::Trace& trace, const LaneEvents& lane, double timeNs) {
  const auto found = std::partition_point(lane.begin(), lane.end(), [&](std::size_t event) {
    return static_cast<double>(trace.startsNs()[event] + trace.durationsNs()[event]) < timeNs;
  });
  return static_cast<std::size_t>(found - lane.begin());
}

/// A lane of a trace to draw; `zeroNs` is where its step starts.
struct LaneToDraw {
  const trace::Trace& trace;
  const LaneEvents& events;
  double zeroNs = 0.0;
  Ink::Kind kind = Ink::Kind::Action;
};

class Builder {
 public:
  explicit Builder(const SceneInput& input) : m_in(input) {
    m_scene.width = input.axis.widthPx();
    m_scene.height = input.height;
  }

  TimelineScene build() {
    addGrid();
    for (const TimelineRow& row : m_in.layout.rows) {
      if (row.bottom() < m_in.top || row.y > m_in.top + m_in.height) continue;
      addRow(row);
    }
    addEnds();
    return std::move(m_scene);
  }

 private:
  [[nodiscard]] double yOf(double contentY) const { return contentY - m_in.top; }

  /// Adds a rectangle cut to the scene; at least one pixel wide.
  bool addRect(double x1, double x2, double y, double height, SceneRect rect) {
    const auto cut = cutRect(x1, std::max(x2, x1 + 1.0), y, height);
    if (!cut) return false;
    rect.rect = *cut;
    if (rect.rect.width() < kLabelFrom || rect.rect.height() < height) rect.label.clear();
    m_scene.rects.push_back(std::move(rect));
    return true;
  }

  [[nodiscard]] std::optional<QRectF> cutRect(double x1, double x2, double y, double height) const {
    const double left = std::max(x1, 0.0), right = std::min(x2, m_scene.width);
    const double top = std::max(y, 0.0), bottom = std::min(y + height, m_scene.height);
    if (right <= left || bottom <= top) return std::nullopt;
    return QRectF(QPointF(left, top), QPointF(right, bottom));
  }

  void addLine(double x, SceneLine::Kind kind) {
    if (x < 0.0 || x > m_scene.width) return;
    m_scene.lines.push_back({x, 0.0, x, m_scene.height, kind});
  }

  void addGrid() {
    for (const Tick& tick : ticksOf(m_in.axis, kTicksPx)) {
      addLine(m_in.axis.xOf(tick.timeNs), SceneLine::Kind::Grid);
    }
  }

  void addEnds() {
    if (m_in.data.predictedStep() != nullptr) {
      addLine(m_in.axis.xOf(static_cast<double>(m_in.data.predictedStep()->wallNs())),
              SceneLine::Kind::PredictedEnd);
    }
    addLine(m_in.axis.xOf(static_cast<double>(m_in.data.wallNs())), SceneLine::Kind::MeasuredEnd);
  }

  void addRow(const TimelineRow& row) {
    switch (row.kind) {
      case RowKind::Header: addHeader(row); break;
      case RowKind::Utilisation: addUtilisation(row); break;
      case RowKind::Ghost: addGhost(row); break;
      case RowKind::Actions:
        if (row.lane == 0) addIdle(row);
        addEvents(row);
        break;
      case RowKind::Copies:
      case RowKind::Operators: addEvents(row); break;
      case RowKind::Memory: addCounter(row); break;
    }
  }

  void addHeader(const TimelineRow& row) {
    addRect(0.0, m_scene.width, yOf(row.y), row.height,
            {.rect = {}, .ink = {.kind = Ink::Kind::HeaderGround}, .label = {}});
    m_scene.texts.push_back({.rect = QRectF(6.0, yOf(row.y), m_scene.width - 12.0, row.height),
                             .text = headerSentence(m_in.data, row.device),
                             .kind = SceneText::Kind::Header});
  }

  void addUtilisation(const TimelineRow& row) {
    SceneCurve curve;
    curve.baseline = yOf(row.bottom());
    if (curve.baseline < 0.0 || yOf(row.y) > m_scene.height) return;
    const double end = m_in.axis.xOf(static_cast<double>(m_in.data.wallNs()));
    const double last = std::min(m_scene.width, end);
    for (double x = 0.0; x < last; x += kUtilisationBucket) {
      const double right = std::min(x + kUtilisationBucket, last);
      const double share =
          m_in.data.busyShare(row.device, m_in.axis.timeAt(x), m_in.axis.timeAt(right));
      const double y = std::clamp(curve.baseline - share * (row.height - 2.0), 0.0, m_scene.height);
      curve.points.emplace_back(x, y);
      curve.points.emplace_back(right, y);
    }
    curve.baseline = std::clamp(curve.baseline, 0.0, m_scene.height);
    if (curve.points.size() > 1) m_scene.curves.push_back(std::move(curve));
  }

  void addGhost(const TimelineRow& row) {
    const trace::Trace& predicted = *m_in.data.predicted();
    const std::int32_t device =
        deviceNamed(predicted, m_in.data.trace().devices()[static_cast<std::size_t>(row.device)]);
    const auto start = static_cast<double>(m_in.data.predictedStep()->step.startNs);
    for (std::size_t track = 0; track < predicted.tracks().size(); ++track) {
      const trace::Track& info = predicted.tracks()[track];
      if (info.device != device || info.kind != trace::TrackKind::Compute) continue;
      for (const LaneEvents& lane : m_in.data.predictedLanesOf(track)) {
        addLane({predicted, lane, start, Ink::Kind::Ghost}, row);
      }
    }
  }

  void addIdle(const TimelineRow& row) {
    const analysis::DeviceStep* step = m_in.data.deviceStep(row.device);
    if (step == nullptr) return;
    const auto start = static_cast<double>(m_in.data.startNs());
    const double from = m_in.axis.firstNs() + start;
    auto piece = std::partition_point(
        step->pieces.begin(), step->pieces.end(),
        [&](const analysis::Piece& entry) { return static_cast<double>(entry.endNs) <= from; });
    for (; piece != step->pieces.end(); ++piece) {
      const double x1 = m_in.axis.xOf(static_cast<double>(piece->startNs) - start);
      const double x2 = m_in.axis.xOf(static_cast<double>(piece->endNs) - start);
      if (x1 > m_scene.width) break;
      const bool hidden = contains(m_in.filter.hiddenCauses, piece->cause);
      if (analysis::isBusy(piece->cause) || hidden || x2 - x1 < 0.5) continue;
      addRect(x1, x2, yOf(row.y), row.height,
              {.rect = {}, .ink = {.kind = Ink::Kind::Idle, .cause = piece->cause}, .label = {}});
      addGapOutline(row, x1, static_cast<std::size_t>(piece - step->pieces.begin()));
    }
  }

  void addGapOutline(const TimelineRow& row, double x1, std::size_t piece) {
    const TimelineTarget& chosen = m_in.selection;
    if (chosen.kind != TimelineTarget::Kind::Gap || chosen.device != row.device ||
        piece != chosen.firstPiece) {
      return;
    }
    const auto span = m_in.data.spanOf(chosen);
    const double right = m_in.axis.xOf(static_cast<double>(span.second));
    if (const auto cut = cutRect(x1, right, yOf(row.y), row.height)) {
      m_scene.outlines.push_back({*cut, SceneOutline::Kind::Gap});
      const double middle = cut->center().x();
      m_scene.texts.push_back({.rect = QRectF(middle - 40.0, cut->top() - 15.0, 80.0, 14.0),
                               .text = timeText(span.second - span.first),
                               .kind = SceneText::Kind::GapLength});
    }
  }

  void addEvents(const TimelineRow& row) {
    const auto& lanes = m_in.data.lanesOf(static_cast<std::size_t>(row.track));
    const auto lane = static_cast<std::size_t>(row.lane);
    if (lane >= lanes.size()) return;
    addLane({m_in.data.trace(), lanes[lane], static_cast<double>(m_in.data.startNs()),
             Ink::Kind::Action},
            row);
  }

  /// Every event gets at least a pixel; of those that share a pixel the first is drawn.
  void addLane(const LaneToDraw& lane, const TimelineRow& row) {
    const trace::Trace& trace = lane.trace;
    const bool measured = lane.kind == Ink::Kind::Action;
    double filledTo = -1.0;
    std::size_t i = firstVisible(trace, lane.events, m_in.axis.firstNs() + lane.zeroNs);
    while (i < lane.events.size()) {
      const std::size_t event = lane.events[i];
      const double start = static_cast<double>(trace.startsNs()[event]) - lane.zeroNs;
      const double x1 = m_in.axis.xOf(start);
      if (x1 > m_scene.width) break;
      const double x2 = m_in.axis.xOf(start + static_cast<double>(trace.durationsNs()[event]));
      const trace::Category category = trace.categories()[event];
      if (contains(m_in.filter.hiddenCategories, category)) {
        ++i;
        continue;
      }
      const double left = std::max(x1, filledTo);
      addRect(left, std::max(x2, left + (x1 < filledTo ? 0.0 : 1.0)), yOf(row.y), row.height,
              {.rect = {},
               .ink = {.kind = lane.kind, .category = category},
               .label = measured ? qstring(trace.event(event).name) : QString()});
      if (measured) addOutlines(row, event, x1, x2);
      filledTo = std::max(filledTo, std::max(x2, x1 + 1.0));
      i = nextEvent(lane, i, filledTo);
    }
  }

  /// The next event to draw: in a dense stretch the first that reaches past the filled pixel.
  [[nodiscard]] std::size_t nextEvent(const LaneToDraw& lane, std::size_t i,
                                      double filledTo) const {
    if (i + 1 >= lane.events.size()) return lane.events.size();
    const auto starts = lane.trace.startsNs();
    const double nextX =
        m_in.axis.xOf(static_cast<double>(starts[lane.events[i + 1]]) - lane.zeroNs);
    if (nextX >= filledTo) return i + 1;
    const double time = m_in.axis.timeAt(filledTo) + lane.zeroNs;
    const auto found = std::partition_point(
        lane.events.begin() + static_cast<std::ptrdiff_t>(i + 1), lane.events.end(),
        [&](std::size_t event) {
          return static_cast<double>(starts[event] + lane.trace.durationsNs()[event]) < time;
        });
    return static_cast<std::size_t>(found - lane.events.begin());
  }

  void addOutlines(const TimelineRow& row, std::size_t event, double x1, double x2) {
    const auto cut = cutRect(x1, std::max(x2, x1 + 1.0), yOf(row.y), row.height);
    if (!cut) return;
    const TimelineTarget& chosen = m_in.selection;
    if (chosen.kind == TimelineTarget::Kind::Event && chosen.event == event) {
      m_scene.outlines.push_back({*cut, SceneOutline::Kind::Selected});
      return;
    }
    if (m_in.hover.kind != TimelineTarget::Kind::Event) return;
    const auto microBatches = m_in.data.trace().microBatches();
    const std::int32_t wanted = microBatches[m_in.hover.event];
    if (wanted >= 0 && microBatches[event] == wanted) {
      m_scene.outlines.push_back({*cut, SceneOutline::Kind::SameMicroBatch});
    }
  }

  void addCounter(const TimelineRow& row) {
    for (const trace::CounterSeries& series : m_in.data.trace().counters()) {
      if (series.track != row.track || series.values.empty()) continue;
      const double peak = *std::max_element(series.values.begin(), series.values.end());
      if (peak <= 0.0) continue;
      SceneCurve curve;
      const double bottom = yOf(row.bottom());
      curve.baseline = std::clamp(bottom, 0.0, m_scene.height);
      const auto start = static_cast<double>(m_in.data.startNs());
      double previous = curve.baseline;
      for (std::size_t i = 0; i < series.values.size(); ++i) {
        const double x = m_in.axis.xOf(static_cast<double>(series.timesNs[i]) - start);
        const double exact = bottom - series.values[i] / peak * (row.height - 2.0);
        const double y = std::clamp(exact, 0.0, m_scene.height);
        if (x > m_scene.width) break;
        if (x >= 0.0) {
          if (curve.points.empty() && i > 0) curve.points.emplace_back(0.0, previous);
          curve.points.emplace_back(x, previous);
          curve.points.emplace_back(x, y);
        }
        previous = y;
      }
      const double end = m_in.axis.xOf(static_cast<double>(m_in.data.wallNs()));
      if (curve.points.empty()) curve.points.emplace_back(0.0, previous);
      const double last = std::clamp(end, curve.points.back().x(), m_scene.width);
      curve.points.emplace_back(last, previous);
      if (curve.points.size() > 1) m_scene.curves.push_back(std::move(curve));
    }
  }

  const SceneInput& m_in;
  TimelineScene m_scene;
};

TimelineTarget gapAtTime(const TimelineData& data, std::int32_t device, double relativeNs) {
  const analysis::DeviceStep* step = data.deviceStep(device);
  if (step == nullptr) return {};
  const double time = relativeNs + static_cast<double>(data.startNs());
  const auto piece = std::partition_point(
      step->pieces.begin(), step->pieces.end(),
      [&](const analysis::Piece& entry) { return static_cast<double>(entry.endNs) <= time; });
  if (piece == step->pieces.end() || static_cast<double>(piece->startNs) > time) return {};
  return data.gapAround(device, static_cast<std::size_t>(piece - step->pieces.begin()));
}

}  // namespace

TimelineScene buildScene(const SceneInput& input) { return Builder(input).build(); }

TimelineTarget targetAt(const SceneInput& input, double x, double y) {
  const int index = input.layout.rowAt(y + input.top);
  if (index < 0 || x < 0.0 || x > input.axis.widthPx()) return {};
  const TimelineRow& row = input.layout.rows[static_cast<std::size_t>(index)];
  const double time = input.axis.timeAt(x);
  if (row.track >= 0 && row.kind != RowKind::Memory) {
    const trace::Trace& trace = input.data.trace();
    const auto track = static_cast<std::size_t>(row.track);
    const auto& lanes = input.data.lanesOf(track);
    const auto lane = static_cast<std::size_t>(row.lane);
    const auto zero = static_cast<double>(input.data.startNs());
    const double slack = input.axis.nsPerPixel();
    if (lane < lanes.size()) {
      const LaneEvents& events = lanes[lane];
      for (std::size_t i = firstVisible(trace, events, time + zero - slack); i < events.size();
           ++i) {
        const double start = static_cast<double>(trace.startsNs()[events[i]]) - zero;
        if (start > time) break;
        const double length = std::max(static_cast<double>(trace.durationsNs()[events[i]]), slack);
        if (time < start + length) {
          return {.kind = TimelineTarget::Kind::Event, .event = events[i], .device = row.device};
        }
      }
    }
  }
  return row.kind == RowKind::Actions ? gapAtTime(input.data, row.device, time) : TimelineTarget{};
}

}  // namespace stagelane::ui
