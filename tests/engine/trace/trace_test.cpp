#include "engine/trace/trace_builder.h"

#include <gtest/gtest.h>

#include "engine/trace/recorder.h"

namespace stagelane::trace {
namespace {

TEST(Category, WordsAreThoseOfTheContractAndComeBack) {
  EXPECT_EQ(word(Category::Forward), "F");
  EXPECT_EQ(word(Category::SendBackward), "SEND_B");
  EXPECT_EQ(word(Category::Optimizer), "OPT");
  EXPECT_EQ(word(Category::Operator), "op");
  for (int value = 0; value <= static_cast<int>(Category::Other); ++value) {
    const auto category = static_cast<Category>(value);
    EXPECT_EQ(categoryFromWord(word(category)), category) << word(category);
  }
  EXPECT_EQ(categoryFromWord("nonsense"), Category::Other);
  EXPECT_EQ(categoryFromWord(""), Category::Other);
}

TEST(Category, ActionCategoriesHaveTheWordsOfTheirActionKinds) {
  for (int value = 0; value <= static_cast<int>(ActionKind::Reduce); ++value) {
    const auto kind = static_cast<ActionKind>(value);
    EXPECT_EQ(word(categoryOf(kind)), stagelane::word(kind));
    EXPECT_EQ(actionKindOf(categoryOf(kind)), kind);
  }
  EXPECT_FALSE(actionKindOf(Category::Operator).has_value());
}

TEST(TraceBuilder, DropsWhatFindsNoTrackLeft) {
  TraceBuilder builder;
  for (int count = 0; count < TraceBuilder::kNoTrack; ++count) {
    ASSERT_EQ(builder.track(-1, TrackKind::Other, std::to_string(count)), count);
  }
  EXPECT_EQ(builder.track(-1, TrackKind::Other, "0"), 0) << "known ones are still found";
  const std::uint16_t none = builder.track(-1, TrackKind::Other, "one more");
  const std::int32_t device = builder.device("late");
  EXPECT_EQ(none, TraceBuilder::kNoTrack);
  EXPECT_EQ(builder.track(device, TrackKind::Device, "late"), TraceBuilder::kNoTrack);
  EXPECT_EQ(builder.track(device, TrackKind::Compute, "compute"), TraceBuilder::kNoTrack);
  EXPECT_EQ(builder.add({1, 2, "lost", Category::Forward, none, {}, {}}), TraceBuilder::kNoEvent);
  builder.addCounter(none, 1, 2.0, "");
  const TracePtr trace = std::move(builder).build();
  EXPECT_EQ(trace->size(), 0U);
  EXPECT_EQ(trace->droppedEvents(), 2U);
  EXPECT_TRUE(isConsistent(trace->data()));
}

TEST(Trace, OfNothingIsEmpty) {
  const TracePtr trace = TraceBuilder().build();
  EXPECT_EQ(trace->size(), 0U);
  EXPECT_EQ(trace->rangeNs(), (std::pair<TimeNs, TimeNs>{0, 0}));
  EXPECT_EQ(trace->rangeOfTrack(0), (std::pair<std::size_t, std::size_t>{0, 0}));
  EXPECT_TRUE(trace->tracks().empty());
  EXPECT_EQ(trace->transferOf(0), nullptr);
}

TEST(Trace, SortsByTrackThenStartThenLongestFirst) {
  TraceBuilder builder;
  const std::int32_t device = builder.device("cpu:0");
  const std::uint16_t first = builder.track(device, TrackKind::Compute, "compute");
  const std::uint16_t second = builder.track(device, TrackKind::Operators, "ops");
  builder.add({5, 1, "late", Category::Operator, second, {}, {}});
  builder.add({0, 2, "short", Category::Operator, second, {}, {}});
  builder.add({0, 9, "long", Category::Operator, second, {}, {}});
  builder.add({7, 3, "F0", Category::Forward, first, StageId{1}, MicroBatchId{0}});
  const TracePtr trace = std::move(builder).build();
  ASSERT_EQ(trace->size(), 4U);
  EXPECT_EQ(trace->event(0).name, "F0");
  EXPECT_EQ(trace->event(0).stage, StageId{1});
  EXPECT_EQ(trace->event(1).name, "long");
  EXPECT_EQ(trace->event(2).name, "short");
  EXPECT_EQ(trace->event(3).name, "late");
  EXPECT_EQ(trace->rangeOfTrack(first), (std::pair<std::size_t, std::size_t>{0, 1}));
  EXPECT_EQ(trace->rangeOfTrack(second), (std::pair<std::size_t, std::size_t>{1, 4}));
  EXPECT_EQ(trace->rangeNs(), (std::pair<TimeNs, TimeNs>{0, 10}));
}

TEST(Trace, KeepsTheOrderOfEventsThatAreAlike) {
  TraceBuilder builder;
  const std::uint16_t track = builder.track(-1, TrackKind::Other, "t");
  builder.add({3, 0, "a", Category::Other, track, {}, {}});
  builder.add({3, 0, "b", Category::Other, track, {}, {}});
  const TracePtr trace = std::move(builder).build();
  EXPECT_EQ(trace->event(0).name, "a");
  EXPECT_EQ(trace->event(1).name, "b");
}

TEST(Trace, FindsTransfersAfterSorting) {
  TraceBuilder builder;
  const std::int32_t sender = builder.device("cpu:0");
  const std::int32_t receiver = builder.device("cpu:1");
  const std::uint16_t track = builder.track(sender, TrackKind::Copy, "copy");
  builder.add({20, 5, "SEND_F1", Category::SendForward, track, {}, {}, 2, 512, receiver});
  builder.add({10, 5, "SEND_F0", Category::SendForward, track, {}, {}, 1, 256, receiver});
  builder.add({0, 1, "x", Category::Other, track, {}, {}});
  const TracePtr trace = std::move(builder).build();
  EXPECT_EQ(trace->transferOf(0), nullptr);
  ASSERT_NE(trace->transferOf(1), nullptr);
  EXPECT_EQ(trace->transferOf(1)->bytes, 256);
  EXPECT_EQ(trace->transferOf(2)->bytes, 512);
  EXPECT_EQ(trace->transferOf(2)->peer, receiver);
}

TEST(Trace, DeviceAndTrackAnswerTheSameIndexForTheSameName) {
  TraceBuilder builder;
  const std::int32_t device = builder.device("cpu:0");
  EXPECT_EQ(builder.device("cpu:0"), device);
  const std::uint16_t track = builder.track(device, TrackKind::Compute, "compute");
  EXPECT_EQ(builder.track(device, TrackKind::Compute, "compute"), track);
  EXPECT_NE(builder.track(device, TrackKind::Copy, "compute"), track);
  EXPECT_EQ(builder.track(device, TrackKind::Device, "whatever"), 0);
  const TracePtr trace = std::move(builder).build();
  EXPECT_EQ(trace->tracks()[0].kind, TrackKind::Device);
  EXPECT_EQ(trace->tracks()[track].parent, 0);
  EXPECT_EQ(trace->tracks()[track].device, device);
}

TEST(Trace, CountsWhatItCannotKeepAsDropped) {
  TraceBuilder builder;
  const std::uint16_t slices = builder.track(-1, TrackKind::Other, "t");
  const std::uint16_t counter = builder.track(-1, TrackKind::Counter, "memory");
  builder.add({0, -1, "negative", Category::Other, slices, {}, {}});
  builder.add({0, 1, "no track", Category::Other, 77, {}, {}});
  builder.add({kLargestTimeNs, 1, "too late", Category::Other, slices, {}, {}});
  builder.add({0, 1, "on a counter", Category::Other, counter, {}, {}});
  builder.addCounter(slices, 0, 1.0, "B");
  builder.addStep({0, 0, 5, 4, false});
  builder.addDropped(3);
  const TracePtr trace = std::move(builder).build();
  EXPECT_EQ(trace->size(), 0U);
  EXPECT_TRUE(trace->steps().empty());
  EXPECT_TRUE(trace->counters().empty());
  EXPECT_EQ(trace->droppedEvents(), 9U);
}

TEST(Trace, SortsCountersAndStepsByTime) {
  TraceBuilder builder;
  const std::uint16_t track = builder.track(builder.device("cpu:0"), TrackKind::Counter, "memory");
  builder.addCounter(track, 20, 2.0, "B");
  builder.addCounter(track, 10, 1.0, "B");
  builder.addStep({1, 0, 100, 200, true});
  builder.addStep({0, 0, 0, 50, false});
  const TracePtr trace = std::move(builder).build();
  ASSERT_EQ(trace->counters().size(), 1U);
  EXPECT_EQ(trace->counters()[0].timesNs, (std::vector<TimeNs>{10, 20}));
  EXPECT_EQ(trace->counters()[0].values, (std::vector<double>{1.0, 2.0}));
  ASSERT_EQ(trace->steps().size(), 2U);
  EXPECT_EQ(trace->steps()[0].endNs, 50);
  EXPECT_TRUE(trace->steps()[1].extra);
}

TEST(Trace, EqualityLooksAtEveryPart) {
  const auto make = [](const std::string& name, double value, bool predicted) {
    TraceBuilder builder;
    const std::int32_t device = builder.device("cpu:0");
    builder.add({0, 1, name, Category::Forward, builder.track(device, TrackKind::Compute, "c"),
                 StageId{0}, MicroBatchId{0}});
    builder.addCounter(builder.track(device, TrackKind::Counter, "m"), 0, value, "B");
    builder.setPredicted(predicted);
    return std::move(builder).build();
  };
  EXPECT_EQ(*make("F0", 1.0, false), *make("F0", 1.0, false));
  EXPECT_NE(*make("F0", 1.0, false), *make("F1", 1.0, false));
  EXPECT_NE(*make("F0", 1.0, false), *make("F0", 2.0, false));
  EXPECT_NE(*make("F0", 1.0, false), *make("F0", 1.0, true));
}

TEST(Monotonic, NeverGoesBack) {
  TimeNs last = monotonicNs();
  for (int round = 0; round < 1000; ++round) {
    const TimeNs now = monotonicNs();
    ASSERT_GE(now, last);
    last = now;
  }
}

}  // namespace
}  // namespace stagelane::trace
