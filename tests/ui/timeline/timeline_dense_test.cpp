// Drawing of many events: none is hidden, and there are never more shapes than pixels; rows, flows,
// search.

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <algorithm>

#include "engine/trace/trace_builder.h"
#include "tests/ui/tracks/timeline_sample.h"
#include "ui/kit/latest_job.h"
#include "ui/timeline/event_table.h"
#include "ui/timeline/timeline_search.h"
#include "ui/tracks/timeline_scene.h"

namespace stagelane::ui {
namespace {

using trace::Category;
using trace::TrackKind;

struct Event {
  TimeNs start = 0;
  TimeNs duration = 0;
  const char* name = "k";
  Category category = Category::Kernel;
};

TimelineDataPtr kernels(const std::vector<Event>& events) {
  trace::TraceBuilder builder;
  trace::TraceBuilder::NewEvent event;
  event.track = builder.track(builder.device("cuda:0"), TrackKind::Kernels, "stream 7");
  for (const Event& each : events) {
    event.startNs = each.start;
    event.durationNs = each.duration;
    event.name = each.name;
    event.category = each.category;
    builder.add(event);
  }
  builder.addStep({.repeat = 0, .step = 0, .startNs = 0, .endNs = 1'000'000});
  return sample::dataOf(std::move(builder).build());
}

TimelineScene sceneOf(const TimelineData& data, double width = 1000.0, double from = 0.0,
                      double to = 1'000'000.0) {
  const TimelineLayout layout = layoutRows(data, {});
  TimeAxis axis(data.rangeNs(), width);
  axis.show(from, to);
  return buildScene({.data = data, .layout = layout, .axis = axis, .height = layout.height});
}

/// Whether something is drawn at an x in a row, and with what share.
int shareAt(const TimelineScene& scene, double x, double y) {
  for (const SceneRect& rect : scene.rects) {
    if (rect.ink.kind == Ink::Kind::Action && rect.rect.contains(x, y)) return 255;
  }
  for (const SceneStrip& strip : scene.strips) {
    if (!strip.rect.contains(x, y)) continue;
    return strip.pixels[static_cast<std::size_t>(x - strip.rect.left())].share;
  }
  return 0;
}

double middleOfRow(const TimelineData& data, int lane) {
  for (const TimelineRow& row : layoutRows(data, {}).rows) {
    if (row.kind == RowKind::Operators && row.lane == lane) return row.y + row.height / 2.0;
  }
  return -1.0;
}

TEST(TimelineDense, ShowsEveryEventHoweverShort) {
  std::vector<Event> events;
  for (TimeNs i = 0; i < 200; ++i) events.push_back({i * 5'000 + 13, i % 2});  // 0 or 1 ns
  const auto data = kernels(events);
  const TimelineScene scene = sceneOf(*data);
  const double y = middleOfRow(*data, 0);
  for (TimeNs i = 0; i < 200; ++i) {
    const double x = static_cast<double>(i * 5'000 + 13) / 1'000.0;
    EXPECT_GE(shareAt(scene, x, y), kLeastShare) << i;
    EXPECT_EQ(shareAt(scene, x + 2.0, y), 0) << "and nothing beside it";
  }
}

TEST(TimelineDense, StacksOverlappingEventsSoThatNoneIsHidden) {
  const auto data =
      kernels({{0, 1'000'000}, {100'000, 300'000}, {200'000, 100'000}, {250'000, 10}});
  const TimelineScene scene = sceneOf(*data);
  const double xs[] = {500.5, 150.5, 210.5, 250.5};
  for (int lane = 0; lane < 4; ++lane) {
    EXPECT_GT(shareAt(scene, xs[lane], middleOfRow(*data, lane)), 0) << lane;
  }
}

TEST(TimelineDense, SaysHowManyFoundNoLaneOfTheirOwn) {
  std::vector<Event> events;
  for (TimeNs i = 0; i < 50; ++i) events.push_back({i * 10, 900'000});
  const TimelineLayout layout = layoutRows(*kernels(events), {});
  EXPECT_EQ(layout.rows.back().detail.toStdString(), "18 more overlap");
}

TEST(TimelineDense, ShadesAPixelByHowBusyItWas) {
  std::vector<Event> events;
  for (TimeNs i = 0; i < 100'000; ++i) events.push_back({i * 10, i < 50'000 ? 2 : 9});
  const auto data = kernels(events);
  const TimelineScene scene = sceneOf(*data);
  const double y = middleOfRow(*data, 0);
  EXPECT_NEAR(shareAt(scene, 250.0, y), kLeastShare + 0.2 * (255 - kLeastShare), 4);
  EXPECT_NEAR(shareAt(scene, 750.0, y), kLeastShare + 0.9 * (255 - kLeastShare), 4);
}

TEST(TimelineDense, TakesTheColourOfWhatTookMost) {
  std::vector<Event> events;
  for (TimeNs i = 0; i < 100'000; ++i) {
    events.push_back(
        {i * 10, i % 10 == 0 ? 8 : 1, "e", i % 10 == 0 ? Category::Copy : Category::Kernel});
  }
  const auto data = kernels(events);
  std::vector<Event> reversed = events;
  const SceneStrip strip = sceneOf(*data).strips.front();
  // In ten events 9 × 1 ns of kernels against 8 ns of copies.
  EXPECT_EQ(strip.pixels[300].color, colorKeyOf(Category::Kernel));
  for (Event& event : reversed) event.duration = event.category == Category::Copy ? 10 : 1;
  EXPECT_EQ(sceneOf(*kernels(reversed)).strips.front().pixels[300].color,
            colorKeyOf(Category::Copy));
}

TEST(TimelineDense, CostsAsMuchAsThereArePixels) {
  std::vector<Event> events;
  for (TimeNs i = 0; i < 300'000; ++i) events.push_back({i * 3, 2});
  const TimelineScene scene = sceneOf(*kernels(events));
  std::size_t items = scene.rects.size() + scene.strips.size() + scene.outlines.size();
  for (const SceneStrip& strip : scene.strips) items += strip.pixels.size();
  EXPECT_LE(items, 1500U) << "work on every pixel, idle time on a third of them";
}

/// The shaded width of a row for a cause, in pixels; fails if something is shaded twice.
double shadedFor(const TimelineScene& scene, analysis::Cause cause) {
  double sum = 0.0;
  std::vector<QRectF> idle;
  for (const SceneRect& rect : scene.rects) {
    if (rect.ink.kind != Ink::Kind::Idle) continue;
    for (const QRectF& other : idle) EXPECT_FALSE(other.intersects(rect.rect));
    idle.push_back(rect.rect);
    if (rect.ink.cause == cause) sum += rect.rect.width();
  }
  return sum;
}

/// 60 % work; three of four gaps are the host's, and a collective runs through one.
TimelineDataPtr shortGaps(TimeNs count) {
  std::vector<sample::Slice> slices;
  for (TimeNs i = 0; i < count; ++i) {
    slices.push_back({i * 10, 6, Category::Forward, 0, static_cast<int>(i % 8)});
    if (i % 4 == 0) slices.push_back({i * 10 + 6, 4, Category::Reduce, -1, -1});
  }
  return sample::dataOf(sample::traceOf({slices}, count * 10));
}

TEST(TimelineDense, ShadesAsMuchOfARowAsWasIdleHoweverShortTheGaps) {
  const auto data = shortGaps(100'000);
  for (const auto& [from, to] : {std::pair(0.0, 1e6), {123'456.0, 654'321.0}, {0.0, 20'000.0}}) {
    const TimelineScene scene = sceneOf(*data, 1000.0, from, to);
    EXPECT_NEAR(shadedFor(scene, analysis::Cause::Host), 300.0, 3.0) << from << " to " << to;
    EXPECT_NEAR(shadedFor(scene, analysis::Cause::TransferWait), 100.0, 3.0);
    EXPECT_LE(scene.rects.size(), 1100U) << "as many as pixels at most";
  }
}

TEST(TimelineDense, MovesTheShadesOfShortGapsWithTheView) {
  const auto data = shortGaps(100'000);
  const TimelineScene here = sceneOf(*data, 1000.0, 200'000.0, 300'000.0);
  const TimelineScene later = sceneOf(*data, 1000.0, 230'000.0, 330'000.0);  // 300 pixels
  std::vector<double> shaded, moved;
  for (const SceneRect& rect : here.rects) {
    if (rect.ink.kind == Ink::Kind::Idle && rect.rect.left() >= 310.0) {
      shaded.push_back(rect.rect.left());
    }
  }
  for (const SceneRect& rect : later.rects) {
    const double x = rect.rect.left() + 300.0;
    if (rect.ink.kind == Ink::Kind::Idle && x >= 310.0 && x < 1000.0) moved.push_back(x);
  }
  EXPECT_GT(shaded.size(), 100U);
  EXPECT_EQ(shaded, moved);
}

TEST(TimelineDense, MarksShortGapsOfACause) {
  const auto data = shortGaps(100'000);
  const TimelineLayout layout = layoutRows(*data, {});
  SceneInput input{.data = *data,
                   .layout = layout,
                   .axis = TimeAxis(data->rangeNs(), 1000.0),
                   .height = layout.height};
  input.markedCause = analysis::Cause::TransferWait;
  double marked = 0.0;
  const TimelineScene scene = buildScene(input);
  for (const SceneOutline& outline : scene.outlines) marked += outline.rect.width();
  EXPECT_NEAR(marked, 100.0, 3.0);
  input.filter.hiddenCauses = {analysis::Cause::TransferWait};
  EXPECT_EQ(shadedFor(buildScene(input), analysis::Cause::TransferWait), 0.0);
}

TEST(TimelineDense, OutlinesTheMicroBatchUnderTheMouseInStripsToo) {
  // 2 pixels, a pixel and a tenth of a pixel per action; the last ones are checked as samples.
  for (const TimeNs length : {2'000, 1'000, 100}) {
    std::vector<sample::Slice> slices;
    const auto count = 1'000'000 / length;
    for (TimeNs i = 0; i < count; ++i) {
      slices.push_back({i * length, length - 10, Category::Forward, 0, static_cast<int>(i / 3)});
    }
    const auto data = sample::dataOf(sample::traceOf({slices}, 1'000'000));
    const TimelineLayout layout = layoutRows(*data, {});
    SceneInput input{.data = *data,
                     .layout = layout,
                     .axis = TimeAxis(data->rangeNs(), 1000.0),
                     .height = layout.height};
    const auto middle = static_cast<std::size_t>(count / 2);
    input.hover = {.kind = TimelineTarget::Kind::Event, .event = middle, .device = 0};
    const TimelineScene scene = buildScene(input);
    ASSERT_FALSE(scene.outlines.empty()) << length;
    const TimeNs first = static_cast<TimeNs>(middle / 3 * 3) * length;
    QRectF all;
    for (const SceneOutline& outline : scene.outlines) {
      EXPECT_EQ(outline.kind, SceneOutline::Kind::SameMicroBatch);
      all |= outline.rect;
    }
    EXPECT_NEAR(all.left(), static_cast<double>(first) / 1'000.0, 1.01) << length;
    EXPECT_NEAR(all.right(), static_cast<double>(first + 3 * length) / 1'000.0, 1.01) << length;
  }
}

TEST(TimelineDense, DrawsAnEventThatBeganBeforeTheViewAndEndsAfterIt) {
  const auto data = kernels({{0, 1'000'000}, {0, 10}, {999'000, 10}});
  const TimelineScene scene = sceneOf(*data, 1000.0, 500'000.0, 500'010.0);
  ASSERT_EQ(scene.rects.size(), 2U);  // header and the event
  EXPECT_EQ(scene.rects.back().rect.width(), 1000.0);
}

TEST(TimelineDense, MarksWhatIsFoundAndSnapsToEdges) {
  std::vector<Event> events;
  for (TimeNs i = 0; i < 50'000; ++i) events.push_back({i * 20, 10, i == 25'000 ? "odd" : "even"});
  const auto data = kernels(events);
  const SearchResult found = findEvents(*data, QStringLiteral("ODD"));
  ASSERT_EQ(found.events.size(), 1U);
  const TimelineLayout layout = layoutRows(*data, {});
  const TimeAxis axis(data->rangeNs(), 1000.0);
  SceneInput input{.data = *data, .layout = layout, .axis = axis, .height = layout.height};
  input.found = &found.events;
  const TimelineScene scene = buildScene(input);
  ASSERT_EQ(scene.outlines.size(), 1U);
  EXPECT_EQ(scene.outlines[0].kind, SceneOutline::Kind::Found);
  EXPECT_NEAR(scene.outlines[0].rect.left(), 500.0, 1.0);
  const SearchResult many = findEvents(*data, QStringLiteral("even"));
  input.found = &many.events;
  EXPECT_LE(buildScene(input).outlines.size(), 1100U) << "a mark a pixel";
  input.axis.show(1'000.0, 1'100.0);
  EXPECT_EQ(snapAt(input, 102.0, middleOfRow(*data, 0), 8.0), 1'010.0);
  EXPECT_FALSE(snapAt(input, 150.0, middleOfRow(*data, 0), 8.0).has_value());
}

TEST(TimelineSearch, NeedsEveryWordAndKnowsPlaces) {
  const auto data = sample::dataOf(sample::twoWorkers());
  EXPECT_EQ(findEvents(*data, QStringLiteral("f")).events.size(), 4U) << "names, not kinds, of f";
  EXPECT_EQ(findEvents(*data, QStringLiteral("forward")).events.size(), 4U);
  EXPECT_EQ(findEvents(*data, QStringLiteral("stage:1 backward")).events.size(), 2U);
  EXPECT_EQ(findEvents(*data, QStringLiteral("mb:1 on:cpu:0")).events.size(), 2U);
  EXPECT_EQ(findEvents(*data, QStringLiteral("MB:1 On:CPU:0")).events.size(), 2U);
  for (const char* refused : {"stage:x", "mb:-1", "f mb:"}) {
    const SearchResult nothing = findEvents(*data, QString::fromLatin1(refused));
    EXPECT_TRUE(nothing.events.empty()) << refused;
    EXPECT_TRUE(nothing.problem.contains(QStringLiteral("expected a number"))) << refused;
  }
  EXPECT_TRUE(findEvents(*data, QStringLiteral("  ")).events.empty());
  EXPECT_TRUE(findEvents(*data, QStringLiteral("f0 b0")).events.empty());
}

TEST(TimelineSearch, CountsWhatTheLegendHidesAndDoesNotFindIt) {
  const auto data = sample::dataOf(sample::twoWorkers());
  const LegendFilter filter{.hiddenCategories = {Category::Backward}};
  const SearchResult mixed = findEvents(*data, QStringLiteral("mb:0"), filter);
  EXPECT_EQ(mixed.events.size(), 2U);
  EXPECT_EQ(mixed.byStart.size(), 2U);
  EXPECT_EQ(mixed.hidden, 2U);
  const SearchResult none = findEvents(*data, QStringLiteral("backward"), filter);
  EXPECT_TRUE(none.events.empty());
  EXPECT_EQ(none.hidden, 4U);
}

TEST(TimelineSearch, WalksMatchesInTheOrderOfTimeAndGoesRound) {
  const auto data = sample::dataOf(sample::twoWorkers());
  const SearchResult found = findEvents(*data, QStringLiteral("F1"));
  ASSERT_EQ(found.byStart.size(), 2U);
  EXPECT_EQ(nextMatch(*data, found, {.event = -1, .timeNs = 0.0}, 1), 0);
  EXPECT_EQ(nextMatch(*data, found, {.event = -1, .timeNs = 15'000.0}, 1), 1);
  EXPECT_EQ(nextMatch(*data, found, {.event = found.byStart[0]}, 1), 1);
  EXPECT_EQ(nextMatch(*data, found, {.event = found.byStart[1]}, 1), 0);
  EXPECT_EQ(nextMatch(*data, found, {.event = found.byStart[0]}, -1), 1);
  EXPECT_EQ(nextMatch(*data, {}, {}, 1), -1);
}

TEST(TimelineFlows, LeadFromTheProducerToTheConsumer) {
  const auto data = sample::dataOf(sample::twoWorkers());
  const auto eventOf = [&](const char* name, int stage) {
    for (std::size_t i = 0; i < data->trace().size(); ++i) {
      const trace::EventView event = data->trace().event(i);
      if (event.name == name && event.stage.value == stage) return i;
    }
    return data->trace().size();
  };
  const EventFlows flows =
      flowsOf(*data, {.kind = TimelineTarget::Kind::Event, .event = eventOf("B0", 0)});
  ASSERT_EQ(flows.size(), 1U);
  EXPECT_EQ(flows[0], (EventFlow{eventOf("B0", 1), eventOf("B0", 0)}));
  EXPECT_TRUE(flowsOf(*data, {}).empty());
  // The gap before B0 on the first worker had the same cause.
  const auto gap = std::find_if(data->gaps().begin(), data->gaps().end(), [&](const auto& each) {
    return each.device == 0 && data->spanOf(each).second == 60'000;
  });
  ASSERT_NE(gap, data->gaps().end());
  EXPECT_EQ(flowsOf(*data, *gap), flows);
}

TEST(TimelineRows, FoldOperatorsUnderActionsAndPinTracks) {
  trace::TraceBuilder builder;
  const std::int32_t device = builder.device("cpu:0");
  trace::TraceBuilder::NewEvent event;
  event.durationNs = 10;
  event.name = "F0";
  event.category = Category::Forward;
  event.track = builder.track(device, TrackKind::Compute, "compute");
  builder.add(event);
  event.category = Category::Operator;
  event.track = builder.track(device, TrackKind::Operators, "operators");
  builder.add(event);
  builder.add(event);
  const auto data = sample::dataOf(std::move(builder).build());
  const auto countOf = [](const TimelineLayout& layout) {
    return std::count_if(layout.rows.begin(), layout.rows.end(),
                         [](const auto& row) { return row.kind == RowKind::Operators; });
  };
  const TimelineLayout folded = layoutRows(*data, {});
  EXPECT_EQ(countOf(folded), 1);
  EXPECT_TRUE(folded.rows.back().folded);
  EXPECT_EQ(folded.rows.back().detail.toStdString(), "depth 2");
  EXPECT_EQ(countOf(layoutRows(*data, {.toggled = {folded.rows.back().track}})), 2);
  EXPECT_EQ(countOf(layoutRows(*data, {.everything = true})), 2);
  const TimelineLayout pinned = layoutPinned(*data, {.pinned = {1, 99}});
  ASSERT_EQ(pinned.rows.size(), 1U);
  EXPECT_EQ(pinned.rows[0].label.toStdString(), "cpu:0 actions");
}

TEST(TimelineData, AlignsThePredictionAtTheFirstDifference) {
  const auto measured = sample::traceOf(
      {{{0, 10'000, Category::Forward, 0, 0}, {25'000, 10'000, Category::Forward, 0, 1}}}, 100'000);
  const auto predicted = sample::traceOf(
      {{{0, 10'000, Category::Forward, 0, 0}, {10'000, 10'000, Category::Forward, 0, 1}}}, 90'000);
  EXPECT_EQ(sample::dataOf(measured, predicted)->firstDifferenceNs(), 15'000);
  EXPECT_EQ(sample::dataOf(measured, measured)->firstDifferenceNs(), 0);
  EXPECT_EQ(sample::dataOf(measured)->firstDifferenceNs(), 0);
}

TEST(TimelineData, DescribesAPredictedActionBesideTheMeasuredOne) {
  const auto data = sample::dataOf(sample::twoWorkers(), sample::twoWorkers());
  const TargetText text =
      describeTarget(*data, {.kind = TimelineTarget::Kind::Predicted, .event = 0, .device = 0});
  EXPECT_EQ(text.title.toStdString(), "F0 on cpu:0, predicted");
  EXPECT_EQ(text.facts.back().second.toStdString(), "same duration, started as predicted");
}

TEST(TimelineTables, ListTheEventsOfAnArea) {
  const auto data = sample::dataOf(sample::twoWorkers());
  EXPECT_EQ(firstEvents(*data, {12'000, 40'000}, 100).size(), 4U);
  EXPECT_EQ(firstEvents(*data, {12'000, 40'000, {1}}, 100).size(), 1U);
  EXPECT_EQ(firstEvents(*data, {0, 100'000}, 3).size(), 3U);
}

TEST(LatestJob, DropsTheAnswerOfOlderWork) {
  LatestJob job;
  std::vector<int> answers;
  for (int i = 0; i < 20; ++i) {
    job.start([i, &answers](const std::atomic<bool>&) {
      return std::function<void()>([i, &answers] { answers.push_back(i); });
    });
  }
  QElapsedTimer timer;
  timer.start();
  while (job.running() && timer.elapsed() < 300000) QCoreApplication::processEvents();
  EXPECT_EQ(answers, std::vector<int>{19});
  job.start([&answers](const std::atomic<bool>&) {
    return std::function<void()>([&answers] { answers.push_back(-1); });
  });
  job.cancel();
  EXPECT_FALSE(job.running());
  timer.restart();
  while (timer.elapsed() < 50) QCoreApplication::processEvents();
  EXPECT_EQ(answers.size(), 1U);
}

/// So many rows and events that several threads draw them.
TEST(TimelineDense, ManyRowsAreDrawnAtOnceAsOneByOne) {
  constexpr int kTracks = 24, kEventsATrack = 10'000;
  trace::TraceBuilder builder;
  for (int track = 0; track < kTracks; ++track) {
    trace::TraceBuilder::NewEvent event;
    event.track = builder.track(builder.device("cuda:" + std::to_string(track / 8)),
                                TrackKind::Kernels, "stream " + std::to_string(track));
    event.name = "k";
    for (int i = 0; i < kEventsATrack; ++i) {
      event.startNs = i * 100 + track;
      event.durationNs = (i * (track + 3)) % 90;
      event.category = i % 5 == track % 5 ? Category::Copy : Category::Kernel;
      builder.add(event);
    }
  }
  builder.addStep({.repeat = 0, .step = 0, .startNs = 0, .endNs = 1'000'000});
  const auto data = sample::dataOf(std::move(builder).build());
  const TimelineLayout layout = layoutRows(*data, {});
  const TimeAxis axis(data->rangeNs(), 500.0);
  const auto draw = [&](const TimelineLayout& rows) {
    return buildScene({.data = *data, .layout = rows, .axis = axis, .height = layout.height});
  };
  const TimelineScene all = draw(layout);
  TimelineScene single;
  for (const TimelineRow& row : layout.rows) {
    const TimelineScene scene = draw({.rows = {row}, .height = layout.height});
    single.rects.insert(single.rects.end(), scene.rects.begin(), scene.rects.end());
    single.strips.insert(single.strips.end(), scene.strips.begin(), scene.strips.end());
    single.curves.insert(single.curves.end(), scene.curves.begin(), scene.curves.end());
    single.texts.insert(single.texts.end(), scene.texts.begin(), scene.texts.end());
  }
  ASSERT_EQ(all.strips.size(), single.strips.size());
  EXPECT_GE(all.strips.size(), std::size_t{kTracks});
  for (std::size_t i = 0; i < all.strips.size(); ++i) {
    EXPECT_EQ(all.strips[i].rect, single.strips[i].rect);
    EXPECT_EQ(all.strips[i].pixels, single.strips[i].pixels) << i;
  }
  ASSERT_EQ(all.rects.size(), single.rects.size());
  for (std::size_t i = 0; i < all.rects.size(); ++i) {
    ASSERT_EQ(all.rects[i].rect, single.rects[i].rect) << i;
  }
  ASSERT_EQ(all.curves.size(), single.curves.size());
  ASSERT_EQ(all.texts.size(), single.texts.size());
  for (std::size_t i = 0; i < all.texts.size(); ++i) {
    EXPECT_EQ(all.texts[i].text, single.texts[i].text);
  }
}

}  // namespace
}  // namespace stagelane::ui
