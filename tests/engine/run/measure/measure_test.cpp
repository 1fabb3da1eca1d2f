#include "engine/run/measure/measure.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "engine/schedule/generators.h"
#include "engine/trace/middle_steps.h"
#include "engine/trace/trace_builder.h"

namespace stagelane::run {
namespace {

using testing::ElementsAre;

trace::ActionRecord record(ActionKind kind, int stage, int microBatch, TimeNs start, TimeNs end) {
  trace::ActionRecord result;
  result.kind = kind;
  result.stage = stage;
  result.microBatch = microBatch;
  result.startNs = start;
  result.endNs = end;
  result.device = static_cast<std::int16_t>(stage);
  return result;
}

RepeatMeasurement lasting(double seconds) {
  RepeatMeasurement repeat;
  repeat.seconds = seconds;
  return repeat;
}

TEST(MiddleRepeats, IsOneOfAnOddNumberByTime) {
  EXPECT_THAT(middleRepeats({lasting(3), lasting(1), lasting(2)}), ElementsAre(2U));
  EXPECT_THAT(middleRepeats({lasting(1)}), ElementsAre(0U));
}
TEST(MiddleRepeats, AreTwoOfAnEvenNumberTheFasterFirst) {
  EXPECT_THAT(middleRepeats({lasting(3), lasting(1)}), ElementsAre(1U, 0U));
  EXPECT_THAT(middleRepeats({lasting(9), lasting(3), lasting(1), lasting(2)}), ElementsAre(3U, 1U));
}

TEST(MeasuredCosts, AreThoseOfOneStep) {
  const auto lowered = schedule::lower(schedule::generate("gpipe", {2, 2, 1}).value());
  RepeatMeasurement repeat;
  repeat.records = {record(ActionKind::Forward, 0, 1, 0, 10), record(ActionKind::Loss, 1, 0, 0, 3),
                    record(ActionKind::Optimizer, 1, -1, 0, 7),
                    record(ActionKind::SendForward, 0, 0, 0, 99)};
  trace::ActionRecord other = record(ActionKind::Forward, 0, 1, 100, 500);
  other.step = 1;
  repeat.records.push_back(other);
  const predict::PlanCosts costs = measuredCosts(lowered, {{&repeat, 0}});
  EXPECT_EQ(costs.basis, predict::Basis::Measured);
  EXPECT_EQ(costs.stage.at(0).at(1).forward, 10);
  EXPECT_EQ(costs.stage.at(0).at(0).forward, 0);
  EXPECT_EQ(costs.stage.at(1).at(0).loss, 3);
  EXPECT_EQ(costs.stage.at(1).at(0).optimizer, 7);
  EXPECT_EQ(costs.stage.at(0).at(0).sendForward, 99);
  EXPECT_EQ(measuredCosts(lowered, {{&repeat, 1}}).stage.at(0).at(1).forward, 400);
}

TEST(MeasuredCosts, OfTwoStepsInTheMiddleAreTheirMeans) {
  const auto lowered = schedule::lower(schedule::generate("gpipe", {2, 2, 1}).value());
  RepeatMeasurement fast;
  fast.records = {record(ActionKind::Forward, 0, 1, 0, 10)};
  RepeatMeasurement slow;
  slow.records = {record(ActionKind::Forward, 0, 1, 50, 80)};
  EXPECT_EQ(measuredCosts(lowered, {{&fast, 0}, {&slow, 0}}).stage.at(0).at(1).forward, 20);
}

TEST(MeasuredCosts, LeaveOutTheReduceOfAClipping) {
  const auto lowered = schedule::lower(*schedule::generate("single", {1, 1, 1}));
  RepeatMeasurement repeat;
  trace::ActionRecord norm;
  norm.kind = ActionKind::Reduce;
  norm.stage = norm.microBatch = -1;
  norm.endNs = 5;
  repeat.records = {norm};
  EXPECT_EQ(measuredCosts(lowered, {{&repeat, 0}}).stage.at(0).at(0).optimizer, 0);
}

TEST(Trace, HasTheActionsTheCopiesAndAStep) {
  RepeatMeasurement repeat;
  repeat.records = {record(ActionKind::Forward, 0, 0, 1000, 1010),
                    record(ActionKind::Optimizer, 1, -1, 1010, 1030)};
  repeat.copies = {{"labels", 1, 990, 995, 64}};
  trace::TraceBuilder builder;
  addRepeat(builder, {{"cpu:0"}, {"cpu:1"}}, repeat, 900);
  const auto trace = std::move(builder).build();
  EXPECT_EQ(trace->size(), 3U);
  EXPECT_EQ(trace::medianDurationNs(trace->steps()), 30);
  EXPECT_EQ(trace->rangeNs().first, 90);
  std::size_t copies = 0;
  for (std::size_t i = 0; i < trace->size(); ++i) {
    if (trace->event(i).category == trace::Category::Copy) {
      ++copies;
      ASSERT_NE(trace->transferOf(i), nullptr);
      EXPECT_EQ(trace->transferOf(i)->bytes, 64);
      EXPECT_EQ(trace->event(i).name, "labels");
    }
  }
  EXPECT_EQ(copies, 1U);
}

TEST(TransferBytes, CountWhatARowSentAndReceivedInAStep) {
  RepeatMeasurement repeat;
  for (int step = 0; step < 2; ++step) {
    for (const auto& [kind, stage] :
         {std::pair{ActionKind::SendForward, 0}, std::pair{ActionKind::RecvForward, 1},
          std::pair{ActionKind::RecvBackward, 0}}) {
      trace::ActionRecord each = record(kind, stage, 0, 0, 1);
      each.step = step;
      each.bytes = 100;
      repeat.records.push_back(each);
    }
  }
  EXPECT_THAT(transferBytesPerStep(2, repeat), ElementsAre(200, 100));
  EXPECT_THAT(transferBytesPerStep(1, {}), ElementsAre(0));
}

TEST(ForwardLatencies, ReachFromAMicroBatchsFirstForwardToItsLast) {
  RepeatMeasurement repeat;
  const auto add = [&](int step, int microBatch, int stage, TimeNs startNs, TimeNs endNs,
                       ActionKind kind) {
    trace::ActionRecord record;
    record.step = step;
    record.microBatch = microBatch;
    record.stage = stage;
    record.startNs = startNs;
    record.endNs = endNs;
    record.kind = kind;
    repeat.records.push_back(record);
  };
  add(0, 0, 0, 0, 1'000'000'000, ActionKind::Forward);
  add(0, 0, 1, 3'000'000'000, 4'000'000'000, ActionKind::Forward);
  add(0, 0, 1, 4'000'000'000, 9'000'000'000, ActionKind::SendForward);
  add(0, 1, 0, 1'000'000'000, 2'000'000'000, ActionKind::Forward);
  add(1, 0, 0, 10'000'000'000, 12'000'000'000, ActionKind::Forward);
  EXPECT_THAT(forwardLatencies(repeat), testing::ElementsAre(1.0, 2.0, 4.0));
  EXPECT_TRUE(forwardLatencies({}).empty());
}

TEST(Noise, IsASpreadAboveFivePercent) {
  EXPECT_FALSE(isNoisy(1.0, 0.05));
  EXPECT_TRUE(isNoisy(1.0, 0.0501));
  EXPECT_FALSE(isNoisy(0.0, 0.0));
}

TEST(TurnOrder, IsAPermutationDrawnFromSeedAndRepeat) {
  auto order = turnOrder(7, 3, 20);
  EXPECT_EQ(order, turnOrder(7, 3, 20));
  EXPECT_NE(order, turnOrder(7, 4, 20));
  EXPECT_NE(order, turnOrder(8, 3, 20));
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i);
  EXPECT_TRUE(turnOrder(0, 0, 0).empty());
}

trace::ActionRecord reduce(int row, int step, TimeNs start, TimeNs end) {
  trace::ActionRecord result = record(ActionKind::Reduce, 0, -1, start, end);
  result.device = static_cast<std::int16_t>(row);
  result.step = step;
  return result;
}

TEST(AllReduce, isExposedAsLongAsTheLastReplicaWaitsForIt) {
  RepeatMeasurement repeat;
  // In the first step row 1 waits 90 for row 0's backward.
  repeat.records = {reduce(0, 0, 100, 110), reduce(1, 0, 10, 110), reduce(0, 1, 200, 240),
                    reduce(1, 1, 210, 240)};
  repeat.copies = {
      {"inputs", 0, 0, 5, 7},        {"bucket 0", 0, 90, 100, 64},  {"bucket 1", 0, 100, 110, 16},
      {"bucket 0", 1, 5, 100, 64},   {"bucket 1", 1, 10, 110, 16},  {"bucket 0", 0, 180, 220, 64},
      {"bucket 1", 0, 200, 240, 16}, {"bucket 0", 1, 190, 220, 64}, {"bucket 1", 1, 210, 240, 16}};
  const auto result = allReduceOf(repeat, 2);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->bytes, 80);
  EXPECT_EQ(result->exposedNs, (10 + 30) / 2);
  EXPECT_DOUBLE_EQ(result->hiddenPct, 100.0 * (1.0 - 20.0 / 50.0)) << "of row 0, which waits less";
  repeat.copies.resize(1);
  EXPECT_FALSE(allReduceOf(repeat, 2));
}

}  // namespace
}  // namespace stagelane::run
