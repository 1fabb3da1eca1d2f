#include "engine/search/synthesis.h"

#include <gmock/gmock.h>

#include <functional>
#include <set>

#include "engine/predict/prediction.h"
#include "engine/schedule/generators.h"
#include "engine/search/workload.h"
#include "tests/engine/predict/costs.h"
#include "tests/engine/search/random_costs.h"

namespace stagelane::search {
namespace {

using testing::randomCosts;

std::vector<int> oneStageEach(int devices) { return layoutsFor(devices, 1).front(); }

bool within(const MemoryCaps& caps, const predict::Simulation& simulation) {
  bool fits = true;
  for (std::size_t row = 0; row < simulation.peakBytes.size(); ++row) {
    fits = fits && predict::excessOf(simulation.peakBytes[row], caps.limit(row)) <= 0;
    const bool counted = row < caps.live.size() && caps.live[row] > 0;
    fits = fits && (!counted || simulation.peakLiveMicroBatches[row] <= caps.live[row]);
  }
  return fits;
}

/// The fastest generated schedule of the layout within the caps, played by the simulator.
std::optional<TimeNs> bestNamed(const SynthesisTask& task) {
  std::optional<TimeNs> best;
  const auto microBatches = static_cast<int>(task.costs->stage.front().size());
  for (const std::string& name : schedule::generatedScheduleNames()) {
    const auto schedule = schedule::generateForStages(name, task.deviceOfStage, microBatches);
    if (!schedule) continue;
    const auto simulation = *predict::simulate(schedule::lower(*schedule), *task.costs);
    if (!within(task.caps, simulation)) continue;
    if (!best || simulation.stepNs < *best) best = simulation.stepNs;
  }
  return best;
}

/// Bytes for `microBatches` alive on each row.
MemoryCaps capsFor(const SynthesisTask& task, int microBatches) {
  MemoryCaps caps;
  caps.bytes.assign(task.costs->residentBytes.size(), 0);
  for (std::size_t row = 0; row < caps.bytes.size(); ++row) {
    caps.bytes[row] = task.costs->residentBytes[row];
  }
  for (std::size_t stage = 0; stage < task.deviceOfStage.size(); ++stage) {
    caps.bytes[static_cast<std::size_t>(task.deviceOfStage[stage])] +=
        microBatches * task.costs->stage[stage].front().savedBytes;
  }
  return caps;
}

TEST(Auto, IsNeverSlowerThanTheBestPublishedScheduleOverFiftyRandomTables) {
  int faster = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Random random(1000 + seed);
    const int devices = 2 + static_cast<int>(random.below(3));
    const int microBatches = 2 + static_cast<int>(random.below(9));
    SynthesisTask task;
    task.deviceOfStage = oneStageEach(devices);
    task.effort = 0.2;
    const predict::PlanCosts costs = randomCosts(task.deviceOfStage, microBatches, seed);
    task.costs = &costs;
    if (seed % 2 == 1) task.caps = capsFor(task, devices);
    const auto found = synthesize(task);
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->fits) << seed;
    const auto lowered = schedule::lower(found->schedule);
    ASSERT_TRUE(schedule::validate(lowered)) << seed;
    const auto simulation = *predict::simulate(lowered, costs);
    EXPECT_EQ(simulation.stepNs, found->stepNs) << seed;
    EXPECT_TRUE(within(task.caps, simulation)) << seed;
    EXPECT_LE(found->lowerBoundNs, found->stepNs) << seed;
    const auto named = bestNamed(task);
    ASSERT_TRUE(named) << seed;
    EXPECT_LE(found->stepNs, *named) << seed;
    if (found->stepNs < *named) ++faster;
  }
  RecordProperty("strictly_faster_of_50", faster);
  EXPECT_GE(faster, 25);
}

TEST(Auto, FindsTheSameOrderEveryTime) {
  const predict::PlanCosts costs = randomCosts(oneStageEach(3), 6, 1);
  SynthesisTask task;
  task.deviceOfStage = oneStageEach(3);
  task.costs = &costs;
  task.effort = 0.2;
  const auto once = synthesize(task);
  const auto again = synthesize(task);
  EXPECT_EQ(once->schedule.actions, again->schedule.actions);
  EXPECT_EQ(once->schedule.name, "auto");
}

TEST(Auto, EndsWithTheBestSoFarWhereNobodyWaitsForIt) {
  const predict::PlanCosts costs = randomCosts(oneStageEach(3), 6, 1);
  SynthesisTask task;
  task.deviceOfStage = oneStageEach(3);
  task.costs = &costs;
  const auto whole = synthesize(task);
  int asked = 0;
  task.goesOn = [&asked] { return ++asked < 30; };
  const auto cut = synthesize(task);
  ASSERT_TRUE(whole && cut);
  EXPECT_LT(cut->timings, whole->timings / 10);
  EXPECT_GE(cut->stepNs, whole->stepNs);
  EXPECT_LT(asked, 40) << "every loop has to hear of it";
}

TEST(Auto, HasAnOrderWhereNobodyWaitsAndNoPublishedScheduleSuitsTheStages) {
  SynthesisTask task;
  task.deviceOfStage = {0, 1, 0};
  const predict::PlanCosts costs = randomCosts(task.deviceOfStage, 4, 1);
  task.costs = &costs;
  ASSERT_FALSE(bestNamed(task));
  task.goesOn = [] { return false; };
  for (const Bytes cap : {Bytes{0}, Bytes{1}}) {
    task.caps.bytes = {cap, cap};
    const auto found = synthesize(task);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->fits, cap == 0);
    EXPECT_TRUE(schedule::validate(schedule::lower(found->schedule)));
  }
}

TEST(Auto, IsOptimalWhereAPublishedScheduleIs) {
  // Two devices with free links and F = I = W: a device waits for one forward at most.
  const auto found = synthesizeUnit(2, 4, 1);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->stepNs, found->lowerBoundNs);
  EXPECT_EQ(found->stepNs, 1 + 3 * 4);
  EXPECT_DOUBLE_EQ(found->gap, 0.0);
}

TEST(Auto, AnswersDegenerateSizes) {
  const auto one = synthesizeUnit(1, 1, 1);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->stepNs, 3);
  EXPECT_EQ(one->origin, "single");
  const auto chain = synthesizeUnit(3, 1, 1);
  ASSERT_TRUE(chain);
  EXPECT_EQ(chain->stepNs, 3 + 2 + 2);  // I is passed on before W is done
  EXPECT_TRUE(synthesizeUnit(2, 3, 3));
  EXPECT_FALSE(synthesizeUnit(0, 1, 1));
  EXPECT_FALSE(synthesizeUnit(1024, 1'000'000, 1));
  EXPECT_FALSE(synthesize({}));
}

TEST(Auto, HandlesZeroDurations) {
  predict::PlanCosts costs = randomCosts(oneStageEach(2), 4, 3);
  for (auto& stage : costs.stage) {
    for (predict::StageCost& cost : stage) cost = predict::StageCost{};
  }
  const auto found = synthesize({oneStageEach(2), &costs, {}, {}, 0.1});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->stepNs, 0);
  EXPECT_DOUBLE_EQ(found->gap, 0.0);
}

TEST(Auto, DoesNotSplitWhereTheHalvesCostMoreThanTheyGain) {
  predict::PlanCosts costs = randomCosts(oneStageEach(2), 4, 5);
  for (auto& stage : costs.stage) {
    for (predict::StageCost& cost : stage)
      cost.backwardInput = cost.backwardWeight = 2 * cost.backward;
  }
  const auto found = synthesize({oneStageEach(2), &costs, {}, {}, 0.3});
  for (const auto& row : found->schedule.actions) {
    for (const schedule::Action& action : row) {
      EXPECT_NE(action.kind, ActionKind::BackwardWeight) << cell(action);
    }
  }
}

TEST(Auto, KeepsSeveralStagesOfADeviceWithinALiveCap) {
  for (const int live : {4, 5, 8}) {
    SynthesisTask task;
    task.deviceOfStage = layoutsFor(4, 2).back();
    const predict::PlanCosts costs = randomCosts(task.deviceOfStage, 6, 9);
    task.costs = &costs;
    task.caps.live.assign(4, live);
    task.effort = 0.3;
    const auto found = synthesize(task);
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->fits) << live;
    const auto lowered = schedule::lower(found->schedule);
    EXPECT_TRUE(schedule::validate(lowered)) << live;
    EXPECT_TRUE(within(task.caps, *predict::simulate(lowered, costs))) << live;
  }
}

TEST(Auto, SaysWhenNothingFits) {
  SynthesisTask task;
  task.deviceOfStage = oneStageEach(2);
  const predict::PlanCosts costs = randomCosts(task.deviceOfStage, 4, 2);
  task.costs = &costs;
  task.caps.bytes = {1001, 1001};
  const auto found = synthesize(task);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->fits);
}

/// Every order of each row in which a stage's own actions follow each other.
void everyOrder(const std::vector<std::vector<schedule::Action>>& chains,
                const std::function<void(const std::vector<schedule::Action>&)>& visit) {
  std::vector<std::size_t> next(chains.size(), 0);
  std::vector<schedule::Action> order;
  const std::function<void()> extend = [&] {
    bool whole = true;
    for (std::size_t c = 0; c < chains.size(); ++c) {
      if (next[c] == chains[c].size()) continue;
      whole = false;
      order.push_back(chains[c][next[c]++]);
      extend();
      --next[c];
      order.pop_back();
    }
    if (whole) visit(order);
  };
  extend();
}

/// F, I, W of each micro-batch of a stage, or F, B.
std::vector<std::vector<schedule::Action>> chainsOf(int stage, int microBatches, bool split) {
  std::vector<std::vector<schedule::Action>> chains;
  for (int k = 0; k < microBatches; ++k) {
    const auto action = [&](ActionKind kind) {
      return schedule::Action{kind, StageId{stage}, MicroBatchId{k}};
    };
    chains.push_back(
        split ? std::vector{action(ActionKind::Forward), action(ActionKind::BackwardInput),
                            action(ActionKind::BackwardWeight)}
              : std::vector{action(ActionKind::Forward), action(ActionKind::Backward)});
  }
  return chains;
}

/// The shortest step of all orders of two devices with one stage each.
TimeNs shortestOfAll(const predict::PlanCosts& costs, int microBatches, const MemoryCaps& caps) {
  const std::vector<int> layout{0, 1};
  const Workload workload = workloadOf(layout, costs, caps);
  OrderTimer timer(workload);
  TimeNs best = kNever;
  Orders orders(2);
  everyOrder(chainsOf(0, microBatches, false), [&](const auto& first) {
    orders[0] = first;
    if (!fits(workload, 0, first)) return;
    for (const bool split : {false, true}) {
      everyOrder(chainsOf(1, microBatches, split), [&](const auto& second) {
        if (!fits(workload, 1, second)) return;
        orders[1] = second;
        best = std::min(best, timer.play(orders));
      });
    }
  });
  return best;
}

TEST(LowestStep, IsNeverAboveTheShortestOfAllOrders) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SynthesisTask task;
    task.deviceOfStage = oneStageEach(2);
    const predict::PlanCosts costs = randomCosts(task.deviceOfStage, 3, 40 + seed);
    task.costs = &costs;
    if (seed % 3 != 0) task.caps = capsFor(task, static_cast<int>(seed % 3));
    const TimeNs shortest = shortestOfAll(costs, 3, task.caps);
    EXPECT_LE(lowestStep(task.deviceOfStage, costs, task.caps), shortest) << seed;
    const auto found = synthesize(task);
    ASSERT_TRUE(found) << seed;
    // Mixed orders, with B for some micro-batches and I and W for others, may be shorter still.
    EXPECT_LE(found->stepNs, shortest) << seed;
  }
}

TEST(LowestStep, OfInferenceIsThatOfItsForwards) {
  predict::StageCost cost;
  cost.forward = 100;
  predict::PlanCosts costs;
  costs.stage.assign(2, std::vector<predict::StageCost>(3, cost));
  costs.forwardOnly = true;
  costs.actionOverheadNs = 10;
  SynthesisTask task;
  task.deviceOfStage = oneStageEach(2);
  task.costs = &costs;
  const auto found = synthesize(task);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->stepNs, (3 + 1) * 110);
  EXPECT_EQ(found->lowerBoundNs, found->stepNs);
  EXPECT_NE(found->origin, kFromSearch);
  EXPECT_EQ(lowestStep(task.deviceOfStage, costs), found->stepNs);
}

TEST(OrderTimer, AgreesWithTheSimulator) {
  for (const bool blocking : {false, true}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const std::vector<int> layout = layoutsFor(3, 1 + static_cast<int>(seed % 2)).back();
      predict::PlanCosts costs = randomCosts(layout, 5, 70 + seed);
      costs.transfersBlock = blocking;
      const auto found = synthesize({layout, &costs, {}, {}, 0.05});
      ASSERT_TRUE(found);
      const Workload workload = workloadOf(layout, costs, {});
      EXPECT_EQ(OrderTimer(workload).play(found->schedule.actions), found->stepNs)
          << seed << " " << blocking;
    }
  }
}

TEST(OrderTimer, SaysThatAnOrderStops) {
  const predict::PlanCosts costs = randomCosts(oneStageEach(2), 2, 1);
  const Workload workload = workloadOf(oneStageEach(2), costs, {});
  auto orders = schedule::generate("gpipe", {2, 2, 1})->actions;
  std::swap(orders[1][0], orders[1][2]);
  EXPECT_EQ(OrderTimer(workload).play(orders), kNever);
}

TEST(Auto, TriesFewOrdersOfVeryManyActions) {
  const std::vector<int> layout = layoutsFor(64, 2).front();
  const predict::PlanCosts costs = unitCosts(layout, 300);
  std::size_t tried = 0;
  const auto found = synthesize({layout, &costs, {}, {}, 1.0, {}, [&tried] { ++tried; }});
  ASSERT_TRUE(found) << describe(found.error());
  EXPECT_TRUE(found->cutShort);
  EXPECT_GT(tried, found->named.size()) << "also the starts of the search are reported";
  EXPECT_LT(found->timings, 60);
  for (const NamedSchedule& named : found->named) EXPECT_LE(found->stepNs, named.stepNs);
  const predict::PlanCosts few = unitCosts({0, 1}, 8);
  EXPECT_FALSE(synthesize({{0, 1}, &few, {}, {}, 1.0})->cutShort);
}

TEST(Auto, TakesTwoChunksWhereTheyMakeTheStepShorter) {
  const auto one = synthesizeUnit(4, 8, 1);
  const auto free = synthesizeUnit(4, 8);
  ASSERT_TRUE(one && free);
  EXPECT_EQ(free->schedule.stages, 8);
  EXPECT_LT(free->stepNs, 2 * one->stepNs);
  EXPECT_EQ(synthesizeUnit(1, 4)->schedule.stages, 1);
  EXPECT_FALSE(synthesizeUnit(0, 1));
}

TEST(Auto, ReportsEachTriedStartAndFindsTheSame) {
  std::size_t tried = 0;
  const auto found = synthesizeUnit(4, 8, 1, [&tried] { ++tried; });
  ASSERT_TRUE(found);
  EXPECT_GT(tried, 0U);
  EXPECT_GE(tried, found->named.size());
  EXPECT_EQ(found->schedule.actions, synthesizeUnit(4, 8, 1)->schedule.actions);
}

}  // namespace
}  // namespace stagelane::search
