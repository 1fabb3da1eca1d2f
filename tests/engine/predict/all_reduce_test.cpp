#include "engine/predict/all_reduce.h"

#include <gmock/gmock.h>

#include "engine/predict/block_costs.h"
#include "engine/predict/prediction.h"
#include "tests/engine/plan/documents.h"

namespace stagelane::predict {
namespace {

using ::testing::ElementsAre;

constexpr double kMiB = 1 << 20;

std::vector<double> sizesOf(const std::vector<GradientBytes>& buckets) {
  std::vector<double> sizes;
  for (const GradientBytes& bucket : buckets) sizes.push_back(bucket.bytes / kMiB);
  return sizes;
}

TEST(AllReduce, TakesTwoRoundsForEachOtherReplica) {
  const Ring ring{4, {{10.0, 1.0}}};
  EXPECT_DOUBLE_EQ(allReduceNs(ring, 400.0), 6 * (10.0 + 100.0));
  EXPECT_DOUBLE_EQ(allReduceNs({1, {}}, 400.0), 0.0);
  EXPECT_DOUBLE_EQ(allReduceNs({2, {{5.0, 1.0}, {50.0, 0.1}}}, 20.0), 2 * 51.0)
      << "by the slower of two links at this size";
}

TEST(AllReduce, ClosesABucketOnceItHasReachedItsSize) {
  const std::vector<GradientBytes> gradients{
      {0.5 * kMiB, 1.0}, {0.75 * kMiB, 2.0}, {20 * kMiB, 3.0}, {30 * kMiB, 4.0}, {kMiB, 5.0}};
  const auto buckets = bucketsOf(gradients, {});
  EXPECT_THAT(sizesOf(buckets), ElementsAre(1.25, 50.0, 1.0));
  EXPECT_EQ(buckets[0].atNs, 2.0);
  EXPECT_EQ(buckets[1].atNs, 4.0);
  EXPECT_EQ(buckets[2].atNs, 5.0);
  plan::ReduceSpec unused;
  unused.findUnused = true;
  EXPECT_THAT(sizesOf(bucketsOf(gradients, unused)), ElementsAre(21.25, 30.0, 1.0))
      << "the first one has 1 MiB at the front of the model, and is sent last";
  EXPECT_TRUE(bucketsOf({}, {}).empty());
}

TEST(AllReduce, IsExposedFromTheEndOfTheBackward) {
  const Ring ring{2, {{0.0, 1.0 / kMiB}}};  // 1 ns a MiB
  const std::vector<GradientBytes> gradients{{kMiB, 10.0}, {25 * kMiB, 20.0}, {4 * kMiB, 30.0}};
  // 10 to 11; 20 to 45; 45 to 49. The backward ends at 30.
  const AllReduceTimes times = exposedAllReduce(gradients, {}, {ring, {}}, 30.0);
  EXPECT_DOUBLE_EQ(times.allNs, 30.0);
  EXPECT_DOUBLE_EQ(times.exposedNs, 19.0);
  EXPECT_NEAR(times.hiddenPct(), 100.0 * 11 / 30, 1e-9);
}

TEST(AllReduce, OfOneBucketIsExposedWholly) {
  const Ring ring{2, {{0.0, 1.0 / kMiB}}};
  plan::ReduceSpec one;
  one.firstBucketMb = one.bucketMb = 1000.0;
  const SumCosts costs{ring, {}};
  const auto times = exposedAllReduce({{kMiB, 10.0}, {25 * kMiB, 20.0}}, one, costs, 20.0);
  EXPECT_DOUBLE_EQ(times.exposedNs, times.allNs);
  EXPECT_DOUBLE_EQ(times.hiddenPct(), 0.0);
  EXPECT_DOUBLE_EQ(exposedAllReduce({}, one, costs, 20.0).hiddenPct(), 0.0);
}

/// Sums between two processes: 1 ns a MiB alone.
ProcessSums measuredSums() { return {2, {{Bytes{1} << 20, 1}, {Bytes{100} << 20, 100}}}; }

TEST(AllReduce, SharesTheCoresWithTheBackwardIfThatWasMeasured) {
  SumCosts costs{{2, {}}, measuredSums()};
  costs.measured->busyFactor = 2.0;
  costs.measured->computeFactor = 1.5;
  const std::vector<GradientBytes> gradients{{12 * kMiB, 10.0}, {kMiB, 30.0}};
  // The first sum takes 2·12 = 24, from 10 to 34, in which the backward gets 24/1.5 = 16 done. It
  // ends at 38, and then the second sum takes 1.
  plan::ReduceSpec spec;
  spec.firstBucketMb = 1.0;
  const AllReduceTimes times = exposedAllReduce(gradients, spec, costs, 30.0);
  EXPECT_DOUBLE_EQ(times.stretchNs, 8.0);
  EXPECT_DOUBLE_EQ(times.exposedNs, 1.0);
  EXPECT_DOUBLE_EQ(times.allNs, 25.0);
}

TEST(AllReduce, IsAsFastAsAloneOnceTheBackwardHasEnded) {
  SumCosts costs{{2, {}}, measuredSums()};
  costs.measured->busyFactor = 4.0;
  costs.measured->computeFactor = 2.0;
  // From 10 on, the backward needs 2·5 for the rest; in this time, a quarter of the sum of 10 is
  // done (2.5), and 7.5 remain.
  const AllReduceTimes times = exposedAllReduce({{10 * kMiB, 10.0}}, {}, costs, 15.0);
  EXPECT_DOUBLE_EQ(times.stretchNs, 5.0);
  EXPECT_DOUBLE_EQ(times.exposedNs, 7.5);
}

TEST(AllReduce, CopiesGradientsToTheBucketsAndBackUnlessTheyAreViews) {
  SumCosts costs{{2, {}}, measuredSums()};
  costs.measured->copyBytesPerSecond = 1e9 * kMiB / 2.0;  // 2 ns a MiB
  const std::vector<GradientBytes> gradients{{2 * kMiB, 10.0}, {3 * kMiB, 20.0}};
  plan::ReduceSpec spec;
  // The first sum is from 14 to 16, the backward ends at 30, the second sum is until 33. Copies
  // back: 30 to 34, and 34 to 40.
  EXPECT_DOUBLE_EQ(exposedAllReduce(gradients, spec, costs, 20.0).stretchNs, 10.0);
  EXPECT_DOUBLE_EQ(exposedAllReduce(gradients, spec, costs, 20.0).exposedNs, 10.0);
  spec.gradientAsBucketView = true;
  EXPECT_DOUBLE_EQ(exposedAllReduce(gradients, spec, costs, 20.0).exposedNs, 3.0);
}

/// The toy model of 440 and 220 bytes of parameters on two GPUs, one process each.
struct TwoProcesses {
  plan::Experiment experiment = plan::testing::good(
      plan::testing::toyWith(R"([{"name": "d", "strategy": "data_parallel", "split_size": 5}])"));
  CostTable table = *costTableFromJson(plan::testing::parsed(R"({"stagelane_costs": 1, "blocks": [
      {"name": "net1", "points": [{"samples": 5, "F_ns": 100, "B_ns": 1000}]},
      {"name": "relu", "points": [{"samples": 5, "F_ns": 10, "B_ns": 10}]},
      {"name": "net2", "points": [{"samples": 5, "F_ns": 50, "B_ns": 500}]}],
      "network": {"devices_per_node": 2, "within": {"latency_ns": 5, "bytes_per_s": 1e9},
                  "between": {"latency_ns": 50, "bytes_per_s": 1e8}}})"),
                                       "t");
  TwoProcesses() {
    experiment.data.batchSize = 10;
    plan::Variant& variant = experiment.variants[0];
    variant.strategy = plan::Strategy::Ddp;
    variant.reduce.firstBucketMb = variant.reduce.bucketMb = 100.0 / kMiB;
  }
  [[nodiscard]] PlanCosts costs() const {
    return planCosts(experiment, experiment.variants[0], &table).value();
  }
};

TEST(AllReduce, OfProcessesOverlapsTheBackward) {
  TwoProcesses two;
  // net2's bias (20) and weight (200) are one bucket at 500, which takes 2·(5 + 110); net1's bias
  // (40) and weight (400) are another at the end, 2·(5 + 220).
  const PlanCosts costs = two.costs();
  ASSERT_TRUE(costs.allReduce);
  EXPECT_EQ(costs.allReduce->bytes, 660);
  EXPECT_EQ(costs.allReduce->exposedNs, 450);
  EXPECT_NEAR(costs.allReduce->hiddenPct, 100.0 * 230 / 680, 1e-9);
  const auto plan = predictPlan(two.experiment, two.experiment.variants[0], &two.table);
  ASSERT_TRUE(plan) << describe(plan.error());
  EXPECT_EQ(plan->stepNs, 160 + 1510 + 450);
  EXPECT_EQ(plan->bound.stepNs, 160 + 1510);
}

/// Two CPU workers with the links of a calibration, which are those of threads in one process.
struct CalibratedWorkers : TwoProcesses {
  CalibratedWorkers() {
    experiment.devices[0].id = DeviceId{"cpu:0"};
    experiment.devices[1].id = DeviceId{"cpu:1"};
    experiment.variants[0].stages.front().group =
        plan::DeviceGroup({DeviceId{"cpu:0"}, DeviceId{"cpu:1"}});
    table.basis = Basis::Calibrated;
    table.network.reset();
    table.links = {{DeviceId{"cpu:0"}, DeviceId{"cpu:1"}, 7, 0.0},
                   {DeviceId{"cpu:1"}, DeviceId{"cpu:0"}, 7, 0.0}};
  }
};

TEST(AllReduce, DoesNotTakeLinksThatWereMeasuredInOneProcess) {
  CalibratedWorkers two;
  // 660 bytes by an estimated link with a latency of 50 µs.
  EXPECT_GT(two.costs().allReduce->exposedNs, 2 * 50'000);
  two.table.basis = Basis::File;
  EXPECT_EQ(two.costs().allReduce->exposedNs, 2 * 7) << "a cost file means what it says";
}

TEST(AllReduce, TakesMeasuredSumsAndMakesTheBackwardLonger) {
  CalibratedWorkers two;
  const TimeNs before = two.costs().stage[0][0].backward;
  two.table.processSums = ProcessSums{2, {{0, 0}, {1000, 1000}}, 2.0, 1.25, 0.0};
  // net2's 220 bytes at 500 take 440, in which 352 of the backward are done; it ends 88 later. Then
  // net1's 440 bytes.
  const PlanCosts costs = two.costs();
  EXPECT_EQ(costs.stage[0][0].backward, before + 88);
  EXPECT_EQ(costs.stage[0][1].backward, before + 88) << "the last of the other replica";
  EXPECT_EQ(costs.allReduce->exposedNs, 440);
  two.table.contention[2] = 2.0;
  // The backward is twice as long, so its part is the same; the simulator doubles it.
  EXPECT_EQ(two.costs().stage[0][0].backward, before + 44);
}

TEST(AllReduce, OfProcessesTellsWhatAMessageBetweenRanksTakes) {
  CalibratedWorkers two;
  const DeviceId here{"cpu:0"};
  const DeviceId other{"cpu:0@1"};
  EXPECT_GT(BlockCostSource(two.experiment, &two.table).transferNs(here, other, 0.0), 1000.0);
  // Two rounds of half of the bytes.
  two.table.processSums = ProcessSums{2, {{0, 200}, {1000, 1200}}};
  const BlockCostSource source(two.experiment, &two.table);
  EXPECT_DOUBLE_EQ(source.transferNs(here, other, 0.0), 100.0);
  EXPECT_DOUBLE_EQ(source.transferNs(here, other, 500.0), 600.0);
  EXPECT_DOUBLE_EQ(source.transferNs(here, DeviceId{"cpu:1"}, 500.0), 7.0) << "one process";
}

TEST(AllReduce, BetweenNodesTakesTheSlowerLink) {
  TwoProcesses two;
  two.table.network->devicesPerNode = 1;
  EXPECT_EQ(two.costs().allReduce->exposedNs, 2 * (50 + 2200) + 2 * (50 + 1100) - 1010);
}

TEST(AllReduce, HoldsBucketsInPlaceOfGradientsIfTheseAreViews) {
  TwoProcesses two;
  const Bytes copied = two.costs().residentBytes.front();
  two.experiment.variants[0].reduce.gradientAsBucketView = true;
  EXPECT_EQ(copied - two.costs().residentBytes.front(), 660);
}

}  // namespace
}  // namespace stagelane::predict
