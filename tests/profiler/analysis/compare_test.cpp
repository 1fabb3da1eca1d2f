#include "profiler/analysis/compare.h"

#include <gtest/gtest.h>

#include "engine/trace/trace_builder.h"
#include "tests/profiler/analysis/hand_made.h"

namespace stagelane::analysis {
namespace {

using test::handMade;
using trace::Category;

trace::TracePtr before() {
  return handMade(2, {{0, Category::Forward, 0, 0, 0, 100},
                      {0, Category::Forward, 0, 1, 100, 200},
                      {1, Category::RecvForward, 1, 0, 100, 110, 0},
                      {1, Category::Forward, 1, 0, 110, 160},
                      {1, Category::RecvForward, 1, 1, 200, 210, 0},
                      {1, Category::Forward, 1, 1, 210, 260}});
}

/// F of stage 0 takes 30 longer each; everything after it is later.
trace::TracePtr after() {
  return handMade(2, {{0, Category::Forward, 0, 0, 1000, 1130},
                      {0, Category::Forward, 0, 1, 1130, 1260},
                      {1, Category::RecvForward, 1, 0, 1130, 1140, 0},
                      {1, Category::Forward, 1, 0, 1140, 1190},
                      {1, Category::RecvForward, 1, 1, 1260, 1270, 0},
                      {1, Category::Forward, 1, 1, 1270, 1320}});
}

StepComparison compareWhole(const trace::Trace& left, const trace::Trace& right) {
  return compareSteps(left, *stepToCompare(left, {}), right, *stepToCompare(right, {}));
}

TEST(Compare, MatchesActionsByStageAndMicroBatchAndNotByTime) {
  const trace::TracePtr left = before();
  const trace::TracePtr right = after();
  const StepComparison comparison = compareWhole(*left, *right);
  EXPECT_EQ(comparison.leftWallNs(), 260);
  EXPECT_EQ(comparison.rightWallNs(), 320);
  ASSERT_EQ(comparison.actions.size(), 6U);
  EXPECT_EQ(comparison.onlyLeft + comparison.onlyRight + comparison.moved, 0U);
  EXPECT_EQ(comparison.actions[1].deltaNs(), 30);
  EXPECT_EQ(comparison.actions[1].microBatch, MicroBatchId{1});
  EXPECT_EQ(comparison.actions[1].leftStartNs, 100);
  EXPECT_EQ(comparison.actions[1].rightStartNs, 130);
  ASSERT_FALSE(comparison.groups.empty());
  EXPECT_EQ(comparison.groups[0].name, "F of stage 0");
  EXPECT_EQ(comparison.groups[0].deltaNs(), 60);
  EXPECT_EQ(comparison.groups[0].count, 2U);
}

TEST(Compare, SaysWhatGotSlowerAndWhere) {
  const trace::TracePtr left = before();
  const trace::TracePtr right = after();
  EXPECT_EQ(comparisonSentence(compareWhole(*left, *right)),
            "The right step is 23.1 % slower, 320 ns against 260 ns. Longer: F of stage 0 by 60 "
            "ns. d1 is idle for longer: 30 ns more warmup.");
  EXPECT_EQ(comparisonSentence(compareWhole(*right, *left)),
            "The right step is 18.8 % faster, 260 ns against 320 ns. Shorter: F of stage 0 by 60 "
            "ns. d1 is idle for less: 30 ns less warmup.");
  EXPECT_EQ(comparisonSentence(compareWhole(*left, *left)), "Both steps take 260 ns.");
}

TEST(Compare, StepsWithoutACommonActionAreNotCalledSlowerOrFaster) {
  const trace::TracePtr left = before();
  const trace::TracePtr other = handMade(1, {{0, Category::Forward, 7, 0, 0, 100}});
  EXPECT_EQ(comparisonSentence(compareWhole(*left, *other)),
            "The right step takes 100 ns, the other one 260 ns. They have no actions in common, so "
            "there is no list of changes.");
}

TEST(Compare, HostsAreNoDevices) {
  trace::TraceBuilder builder;
  const std::int32_t host = builder.device("python 7");
  const std::int32_t gpu = builder.device("cuda:0");
  const auto operators = builder.track(host, trace::TrackKind::Operators, "thread 1");
  const auto kernels = builder.track(gpu, trace::TrackKind::Kernels, "stream 7");
  builder.add({0, 50, "aten::mm", Category::Operator, operators, {}, {}});
  builder.add({10, 80, "gemm", Category::Kernel, kernels, {}, {}});
  const trace::TracePtr trace = std::move(builder).build();
  const StepComparison comparison = compareWhole(*trace, *trace);
  ASSERT_EQ(comparison.devices.size(), 1U);
  EXPECT_EQ(comparison.devices[0].name, "cuda:0");
}

TEST(Compare, CausesOfASideSumToItsStep) {
  const trace::TracePtr left = before();
  const trace::TracePtr right = after();
  const StepComparison comparison = compareWhole(*left, *right);
  ASSERT_EQ(comparison.devices.size(), 2U);
  for (const DeviceDelta& device : comparison.devices) {
    TimeNs leftNs = 0;
    TimeNs rightNs = 0;
    for (std::size_t cause = 0; cause < kCauseCount; ++cause) {
      leftNs += device.left->at(cause);
      rightNs += device.right->at(cause);
    }
    EXPECT_EQ(leftNs, 260);
    EXPECT_EQ(rightNs, 320);
  }
}

TEST(Compare, CountsWhatHasNoPartnerAndWhatMoved) {
  const trace::TracePtr left = handMade(2, {{0, Category::Forward, 0, 0, 0, 10},
                                            {0, Category::Forward, 0, 0, 10, 30},
                                            {0, Category::Optimizer, -1, -1, 30, 40}});
  const trace::TracePtr right = handMade(2, {{1, Category::Forward, 0, 0, 0, 15},
                                             {1, Category::Forward, 0, 1, 15, 22},
                                             {1, Category::Optimizer, -1, -1, 22, 50}});
  const StepComparison comparison = compareWhole(*left, *right);
  ASSERT_EQ(comparison.actions.size(), 1U);
  EXPECT_EQ(comparison.moved, 1U);
  EXPECT_EQ(comparison.actions[0].deltaNs(), 5);
  EXPECT_EQ(comparison.onlyLeft, 2U);  // a repeated F, and OPT, which has no stage to match by
  EXPECT_EQ(comparison.onlyRight, 2U);
  EXPECT_EQ(comparison.onlyLeftNs, 30);
  EXPECT_EQ(comparison.onlyRightNs, 35);
}

TEST(Compare, MatchesKernelsByNameWhereThereAreNoActions) {
  const trace::TracePtr left =
      handMade(1, {{0, Category::Kernel, -1, -1, 0, 10}, {0, Category::Kernel, -1, -1, 20, 30}});
  const trace::TracePtr right =
      handMade(1, {{0, Category::Kernel, -1, -1, 5, 25}, {0, Category::Operator, -1, -1, 0, 90}});
  const StepComparison comparison = compareWhole(*left, *right);
  ASSERT_EQ(comparison.actions.size(), 1U);
  EXPECT_EQ(comparison.groups.at(0).name, "kernel");
  EXPECT_EQ(comparison.onlyLeft, 1U);
}

TEST(Compare, TakesTheMedianStepOrTheOneThatIsAskedFor) {
  trace::TraceBuilder builder;
  const std::uint16_t track =
      builder.track(builder.device("d0"), trace::TrackKind::Compute, "compute");
  builder.add({0, 1000, "F", Category::Forward, track, StageId{0}, MicroBatchId{0}});
  builder.addStep({0, 0, 0, 100, false});
  builder.addStep({1, 0, 100, 400, false});
  builder.addStep({2, 0, 400, 600, false});
  builder.addStep({3, 0, 600, 700, true});
  const trace::TracePtr trace = std::move(builder).build();
  EXPECT_EQ(stepToCompare(*trace, {})->repeat, 2);
  EXPECT_EQ(stepToCompare(*trace, 1)->repeat, 1);
  EXPECT_FALSE(stepToCompare(*trace, 3));
  EXPECT_FALSE(stepToCompare(*trace::TraceBuilder().build(), {}));
}

TEST(Compare, WritesBothSidesAsJson) {
  const trace::TracePtr left = before();
  const trace::TracePtr right = after();
  const Json json = comparisonJson(compareWhole(*left, *right), *left, *right);
  EXPECT_EQ(json.at("delta_ns"), 60);
  EXPECT_EQ(json.at("matched"), 6);
  EXPECT_EQ(json.at("devices").at(1).at("causes").at("warmup"),
            Json({{"left_ns", 110}, {"right_ns", 140}, {"delta_ns", 30}}));
  EXPECT_EQ(json.at("actions").at(0).at("left_device"), "d0");
  EXPECT_EQ(json.at("actions").at(0).at("stage"), 0);
}

}  // namespace
}  // namespace stagelane::analysis
