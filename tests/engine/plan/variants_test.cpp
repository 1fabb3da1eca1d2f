#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "engine/plan/accelerate_placement.h"
#include "tests/engine/plan/documents.h"
#include "tests/support/paths.h"

namespace stagelane::plan {
namespace {

using testing::devicesOf;
using ::testing::ElementsAre;
using testing::expectError;
using testing::good;
using ::testing::HasSubstr;
using testing::idsOf;
using testing::parsed;
using testing::read;
using testing::resnetWith;
using testing::toyDocument;
using testing::toyWith;

constexpr const char* kCut = R"({"net1": "cpu:0", "relu": "cpu:0", "net2": "cpu:1"})";

std::string pipeline(const std::string& members) {
  return R"({"name": "pipe", "strategy": "pipeline", )" + members + "}";
}

TEST(Variants, GetIdsFromTheirNames) {
  const Experiment experiment = good(toyWith(R"([
      {"name": "My Single!", "strategy": "single"}, {"name": "my single", "strategy": "single"},
      {"name": "--", "strategy": "single"}, {"id": "own-1", "strategy": "single"},
      {"strategy": "single"}, {"strategy": "single"}])"));
  EXPECT_THAT(idsOf(experiment, false),
              ElementsAre("my-single", "my-single-2", "variant", "own-1", "single", "single-2"));
  EXPECT_EQ(experiment.variants.back().tab, "single 2");
  ASSERT_NE(experiment.variantById("own-1"), nullptr);
  EXPECT_EQ(experiment.variantById("own-1")->name, "own-1");
  EXPECT_EQ(experiment.variantById("none"), nullptr);
}

TEST(Variants, WithAnExplicitIdKeepItWhereverTheyStand) {
  const Experiment experiment = good(toyWith(R"([
      {"name": "a b", "strategy": "single"}, {"name": "x", "id": "a-b", "strategy": "single"}])"));
  EXPECT_THAT(idsOf(experiment, false), ElementsAre("a-b-2", "a-b"));
}

TEST(Variants, MustHaveDifferentNamesAndWellFormedIds) {
  expectError(
      toyWith(R"([{"name": "a", "strategy": "single"}, {"name": "a", "strategy": "single"}])"),
      "/variants/1/name", "twice");
  expectError(toyWith(R"([{"id": "a", "strategy": "single"}, {"id": "a", "strategy": "single"}])"),
              "/variants/1/id", "twice");
  expectError(toyWith(R"([{"id": "A b", "strategy": "single"}])"), "/variants/0/id", "\"a-b\"");
  expectError(toyWith(R"([{"id": "", "strategy": "single"}])"), "/variants/0/id",
              "lowercase letters");
  expectError(toyWith(R"([{"id": "baseline-mb8", "strategy": "single"}])"), "/variants/0/id",
              "reserved for an implicit variant");
  expectError(toyWith(R"([{"id": "single-all-cores", "strategy": "single"}])"), "/variants/0/id",
              "reserved for an implicit variant");
  const Experiment experiment =
      good(toyWith(R"([{"name": "Single, all cores", "strategy": "single"}])"));
  EXPECT_THAT(idsOf(experiment, false), ElementsAre("single-all-cores-2"));
  EXPECT_THAT(idsOf(experiment, true), ElementsAre("single-all-cores"));
}

TEST(Variants, MustBeAList) {
  expectError(toyWith("[]"), "/variants", "at least one");
  expectError(toyWith("{}"), "/variants", "at least one");
  expectError(toyWith("[3]"), "/variants/0", "object");
  expectError(toyWith("[{}]"), "/variants/0", "strategy");
}

TEST(Sweeps, ExpandToOneVariantEachWithTheIdsOfTheContract) {
  const Experiment splits = good(toyWith("[" + pipeline(R"("split_size": [5, 20, 7])") + "]"));
  EXPECT_THAT(idsOf(splits, false), ElementsAre("pipe-s5", "pipe-s20", "pipe-s7"));
  EXPECT_EQ(splits.variants[0].schedule, "1f1b");
  EXPECT_EQ(splits.variants[2].splitSize, 7);
  EXPECT_EQ(splits.variants[2].tab, "pipe");

  const Experiment schedules =
      good(toyWith("[" + pipeline(R"("schedule": ["gpipe", "1f1b"], "split_size": 5)") + "]"));
  EXPECT_THAT(idsOf(schedules, false), ElementsAre("pipe-gpipe", "pipe-1f1b"));

  const Experiment both = good(
      toyWith("[" + pipeline(R"("schedule": ["gpipe", "tutorial"], "split_size": [5, 10])") + "]"));
  EXPECT_THAT(idsOf(both, false), ElementsAre("pipe-gpipe-s5", "pipe-gpipe-s10", "pipe-tutorial-s5",
                                              "pipe-tutorial-s10"));
  // A list with one item is a sweep too.
  const Experiment one = good(toyWith("[" + pipeline(R"("split_size": [4])") + "]"));
  EXPECT_THAT(idsOf(one, false), ElementsAre("pipe-s4"));
}

TEST(Sweeps, DoNotTakeTheIdOfAnotherVariant) {
  const Experiment experiment = good(toyWith("[" + pipeline(R"("split_size": [5])") +
                                             R"(, {"id": "pipe-s5", "strategy": "single"}])"));
  EXPECT_THAT(idsOf(experiment, false), ElementsAre("pipe-s5-2", "pipe-s5"));
}

TEST(Sweeps, SkipSplitSizesAboveTheBatchWithAWarning) {
  const Experiment experiment =
      good(toyWith("[" + pipeline(R"("split_size": [5, 21, 20, 18446744073709551615])") + "]"));
  EXPECT_THAT(idsOf(experiment, false), ElementsAre("pipe-s5", "pipe-s20"));
  ASSERT_EQ(experiment.warnings.size(), 2u);
  EXPECT_THAT(experiment.warnings[0], HasSubstr("split_size 21 is above the batch size 20"));
  EXPECT_THAT(experiment.warnings[0], HasSubstr("/variants/0/split_size/1"));
}

TEST(SplitSize, MustBeAWholeNumberFromOneToTheBatch) {
  expectError(toyWith("[" + pipeline(R"("split_size": 21)") + "]"), "/variants/0/split_size",
              "above the batch size 20");
  for (const char* value : {"0", "-1", "2.5", "\"4\"", "null", "true", "18446744073709551615"}) {
    expectError(toyWith("[" + pipeline(std::string("\"split_size\": ") + value) + "]"),
                "/variants/0/split_size", "");
  }
  for (const char* list : {"[4, 0]", "[4, -2]", "[4, 4.5]", "[4, \"5\"]", "[4, 4]"}) {
    expectError(toyWith("[" + pipeline(std::string("\"split_size\": ") + list) + "]"),
                "/variants/0/split_size/1", "");
  }
  expectError(toyWith("[" + pipeline(R"("split_size": [])") + "]"), "/variants/0/split_size",
              "no split_size");
  expectError(toyWith("[" + pipeline(R"("split_size": [30])") + "]"), "/variants/0/split_size",
              "no split_size");
  expectError(toyWith("[" + pipeline(R"("schedule": "gpipe")") + "]"), "/variants/0", "split_size");
}

TEST(SplitSize, MayNotMakeAbsurdlyManyMicroBatches) {
  Json document = toyWith("[" + pipeline(R"("split_size": 1)") + "]");
  document["data"]["batch_size"] = 100001;
  expectError(document, "/variants/0/split_size", "100000 micro-batches");
}

TEST(SplitSize, OfModelParallelIsTheBatch) {
  const auto variant = [](const std::string& more) {
    return R"([{"name": "mp", "strategy": "model_parallel")" + more + "}]";
  };
  EXPECT_EQ(good(toyWith(variant(""))).variants[0].splitSize, 20);
  EXPECT_EQ(good(toyWith(variant(R"(, "split_size": 20)"))).variants[0].splitSize, 20);
  EXPECT_EQ(good(toyWith(variant(""))).variants[0].schedule, "model_parallel");
  expectError(toyWith(variant(R"(, "split_size": 10)")), "/variants/0/split_size",
              "one micro-batch");
}

TEST(SplitSize, OfSingleMakesGradientAccumulation) {
  const Experiment experiment =
      good(toyWith(R"([{"name": "acc", "strategy": "single", "split_size": [5, 20]}])"));
  EXPECT_EQ(experiment.variants[0].id, "acc-s5");
  EXPECT_EQ(experiment.variants[0].schedule, "1f1b");
  EXPECT_EQ(experiment.variants.back().schedule, "single");
}

TEST(SplitSize, MayNotLeaveBatchNormWithOneValuePerChannel) {
  // ResNet-18 at 32² ends in 1×1 images: a micro-batch of one sample is one value per channel.
  Json document = resnetWith("[" + pipeline(R"("split_size": 4)") + "]");
  document["input"]["shape"] = {3, 32, 32};
  EXPECT_EQ(good(document).variants[0].splitSize, 4);
  document["variants"][0]["split_size"] = 1;
  expectError(document, "/variants/0/split_size", "layer4.0.bn1");
  document["variants"][0]["split_size"] = 7;  // 7 and a tail of 1
  expectError(document, "/variants/0/split_size", "layer4.0.bn1");
  document["data"]["batch_size"] = 1;
  document["variants"] = parsed(R"([{"strategy": "single"}])");
  expectError(document, "/data/batch_size", "layer4.0.bn1");
}

TEST(Schedules, MustSuitTheStrategyAndBeKnown) {
  const auto at = [](const std::string& schedule) {
    return toyWith("[" + pipeline("\"split_size\": 5, \"schedule\": " + schedule) + "]");
  };
  EXPECT_EQ(good(at("\"tutorial\"")).variants[0].schedule, "tutorial");
  EXPECT_EQ(good(at("\"zb-h1\"")).variants[0].schedule, "zb-h1");
  EXPECT_EQ(good(at("\"auto\"")).variants[0].schedule, "auto");
  expectError(at("\"zbw\""), "/variants/0/schedule", "unknown schedule \"zbw\"");
  expectError(at("\"single\""), "/variants/0/schedule", "such as gpipe or 1f1b");
  expectError(at("3"), "/variants/0/schedule", "csv");
  expectError(at("[]"), "/variants/0/schedule", "empty");
  expectError(at(R"(["gpipe", "zbw"])"), "/variants/0/schedule/1", "unknown schedule \"zbw\"");
  expectError(at(R"(["gpipe", "gpipe"])"), "/variants/0/schedule/1", "twice");
  expectError(toyWith(R"([{"strategy": "single", "schedule": "gpipe"}])"), "/variants/0/schedule",
              "pipeline");
}

TEST(Schedules, MayComeFromACsvFileBesideTheExperiment) {
  const char* csv = R"({"csv": "schedules/zbv_p2_m4_v2.csv"})";
  const auto with = [](const std::string& schedule) {
    return resnetWith("[" + pipeline("\"split_size\": 2, \"schedule\": " + schedule) + "]");
  };
  const Experiment experiment = good(with(csv));
  const std::string path = checkout::testData() + "/schedules/zbv_p2_m4_v2.csv";
  EXPECT_EQ(experiment.variants[0].schedule, "csv:" + path);
  EXPECT_EQ(experiment.source["variants"][0]["schedule"]["csv"], path);
  EXPECT_THAT(devicesOf(experiment.variants[0]), ElementsAre("cpu:0", "cpu:1", "cpu:1", "cpu:0"))
      << "the cut follows the rows of the file";
  const Experiment list = good(with("[\"gpipe\", " + std::string(csv) + "]"));
  EXPECT_THAT(idsOf(list, false), ElementsAre("pipe-gpipe", "pipe-zbv-p2-m4-v2"));
  EXPECT_THAT(devicesOf(list.variants[0]), ElementsAre("cpu:0", "cpu:1"));
  expectError(with(R"({"csv": "none.csv"})"), "/variants/0/schedule/csv", "not found");
  expectError(with(R"({"csv": "schedules/zbv_p4_m8_v2.csv"})"), "/variants/0/schedule",
              "more rows than the 2 devices");
}

TEST(Placement, MayBeTheSameAsAnotherVariantByNameOrId) {
  const Experiment experiment = good(toyWith(
      std::string(
          R"([{"name": "a", "strategy": "pipeline", "split_size": 5, "placement": "same as: b c"},
          {"name": "b c", "id": "bee", "strategy": "model_parallel", "placement": )") +
      kCut +
      R"(}, {"name": "d", "strategy": "pipeline", "split_size": 10, "placement": "same as: bee"},
          {"name": "e", "strategy": "pipeline", "split_size": 10, "placement": "same as: f"},
          {"name": "f", "strategy": "single", "device": "cpu:1"}])"));
  EXPECT_EQ(experiment.variants[0].placement.dump(), parsed(kCut).dump());
  EXPECT_EQ(experiment.variantById("d")->stages, experiment.variants[0].stages);
  EXPECT_EQ(experiment.variantById("e")->placement.dump(), R"({"":"cpu:1"})");
}

TEST(Placement, MayNotReferToItselfInACircle) {
  const char* variant = R"({"name": "%", "strategy": "model_parallel", "placement": "same as: $"})";
  const auto named = [&](char name, char other) {
    std::string text = variant;
    text[text.find('%')] = name;
    text[text.find('$')] = other;
    return text;
  };
  expectError(toyWith("[" + named('a', 'a') + "]"), "/variants/0/placement", "a → a");
  expectError(toyWith("[" + named('a', 'b') + "," + named('b', 'c') + "," + named('c', 'a') + "]"),
              "/variants/0/placement", "a → b → c → a");
  expectError(toyWith("[" + named('a', 'x') + "]"), "/variants/0/placement",
              "unknown variant \"x\"");
}

TEST(Placement, IsOptimalWhenNoneIsGiven) {
  const Experiment experiment = good(resnetWith(R"([{"name": "mp", "strategy": "model_parallel"},
      {"name": "pipe", "strategy": "pipeline", "split_size": 2, "placement": "optimal"}])"));
  ASSERT_EQ(experiment.variants[0].stages.size(), 2u);
  EXPECT_EQ(experiment.variants[0].stages[0].group.first().value, "cpu:0");
  EXPECT_EQ(experiment.variants[0].stages[1].group.first().value, "cpu:1");
  EXPECT_GT(experiment.variants[0].stages[0].lastBlock, 3u);
  EXPECT_LT(experiment.variants[0].stages[0].lastBlock, 11u);
}

TEST(Placement, OptimalUsesNoMoreDevicesThanBlocks) {
  Json document = toyWith(R"([{"name": "mp", "strategy": "model_parallel"}])");
  document["devices"] = parsed(R"(["cpu:0", "cpu:1", "cpu:2", "cpu:3"])");
  EXPECT_EQ(good(document).variants[0].stages.size(), 3u);
}

TEST(Placement, IsThatOfAcceleratesModes) {
  for (const std::string mode : {"auto", "balanced", "balanced_low_0"}) {
    const std::string members = R"("split_size": 5, "placement": ")" + mode + R"(")";
    const Experiment experiment = good(toyWith("[" + pipeline(members) + "]"));
    const auto stages = accelerateStages(*experiment.model, experiment.dtype, experiment.devices,
                                         *accelerateModeFrom(mode), "");
    ASSERT_TRUE(stages) << stages.error().message;
    EXPECT_EQ(experiment.variants[0].stages, *stages) << mode;
  }
  Json tight = toyWith(R"([{"name": "mp", "strategy": "model_parallel",
                           "placement": "sequential"}])");
  EXPECT_EQ(good(tight).variants[0].stages.size(), 1u) << "the first device has room for all";
  tight["devices"] = parsed(R"([{"id": "cpu:0", "max_memory": 100}])");
  expectError(tight, "/variants/0/placement", "net1 on disk");
}

TEST(Placement, RefusesWordsThatAreNoMode) {
  expectError(toyWith("[" + pipeline(R"("split_size": 5, "placement": "best")") + "]"),
              "/variants/0/placement", "optimal");
  expectError(toyWith("[" + pipeline(R"("split_size": 5, "placement": 3)") + "]"),
              "/variants/0/placement", "object");
}

TEST(Placement, MayNotNameADeviceThatTheExperimentDoesNotList) {
  expectError(
      toyWith(
          "[" +
          pipeline(
              R"("split_size": 5, "placement": {"net1": "cpu:0", "relu": "cpu:0", "net2": "cpu:7"})") +
          "]"),
      "/variants/0/placement/net2", "cpu:0 cpu:1");
  expectError(toyWith("[" + pipeline(R"("split_size": 5, "placement": {"": 0})") + "]"),
              "/variants/0/placement/", "cuda:0");
  expectError(
      toyWith("[" +
              pipeline(R"("split_size": 5, "stages": [{"first": "net1", "device": "cpu:9"}])") +
              "]"),
      "/variants/0/stages/0/device", "cpu:9");
}

TEST(Placement, AndStagesExcludeEachOtherAndSuitTheStrategy) {
  const std::string stages = R"("stages": [{"first": "net1", "device": "cpu:0"}])";
  expectError(
      toyWith("[" + pipeline(R"("split_size": 5, "placement": "optimal", )" + stages) + "]"),
      "/variants/0/stages", "both placement and stages");
  expectError(toyWith(R"([{"strategy": "single", "placement": "optimal"}])"),
              "/variants/0/placement", "one device");
  expectError(toyWith(R"([{"strategy": "single", )" + stages + "}]"), "/variants/0/stages",
              "one device");
  expectError(toyWith("[" + pipeline(R"("split_size": 5, "device": "cpu:0")") + "]"),
              "/variants/0/device", "only the strategy single");
}

TEST(Placement, OfUncoveredBlocksNamesTheBlock) {
  expectError(toyWith("[" + pipeline(R"("split_size": 5, "placement": {"net1": "cpu:0"})") + "]"),
              "/variants/0/placement", "Add \"relu\": \"cpu:0\"");
}

TEST(ImplicitVariants, AddSingleWithAllCoresBesideASingleVariantOnCpuWorkers) {
  Json document = toyWith(
      "[" + pipeline(R"("split_size": 5)") +
      R"(, {"name": "one", "strategy": "single"}, {"name": "two", "strategy": "single", "device": "cpu:1"}])");
  document["threads_per_cpu_worker"] = 3;
  const Experiment experiment = good(document);
  ASSERT_EQ(experiment.variants.size(), 4u);
  const Variant& all = experiment.variants[2];
  EXPECT_EQ(all.id, "single-all-cores");
  EXPECT_EQ(all.threads, 6);
  EXPECT_TRUE(all.implicit);
  EXPECT_TRUE(all.include);
  EXPECT_EQ(all.strategy, Strategy::Single);
  EXPECT_EQ(all.splitSize, 20);
  EXPECT_EQ(all.stages.front().group.first().value, "cpu:0");
}

TEST(ImplicitVariants, LeaveSingleWithAllCoresOutWhereItWouldSayNothing) {
  Json document = toyDocument();
  document["devices"] = parsed(R"(["cpu:0"])");
  EXPECT_TRUE(idsOf(good(document), true).empty()) << "one worker has all the cores anyway";
  document["devices"] = parsed(R"(["cpu:0", "cuda:0"])");
  EXPECT_TRUE(idsOf(good(document), true).empty()) << "a GPU has no cores to add";
  document["devices"] = parsed(R"(["cpu:0", "cpu:1"])");
  document["variants"][0]["include"] = false;
  EXPECT_FALSE(good(document).variants.back().include) << "nothing is run";
}

std::vector<std::string> baselines(std::int64_t batch, const std::string& variants) {
  Json document = toyWith(variants);
  document["devices"] = parsed(R"(["cuda:0", "cuda:1"])");
  document["data"]["batch_size"] = batch;
  document["baseline_sweep"] = true;
  return idsOf(good(document), true);
}

TEST(ImplicitVariants, SweepTheBaselineOverTheMicroBatchesThatVariantsUse) {
  const std::string single = R"([{"strategy": "single"})";
  EXPECT_THAT(baselines(32, single + "," + pipeline(R"("split_size": [4, 16])") + "]"),
              ElementsAre("baseline-mb4", "baseline-mb8", "baseline-mb16"));
  // Without a variant on a single device, the whole batch is a baseline, too.
  EXPECT_THAT(baselines(12, "[" + pipeline(R"("split_size": 3)") + "]"),
              ElementsAre("baseline-mb3", "baseline-mb12"));
  // The baselines: not split, an eighth, a quarter, a half.
  EXPECT_THAT(baselines(16, single + "]"),
              ElementsAre("baseline-mb2", "baseline-mb4", "baseline-mb8"));
  EXPECT_TRUE(baselines(1, single + "]").empty());
  // At most five, the smallest and the largest among them.
  EXPECT_THAT(
      baselines(120,
                single + "," + pipeline(R"("split_size": [1, 3, 5, 8, 10, 12, 20, 40, 60])") + "]"),
      ElementsAre("baseline-mb1", "baseline-mb3", "baseline-mb8", "baseline-mb12",
                  "baseline-mb60"));
}

TEST(ImplicitVariants, OfTheBaselineAccumulateGradientsOnTheFirstDevice) {
  Json document = toyWith(
      R"([{"strategy": "single"}, {"name": "p", "strategy": "pipeline", "split_size": 5}])");
  document["baseline_sweep"] = true;
  const Experiment experiment = good(document);
  const Variant* baseline = experiment.variantById("baseline-mb5");
  ASSERT_NE(baseline, nullptr);
  EXPECT_EQ(baseline->strategy, Strategy::Single);
  EXPECT_EQ(baseline->schedule, "1f1b");
  EXPECT_EQ(baseline->splitSize, 5);
  EXPECT_EQ(baseline->threads, 0);
  EXPECT_TRUE(baseline->implicit);
}

TEST(ImplicitVariants, OfTheBaselineAreAbsentUnlessAskedFor) {
  EXPECT_THAT(idsOf(good(toyDocument()), true), ElementsAre("single-all-cores"));
}

}  // namespace
}  // namespace stagelane::plan
