#include "engine/search/kinds.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "engine/plan/rows.h"
#include "engine/predict/simulator.h"
#include "engine/search/suggestion.h"
#include "tests/engine/search/placement_tasks.h"

namespace stagelane::search {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

/// Blocks that take 1 ms forward and 2 ms back for each sample, on any device; free links.
predict::CostTable evenTable(const plan::Experiment& experiment) {
  predict::CostTable table;
  for (const model::Block& block : experiment.model->blocks) {
    predict::CostPoint point;
    point.samples = 1;
    point.forward = 1'000'000;
    point.backwardInput = point.backwardWeight = 1'000'000;
    point.backward = 2'000'000;
    point.outputBytes = point.savedBytes = 1000;
    table.blocks.push_back({block.name, {}, 0, {point}, 0, {}});
  }
  return table;
}

const KindPlan* kindOf(const std::vector<KindPlan>& kinds, plan::Strategy strategy,
                       int replicas = 1) {
  for (const KindPlan& kind : kinds) {
    if (kind.strategy == strategy && kind.replicas == replicas) return &kind;
  }
  return nullptr;
}

std::vector<KindPlan> kindsOf(const plan::Experiment& experiment, const predict::CostTable& table) {
  const auto kinds = bestOfKinds({&experiment, &table, {}, {}});
  EXPECT_TRUE(kinds) << (kinds ? "" : describe(kinds.error()));
  return kinds.value_or(std::vector<KindPlan>{});
}

TEST(BestOfKinds, TriesEachStrategyAndEachNumberOfReplicas) {
  const plan::Experiment experiment = resnet18(4, 16);
  const predict::CostTable table = evenTable(experiment);
  const std::vector<KindPlan> kinds = kindsOf(experiment, table);
  // 14 blocks of 3 ms for each of 16 samples.
  constexpr TimeNs kAll = 16 * 14 * 3'000'000LL;
  const KindPlan* single = kindOf(kinds, plan::Strategy::Single);
  ASSERT_NE(single, nullptr);
  EXPECT_EQ(single->stepNs, kAll);
  EXPECT_EQ(single->bytesMoved, 0);
  const KindPlan* parallel = kindOf(kinds, plan::Strategy::ModelParallel);
  ASSERT_NE(parallel, nullptr);
  EXPECT_EQ(parallel->stepNs, kAll);
  EXPECT_THAT(parallel->reason, HasSubstr("idle for 75 %"));
  const KindPlan* pipeline = kindOf(kinds, plan::Strategy::Pipeline);
  ASSERT_NE(pipeline, nullptr);
  EXPECT_LT(pipeline->stepNs, kAll / 2);
  const KindPlan* two = kindOf(kinds, plan::Strategy::Pipeline, 2);
  ASSERT_NE(two, nullptr);
  EXPECT_EQ(two->stages.front().group.size(), 2U);
  EXPECT_EQ(plan::rowsOf(two->stages).size(), 4U);
  EXPECT_THAT(two->reason, StartsWith("2 pipelines share the batch on 4 devices"));
  const KindPlan* copies = kindOf(kinds, plan::Strategy::DataParallel, 4);
  ASSERT_NE(copies, nullptr);
  // A quarter of the work, and the additions.
  EXPECT_GT(copies->stepNs, kAll / 4);
  EXPECT_LT(copies->stepNs, kAll / 4 + kAll / 50);
  EXPECT_THAT(copies->reason, HasSubstr("replicas have no bubble"));
  const KindPlan* distributed = kindOf(kinds, plan::Strategy::Ddp, 4);
  ASSERT_NE(distributed, nullptr);
  EXPECT_EQ(kinds.front().stepNs, std::min(copies->stepNs, distributed->stepNs));
  for (const KindPlan& kind : kinds) {
    EXPECT_TRUE(plan::strategyRow(kind.strategy).available);
    EXPECT_GT(kind.peakBytes, 0);
    EXPECT_THAT(kind.reason, Not(IsEmpty()));
  }
}

TEST(BestOfKinds, PutsWhatDoesNotFitLastAndSaysWhatItLacks) {
  plan::Experiment experiment = resnet18(2, 8);
  const predict::CostTable table = evenTable(experiment);
  const KindPlan* single = nullptr;
  const std::vector<KindPlan> roomy = kindsOf(experiment, table);
  single = kindOf(roomy, plan::Strategy::Single);
  ASSERT_NE(single, nullptr);
  for (plan::DeviceSpec& device : experiment.devices) device.maxMemory = single->peakBytes * 3 / 4;
  const std::vector<KindPlan> kinds = kindsOf(experiment, table);
  EXPECT_TRUE(plan::strategyRow(kinds.front().strategy).pipelined ||
              kinds.front().strategy == plan::Strategy::ModelParallel);
  EXPECT_TRUE(kinds.front().fits());
  for (const auto strategy : {plan::Strategy::Single, plan::Strategy::DataParallel}) {
    const KindPlan* kind = kindOf(kinds, strategy, strategy == plan::Strategy::Single ? 1 : 2);
    ASSERT_NE(kind, nullptr);
    EXPECT_FALSE(kind->fits());
    EXPECT_THAT(kind->reason, StartsWith("does not fit on one device: needs "));
    EXPECT_THAT(kind->reason, HasSubstr("(cpu:0)"));
  }
}

TEST(BestOfKinds, TellsHowFarItIsAndWhichKindIsNext) {
  const plan::Experiment experiment = resnet18(4, 16);
  const predict::CostTable table = evenTable(experiment);
  std::vector<KindsProgress> told;
  const auto kinds =
      bestOfKinds({.experiment = &experiment,
                   .table = &table,
                   .known = {},
                   .progress = [&told](const KindsProgress& now) { told.push_back(now); }});
  ASSERT_TRUE(kinds) << describe(kinds.error());
  ASSERT_GT(told.size(), kinds->size());
  double last = 0.0;
  for (const KindsProgress& now : told) {
    EXPECT_GE(now.fraction, last);
    EXPECT_LT(now.fraction, 1.0);
    last = now.fraction;
  }
  EXPECT_EQ(told.front().fraction, 0.0);
  for (const KindPlan& kind : *kinds) {
    // Replicas of the whole model are one kind, whatever their number.
    const bool named = std::any_of(told.begin(), told.end(), [&](const KindsProgress& now) {
      return now.strategy == kind.strategy &&
             (plan::strategyRow(kind.strategy).replicates || now.replicas == kind.replicas);
    });
    EXPECT_TRUE(named) << plan::word(kind.strategy);
  }
}

TEST(BestOfKinds, EndsWithTheKindsFoundSoFar) {
  const plan::Experiment experiment = resnet18(4, 16);
  const predict::CostTable table = evenTable(experiment);
  bool wanted = true;
  const auto kinds = bestOfKinds({.experiment = &experiment,
                                  .table = &table,
                                  .goesOn = [&wanted] { return wanted; },
                                  .known = {},
                                  .progress =
                                      [&wanted](const KindsProgress& now) {
                                        wanted = !plan::strategyRow(now.strategy).pipelined;
                                      }});
  ASSERT_TRUE(kinds) << describe(kinds.error());
  EXPECT_NE(kindOf(*kinds, plan::Strategy::Single), nullptr);
  EXPECT_EQ(kindOf(*kinds, plan::Strategy::Ddp, 4), nullptr);
}

TEST(BestOfKinds, OfOneDeviceIsThatDevice) {
  const plan::Experiment experiment = resnet18(1, 4);
  const std::vector<KindPlan> kinds = kindsOf(experiment, evenTable(experiment));
  ASSERT_EQ(kinds.size(), 1U);
  EXPECT_EQ(kinds.front().strategy, plan::Strategy::Single);
}

TEST(BestOfKinds, OfInferenceHasNoReplicas) {
  plan::Experiment experiment = resnet18(2, 4);
  experiment.task = plan::Task::Infer;
  for (const KindPlan& kind : kindsOf(experiment, evenTable(experiment))) {
    EXPECT_EQ(kind.replicas, 1);
  }
}

TEST(BestOfKinds, IsLeftOutOfASuggestionThatIsNotAskedForIt) {
  const plan::Experiment experiment = resnet18(2, 8);
  const auto found = suggest({.experiment = &experiment, .kinds = false});
  ASSERT_TRUE(found) << describe(found.error());
  EXPECT_THAT(found->kinds, IsEmpty());
  EXPECT_THAT(pipelinesOf(*found), Not(IsEmpty()));
}

TEST(BestOfKinds, IsPartOfASuggestionWithThePipelinesOfItsCurve) {
  const plan::Experiment experiment = resnet18(2, 8);
  const predict::CostTable table = randomTable(experiment, 3);
  const auto found = suggest({&experiment, &table, 1});
  ASSERT_TRUE(found) << describe(found.error());
  const KindPlan* pipeline = kindOf(found->kinds, plan::Strategy::Pipeline);
  ASSERT_NE(pipeline, nullptr);
  for (const SuggestedPlan& point : found->curve) {
    if (point.stages.size() < 2) continue;
    EXPECT_LE(pipeline->stepNs, point.stepNs);
  }
  EXPECT_TRUE(std::is_sorted(found->kinds.begin(), found->kinds.end(), predict::isBetter));
}

TEST(Place, CutsForTheSlowestAndSmallestReplica) {
  plan::Experiment experiment = resnet18(4, 16);
  const predict::CostTable table = evenTable(experiment);
  PlacementTask task = taskOf(experiment, &table);
  task.rowOfStage = {0, 1};
  task.variant.strategy = plan::Strategy::Pipeline;
  task.variant.splitSize = 2;
  const auto id = [&](std::size_t device) { return experiment.devices[device].id; };
  task.variant.groups = {plan::DeviceGroup(std::vector<DeviceId>{id(0), id(2)}),
                         plan::DeviceGroup(std::vector<DeviceId>{id(1), id(3)})};
  const auto even = place(task, PlacementMode::Optimal);
  ASSERT_TRUE(even) << describe(even.error());
  EXPECT_EQ(even->stages[1].firstBlock, 7U);
  EXPECT_EQ(even->stages[0].group, task.variant.groups[0]);
  EXPECT_LE(even->lowerBoundNs, even->stepNs);
  // The second replica of the second stage is three times as slow.
  experiment.devices[3].like = id(1);
  experiment.devices[3].speed = 1.0 / 3.0;
  const auto slow = place(task, PlacementMode::Optimal);
  ASSERT_TRUE(slow) << describe(slow.error());
  EXPECT_GE(slow->stages[1].firstBlock, 10U);
}

TEST(ResolveStages, CutsAPipelineOfReplicasWithItsGroups) {
  Json document{{"stagelane", 1},
                {"name", "replicas"},
                {"model", {{"zoo", "resnet18"}}},
                {"input", {{"shape", {3, 32, 32}}}},
                {"data", {{"labels", "normal"}, {"batch_size", 16}}},
                {"loss", "mse"},
                {"devices", {"cpu:0", "cpu:1", "cpu:2", "cpu:3"}},
                {"variants",
                 {{{"name", "p"},
                   {"strategy", "pipeline"},
                   {"schedule", "1f1b"},
                   {"split_size", 2},
                   {"replicas", 2},
                   {"placement", "optimal"}}}}};
  const plan::Experiment written = plan::readExperiment(document, "", {}).value();
  const auto experiment = readResolved(document, evenTable(written));
  ASSERT_TRUE(experiment) << describe(experiment.error());
  const plan::Variant& variant = experiment->variants.front();
  ASSERT_EQ(variant.stages.size(), 2U);
  EXPECT_EQ(variant.stages[1].firstBlock, 7U);
  EXPECT_EQ(variant.stages[0].group.text(), "cpu:0+cpu:2");
  EXPECT_EQ(variant.stages[1].group.text(), "cpu:1+cpu:3");
}

}  // namespace
}  // namespace stagelane::search
