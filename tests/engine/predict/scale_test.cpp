#include <gtest/gtest.h>

#include "tests/engine/predict/costs.h"

namespace stagelane::predict {
namespace {

/// Pipelines that share a batch: replica r of stage s on row r·p + s.
schedule::LoweredSchedule pipelines(int depth, int replicas, int microBatches) {
  std::vector<std::vector<int>> rows;
  for (int stage = 0; stage < depth; ++stage) {
    rows.emplace_back();
    for (int replica = 0; replica < replicas; ++replica) {
      rows.back().push_back(replica * depth + stage);
    }
  }
  return schedule::lower(
      *schedule::generateForStages("1f1b", schedule::StageRows::ofReplicas(rows), microBatches));
}

/// Narayanan et al., SC'21, arXiv:2104.04473, section 3.3.1 and Figure 6: with n devices, d of them
/// data-parallel, and b' micro-batches, the bubble is (n − d)/b' of the ideal time.
TEST(Scale, BubbleOfReplicatedPipelinesIsThatOfMegatron) {
  for (const int devices : {32, 128}) {
    for (const int microBatches : {32, 128, 512}) {
      for (int replicas = 1; replicas <= std::min(devices, microBatches); replicas *= 2) {
        const int depth = devices / replicas;
        const auto list = pipelines(depth, replicas, microBatches);
        PlanCosts plan = testing::costs(depth, microBatches, {100, 200, 0, 1});
        plan.residentBytes.assign(static_cast<std::size_t>(devices), 0);
        const auto simulation = simulate(list, plan);
        ASSERT_TRUE(simulation) << describe(simulation.error());
        const TimeNs ideal = 300LL * microBatches / replicas;
        EXPECT_EQ((simulation->stepNs - ideal) * microBatches, ideal * (devices - replicas))
            << devices << " devices, " << microBatches << " micro-batches, " << replicas;
      }
    }
  }
}

TEST(Scale, ThousandsOfReplicasReduceTogether) {
  const auto list = pipelines(2, 1024, 1024);
  PlanCosts plan = testing::costs(2, 1024, {10, 20, 0, 1});
  plan.residentBytes.assign(2048, 0);
  for (auto& stage : plan.stage) {
    for (StageCost& cost : stage) cost.reduce = 7;
    // The last micro-batch is late.
    stage.back().forward = 50;
  }
  const auto simulation = simulate(list, plan);
  ASSERT_TRUE(simulation) << describe(simulation.error());
  for (std::size_t row = 0; row < list.actions.size(); row += 2) {
    EXPECT_EQ(testing::startsAndEnds(list, *simulation, row, ActionKind::Reduce, -1).start, 140);
  }
}

}  // namespace
}  // namespace stagelane::predict
