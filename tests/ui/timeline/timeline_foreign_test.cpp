// Traces of other programs: all events are shown, also unknown ones.

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/trace/trace_builder.h"
#include "tests/ui/tracks/timeline_sample.h"
#include "ui/timeline/event_table.h"
#include "ui/timeline/timeline_search.h"
#include "ui/timeline/timeline_tables.h"
#include "ui/tracks/timeline_flows.h"
#include "ui/tracks/timeline_rows.h"
#include "ui/tracks/timeline_scene.h"

namespace stagelane::ui {
namespace {

using trace::Category;
using trace::TrackKind;

void addTo(trace::TraceBuilder& builder, std::uint16_t track, TimeNs start, TimeNs duration,
           Category category) {
  trace::TraceBuilder::NewEvent event;
  event.startNs = start;
  event.durationNs = duration;
  event.name = "x";
  event.category = category;
  event.track = track;
  builder.add(event);
}

/// A host that calls at 1000 and 1300, and a GPU that computes [2000, 4000) and [7000, 8000); the
/// host synchronizes until 9500.
trace::TracePtr launches(bool named) {
  trace::TraceBuilder builder;
  const std::uint16_t host = builder.track(builder.device("train 5"), TrackKind::Operators, "main");
  const std::uint16_t gpu = builder.track(builder.device("cuda:0"), TrackKind::Kernels, "stream 7");
  addTo(builder, host, 1000, 200, Category::Operator);
  addTo(builder, host, 1300, 200, Category::Operator);
  addTo(builder, host, 9000, 500, Category::Operator);
  addTo(builder, gpu, 2000, 2000, Category::Kernel);
  addTo(builder, gpu, 7000, 1000, Category::Kernel);
  if (named) builder.addStep({.repeat = 0, .step = 0, .startNs = 2000, .endNs = 8000});
  return std::move(builder).build();
}

std::size_t rowsOf(const TimelineLayout& layout, RowKind kind) {
  return static_cast<std::size_t>(std::count_if(layout.rows.begin(), layout.rows.end(),
                                                [&](const auto& row) { return row.kind == kind; }));
}

TEST(ForeignTrace, ShowsWhatTheHostDidBeforeTheFirstKernelAndAfterTheLast) {
  const auto data = sample::dataOf(launches(false));
  EXPECT_TRUE(data->whole());
  EXPECT_EQ(data->startNs(), 1000);
  EXPECT_EQ(data->wallNs(), 8500);
  // The analysis covers the work of the devices, as in `analyze`.
  EXPECT_EQ(data->step().wallNs(), 6000);
  EXPECT_EQ(data->stepSpan(), (std::pair<TimeNs, TimeNs>{1000, 7000}));
  ASSERT_EQ(data->gaps().size(), 1U);
  EXPECT_EQ(data->spanOf(data->gaps()[0]), (std::pair<TimeNs, TimeNs>{3000, 6000}));
}

TEST(ForeignTrace, CanBeShownWholeWhereStepsAreNamed) {
  const trace::TracePtr trace = launches(true);
  const TimelineData step(trace, 0, nullptr);
  EXPECT_FALSE(step.whole());
  EXPECT_EQ(step.wallNs(), 6000);
  const TimelineData whole(trace, TimelineData::kWholeTrace, nullptr);
  EXPECT_TRUE(whole.whole());
  EXPECT_EQ(whole.startNs(), 1000);
  EXPECT_EQ(whole.wallNs(), 8500);
  EXPECT_EQ(whole.deviceStep(1)->idleNs(), 5500);
}

/// Actions that another program tagged are on its own tracks, like kernels and operators.
TEST(ForeignTrace, HasArrowsBetweenTaggedActions) {
  trace::TraceBuilder builder;
  const auto add = [&](const char* device, TrackKind kind, std::int32_t stage, TimeNs start) {
    trace::TraceBuilder::NewEvent event;
    event.startNs = start;
    event.durationNs = 100;
    event.name = "F0";
    event.category = Category::Forward;
    event.stage = StageId{stage};
    event.microBatch = MicroBatchId{0};
    event.track = builder.track(builder.device(device), kind, "thread 1");
    builder.add(event);
  };
  add("rank 0", TrackKind::Other, 0, 1000);
  add("rank 1", TrackKind::Kernels, 1, 1200);
  const auto data = sample::dataOf(std::move(builder).build());
  const EventFlows flows = flowsOf(*data, {.kind = TimelineTarget::Kind::Event, .event = 0});
  ASSERT_EQ(flows.size(), 1U);
  EXPECT_EQ(data->trace().event(flows[0].from).stage.value, 0);
  EXPECT_EQ(data->trace().event(flows[0].to).stage.value, 1);
}

TEST(ForeignTrace, DoesNotCallAHostIdle) {
  const auto data = sample::dataOf(launches(false));
  EXPECT_EQ(data->deviceStep(0), nullptr);
  ASSERT_NE(data->deviceStep(1), nullptr);
  EXPECT_EQ(headerSentence(*data, 0), "train 5: no compute in this step");
  IdleCauseModel causes;
  causes.setTimeline(data);
  EXPECT_EQ(causes.columnCount(), 3);
}

TEST(ForeignTrace, ShadesAndSelectsIdleTimeOfADeviceWithoutActions) {
  const auto data = sample::dataOf(launches(false));
  const TimelineLayout layout = layoutRows(*data, {});
  ASSERT_EQ(rowsOf(layout, RowKind::Idle), 1U);
  const auto row = std::find_if(layout.rows.begin(), layout.rows.end(),
                                [](const auto& each) { return each.kind == RowKind::Idle; });
  EXPECT_EQ(row->device, 1);
  const SceneInput input{.data = *data,
                         .layout = layout,
                         .axis = TimeAxis(data->rangeNs(), 850.0),
                         .height = layout.height};
  const TimelineTarget gap = targetAt(input, 450.0, row->y + 4.0);
  ASSERT_EQ(gap.kind, TimelineTarget::Kind::Gap);
  EXPECT_EQ(data->spanOf(gap), (std::pair<TimeNs, TimeNs>{3000, 6000}));
  const TimelineScene scene = buildScene(input);
  const auto hatched = std::find_if(scene.rects.begin(), scene.rects.end(), [](const auto& each) {
    return each.ink.kind == Ink::Kind::Idle;
  });
  ASSERT_NE(hatched, scene.rects.end());
  EXPECT_DOUBLE_EQ(hatched->rect.left(), 300.0);
  EXPECT_DOUBLE_EQ(hatched->rect.right(), 600.0);
}

TEST(ForeignTrace, HasNoIdleRowWhereActionsShadeIt) {
  const auto data = sample::dataOf(sample::twoWorkers());
  EXPECT_EQ(rowsOf(layoutRows(*data, {}), RowKind::Idle), 0U);
}

TEST(ForeignTrace, IsShownWhereNothingIsKnownToCompute) {
  trace::TraceBuilder builder;
  const std::uint16_t track = builder.track(builder.device("app"), TrackKind::Other, "main");
  addTo(builder, track, 100, 50, Category::Other);
  addTo(builder, track, 400, 100, Category::Other);
  const std::uint16_t counter = builder.track(-1, TrackKind::Counter, "queue");
  builder.addCounter(counter, 50, 1.0, "");
  builder.addCounter(counter, 600, 2.0, "");
  const auto data = sample::dataOf(std::move(builder).build());
  EXPECT_EQ(data->startNs(), 50);
  EXPECT_EQ(data->wallNs(), 550);
  EXPECT_TRUE(data->step().devices.empty());
  EXPECT_EQ(headerSentence(*data, 0), "app: no compute events recognized in this trace");
  const TimelineLayout layout = layoutRows(*data, {});
  EXPECT_EQ(rowsOf(layout, RowKind::Operators), 1U);
  EXPECT_EQ(rowsOf(layout, RowKind::Utilisation), 0U);
}

TEST(LegendFilter, HidesEventsFromTheMouseToo) {
  const auto data = sample::dataOf(sample::twoWorkers());
  const TimelineLayout layout = layoutRows(*data, {});
  const auto row = std::find_if(layout.rows.begin(), layout.rows.end(),
                                [](const auto& each) { return each.kind == RowKind::Actions; });
  SceneInput input{.data = *data,
                   .layout = layout,
                   .axis = TimeAxis(data->rangeNs(), 1000.0),
                   .height = layout.height};
  EXPECT_EQ(targetAt(input, 50.0, row->y + 5.0).kind, TimelineTarget::Kind::Event);
  input.filter.hiddenCategories = {Category::Forward};
  EXPECT_NE(targetAt(input, 50.0, row->y + 5.0).kind, TimelineTarget::Kind::Event);
  EXPECT_EQ(targetAt(input, 700.0, row->y + 5.0).kind, TimelineTarget::Kind::Event);
}

TEST(NumberedEntries, NameTheNumbersThatOccurAndThoseThatShareAColour) {
  using Slices = std::vector<sample::Slice>;
  Slices slices;
  for (int i = 0; i < 18; ++i) slices.push_back({i * 10, 10, Category::Forward, 0, i});
  const auto data = sample::dataOf(sample::traceOf({slices}, 180));
  EXPECT_TRUE(numberedEntries(*data, ColorBy::Kind).empty());
  const auto stages = numberedEntries(*data, ColorBy::Stage);
  ASSERT_EQ(stages.size(), 1U);
  EXPECT_EQ(stages[0].text, "stage 0");
  const auto microBatches = numberedEntries(*data, ColorBy::MicroBatch);
  ASSERT_EQ(microBatches.size(), 8U);
  EXPECT_EQ(microBatches[0].text, "micro-batch 0, 8, …");
  EXPECT_EQ(microBatches[1].text, "micro-batch 1, 9, …");
  EXPECT_EQ(microBatches[2].text, "micro-batch 2, 10");
}

TEST(ForeignTrace, WritesCountersAsPeopleReadThem) {
  const auto mostOf = [](const char* track, const char* unit, double value) {
    trace::TraceBuilder builder;
    const auto counters = builder.track(builder.device("app"), TrackKind::Counter, track);
    builder.addCounter(counters, 0, value, unit);
    builder.addCounter(counters, 1000, value / 2, unit);
    const TimelineData data(std::move(builder).build(), TimelineData::kWholeTrace, nullptr);
    const TimelineLayout layout = layoutRows(data, {});
    for (const TimelineRow& row : layout.rows) {
      if (row.kind == RowKind::Counter) return row.detail.toStdString();
    }
    return std::string("no row");
  };
  EXPECT_EQ(mostOf("requests", "", 2.9e8), "max 290.0 M");
  EXPECT_EQ(mostOf("Bytes allocated", "", 1024.0 * 1024.0), "max 1 MiB");
  EXPECT_EQ(mostOf("temperature", "°C", 61.5), "max 61.5 °C");
  EXPECT_EQ(mostOf("load", "", 0.25), "max 0.25");
}

TEST(TimelineRows, AnOpenCounterSaysWhatItsEdgesMean) {
  const auto edgesOf = [](double least, double most) {
    trace::TraceBuilder builder;
    const auto track = builder.track(builder.device("app"), TrackKind::Counter, "memory");
    builder.addCounter(track, 0, least, "bytes");
    builder.addCounter(track, 1000, most, "bytes");
    const TimelineData data(std::move(builder).build(), TimelineData::kWholeTrace, nullptr);
    const TimelineLayout layout = layoutRows(data, {.everything = true});
    const auto row = std::find_if(layout.rows.begin(), layout.rows.end(),
                                  [](const auto& each) { return each.kind == RowKind::Counter; });
    return (row->lowest + QStringLiteral(" to ") + row->highest).toStdString();
  };
  EXPECT_EQ(edgesOf(512.0, 2048.0), "0 B to 2 KiB") << "the curve stands on 0";
  EXPECT_EQ(edgesOf(0.0, 0.0), "0 B to ") << "and has no height";
}

TEST(TimelineRows, WhatBelongsToNoDeviceIsShownInStepsInWhichItOccurs) {
  trace::TraceBuilder builder;
  const auto work = builder.track(builder.device("cpu:0"), TrackKind::Compute, "");
  const auto host = builder.track(-1, TrackKind::Operators, "ops");
  addTo(builder, work, 0, 100, Category::Forward);
  addTo(builder, work, 200, 100, Category::Forward);
  addTo(builder, host, 210, 20, Category::Operator);
  builder.addStep({.startNs = 0, .endNs = 100});
  builder.addStep({.repeat = 1, .startNs = 200, .endNs = 300});
  const trace::TracePtr trace = std::move(builder).build();
  const auto headers = [&](std::size_t step) {
    return rowsOf(layoutRows(TimelineData(trace, step, nullptr), {}), RowKind::Header);
  };
  EXPECT_EQ(headers(0), 1U);
  EXPECT_EQ(headers(1), 2U);
  EXPECT_EQ(headers(TimelineData::kWholeTrace), 2U);
}

TEST(ForeignTrace, FindsOnDevicesByAPartOfTheirNameAndInQuotes) {
  const auto data = sample::dataOf(launches(false));
  EXPECT_EQ(findEvents(*data, QStringLiteral("on:train")).events.size(), 3U);
  EXPECT_EQ(findEvents(*data, QStringLiteral("x on:\"train 5\"")).events.size(), 3U);
  EXPECT_EQ(findEvents(*data, QStringLiteral("\"train 5\"")).events.size(), 0U);
}

TEST(ForeignTrace, HasWhatHasNoLengthAtItsVeryEnd) {
  trace::TraceBuilder builder;
  const auto track = builder.track(builder.device("cpu:0"), TrackKind::Compute, "compute");
  addTo(builder, track, 0, 1000, Category::Forward);
  addTo(builder, track, 1000, 0, Category::Optimizer);
  addTo(builder, track, 2000, 1000, Category::Forward);
  addTo(builder, track, 3000, 0, Category::Optimizer);
  builder.addStep({.repeat = 0, .startNs = 0, .endNs = 1000});
  builder.addStep({.repeat = 1, .startNs = 2000, .endNs = 3000});
  const trace::TracePtr built = std::move(builder).build();
  for (const std::size_t step : {std::size_t{0}, std::size_t{1}, TimelineData::kWholeTrace}) {
    const TimelineData data(built, step, nullptr);
    const std::size_t events = step == TimelineData::kWholeTrace ? 4 : 2;
    EXPECT_EQ(firstEvents(data, shownRange(data), 10).size(), events) << step;
    EXPECT_EQ(findEvents(data, QStringLiteral("x")).events.size(), events) << step;
  }
}

TEST(ForeignTrace, LeavesWhatBeginsWithTheNextStepToThatStep) {
  trace::TraceBuilder builder;
  const auto track = builder.track(builder.device("cpu:0"), TrackKind::Compute, "compute");
  addTo(builder, track, 0, 1000, Category::Forward);
  addTo(builder, track, 1000, 0, Category::Optimizer);
  addTo(builder, track, 1000, 1000, Category::Forward);
  builder.addStep({.repeat = 0, .startNs = 0, .endNs = 1000});
  builder.addStep({.repeat = 1, .startNs = 1000, .endNs = 2000});
  const trace::TracePtr built = std::move(builder).build();
  for (const std::size_t step : {std::size_t{0}, std::size_t{1}}) {
    const TimelineData data(built, step, nullptr);
    EXPECT_EQ(data.wallNs(), 1000) << step;
    EXPECT_EQ(firstEvents(data, shownRange(data), 10).size(), step + 1) << step;
    EXPECT_EQ(findEvents(data, QStringLiteral("x")).events.size(), step + 1) << step;
  }
}

}  // namespace
}  // namespace stagelane::ui
