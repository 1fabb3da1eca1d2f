#include "engine/search/device_sets.h"

#include <gtest/gtest.h>

#include <limits>

#include "engine/search/variant_order.h"
#include "tests/engine/search/placement_tasks.h"

namespace stagelane::search {
namespace {

TimeNs stepOn(const PlacementTask& task, const std::vector<plan::Stage>& stages) {
  plan::Variant variant = task.variant;
  variant.stages = stages;
  return predictStep(*task.experiment, variant, {.costs = task.table, .effort = 0.0})->stepNs;
}

/// Over all cuts, with or without each device.
TimeNs shortestWithAnyDevices(const PlacementTask& task) {
  const std::vector<plan::DeviceSpec>& devices = task.experiment->devices;
  const std::size_t blocks = task.experiment->model->blocks.size();
  TimeNs shortest = std::numeric_limits<TimeNs>::max();
  for (unsigned members = 1; members < (1U << devices.size()); ++members) {
    std::vector<DeviceId> used;
    for (std::size_t device = 0; device < devices.size(); ++device) {
      if ((members >> device & 1U) != 0) used.push_back(devices[device].id);
    }
    everyCut(blocks, used.size(), [&](const std::vector<std::size_t>& firsts) {
      std::vector<plan::Stage> stages;
      for (std::size_t part = 0; part < used.size(); ++part) {
        const std::size_t end = part + 1 < used.size() ? firsts[part + 1] : blocks;
        stages.push_back({firsts[part], end - 1, used[part]});
      }
      shortest = std::min(shortest, stepOn(task, stages));
    });
  }
  return shortest;
}

void slowDown(predict::CostTable& table, const std::string& device, TimeNs factor) {
  for (predict::BlockCosts& costs : table.blocks) {
    if (costs.device != DeviceId{device}) continue;
    predict::CostPoint& point = costs.points.front();
    for (TimeNs* time :
         {&point.forward, &point.backward, &point.backwardInput, &point.backwardWeight}) {
      *time *= factor;
    }
  }
}

TEST(Place, LeavesOutADeviceThatMakesTheStepLonger) {
  for (const char* slow : {"cpu:0", "cpu:1", "cpu:2"}) {
    const plan::Experiment experiment = resnet18(3, 16);
    predict::CostTable table = randomTable(experiment, 5);
    slowDown(table, slow, 50);
    PlacementTask task = taskOf(experiment, &table);
    const auto every = place(task, PlacementMode::Optimal);
    task.rowOfStage.clear();
    const auto found = place(task, PlacementMode::Optimal);
    ASSERT_TRUE(every && found);
    EXPECT_LT(found->stepNs, every->stepNs) << slow;
    for (const plan::Stage& stage : found->stages) EXPECT_NE(stage.group.text(), slow);
    EXPECT_EQ(found->stepNs, stepOn(task, found->stages)) << slow;
  }
}

TEST(Place, HasABoundThatNoDevicesLeftOutCanBeat) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const plan::Experiment experiment = resnet18(3, 16);
    predict::CostTable table = randomTable(experiment, 40 + seed);
    slowDown(table, "cpu:1", static_cast<TimeNs>(1 + 4 * seed));
    PlacementTask task = taskOf(experiment, &table);
    task.rowOfStage.clear();
    const TimeNs shortest = shortestWithAnyDevices(task);
    for (const PlacementMode mode : {PlacementMode::Optimal, PlacementMode::Uniform}) {
      const auto found = place(task, mode);
      ASSERT_TRUE(found) << describe(found.error());
      EXPECT_LE(found->lowerBoundNs, shortest) << seed;
      EXPECT_GT(2 * found->lowerBoundNs, shortest) << seed << ": a bound that says something";
    }
    EXPECT_LE(static_cast<double>(place(task, PlacementMode::Optimal)->stepNs),
              1.10 * static_cast<double>(shortest))
        << seed;
  }
}

TEST(Place, OfOneMicroBatchKeepsAllDevices) {
  const plan::Experiment experiment = resnet18(2, 16);
  const predict::CostTable table = randomTable(experiment, 3);
  PlacementTask task = taskOf(experiment, &table);
  task.rowOfStage.clear();
  task.variant.splitSize = 16;
  const auto found = place(task, PlacementMode::Optimal);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->stages.size(), 2U);
  EXPECT_EQ(found->bottleneckNs, found->leastBottleneckNs);
}

TEST(DeviceSets, AreEverySetOfAFewAndTheFastestOfMany) {
  using Sets = std::vector<std::vector<int>>;
  EXPECT_EQ(deviceSets({{1.0}}), Sets{});
  EXPECT_EQ(deviceSets({{1.0}, {1.0}}), (Sets{{0}, {1}}));
  EXPECT_EQ(deviceSets({{1.0}, {1.0}, {1.0}}).size(), 6U);
  EXPECT_EQ(deviceSets({{3.0}, {1.0}, {5.0}, {2.0}, {2.0}}),
            (Sets{{1}, {1, 3}, {1, 3, 4}, {0, 1, 3, 4}}));
}

}  // namespace
}  // namespace stagelane::search
