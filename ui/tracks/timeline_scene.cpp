#include "ui/tracks/timeline_scene.h"

#include <QObject>
#include <algorithm>
#include <iterator>
#include <span>
#include <thread>

#include "ui/kit/text/formatting.h"
#include "ui/tracks/scene_canvas.h"

namespace stagelane::ui {
namespace {

constexpr double kTicksPx = 80.0;

class Builder {
 public:
  explicit Builder(const SceneInput& input) : m_in(input), m_canvas(input) {}

  TimelineScene build() {
    for (const Tick& tick : ticksOf(m_in.axis, kTicksPx)) {
      m_canvas.verticalLine(m_in.axis.xOf(tick.timeNs), SceneLine::Kind::Grid);
    }
    addRows();
    addEnds();
    detail::drawArrows(m_canvas);
    return std::move(m_canvas.scene);
  }

 private:
  using Rows = std::span<const TimelineRow>;

  void addRows() {
    Rows rows(m_in.layout.rows);
    while (!rows.empty() && rows.front().bottom() < m_in.top) rows = rows.subspan(1);
    while (!rows.empty() && rows.back().y > m_in.top + m_in.height) {
      rows = rows.first(rows.size() - 1);
    }
    const std::size_t parts = partsFor(rows.size());
    const auto partAt = [&](std::size_t part) {
      const std::size_t from = rows.size() * part / parts;
      return rows.subspan(from, rows.size() * (part + 1) / parts - from);
    };
    std::vector<Builder> others(parts - 1, Builder(m_in));
    std::vector<std::thread> threads;
    for (std::size_t part = 1; part < parts; ++part) {
      threads.emplace_back([&, part] { others[part - 1].add(partAt(part)); });
    }
    add(partAt(0));
    for (std::size_t part = 1; part < parts; ++part) {
      threads[part - 1].join();
      append(std::move(others[part - 1].m_canvas.scene));
    }
  }

  void add(Rows rows) {
    for (const TimelineRow& row : rows) addRow(row);
  }

  /// Rows are independent. For few rows or events, starting a thread takes longer than drawing.
  [[nodiscard]] std::size_t partsFor(std::size_t rows) const {
    constexpr std::size_t kManyEvents = 200'000, kManyRows = 16, kMostParts = 4;
    if (m_in.data.trace().size() < kManyEvents || rows < kManyRows) return 1;
    return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, kMostParts);
  }

  /// Appends the drawing of lower rows.
  void append(TimelineScene&& below) {
    TimelineScene& scene = m_canvas.scene;
    const auto moveTo = [](auto& to, auto& from) {
      to.insert(to.end(), std::make_move_iterator(from.begin()),
                std::make_move_iterator(from.end()));
    };
    moveTo(scene.rects, below.rects);
    moveTo(scene.strips, below.strips);
    moveTo(scene.curves, below.curves);
    moveTo(scene.lines, below.lines);
    moveTo(scene.outlines, below.outlines);
    moveTo(scene.arrows, below.arrows);
    moveTo(scene.texts, below.texts);
  }

  void addEnds() {
    const TimelineData& data = m_in.data;
    if (data.predictedStep() != nullptr) {
      m_canvas.verticalLine(m_in.axis.xOf(static_cast<double>(data.predictedStep()->wallNs() +
                                                              m_in.predictedShiftNs)),
                            SceneLine::Kind::PredictedEnd);
    }
    const auto [stepStart, stepEnd] = data.stepSpan();
    if (stepStart > 0) {
      m_canvas.verticalLine(m_in.axis.xOf(static_cast<double>(stepStart)),
                            SceneLine::Kind::MeasuredEnd);
    }
    const double end = m_in.axis.xOf(static_cast<double>(stepEnd));
    const bool failed = !data.notes().failure.isEmpty();
    if (failed && m_canvas.isOnScene(end)) {
      // The line is two pixels wide; keep both visible.
      m_canvas.verticalLine(std::min(end, m_canvas.scene.width - 1.0), SceneLine::Kind::Failure);
    } else {
      m_canvas.verticalLine(end, SceneLine::Kind::MeasuredEnd);
    }
    if (failed && m_canvas.isOnScene(end) && m_canvas.scene.height > 20.0) {
      m_canvas.scene.texts.push_back(
          {.rect = QRectF(0.0, m_canvas.scene.height - 18.0, std::max(0.0, end - 6.0), 16.0),
           .text = data.notes().failure,
           .kind = SceneText::Kind::Failure,
           .right = true});
    }
  }

  void addRow(const TimelineRow& row) {
    switch (row.kind) {
      case RowKind::Header: addHeader(row); break;
      case RowKind::Notice: addNotice(row); break;
      case RowKind::Utilisation: detail::drawUtilisation(m_canvas, row); break;
      case RowKind::Ghost: addGhost(row); break;
      case RowKind::Actions:
        if (row.lane == 0) detail::drawIdle(m_canvas, row);
        addEvents(row);
        break;
      case RowKind::Idle: detail::drawIdle(m_canvas, row); break;
      case RowKind::Copies:
      case RowKind::Operators: addEvents(row); break;
      case RowKind::Counter: detail::drawCounter(m_canvas, row); break;
    }
  }

  void addBand(const TimelineRow& row, Ink::Kind ink) {
    if (const auto rect = m_canvas.cut(row, 0.0, m_canvas.scene.width)) {
      m_canvas.scene.rects.push_back({*rect, {.kind = ink}, {}});
    }
  }

  void addHeader(const TimelineRow& row) {
    addBand(row, Ink::Kind::HeaderGround);
    if (row.device < 0) return;
    const HeaderText text = headerText(m_in.data, row.device);
    addText(row, text.idle, SceneText::Kind::Header);
    m_canvas.scene.texts.back().lead = text.busy;
  }

  void addNotice(const TimelineRow& row) {
    addBand(row, Ink::Kind::Dropped);
    const QString more = row.detail.isEmpty()
                             ? QObject::tr("events may be missing anywhere in the trace")
                             : row.detail;
    addText(row, row.label + u": "_s + more, SceneText::Kind::Warning);
  }

  void addText(const TimelineRow& row, const QString& text, SceneText::Kind kind) {
    m_canvas.scene.texts.push_back(
        {.rect = QRectF(6.0, m_canvas.yOf(row.y), std::max(0.0, m_canvas.scene.width - 12.0),
                        row.height),
         .text = text,
         .kind = kind});
  }

  void addGhost(const TimelineRow& row) {
    const trace::LaneIndex& lanes = *m_in.data.predictedLanes();
    const std::int32_t device = deviceNamed(
        lanes.trace(), m_in.data.trace().devices()[static_cast<std::size_t>(row.device)]);
    const TimeNs zero = m_in.data.predictedStep()->step.startNs - m_in.predictedShiftNs;
    for (std::size_t track = 0; track < lanes.trace().tracks().size(); ++track) {
      const trace::Track& info = lanes.trace().tracks()[track];
      if (info.device != device || info.kind != trace::TrackKind::Compute) continue;
      for (std::size_t lane = 0; lane < lanes.laneCount(track); ++lane) {
        detail::drawLane(m_canvas, {lanes, track, lane, zero, Ink::Kind::Ghost}, row);
      }
    }
  }

  void addEvents(const TimelineRow& row) {
    detail::drawLane(m_canvas,
                     {m_in.data.lanes(), static_cast<std::size_t>(row.track),
                      static_cast<std::size_t>(row.lane), m_in.data.startNs(), Ink::Kind::Action},
                     row);
    detail::drawFound(m_canvas, row);
    addSelected(row);
  }

  /// The selected event, however narrow.
  void addSelected(const TimelineRow& row) {
    const TimelineTarget& chosen = m_in.selection;
    if (chosen.kind != TimelineTarget::Kind::Event) return;
    const TimelineData& data = m_in.data;
    if (data.trace().event(chosen.event).track != row.track) return;
    const auto lane = static_cast<int>(data.lanes().laneOf(chosen.event));
    if (!row.folded && lane != row.lane) return;
    const auto [start, end] = data.spanOf(chosen);
    const double x1 = m_in.axis.xOf(static_cast<double>(start));
    const double x2 = m_in.axis.xOf(static_cast<double>(end));
    if (const auto rect = m_canvas.cut(row, x1, std::max(x2, x1 + 3.0))) {
      m_canvas.scene.outlines.push_back({*rect, SceneOutline::Kind::Selected});
    }
  }

  const SceneInput& m_in;
  detail::SceneCanvas m_canvas;
};

}  // namespace

TimelineScene buildScene(const SceneInput& input) { return Builder(input).build(); }

}  // namespace stagelane::ui
