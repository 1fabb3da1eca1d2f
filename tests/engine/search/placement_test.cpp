#include "engine/search/placement.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "engine/plan/accelerate_placement.h"
#include "engine/predict/plan_costs.h"
#include "engine/predict/simulator.h"
#include "engine/schedule/methods.h"
#include "engine/search/random.h"
#include "engine/search/resolve.h"
#include "engine/search/suggestion.h"
#include "engine/search/variant_order.h"

namespace stagelane::search {
namespace {

/// ResNet-18 at 32²: 14 blocks.
plan::Experiment resnet18(int devices, int batch, const std::string& memory = "") {
  Json list = Json::array();
  for (int d = 0; d < devices; ++d) {
    const std::string id = "cpu:" + std::to_string(d);
    list.push_back(memory.empty() ? Json(id) : Json{{"id", id}, {"max_memory", memory}});
  }
  const Json document{{"stagelane", 1},
                      {"name", "placement"},
                      {"model", {{"zoo", "resnet18"}}},
                      {"input", {{"shape", {3, 32, 32}}}},
                      {"data", {{"labels", "normal"}, {"batch_size", batch}}},
                      {"loss", "mse"},
                      {"devices", list},
                      {"variants", {{{"strategy", "single"}}}}};
  return plan::readExperiment(document, "", {}).value();
}

/// Every block has a different cost on every device, and so has every link.
predict::CostTable randomTable(const plan::Experiment& experiment, std::uint64_t seed) {
  Random random(seed);
  const auto time = [&] { return static_cast<TimeNs>(1'000'000 + random.below(9'000'000)); };
  predict::CostTable table;
  for (const model::Block& block : experiment.model->blocks) {
    for (const plan::DeviceSpec& device : experiment.devices) {
      predict::CostPoint point;
      point.samples = 4;
      point.forward = time();
      point.backwardInput = time();
      point.backwardWeight = time();
      point.backward = point.backwardInput + point.backwardWeight;
      point.outputBytes = 1000;
      point.savedBytes = 1000;
      table.blocks.push_back({block.name, device.id, 0, {point}, 0, {}});
    }
  }
  for (const plan::DeviceSpec& from : experiment.devices) {
    for (const plan::DeviceSpec& to : experiment.devices) {
      if (from.id != to.id) table.links.push_back({from.id, to.id, 100'000, 1e9});
    }
  }
  return table;
}

PlacementTask taskOf(const plan::Experiment& experiment, const predict::CostTable* table) {
  PlacementTask task;
  task.experiment = &experiment;
  task.table = table;
  task.variant.schedule = "1f1b";
  task.variant.splitSize = 4;
  return task;
}

void everyCut(std::size_t blocks, std::size_t parts,
              const std::function<void(const std::vector<std::size_t>&)>& visit) {
  std::vector<std::size_t> firsts{0};
  const std::function<void()> extend = [&] {
    if (firsts.size() == parts) return visit(firsts);
    for (std::size_t next = firsts.back() + 1; next < blocks; ++next) {
      firsts.push_back(next);
      extend();
      firsts.pop_back();
    }
  };
  extend();
}

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

TEST(Place, IsNeverClearlySlowerThanTheOtherModes) {
  const plan::Experiment experiment = resnet18(3, 24);
  const predict::CostTable table = randomTable(experiment, 21);
  const PlacementTask task = taskOf(experiment, &table);
  const auto best = place(task, PlacementMode::Optimal);
  ASSERT_TRUE(best);
  for (const char* mode : {"parameters", "uniform", "block-partition"}) {
    const auto other = place(task, *placementModeFrom(mode));
    ASSERT_TRUE(other) << mode;
    EXPECT_EQ(word(*placementModeFrom(mode)), mode);
    EXPECT_LE(0.99 * static_cast<double>(best->stepNs), static_cast<double>(other->stepNs)) << mode;
    EXPECT_LE(best->leastBottleneckNs, other->bottleneckNs) << mode;
  }
  EXPECT_FALSE(placementModeFrom("best"));
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

Result<plan::Experiment> readResolved(const Json& document, const predict::CostTable& table) {
  auto experiment = plan::readExperiment(document, "", {});
  if (!experiment) return experiment;
  return resolveStages(std::move(*experiment), &table);
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
    const auto placed = place(task, PlacementMode::Optimal);
    ASSERT_TRUE(placed);
    EXPECT_EQ(experiment->variants.front().stages, placed->stages) << seed;
  }
}

TEST(ClosedForm, FindsTheSplitOfALinearCost) {
  // α = 100, β = 10, B = 120, p = 2: √(100·120/10) = 34.6.
  const ClosedForm form = closedForm({{10, 200}, {20, 300}, {40, 500}}, 120, 2);
  EXPECT_NEAR(form.alphaNs, 100.0, 1e-9);
  EXPECT_NEAR(form.betaNs, 10.0, 1e-9);
  EXPECT_NEAR(form.splitSize, std::sqrt(1200.0), 1e-9);
  EXPECT_EQ(closedForm({{10, 200}}, 120, 2).splitSize, 0.0);
  EXPECT_EQ(closedForm({{10, 200}, {20, 300}}, 120, 1).splitSize, 0.0);
}

TEST(SplitsToTry, GiveEachNumberOfMicroBatchesOrAreApart) {
  EXPECT_EQ(splitsToTry(1), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(splitsToTry(6), (std::vector<std::int64_t>{1, 2, 3, 6}));
  const std::vector<std::int64_t> many = splitsToTry(5000);
  EXPECT_EQ(many.front(), 20) << "256 micro-batches";
  EXPECT_EQ(many.back(), 5000);
  for (std::size_t i = 1; i < many.size(); ++i) {
    EXPECT_GE(static_cast<double>(many[i]), 1.15 * static_cast<double>(many[i - 1]));
  }
}

TEST(Suggest, OfInferenceComparesForwardsOnly) {
  plan::Experiment experiment = resnet18(2, 12);
  experiment.task = plan::Task::Infer;
  predict::CostTable table = randomTable(experiment, 4);
  table.actionOverheadNs = 1'000'000;
  const auto found = suggest({&experiment, &table, 1});
  ASSERT_TRUE(found) << found.error().message;
  for (const SuggestedPlan& point : found->curve) {
    plan::Variant variant;
    variant.strategy = plan::Strategy::Pipeline;
    variant.schedule = point.schedule;
    variant.splitSize = point.splitSize;
    variant.stages = point.stages;
    const auto step = predictStep(experiment, variant, {.costs = &table, .effort = 0.3});
    ASSERT_TRUE(step);
    EXPECT_EQ(point.stepNs, step->stepNs) << point.splitSize << " " << point.schedule;
    EXPECT_TRUE(schedule::isPipelineSchedule(point.schedule)) << point.schedule;
  }
  ASSERT_EQ(found->curve.back().splitSize, 12);
  EXPECT_NE(found->curve.back().schedule, schedule::kAutoSchedule)
      << "one micro-batch takes as long in every order";
}

TEST(BestSchedule, IsOneThatTheStrategyAllows) {
  const plan::Experiment experiment = resnet18(2, 4);
  plan::Variant variant;
  variant.splitSize = 4;
  variant.stages = {{0, 13, DeviceId{"cpu:0"}}};
  variant.strategy = plan::Strategy::Pipeline;
  const auto pipelined = bestSchedule(experiment, variant, nullptr);
  ASSERT_TRUE(pipelined && *pipelined);
  EXPECT_TRUE(schedule::isPipelineSchedule((*pipelined)->schedule)) << (*pipelined)->schedule;
  variant.strategy = plan::Strategy::Single;
  const auto single = bestSchedule(experiment, variant, nullptr);
  ASSERT_TRUE(single && *single);
  EXPECT_EQ((*single)->schedule, "single");
  EXPECT_EQ((*single)->stepNs, (*pipelined)->stepNs);
  variant.stages.clear();
  EXPECT_FALSE(bestSchedule(experiment, variant, nullptr));
}

TEST(Suggest, IsNoSlowerThanAnyPointOfItsCurve) {
  const plan::Experiment experiment = resnet18(2, 12);
  const predict::CostTable table = randomTable(experiment, 4);
  const auto found = suggest({&experiment, &table, 1});
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_FALSE(found->curve.empty());
  for (const SuggestedPlan& point : found->curve) {
    EXPECT_LE(found->best.stepNs, point.stepNs);
    EXPECT_TRUE(plan::checkSplit(experiment, point.splitSize));
  }
  EXPECT_TRUE(
      std::is_sorted(found->curve.begin(), found->curve.end(),
                     [](const auto& a, const auto& b) { return a.splitSize < b.splitSize; }));
  EXPECT_LE(found->lowerBoundNs, found->best.stepNs);
  ASSERT_TRUE(found->asWritten);
  EXPECT_LE(found->best.stepNs, found->asWritten->stepNs);
}

TEST(Suggest, IsNoSlowerThanAnyPipelineOfTheExperiment) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const plan::Experiment empty = resnet18(2, 16);
    const predict::CostTable table = randomTable(empty, 80 + seed);
    Json document = empty.source;
    // 7 is not one of the splits that are tried: with as many micro-batches, 6 is smaller.
    document["variants"] = {{{"strategy", "pipeline"}, {"schedule", "auto"}, {"split_size", 7}},
                            {{"strategy", "pipeline"}, {"schedule", "auto"}, {"split_size", 4}}};
    const auto experiment = readResolved(document, table);
    ASSERT_TRUE(experiment) << experiment.error().message;
    const auto found = suggest({&*experiment, &table, 1});
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_TRUE(found->asWritten);
    EXPECT_LE(found->best.stepNs, found->asWritten->stepNs) << seed;
    EXPECT_TRUE(std::any_of(found->curve.begin(), found->curve.end(),
                            [](const auto& point) { return point.splitSize == 7; }));
  }
}

TEST(Suggest, LeavesOutSplitsThatBatchNormRefuses) {
  // At 32² the last stage of ResNet-18 has one value per channel and sample.
  const plan::Experiment experiment = resnet18(2, 5);
  const auto found = suggest({&experiment, nullptr, 1});
  ASSERT_TRUE(found);
  for (const SuggestedPlan& point : found->curve) {
    EXPECT_NE(point.splitSize, 1);
    EXPECT_NE(point.splitSize, 2) << "leaves a tail of one";
  }
}

TEST(LargestBatch, IsTheLargestThatFits) {
  const plan::Experiment experiment = resnet18(2, 16, "256MiB");
  const SuggestTask task{&experiment, nullptr, 1};
  const auto found = suggest(task);
  ASSERT_TRUE(found);
  const auto largest = largestBatch(task, found->best);
  ASSERT_TRUE(largest);
  EXPECT_TRUE(largest->limited);
  EXPECT_GE(largest->batch, 16);
  const auto overBudget = [&](std::int64_t split) {
    plan::Experiment other = experiment;
    plan::Variant variant;
    variant.schedule = found->best.schedule;
    variant.stages = found->best.stages;
    variant.splitSize = split;
    other.data.batchSize = largest->batch / largest->splitSize * split;
    return !predictStep(other, variant, {.effort = 0.3})->fits();
  };
  EXPECT_FALSE(overBudget(largest->splitSize));
  EXPECT_TRUE(overBudget(largest->splitSize + 1));
  const plan::Experiment unlimited = resnet18(2, 16);
  EXPECT_FALSE(largestBatch({&unlimited, nullptr, 1}, found->best)->limited);
}

}  // namespace
}  // namespace stagelane::search
