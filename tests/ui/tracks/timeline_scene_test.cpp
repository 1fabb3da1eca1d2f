#include "ui/tracks/timeline_scene.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/trace/lost_records.h"
#include "engine/trace/trace_builder.h"
#include "tests/ui/tracks/timeline_sample.h"
#include "ui/timeline/event_table.h"
#include "ui/timeline/timeline_tables.h"

namespace stagelane::ui {
namespace {

using trace::Category;

struct Shown {
  explicit Shown(TimelineDataPtr timeline, double width = 1000.0)
      : data(std::move(timeline)), layout(layoutRows(*data, {})), axis(data->rangeNs(), width) {}
  [[nodiscard]] SceneInput input(double top = 0.0, double height = -1.0) const {
    return {.data = *data,
            .layout = layout,
            .axis = axis,
            .top = top,
            .height = height < 0.0 ? layout.height : height};
  }
  TimelineDataPtr data;
  TimelineLayout layout;
  TimeAxis axis;
};

/// Rectangles of actions, and pixels of strips that show something.
std::size_t actionsIn(const TimelineScene& scene) {
  auto count = std::count_if(scene.rects.begin(), scene.rects.end(),
                             [](const auto& rect) { return rect.ink.kind == Ink::Kind::Action; });
  for (const SceneStrip& strip : scene.strips) {
    count += std::count_if(strip.pixels.begin(), strip.pixels.end(),
                           [](const StripPixel& pixel) { return pixel.share > 0; });
  }
  return static_cast<std::size_t>(count);
}

const TimelineRow& rowOf(const TimelineLayout& layout, RowKind kind, std::int32_t device) {
  return *std::find_if(layout.rows.begin(), layout.rows.end(),
                       [&](const auto& row) { return row.kind == kind && row.device == device; });
}

TEST(TimelineRows, StackWithoutTouchingAndFoldToTheirHeader) {
  const auto data = sample::dataOf(sample::twoWorkers());
  const TimelineLayout open = layoutRows(*data, {});
  for (std::size_t i = 1; i < open.rows.size(); ++i) {
    EXPECT_GE(open.rows[i].y, open.rows[i - 1].bottom());
  }
  const TimelineLayout folded = layoutRows(*data, {.collapsed = {0, 1}});
  EXPECT_EQ(folded.rows.size(), 2U);
  EXPECT_EQ(folded.rowAt(-1.0), -1);
  EXPECT_EQ(folded.rowAt(folded.rows[1].y), 1);
  EXPECT_EQ(folded.rowAt(1e9), -1);
}

TEST(TimelineRows, GivesOverlappingEventsLanesOfTheirOwn) {
  const auto data = sample::dataOf(
      sample::traceOf({{{0, 100}, {10, 20}, {15, 50}, {30, 10}, {100, 0}, {100, 5}}}, 120));
  const TimelineLayout layout = layoutRows(*data, {});
  EXPECT_EQ(std::count_if(layout.rows.begin(), layout.rows.end(),
                          [](const auto& row) { return row.kind == RowKind::Actions; }),
            3);
}

TEST(TimelineScene, DrawsEveryActionAndEveryGapOfTheStep) {
  const Shown shown(sample::dataOf(sample::twoWorkers()));
  const TimelineScene scene = buildScene(shown.input());
  EXPECT_EQ(actionsIn(scene), 9U);
  const bool idle = std::any_of(scene.rects.begin(), scene.rects.end(),
                                [](const auto& rect) { return rect.ink.kind == Ink::Kind::Idle; });
  EXPECT_TRUE(idle);
}

TEST(TimelineScene, ReachesNowhereOutsideItself) {
  Shown shown(sample::dataOf(sample::twoWorkers(), sample::twoWorkers()));
  for (int zoom = 0; zoom < 12; ++zoom) {
    for (const double top : {0.0, 17.0, 60.0}) {
      const TimelineScene scene = buildScene(shown.input(top, 90.0));
      const QRectF whole(0, 0, scene.width, scene.height);
      for (const auto& rect : scene.rects) EXPECT_TRUE(whole.contains(rect.rect));
      for (const auto& strip : scene.strips) EXPECT_TRUE(whole.contains(strip.rect));
      for (const auto& outline : scene.outlines) EXPECT_TRUE(whole.contains(outline.rect));
      for (const auto& line : scene.lines) {
        EXPECT_TRUE(line.x1 >= 0 && line.x2 <= scene.width && line.y1 >= 0 &&
                    line.y2 <= scene.height);
      }
      for (const auto& curve : scene.curves) {
        for (const QPointF& point : curve.points) {
          EXPECT_TRUE(point.x() >= 0 && point.x() <= scene.width + 1e-6);
          EXPECT_TRUE(point.y() >= 0 && point.y() <= scene.height);
        }
      }
    }
    shown.axis.zoomAt(620.0, 1.6);
  }
}

TEST(TimelineScene, WritesALabelOnlyWhereThereIsRoom) {
  Shown shown(sample::dataOf(sample::twoWorkers()), 200.0);
  for (const auto& rect : buildScene(shown.input()).rects) {
    if (!rect.label.isEmpty()) {
      EXPECT_GE(rect.rect.width(), 22.0);
    }
  }
  shown.axis.setWidth(2000.0);
  const TimelineScene wide = buildScene(shown.input());
  EXPECT_TRUE(std::any_of(wide.rects.begin(), wide.rects.end(),
                          [](const auto& rect) { return rect.label == QStringLiteral("F0"); }));
}

TEST(TimelineScene, MergesDenseEventsToAtMostOneAPixel) {
  std::vector<sample::Slice> slices;
  for (int i = 0; i < 100'000; ++i) slices.push_back({i * 10, 5, Category::Forward, 0, i});
  const Shown shown(sample::dataOf(sample::traceOf({slices}, 1'000'000)), 500.0);
  const std::size_t drawn = actionsIn(buildScene(shown.input()));
  EXPECT_LE(drawn, 600U);
  EXPECT_GE(drawn, 400U);
}

TEST(TimelineScene, ShowsALongEventAlthoughManyShortOnesStartAfterIt) {
  std::vector<sample::Slice> slices{{0, 1'000'000, Category::Forward, 0, 7}};
  for (int i = 0; i < 500; ++i) slices.push_back({1000 + i * 1000, 500, Category::Backward, 0, 1});
  Shown shown(sample::dataOf(sample::traceOf({slices}, 1'000'000)));
  shown.axis.show(800'000.0, 900'000.0);
  const TimelineScene scene = buildScene(shown.input());
  EXPECT_TRUE(std::any_of(scene.rects.begin(), scene.rects.end(), [](const auto& rect) {
    return rect.ink.kind == Ink::Kind::Action && rect.ink.color == colorKeyOf(Category::Forward);
  }));
  const TimelineRow& row = rowOf(shown.layout, RowKind::Actions, 0);
  const TimelineTarget target = targetAt(shown.input(), 500.0, row.y + 2.0);
  ASSERT_EQ(target.kind, TimelineTarget::Kind::Event);
  EXPECT_EQ(shown.data->trace().microBatches()[target.event], 7);
}

TEST(TimelineScene, FindsActionsAndGapsUnderAPoint) {
  const Shown shown(sample::dataOf(sample::twoWorkers()));
  const TimelineRow& row = rowOf(shown.layout, RowKind::Actions, 0);
  const double y = row.y + row.height / 2.0;
  const TimelineTarget action = targetAt(shown.input(), 50.0, y);
  ASSERT_EQ(action.kind, TimelineTarget::Kind::Event);
  EXPECT_EQ(shown.data->trace().event(action.event).name, "F0");
  const TimelineTarget gap = targetAt(shown.input(), 400.0, y);
  ASSERT_EQ(gap.kind, TimelineTarget::Kind::Gap);
  EXPECT_EQ(shown.data->spanOf(gap), (std::pair<TimeNs, TimeNs>{20'000, 60'000}));
  EXPECT_EQ(describeTarget(*shown.data, gap).sentence,
            "cpu:0 idle 40.0 µs: 29.0 starved by cpu:1 (B, stage 1, micro-batch 0), 11.0 host");
  EXPECT_EQ(targetAt(shown.input(), -5.0, y).kind, TimelineTarget::Kind::None);
  EXPECT_EQ(targetAt(shown.input(), 50.0, -5.0).kind, TimelineTarget::Kind::None);
}

TEST(TimelineScene, OutlinesTheMicroBatchUnderTheMouseOnAllDevices) {
  const Shown shown(sample::dataOf(sample::twoWorkers()));
  SceneInput input = shown.input();
  input.hover = targetAt(input, 50.0, rowOf(shown.layout, RowKind::Actions, 0).y + 5.0);
  EXPECT_EQ(buildScene(input).outlines.size(), 4U);  // F0 and B0 on both workers
}

TEST(TimelineScene, HidesWhatTheLegendSwitchesOff) {
  const Shown shown(sample::dataOf(sample::twoWorkers()));
  SceneInput input = shown.input();
  input.filter.hiddenCategories = {Category::Backward};
  EXPECT_EQ(actionsIn(buildScene(input)), 5U);
}

TEST(TimelineScene, GapsOfHiddenCausesDoNotAnswerClicks) {
  const Shown shown(sample::dataOf(sample::twoWorkers()));
  SceneInput input = shown.input();
  const TimelineRow& row = rowOf(shown.layout, RowKind::Actions, 0);
  const double y = row.y + row.height / 2.0;
  // [20, 60) µs of the first worker: starved, and at its end the host's.
  ASSERT_EQ(targetAt(input, 300.0, y).kind, TimelineTarget::Kind::Gap);
  input.filter.hiddenCauses = {analysis::Cause::Starved};
  EXPECT_EQ(targetAt(input, 400.0, y).kind, TimelineTarget::Kind::None);
  EXPECT_EQ(targetAt(input, 550.0, y).kind, TimelineTarget::Kind::Gap) << "the part that is shown";
}

TEST(TimelineScene, AClickOnTheShadeOfShortGapsFindsOneOfThem) {
  std::vector<sample::Slice> slices;
  for (TimeNs i = 0; i < 10'000; ++i) slices.push_back({i * 100, 60, Category::Kernel, -1, -1});
  const auto data = sample::dataOf(sample::kernelsOf(slices, 1'000'000));
  const Shown shown(data);
  const TimelineRow& row = rowOf(shown.layout, RowKind::Idle, 0);
  for (double x = 100.0; x < 110.0; x += 0.1) {
    const TimelineTarget target = targetAt(shown.input(), x, row.y + 2.0);
    ASSERT_EQ(target.kind, TimelineTarget::Kind::Gap) << x;
    EXPECT_NEAR(static_cast<double>(data->spanOf(target).first), x * 1'000.0, 1'000.0);
  }
}

TEST(TimelineData, KnowsTheBusyShareOfAnyPartOfTheStep) {
  const auto data = sample::dataOf(sample::twoWorkers());
  EXPECT_DOUBLE_EQ(data->busyShare(0, 0.0, 20'000.0), 1.0);
  EXPECT_DOUBLE_EQ(data->busyShare(0, 20'000.0, 60'000.0), 0.0);
  EXPECT_DOUBLE_EQ(data->busyShare(0, 10'000.0, 30'000.0), 0.5);
  EXPECT_DOUBLE_EQ(data->busyShare(0, 5.0, 5.0), 0.0);
  EXPECT_DOUBLE_EQ(data->busyShare(9, 0.0, 10.0), 0.0);
}

TEST(TimelineData, FindsThePredictedTwinOfAnAction) {
  const auto trace = sample::twoWorkers();
  const auto data = sample::dataOf(trace, sample::twoWorkers());
  for (std::size_t i = 0; i < trace->size(); ++i) EXPECT_EQ(data->predictedEvent(i), i);
  EXPECT_FALSE(sample::dataOf(trace)->predictedEvent(0).has_value());
}

TEST(TimelineTables, ShowSharesThatAddUpToAHundredPercent) {
  IdleCauseModel model;
  model.setTimeline(sample::dataOf(sample::twoWorkers()));
  ASSERT_EQ(model.columnCount(), 5);
  for (const int column : {2, 4}) {
    double sum = 0.0;
    for (int row = 0; row + 1 < model.rowCount(); ++row) {
      sum += model.data(model.index(row, column), Qt::DisplayRole).toString().toDouble();
    }
    EXPECT_NEAR(sum, 100.0, 1e-6);
  }
  model.setTimeline(nullptr);
  EXPECT_EQ(model.rowCount(), 0);
}

TEST(TimelineTables, ListEventsByStartAndFindThemAgain) {
  StepEventsModel model;
  const auto data = sample::dataOf(sample::twoWorkers());
  model.setEvents(data, beginningOf(*data, shownRange(*data)));
  ASSERT_EQ(model.rowCount(), 9);
  for (int row = 0; row < model.rowCount(); ++row) {
    EXPECT_EQ(model.rowOf(model.targetOf(row)), row);
    if (row > 0) {
      EXPECT_LE(data->spanOf(model.targetOf(row - 1)).first,
                data->spanOf(model.targetOf(row)).first);
    }
  }
  EXPECT_EQ(model.rowOf({}), -1);
}

TEST(Legend, HasOneEntryForWhatHasOneColour) {
  EXPECT_EQ(legendCategory(trace::Category::Loss), trace::Category::Forward);
  for (const trace::Category category :
       {trace::Category::SendForward, trace::Category::RecvForward, trace::Category::SendBackward,
        trace::Category::RecvBackward, trace::Category::Copy}) {
    EXPECT_EQ(legendCategory(category), trace::Category::Copy);
  }
  EXPECT_EQ(legendCategory(trace::Category::Kernel), trace::Category::Kernel);
}

TEST(TimelineRows, SayWhyRecordsWereLostAsTheTraceSays) {
  trace::TraceBuilder builder;
  trace::TraceBuilder::NewEvent event;
  event.durationNs = 10;
  event.track = builder.track(builder.device("cpu:0"), trace::TrackKind::Compute, "compute");
  builder.add(event);
  builder.addDropped(5);
  builder.setMetadata(trace::kLostReasonKey, "GPU records are missing: 5 without an end");
  const trace::TracePtr trace = std::move(builder).build();
  const TimelineLayout layout = layoutRows(*sample::dataOf(trace), {});
  EXPECT_EQ(layout.rows[0].kind, RowKind::Notice);
  EXPECT_EQ(layout.rows[0].label, QStringLiteral("5 records lost"));
  EXPECT_EQ(layout.rows[0].detail, QStringLiteral("GPU records are missing: 5 without an end"));
  // The reader's message comes first.
  const TimelineNotes read{.lost = 7, .lostReason = QStringLiteral("cut off"), .failure = {}};
  const TimelineData data(std::make_shared<const trace::LaneIndex>(trace), 0, nullptr, read);
  EXPECT_EQ(layoutRows(data, {}).rows[0].detail, QStringLiteral("cut off"));
}

TEST(TimelineScene, TheLineOfAFailureIsInSightAtTheEndOfTheView) {
  const auto lanes = std::make_shared<const trace::LaneIndex>(sample::twoWorkers());
  const Shown shown(std::make_shared<const TimelineData>(
      lanes, 0, nullptr,
      TimelineNotes{.lost = 0, .lostReason = {}, .failure = QStringLiteral("killed")}));
  const TimelineScene scene = buildScene(shown.input());
  const auto line = std::find_if(scene.lines.begin(), scene.lines.end(), [](const auto& each) {
    return each.kind == SceneLine::Kind::Failure;
  });
  ASSERT_NE(line, scene.lines.end());
  EXPECT_EQ(line->x1, scene.width - 1.0);
}

}  // namespace
}  // namespace stagelane::ui
