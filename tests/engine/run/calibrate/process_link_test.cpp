#include "engine/run/calibrate/process_link.h"

#include <gmock/gmock.h>

#include "engine/run/device/worker_pool.h"
#include "tests/engine/run/run_fixture.h"

namespace stagelane::run {
namespace {

TEST(ProcessLink, IsTheLineThroughTheTimes) {
  const auto link = linkThrough({{1000, 51'000}, {100'000, 150'000}, {1'000'000, 1'050'000}});
  EXPECT_EQ(link.latencyNs, 50'000);
  EXPECT_NEAR(link.bytesPerSecond, 1e9, 1.0);
}

TEST(ProcessLink, FitsShortTimesAsWellAsLongOnes) {
  // A line by absolute errors would miss the first time by half.
  const auto link = linkThrough({{0, 40'000}, {1'000'000, 1'000'000}, {8'000'000, 8'900'000}});
  const auto at = [&](double bytes) {
    return static_cast<double>(link.latencyNs) + 1e9 * bytes / link.bytesPerSecond;
  };
  EXPECT_NEAR(at(0), 40'000, 6'000);
  EXPECT_NEAR(at(8e6), 8'900'000, 900'000);
}

TEST(ProcessLink, HasNoNegativePart) {
  const auto slower = linkThrough({{1000, 10}, {2000, 200}});
  EXPECT_EQ(slower.latencyNs, 0);
  EXPECT_GT(slower.bytesPerSecond, 0.0);
  const auto faster = linkThrough({{1000, 200}, {2000, 100}});
  EXPECT_EQ(faster.bytesPerSecond, 0.0) << "bytes are free";
  EXPECT_GT(faster.latencyNs, 100);
  EXPECT_LT(faster.latencyNs, 200);
  EXPECT_EQ(linkThrough({{1000, 70}}).latencyNs, 70);
}

TEST(ProcessLink, IsMeasuredBetweenTwoWorkers) {
  const auto experiment = test::experimentOf(
      test::toy("4", R"("variants":[{"name":"s","strategy":"single","device":"cpu:0"}])"));
  WorkerPool pool(experiment);
  const auto workers = test::valueOf(pool.workers({DeviceId{"cpu:0"}, DeviceId{"cpu:1"}}, 1));
  RunControl control(nullptr);
  const auto link = test::valueOf(measureProcessLink(*workers[0], *workers[1], control));
  EXPECT_GT(link.latencyNs, 0);
  EXPECT_GT(link.bytesPerSecond, 1e6);
  control.fail(Error{ErrorCode::EngineFailure, "stop", "", ""});
  EXPECT_FALSE(measureProcessLink(*workers[0], *workers[1], control));
}

}  // namespace
}  // namespace stagelane::run
