// Time to draw a timeline of ten million events on 64 tracks: full range and zooms, at the window's
// size and with every track in the picture, offscreen raster. The time includes geometry and
// painting. `best_ms` is the best of ten. The size of the index is reported, too.
//
//   ./dev bench timeline

#include <benchmark/benchmark.h>

#include <QApplication>
#include <QImage>
#include <QPainter>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <random>

#include "engine/trace/trace_builder.h"
#include "ui/tracks/timeline_frame.h"

namespace stagelane::ui {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kDevices = 8, kTracksADevice = 8;
constexpr int kEventsATrack = 10'000'000 / (kDevices * kTracksADevice);
constexpr int kWidth = 1600, kHeight = 900;

double msSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// Kernels and copies with gaps of every length on the streams of eight GPUs.
trace::TracePtr tenMillionEvents() {
  trace::TraceBuilder builder;
  std::mt19937 random(1);
  for (int device = 0; device < kDevices; ++device) {
    const std::int32_t owner = builder.device("cuda:" + std::to_string(device));
    for (int stream = 0; stream < kTracksADevice; ++stream) {
      trace::TraceBuilder::NewEvent event;
      event.track =
          builder.track(owner, trace::TrackKind::Kernels, "stream " + std::to_string(stream));
      TimeNs time = 0;
      for (int i = 0; i < kEventsATrack; ++i) {
        const bool copy = random() % 5 == 0;
        event.startNs = time;
        event.durationNs = 500 + static_cast<TimeNs>(random() % 9500);
        event.category = copy ? trace::Category::Copy : trace::Category::Kernel;
        event.name = copy ? "Memcpy PtoP (Device -> Device)" : "sgemm_128x64_nn";
        event.microBatch = MicroBatchId{i / 1000 % 16};
        builder.add(event);
        const TimeNs gap = random() % 200 == 0 ? 400'000 : 2'000;
        time += event.durationNs + static_cast<TimeNs>(random()) % gap;
      }
    }
  }
  return std::move(builder).build();
}

/// Built once; the time for this is reported with the first benchmark.
struct World {
  World() {
    setenv("QT_QPA_PLATFORM", "offscreen", 0);
    application = std::make_unique<QApplication>(argc, argv);
    const trace::TracePtr trace = tenMillionEvents();
    auto begin = Clock::now();
    lanes = std::make_shared<const trace::LaneIndex>(trace);
    indexMs = msSince(begin);
    begin = Clock::now();
    data = std::make_shared<const TimelineData>(lanes, 0, nullptr);
    stepMs = msSince(begin);
    layout = layoutRows(*data, {.everything = true});
  }

  int argc = 0;
  char* argv[1] = {nullptr};
  std::unique_ptr<QApplication> application;
  trace::LaneIndexPtr lanes;
  TimelineDataPtr data;
  TimelineLayout layout;
  double indexMs = 0.0, stepMs = 0.0;
};

World& world() {
  static World* const made = new World;  // lives as long as the program, like Qt
  return *made;
}

struct View {
  double height = kHeight;
  double zoom = 1.0;
  ColorBy colorBy = ColorBy::Kind;
  LegendFilter filter{};
};

std::size_t draw(const View& view, QImage& image) {
  World& all = world();
  const double width = kWidth - kTimelineTreeWidth;
  TimeAxis axis(all.data->rangeNs(), width);
  axis.zoomAt(width * 0.4, view.zoom);
  QPainter painter(&image);
  const double height = view.height - kTimelineRulerHeight;
  paintTree(painter, {all.layout, {}}, darkTheme(),
            QRectF(0, kTimelineRulerHeight, kTimelineTreeWidth, height));
  paintRuler(painter, axis, rulerEnds(*all.data, axis, 0, kTimelineRulerHeight), darkTheme(),
             QRectF(kTimelineTreeWidth, 0, width, kTimelineRulerHeight));
  painter.translate(kTimelineTreeWidth, kTimelineRulerHeight);
  const TimelineScene scene = buildScene({.data = *all.data,
                                          .layout = all.layout,
                                          .axis = axis,
                                          .height = height,
                                          .filter = view.filter,
                                          .colorBy = view.colorBy});
  paintScene(painter, scene, darkTheme(), PaintMode::Screen);
  return scene.rects.size() + scene.strips.size();
}

void drawTimeline(benchmark::State& state, View view) {
  if (view.height <= 0.0) view.height = world().layout.height + kTimelineRulerHeight;
  QImage image(kWidth, static_cast<int>(view.height), QImage::Format_RGB32);
  double best = 1e9;
  std::size_t items = 0;
  for (auto _ : state) {
    const auto begin = Clock::now();
    items = draw(view, image);
    best = std::min(best, msSince(begin));
  }
  const auto tracks = std::count_if(
      world().layout.rows.begin(), world().layout.rows.end(), [&](const TimelineRow& row) {
        return row.track >= 0 && row.y < view.height - kTimelineRulerHeight;
      });
  state.counters["best_ms"] = best;
  state.counters["rows"] = static_cast<double>(tracks);
  state.counters["items"] = static_cast<double>(items);
}

void indexTimeline(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(world().lanes->bytes());
  const auto events = static_cast<double>(world().data->trace().size());
  state.counters["events"] = events;
  state.counters["index_bytes_an_event"] = static_cast<double>(world().lanes->bytes()) / events;
  state.counters["index_ms"] = world().indexMs;
  state.counters["step_ms"] = world().stepMs;
}

BENCHMARK(indexTimeline)->Iterations(1);

#define STAGELANE_DRAW(name, ...)                    \
  BENCHMARK_CAPTURE(drawTimeline, name, __VA_ARGS__) \
      ->Iterations(10)                               \
      ->Unit(benchmark::kMillisecond)                \
      ->MeasureProcessCPUTime()
STAGELANE_DRAW(full_range, View{});
STAGELANE_DRAW(zoom_10, View{.zoom = 10.0});
STAGELANE_DRAW(zoom_30, View{.zoom = 30.0});
STAGELANE_DRAW(zoom_100, View{.zoom = 100.0});
STAGELANE_DRAW(zoom_300, View{.zoom = 300.0});
STAGELANE_DRAW(zoom_1000, View{.zoom = 1000.0});
STAGELANE_DRAW(zoom_100000, View{.zoom = 100000.0});
STAGELANE_DRAW(full_range_by_micro_batch, View{.colorBy = ColorBy::MicroBatch});
STAGELANE_DRAW(full_range_without_copies,
               View{.filter = {.hiddenCategories = {trace::Category::Copy}, .hiddenCauses = {}}});
STAGELANE_DRAW(all_tracks_full_range, View{.height = 0.0});
STAGELANE_DRAW(all_tracks_zoom_10, View{.height = 0.0, .zoom = 10.0});
STAGELANE_DRAW(all_tracks_zoom_30, View{.height = 0.0, .zoom = 30.0});
STAGELANE_DRAW(all_tracks_zoom_300, View{.height = 0.0, .zoom = 300.0});

}  // namespace
}  // namespace stagelane::ui
