#include "engine/run/hogwild/collected.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stagelane::run {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::IsEmpty;

/// Two processes that take turns: update n begins at 10 n and takes 20.
Collected twoProcesses(std::int64_t updates) {
  Collected collected;
  collected.processes = 2;
  collected.updates = updates;
  collected.staleness.assign(8, 0);
  for (std::int64_t n = 0; n < updates; ++n) {
    const int process = static_cast<int>(n % 2);
    collected.losses.push_back({n, process, static_cast<double>(100 - n)});
    const TimeNs at = 10 * n;
    collected.timed.push_back({n, process, {at, at + 5, at + 6, at + 15, at + 20}});
    collected.endNs = at + 20;
  }
  return collected;
}

TEST(Collected, CountsStalenessByItsShares) {
  Collected collected = twoProcesses(4);
  collected.staleness = {50, 30, 15, 4, 0, 0, 0, 1};
  collected.mostStale = 900;
  const record::StalenessResult staleness = stalenessOf(collected);
  EXPECT_EQ(staleness.median, 0.0);
  EXPECT_EQ(staleness.p99, 3.0);
  EXPECT_EQ(staleness.max, 900);
  collected.staleness = {0, 0, 0, 0, 0, 0, 0, 10};
  EXPECT_EQ(stalenessOf(collected).median, 900.0) << "larger values share the last place";
  collected.staleness.assign(8, 0);
  collected.mostStale = 0;
  EXPECT_EQ(stalenessOf(collected).p99, 0.0);
}

TEST(Collected, HasACurveForEachProcess) {
  const std::vector<record::LossCurve> curves = curvesOf(twoProcesses(5));
  ASSERT_EQ(curves.size(), 2U);
  EXPECT_THAT(curves[0].updates, ElementsAre(1, 3, 5));
  EXPECT_THAT(curves[0].loss, ElementsAre(100.0, 98.0, 96.0));
  EXPECT_THAT(curves[1].updates, ElementsAre(2, 4));
  EXPECT_THAT(curves[1].loss, ElementsAre(99.0, 97.0));
}

TEST(Collected, ThinsCurvesToMeans) {
  const std::vector<record::LossCurve> curves = curvesOf(twoProcesses(2000));
  ASSERT_EQ(curves[0].loss.size(), 200U);
  EXPECT_THAT(curves[0].loss.front(), DoubleEq(96.0)) << "of the updates 0, 2, 4, 6 and 8";
  EXPECT_EQ(curves[0].updates.front(), 9);
  EXPECT_EQ(curves[0].updates.back(), 1999);
}

TEST(Collected, ListsMeanLossesOfEqualParts) {
  EXPECT_THAT(partLosses(twoProcesses(6), 3), ElementsAre(99.5, 97.5, 95.5));
  EXPECT_THAT(partLosses(twoProcesses(2), 4), ElementsAre(100.0, 99.0));
  EXPECT_THAT(partLosses(twoProcesses(0), 4), IsEmpty());
}

TEST(Collected, StepsHoldAsManyUpdatesAsThereAreProcessesAndDoNotOverlap) {
  const std::vector<trace::Step> steps = stepsOf(twoProcesses(6), 3);
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[0].startNs, 0);
  EXPECT_EQ(steps[0].endNs, 30);
  EXPECT_EQ(steps[1].startNs, 30);
  EXPECT_EQ(steps[1].endNs, 50);
  EXPECT_EQ(steps[2].endNs, 70);
  EXPECT_EQ(steps[2].repeat, 3);
  EXPECT_EQ(steps[2].step, 2);
}

TEST(Collected, OfTheLastUpdatesAloneTheFirstStepBeginsAtAKnownEnd) {
  Collected collected = twoProcesses(7);
  collected.timed.erase(collected.timed.begin(), collected.timed.begin() + 1);
  const std::vector<trace::Step> steps = stepsOf(collected, 0);
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].step, 1);
  EXPECT_EQ(steps[0].startNs, 30);
}

TEST(Collected, FewerUpdatesThanProcessesAreOneStep) {
  const std::vector<trace::Step> steps = stepsOf(twoProcesses(1), 0);
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0].startNs, 0);
  EXPECT_EQ(steps[0].endNs, 20);
  EXPECT_THAT(stepsOf(twoProcesses(0), 0), IsEmpty());
}

TEST(Collected, AnUpdateIsForwardLossBackwardAndOptimizer) {
  const RepeatMeasurement measured = measurementOf(twoProcesses(4), 1, 2);
  ASSERT_EQ(measured.records.size(), 16U);
  const trace::ActionRecord& loss = measured.records[4 * 3 + 1];
  EXPECT_EQ(loss.kind, ActionKind::Loss);
  EXPECT_EQ(loss.startNs, 35);
  EXPECT_EQ(loss.endNs, 36);
  EXPECT_EQ(loss.device, 1);
  EXPECT_EQ(loss.step, 1);
  EXPECT_EQ(loss.repeat, 1);
  EXPECT_DOUBLE_EQ(measured.seconds, 50e-9);
  EXPECT_THAT(measured.losses, ElementsAre(99.5, 97.5));
}

TEST(Collected, SumsUpARepeat) {
  const record::HogwildResult result = hogwildResult(twoProcesses(100));
  EXPECT_EQ(result.updates, 100);
  EXPECT_DOUBLE_EQ(result.updatesPerS, 100.0 / 1010e-9);
  EXPECT_DOUBLE_EQ(result.firstLoss, 99.5);
  EXPECT_DOUBLE_EQ(result.lastLoss, 1.5);
}

}  // namespace
}  // namespace stagelane::run
