#include "engine/search/placement.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>

#include "engine/plan/accelerate_placement.h"
#include "engine/predict/plan_costs.h"
#include "engine/predict/simulator.h"
#include "engine/schedule/methods.h"
#include "engine/search/resolve.h"
#include "engine/search/variant_order.h"
#include "tests/engine/search/placement_tasks.h"

namespace stagelane::search {
namespace {

TEST(Place, FindsTheSmallestBottleneckOfAllCutsByATable) {
  const plan::Experiment experiment = resnet18(4, 16);
  const std::size_t blocks = experiment.model->blocks.size();
  ASSERT_EQ(blocks, 14u);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const predict::CostTable table = randomTable(experiment, seed);
    const auto costOf = [&](std::size_t block, std::size_t device) {
      const predict::CostPoint& point = table.blocks[4 * block + device].points.front();
      return point.forward + point.backward;
    };
    TimeNs least = std::numeric_limits<TimeNs>::max();
    TimeNs shortest = least;
    const PlacementTask task = taskOf(experiment, &table);
    everyCut(blocks, 4, [&](const std::vector<std::size_t>& firsts) {
      TimeNs worst = 0;
      plan::Variant variant = task.variant;
      for (std::size_t part = 0; part < 4; ++part) {
        const std::size_t end = part < 3 ? firsts[part + 1] : blocks;
        TimeNs sum = 0;
        for (std::size_t b = firsts[part]; b < end; ++b) sum += costOf(b, part);
        worst = std::max(worst, sum);
        variant.stages.push_back({firsts[part], end - 1, experiment.devices[part].id});
      }
      least = std::min(least, worst);
      shortest = std::min(
          shortest, predictStep(experiment, variant, {.costs = &table, .effort = 0.0})->stepNs);
    });
    const auto found = place(task, PlacementMode::Optimal);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->leastBottleneckNs, least) << seed;
    EXPECT_GE(found->bottleneckNs, least) << seed;
    EXPECT_LE(found->lowerBoundNs, shortest) << seed;
    EXPECT_GE(found->stepNs, shortest) << seed;
    EXPECT_LE(static_cast<double>(found->stepNs), 1.05 * static_cast<double>(shortest)) << seed;
    EXPECT_EQ(found->basis, predict::Basis::File);
  }
}

TimeNs shortestOfAllCuts(const PlacementTask& task) {
  const plan::Experiment& experiment = *task.experiment;
  const std::size_t blocks = experiment.model->blocks.size();
  const std::size_t devices = experiment.devices.size();
  TimeNs shortest = std::numeric_limits<TimeNs>::max();
  everyCut(blocks, devices, [&](const std::vector<std::size_t>& firsts) {
    plan::Variant variant = task.variant;
    for (std::size_t part = 0; part < devices; ++part) {
      const std::size_t end = part + 1 < devices ? firsts[part + 1] : blocks;
      variant.stages.push_back({firsts[part], end - 1, experiment.devices[part].id});
    }
    shortest = std::min(
        shortest, predictStep(experiment, variant, {.costs = task.table, .effort = 0.0})->stepNs);
  });
  return shortest;
}

TEST(Place, OfInferenceCountsForwardsOnly) {
  plan::Experiment experiment = resnet18(3, 16);
  experiment.task = plan::Task::Infer;
  const predict::CostTable table = randomTable(experiment, 8);
  TimeNs least = std::numeric_limits<TimeNs>::max();
  everyCut(14, 3, [&](const std::vector<std::size_t>& firsts) {
    TimeNs worst = 0;
    for (std::size_t part = 0; part < 3; ++part) {
      TimeNs sum = 0;
      for (std::size_t b = firsts[part]; b < (part < 2 ? firsts[part + 1] : 14); ++b) {
        sum += table.blocks[3 * b + part].points.front().forward;
      }
      worst = std::max(worst, sum);
    }
    least = std::min(least, worst);
  });
  const PlacementTask task = taskOf(experiment, &table);
  const TimeNs shortest = shortestOfAllCuts(task);
  for (const PlacementMode mode : {PlacementMode::Optimal, PlacementMode::Uniform}) {
    const auto found = place(task, mode);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->leastBottleneckNs, least);
    EXPECT_GT(found->lowerBoundNs, 0);
    EXPECT_LE(found->lowerBoundNs, shortest) << word(mode);
  }
}

TEST(Place, AllowsInItsBoundForWorkersThatSpeedEachOtherUp) {
  const plan::Experiment experiment = resnet18(3, 16);
  predict::CostTable table = randomTable(experiment, 8);
  table.contention = {{2, 0.5}};
  const PlacementTask task = taskOf(experiment, &table);
  EXPECT_LE(place(task, PlacementMode::Uniform)->lowerBoundNs, shortestOfAllCuts(task));
}

TEST(Place, BoundsSeveralStagesOfADeviceAsThePredictionDoes) {
  const plan::Experiment experiment = resnet18(2, 16);
  const predict::CostTable table = randomTable(experiment, 8);
  PlacementTask task = taskOf(experiment, &table);
  task.variant.schedule = "zbv";
  task.rowOfStage = {0, 1, 1, 0};
  const auto found = place(task, PlacementMode::Optimal);
  ASSERT_TRUE(found);
  plan::Variant variant = task.variant;
  variant.stages = found->stages;
  const TimeNs bound = *predict::cutBound(experiment, variant, &table);
  EXPECT_LE(found->lowerBoundNs, bound);
  EXPECT_GE(found->lowerBoundNs, bound - 100) << "less what rounding may take";
}

TEST(Place, IsNeverSlowerThanTheOtherModes) {
  const plan::Experiment experiment = resnet18(3, 24);
  const predict::CostTable table = randomTable(experiment, 21);
  const PlacementTask task = taskOf(experiment, &table);
  const auto best = place(task, PlacementMode::Optimal);
  ASSERT_TRUE(best);
  for (const char* mode : {"parameters", "uniform", "block-partition"}) {
    const auto other = place(task, *placementModeFrom(mode));
    ASSERT_TRUE(other) << mode;
    EXPECT_EQ(word(*placementModeFrom(mode)), mode);
    EXPECT_LE(best->stepNs, other->stepNs) << mode;
    EXPECT_LE(best->leastBottleneckNs, other->bottleneckNs) << mode;
  }
  EXPECT_FALSE(placementModeFrom("best"));
}

/// Sets the times of a block on all devices, of which the forward is a third.
void setTime(predict::CostTable& table, const std::string& block, TimeNs time) {
  for (predict::BlockCosts& costs : table.blocks) {
    if (costs.name != block) continue;
    predict::CostPoint& point = costs.points.front();
    point.forward = point.backwardInput = point.backwardWeight = time / 3;
    point.backward = 2 * point.forward;
  }
}

TEST(Place, TakesTheShorterStepEvenIfItIsOnlySlightlyShorter) {
  const plan::Experiment experiment = resnet18(2, 16);
  predict::CostTable table = randomTable(experiment, 1);
  table.links.clear();
  const std::vector<model::Block>& blocks = experiment.model->blocks;
  for (const model::Block& block : blocks) setTime(table, block.name, 1'000);
  // Cut before the long block: 10.211 ms in the slowest stage, which is the last. Cut after it:
  // 10.230 ms, but in the first stage, which does not wait for an input.
  setTime(table, blocks[0].name, 230'000);
  setTime(table, blocks[1].name, 10'000'000);
  setTime(table, blocks[2].name, 200'000);
  PlacementTask task = taskOf(experiment, &table);
  task.candidates = 13;
  const auto found = place(task, PlacementMode::Optimal);
  ASSERT_TRUE(found) << describe(found.error());
  EXPECT_EQ(found->stepNs, shortestOfAllCuts(task));
  EXPECT_GT(found->bottleneckNs, found->leastBottleneckNs);
  EXPECT_EQ(found->stages.front().lastBlock, 1U);
}

TEST(PlacementModes, EndWithThoseOfAccelerate) {
  ASSERT_EQ(placementModes().size(), 8U);
  for (const std::string& mode : placementModes()) EXPECT_EQ(word(*placementModeFrom(mode)), mode);
  EXPECT_EQ(word(PlacementMode::BlockPartition), "block-partition");
  EXPECT_EQ(word(PlacementMode::Auto), plan::kAccelerateModes.front());
  EXPECT_EQ(word(PlacementMode::Sequential), plan::kAccelerateModes.back());
}

TEST(Place, KeepsToTheMemoryOfTheDevices) {
  const plan::Experiment roomy = resnet18(2, 16, "512MiB");
  EXPECT_TRUE(place(taskOf(roomy, nullptr), PlacementMode::Optimal)->fits());
  // Three quarters of the parameters are in layer4, and with their gradients above 40 MiB.
  plan::Experiment tight = roomy;
  tight.devices[1].maxMemory = Bytes{40} << 20;
  const auto fitting = place(taskOf(tight, nullptr), PlacementMode::Optimal);
  ASSERT_TRUE(fitting);
  EXPECT_TRUE(fitting->fits());
  EXPECT_GT(fitting->bottleneckNs,
            place(taskOf(roomy, nullptr), PlacementMode::Optimal)->bottleneckNs);
  const plan::Experiment hopeless = resnet18(2, 16, "1MiB");
  EXPECT_FALSE(place(taskOf(hopeless, nullptr), PlacementMode::Optimal)->fits());
}

TEST(Place, CutsForSeveralStagesOfADevice) {
  const plan::Experiment experiment = resnet18(2, 16);
  PlacementTask task = taskOf(experiment, nullptr);
  task.variant.schedule = "zbv";
  task.rowOfStage = {0, 1, 1, 0};
  const auto found = place(task, PlacementMode::Optimal);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->stages.size(), 4u);
  EXPECT_EQ(found->stages[3].group.first().value, "cpu:0");
  EXPECT_LE(found->lowerBoundNs, found->stepNs);
}

TEST(Place, SaysWhenThereAreFewerBlocksThanStages) {
  const plan::Experiment experiment = resnet18(8, 16);
  PlacementTask task = taskOf(experiment, nullptr);
  task.rowOfStage = schedule::rowsOfStages(schedule::StageLayout::V, 8, 2);
  const auto found = place(task, PlacementMode::Optimal);
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find("14 blocks"), std::string::npos);
}

/// All schedules and `auto` as one sweep, the stages left open.
Json sweepDocument(const plan::Experiment& experiment) {
  Json document = experiment.source;
  Json names = Json::array();
  for (const std::string& name : schedule::allScheduleNames()) {
    if (schedule::isPipelineSchedule(name)) names.push_back(name);
  }
  document["variants"] = {{{"strategy", "pipeline"},
                           {"split_size", 4},
                           {"schedule", std::move(names)},
                           {"placement", "optimal"}}};
  return document;
}

TEST(Auto, IsNeverSlowerInAnExperimentThatLeavesTheStagesOpen) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const int devices = 2 + static_cast<int>(seed % 2);
    const plan::Experiment empty = resnet18(devices, seed % 3 == 0 ? 24 : 32);
    const predict::CostTable table = randomTable(empty, 60 + seed);
    const auto experiment = readResolved(sweepDocument(empty), table);
    ASSERT_TRUE(experiment) << experiment.error().message;
    std::optional<TimeNs> least;
    TimeNs searched = 0;
    for (const plan::Variant& variant : experiment->variants) {
      if (variant.strategy != plan::Strategy::Pipeline) continue;
      const auto score = predictStep(*experiment, variant, {.costs = &table});
      if (variant.schedule == schedule::kAutoSchedule) {
        ASSERT_TRUE(score);
        searched = score->stepNs;
      } else if (score && (!least || score->stepNs < *least)) {
        least = score->stepNs;
      }
    }
    ASSERT_TRUE(least);
    EXPECT_LE(searched, *least) << seed;
  }
}

TEST(ResolveStages, CutsByTheTable) {
  const plan::Experiment empty = resnet18(2, 16);
  predict::CostTable table = randomTable(empty, 3);
  for (predict::BlockCosts& block : table.blocks) {
    const bool dear = block.name == "conv1";
    block.points.front().forward = dear ? 1'000'000'000 : 1'000;
    block.points.front().backward = block.points.front().forward;
  }
  const auto experiment = readResolved(sweepDocument(empty), table);
  ASSERT_TRUE(experiment);
  EXPECT_EQ(experiment->variants.front().stages.front().lastBlock, 0u);
}

TEST(ResolveStages, PlacesOptimalAsPlaceDoesWithLinksAndMemory) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const plan::Experiment empty = resnet18(3, 24);
    predict::CostTable table = randomTable(empty, 30 + seed);
    // An expensive link after one block, which a cut by time alone ignores.
    for (predict::BlockCosts& block : table.blocks) {
      if (block.name == "layer2.0") block.points.front().outputBytes = 100'000'000;
    }
    Json document = empty.source;
    document["variants"] = {{{"strategy", "pipeline"},
                             {"schedule", "1f1b"},
                             {"split_size", 4},
                             {"placement", "optimal"}}};
    const auto experiment = readResolved(document, table);
    ASSERT_TRUE(experiment) << experiment.error().message;
    PlacementTask task;
    task.experiment = &*experiment;
    task.table = &table;
    task.variant = experiment->variants.front();
    task.rowOfStage = {0, 1, 2};
    const auto placed = place(task, PlacementMode::Optimal);
    ASSERT_TRUE(placed);
    EXPECT_EQ(experiment->variants.front().stages, placed->stages) << seed;
  }
}

}  // namespace
}  // namespace stagelane::search
