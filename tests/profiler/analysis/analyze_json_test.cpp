#include <gtest/gtest.h>

#include <limits>

#include "engine/trace/trace_builder.h"
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
      for (const auto& cause : step.at("causes")) sum += cause.get<TimeNs>();
      EXPECT_EQ(sum, step.at("wall_ns").get<TimeNs>());
      EXPECT_EQ(step.at("causes").size(), 12U);
    }
  }
  EXPECT_EQ(answer.at("total").at("busy_ns"), 25);
  EXPECT_EQ(answer.at("total").at("host_ns"), 20);
  EXPECT_DOUBLE_EQ(answer.at("total").at("utilisation_pct").get<double>(), 31.25);
}

TEST(AnalyzeJson, SaysTheCriticalPathTheStragglerAndWhatTransfersCost) {
  const Json answer = analyzeJson(*handMade(2, {{0, Category::Forward, 0, 0, 0, 10},
                                                {0, Category::Forward, 0, 1, 10, 40},
                                                {1, Category::RecvForward, 1, 0, 10, 14, 0},
                                                {1, Category::Forward, 1, 0, 14, 20},
                                                {1, Category::RecvForward, 1, 1, 40, 44, 0},
                                                {1, Category::Forward, 1, 1, 44, 60}}));
  const Json path = {{"wall_ns", 60},
                     {"devices", {{"d0", 40}, {"d1", 20}}},
                     {"causes", {{"forward", 56}, {"transfer", 4}}},
                     {"stages", {{"0", 40}, {"1", 16}}}};
  EXPECT_EQ(answer.at("critical_path"), path);
  EXPECT_EQ(answer.at("steps").at(0).at("critical_path"), path);
  EXPECT_EQ(answer.at("stages").at(0).at("device"), "d0");
  EXPECT_EQ(answer.at("stages").at(0).at("forward_ns"), 40);
  EXPECT_EQ(answer.at("stages").at(1).at("forward_ns"), 22);
  EXPECT_DOUBLE_EQ(answer.at("stages").at(1).at("share_pct").get<double>(), 2200.0 / 62.0);
  EXPECT_EQ(answer.at("straggler"), Json({{"device", "d0"}, {"waited_ns", 20}}));
  const Json& transfers = answer.at("devices").at(1).at("transfers");
  EXPECT_EQ(transfers.at("total_ns"), 8);
  EXPECT_EQ(transfers.at("exposed_ns"), 8);
  EXPECT_EQ(transfers.at("hidden_pct"), 0.0);
  EXPECT_TRUE(answer.at("devices").at(0).at("transfers").at("hidden_pct").is_null());
  const Json& detail = answer.at("median_step");
  EXPECT_EQ(detail.at("bin_ns"), 1);
  EXPECT_EQ(detail.at("busy_ns_in_bins").at("d1").at(13), 0);
  EXPECT_EQ(detail.at("busy_ns_in_bins").at("d1").at(14), 1);
  ASSERT_EQ(detail.at("critical_path").size(), 4U);
  EXPECT_EQ(detail.at("critical_path").at(2), Json({{"start_ns", 40},
                                                    {"end_ns", 44},
                                                    {"device", "d1"},
                                                    {"cause", "transfer"},
                                                    {"name", "RECV_F"},
                                                    {"stage", 1},
                                                    {"micro_batch", 1}}));
  EXPECT_FALSE(answer.at("devices").at(0).contains("launches"));
}

/// Two kernels of one stream: the second is launched while the first waits.
TEST(AnalyzeJson, SaysHowLongLaunchesWaited) {
  trace::TraceBuilder builder;
  const std::int32_t host = builder.device("host");
  const std::int32_t gpu = builder.device("cuda:0");
  const std::uint16_t calls = builder.track(host, trace::TrackKind::Other, "thread");
  const std::uint16_t stream = builder.track(gpu, trace::TrackKind::Kernels, "stream 7");
  const auto launch = [&](TimeNs callNs, TimeNs startNs, std::uint32_t correlation) {
    builder.add({callNs, 2, "cudaLaunchKernel", Category::Other, calls, {}, {}, correlation});
    builder.add({startNs, 20, "gemm", Category::Kernel, stream, {}, {}, correlation});
  };
  launch(0, 10, 1);
  launch(4, 40, 2);
  launch(60, 61, 3);
  const Json answer = analyzeJson(*std::move(builder).build());
  ASSERT_EQ(answer.at("devices").size(), 1U);  // no step waits for the host's work
  const Json& launches = answer.at("devices").at(0).at("steps").at(0).at("launches");
  EXPECT_EQ(launches.at("count"), 3);
  EXPECT_EQ(launches.at("delay_ns"), Json({{"total", 42}, {"median", 8}, {"max", 34}}));
  EXPECT_EQ(launches.at("queued_ns"), 10 + 36 + 1);
  EXPECT_EQ(launches.at("longest_queue"), 2);
  EXPECT_EQ(answer.at("devices").at(0).at("launches").at("count"), 3);
}

trace::TracePtr withSteps(const std::vector<trace::Step>& steps) {
  trace::TraceBuilder builder;
  const std::uint16_t track =
      builder.track(builder.device("d0"), trace::TrackKind::Compute, "compute");
  builder.add({0, 1000, "F", Category::Forward, track, StageId{0}, MicroBatchId{0}});
  for (const trace::Step& step : steps) builder.addStep(step);
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
