#include <gtest/gtest.h>

#include <limits>

#include "profiler/analysis/idle.h"
#include "tests/profiler/analysis/hand_made.h"

namespace stagelane::analysis {
namespace {

using test::handMade;
using trace::Category;

TEST(AnalyzeJson, HasTheKeysOfTheContractAndSumsExactly) {
  const Json answer = analyzeJson(*handMade(2, {{0, Category::Forward, 0, 0, 0, 10},
                                                {1, Category::RecvForward, 1, 0, 10, 14, 0},
                                                {1, Category::Forward, 1, 0, 15, 20},
                                                {0, Category::Optimizer, 0, -1, 30, 40}}));
  EXPECT_EQ(answer.at("wall_ns"), 40);
  const Json& device = answer.at("devices").at(1);
  EXPECT_EQ(device.at("name"), "d1");
  EXPECT_EQ(device.at("busy_ns"), 5);
  EXPECT_EQ(device.at("idle_ns"), 35);
  EXPECT_DOUBLE_EQ(device.at("utilisation_pct").get<double>(), 12.5);
  EXPECT_EQ(device.at("warmup_ns"), 15);
  EXPECT_EQ(device.at("drain_ns"), 20);
  for (const char* key : {"transfer_ns", "starved_ns", "host_ns", "tail_ns", "unattributed_ns"}) {
    EXPECT_EQ(device.at(key), 0) << key;
  }
  for (const Json& entry : answer.at("devices")) {
    for (const Json& step : entry.at("steps")) {
      TimeNs sum = 0;
      for (const auto& cause : step.at("causes")) {
        sum += cause.get<TimeNs>();
      }
      EXPECT_EQ(sum, step.at("wall_ns").get<TimeNs>());
      EXPECT_EQ(step.at("causes").size(), 12U);
    }
  }
  EXPECT_EQ(answer.at("total").at("busy_ns"), 25);
  EXPECT_EQ(answer.at("total").at("host_ns"), 20);
  EXPECT_DOUBLE_EQ(answer.at("total").at("utilisation_pct").get<double>(), 31.25);
}

trace::TracePtr withSteps(const std::vector<trace::Step>& steps) {
  trace::TraceBuilder builder;
  const std::uint16_t track =
      builder.track(builder.device("d0"), trace::TrackKind::Compute, "compute");
  builder.add({0, 1000, "F", Category::Forward, track, StageId{0}, MicroBatchId{0}});
  for (const trace::Step& step : steps) {
    builder.addStep(step);
  }
  return std::move(builder).build();
}

TEST(AnalyzeJson, LeavesTheExtraRepeatOut) {
  const Json answer = analyzeJson(*withSteps({{0, 0, 0, 100, false}, {1, 0, 100, 400, true}}));
  EXPECT_EQ(answer.at("wall_ns"), 100);
  EXPECT_EQ(answer.at("devices").at(0).at("steps").size(), 1U);
}

TEST(AnalyzeJson, UsesTheExtraRepeatWhenThereIsNoOther) {
  EXPECT_EQ(analyzeJson(*withSteps({{1, 0, 100, 400, true}})).at("wall_ns"), 300);
}

TEST(AnalyzeJson, OfNothingHasNoUtilisation) {
  const Json answer = analyzeJson(*trace::TraceBuilder().build());
  EXPECT_EQ(answer.at("wall_ns"), 0);
  EXPECT_TRUE(answer.at("devices").empty());
  EXPECT_TRUE(answer.at("total").at("utilisation_pct").is_null());
}

TEST(AnalyzeJson, SumsStopAtTheEndOfTheirRange) {
  const TimeNs far = trace::kLargestTimeNs;
  const Json answer = analyzeJson(
      *withSteps({{0, 0, -far, far, false}, {0, 1, -far, far, false}, {0, 2, -far, far, false}}));
  EXPECT_EQ(answer.at("wall_ns"), std::numeric_limits<TimeNs>::max());
}

}  // namespace
}  // namespace stagelane::analysis
