#include <gmock/gmock.h>

#include <filesystem>

#include "engine/plan/rows.h"
#include "engine/predict/simulator.h"
#include "engine/predict/variant_schedule.h"
#include "tests/engine/plan/documents.h"
#include "tests/support/paths.h"

namespace stagelane::predict {
namespace {

using plan::testing::good;
using plan::testing::parsed;
using plan::testing::resnetWith;
using plan::testing::toyWith;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(MicroBatchSizes, CoverTheBatchWithATail) {
  EXPECT_THAT(plan::microBatchSizes(10, 3), ElementsAre(3, 3, 3, 1));
  EXPECT_THAT(plan::microBatchSizes(10, 5), ElementsAre(5, 5));
  EXPECT_THAT(plan::microBatchSizes(10, 10), ElementsAre(10));
  EXPECT_THAT(plan::microBatchSizes(10, 11), ElementsAre(10));
  EXPECT_TRUE(plan::microBatchSizes(10, 0).empty());
  EXPECT_TRUE(plan::microBatchSizes(0, 3).empty());
}

TEST(LowerVariant, MakesASoundListForEveryVariant) {
  const plan::Experiment experiment = good(toyWith(R"([
      {"strategy": "single"}, {"strategy": "single", "name": "acc", "split_size": 3},
      {"strategy": "model_parallel",
       "placement": {"net1": "cpu:1", "relu": "cpu:0", "net2": "cpu:1"}},
      {"name": "p", "strategy": "pipeline", "schedule": ["tutorial", "gpipe", "1f1b"], "split_size": [3, 20]}])"));
  for (const plan::Variant& variant : experiment.variants) {
    const auto lowered = lowerVariant(experiment, variant);
    ASSERT_TRUE(lowered) << variant.id << describe(lowered.error());
    EXPECT_EQ(lowered->actions.size(), plan::rowsOf(variant).size());
    EXPECT_EQ(static_cast<std::size_t>(lowered->source.microBatches),
              plan::microBatchSizes(20, variant.splitSize).size());
  }
}

TEST(LowerVariant, LowersEveryScheduleOfASweep) {
  const plan::Experiment experiment = good(resnetWith(R"([{"name": "p", "strategy": "pipeline",
      "split_size": 2, "schedule": ["interleaved-1f1b", "looped-bfs", "zb-h1", "zb-h2",
      "interleaved-zero-bubble", "zbv", "v-half", "v-min", "dualpipev"]}])"));
  for (const plan::Variant& variant : experiment.variants) {
    const auto lowered = lowerVariant(experiment, variant);
    ASSERT_TRUE(lowered) << variant.id << describe(lowered.error());
    const auto costs = estimateCosts(experiment, variant);
    ASSERT_TRUE(costs) << variant.id << describe(costs.error());
    EXPECT_TRUE(simulate(*lowered, *costs)) << variant.id;
  }
}

TEST(LowerVariant, NamesTheVariantWhoseLayoutDoesNotSuitItsSchedule) {
  const plan::Experiment experiment = good(toyWith(R"([{"name": "zig zag", "strategy": "pipeline",
      "split_size": 5, "placement": {"net1": "cpu:0", "relu": "cpu:1", "net2": "cpu:0"}}])"));
  const auto lowered = lowerVariant(experiment, experiment.variants[0]);
  ASSERT_FALSE(lowered);
  EXPECT_EQ(lowered.error().code, ErrorCode::Invalid);
  EXPECT_EQ(lowered.error().context, "/variants/0/schedule (variant \"zig zag\")");
  EXPECT_THAT(lowered.error().message, HasSubstr("one stage on each device"));
}

Json csvVariant(const char* file, int split) {
  Json document = resnetWith(R"([{"name": "file", "strategy": "pipeline", "split_size": 2,
      "stages": [{"first": "conv1", "device": "cpu:0"}, {"first": "layer1", "device": "cpu:1"},
                 {"first": "layer2", "device": "cpu:1"}, {"first": "layer3", "device": "cpu:0"}]}])");
  document["variants"][0]["schedule"] = {{"csv", std::string("schedules/") + file}};
  document["variants"][0]["split_size"] = split;
  return document;
}

TEST(LowerVariant, PlaysAFileWhoseRowsAreTheStages) {
  const plan::Experiment experiment = good(csvVariant("zbv_p2_m4_v2.csv", 2));
  const auto lowered = lowerVariant(experiment, experiment.variants[0]);
  ASSERT_TRUE(lowered) << describe(lowered.error());
  EXPECT_EQ(lowered->source.stages, 4);
  const auto costs = estimateCosts(experiment, experiment.variants[0]);
  ASSERT_TRUE(costs);
  EXPECT_TRUE(simulate(*lowered, *costs));
}

TEST(LowerVariant, SaysHowAFileDiffersFromTheVariant) {
  const plan::Experiment count = good(csvVariant("zbv_p2_m4_v2.csv", 4));
  const auto wrongCount = lowerVariant(count, count.variants[0]);
  ASSERT_FALSE(wrongCount);
  EXPECT_THAT(wrongCount.error().message,
              HasSubstr("4 micro-batches, but the variant has 4 and 2"));
  const plan::Experiment layout = good(csvVariant("looped-bfs_p2_m4_v2.csv", 2));
  const auto wrongLayout = lowerVariant(layout, layout.variants[0]);
  ASSERT_FALSE(wrongLayout);
  EXPECT_THAT(wrongLayout.error().message, HasSubstr("stage 2 on row 0"));
}

TEST(EstimateCosts, AreMarkedAndCoverStagesAndMicroBatches) {
  const plan::Experiment experiment = good(resnetWith(
      R"([{"name": "p", "strategy": "pipeline", "split_size": 3, "placement": "optimal"}])"));
  const plan::Variant& variant = experiment.variants[0];
  const auto costs = estimateCosts(experiment, variant);
  ASSERT_TRUE(costs);
  EXPECT_EQ(costs->basis, Basis::Estimate);
  EXPECT_EQ(word(costs->basis), "estimate");
  ASSERT_EQ(costs->stage.size(), 2u);
  ASSERT_EQ(costs->stage[0].size(), 3u);
  for (const auto& stage : costs->stage) {
    EXPECT_GT(stage[0].forward, 0);
    EXPECT_GT(stage[0].backward, stage[0].forward);
    EXPECT_EQ(stage[0].backward, stage[0].backwardInput + stage[0].backwardWeight);
    EXPECT_EQ(stage[0].forward, stage[1].forward);
    EXPECT_LT(stage[2].forward, stage[1].forward) << "the tail has two samples, not three";
    EXPECT_LT(stage[2].savedBytes, stage[1].savedBytes);
    EXPECT_GT(stage[0].optimizer, 0);
  }
  EXPECT_EQ(costs->stage[0][0].backwardInput, 0) << "the first stage has no input gradient";
  EXPECT_EQ(costs->stage[0][0].loss, 0);
  EXPECT_GT(costs->stage[1][0].loss, 0);
  EXPECT_EQ(costs->stage[0][0].sendForward, 0) << "CPU workers share their memory";
  EXPECT_GT(costs->stage[0][0].boundaryBytes, 0);
  ASSERT_EQ(costs->residentBytes.size(), 2u);
}

TEST(EstimateCosts, HoldACopyOfATiedParameterInEachStage) {
  const auto residents = [](bool tie) {
    Json document = toyWith(R"([{"name": "p", "strategy": "model_parallel"}])");
    document["model"] = parsed(R"({"zoo": "gpt", "layers": 2, "heads": 2, "width": 16,
                                   "vocab": 32, "context": 8})");
    document["model"]["tie"] = tie;
    document["input"] = parsed(R"({"shape": [8], "dtype": "int64"})");
    document["data"] = parsed(R"({"batch_size": 4, "labels": "class"})");
    document["loss"] = "cross_entropy";
    const plan::Experiment experiment = good(document);
    return estimateCosts(experiment, experiment.variants[0])->residentBytes;
  };
  EXPECT_EQ(residents(true).size(), 2U);
  EXPECT_EQ(residents(true), residents(false));
}

TEST(EstimateCosts, HaveTransfersBetweenGpus) {
  Json document = resnetWith(R"([{"name": "p", "strategy": "pipeline", "split_size": 4}])");
  document["devices"] = parsed(R"(["cuda:0", "cuda:1"])");
  const plan::Experiment experiment = good(document);
  const auto costs = *estimateCosts(experiment, experiment.variants[0]);
  EXPECT_GT(costs.stage[0][0].sendForward, 0);
  EXPECT_EQ(costs.stage[0][0].sendForward, costs.stage[1][0].sendBackward);
  EXPECT_EQ(costs.stage[0][0].sendBackward, 0);
}

TEST(EstimateCosts, FallWithMoreThreadsAndGrowWithMomentum) {
  Json document = resnetWith(R"([{"name": "single", "strategy": "single"}])");
  const plan::Experiment experiment = good(document);
  const auto one = *estimateCosts(experiment, *experiment.variantById("single"));
  const auto two = *estimateCosts(experiment, *experiment.variantById("single-all-cores"));
  EXPECT_LT(two.stage[0][0].forward, one.stage[0][0].forward);
  document["optimizer"] = parsed(R"({"momentum": 0.9})");
  const plan::Experiment heavy = good(document);
  const auto more = *estimateCosts(heavy, *heavy.variantById("single"));
  EXPECT_GT(more.residentBytes[0], one.residentBytes[0]);
  EXPECT_GT(more.stage[0][0].optimizer, one.stage[0][0].optimizer);
}

plan::Experiment preset(const std::string& name) {
  const auto document = readJsonFile(checkout::root() + "/resources/presets/" + name + ".json");
  EXPECT_TRUE(document) << describe(document.error());
  return good(*document);
}

TEST(Presets, AllReadLowerAndSimulate) {
  int count = 0;
  const std::filesystem::path folder =
      std::filesystem::path(checkout::root()) / "resources/presets";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    ++count;
    const plan::Experiment experiment = preset(entry.path().stem().string());
    EXPECT_TRUE(experiment.warnings.empty());
    for (const plan::Variant& variant : experiment.variants) {
      const auto lowered = lowerVariant(experiment, variant);
      ASSERT_TRUE(lowered) << entry.path() << variant.id << describe(lowered.error());
      const auto costs = estimateCosts(experiment, variant);
      ASSERT_TRUE(costs) << describe(costs.error());
      EXPECT_TRUE(simulate(*lowered, *costs));
    }
  }
  EXPECT_EQ(count, 12);
}

TEST(Presets, HoldTheTutorialsExperiment) {
  const plan::Experiment experiment = preset("tutorial-resnet50");
  EXPECT_EQ(experiment.data.batchSize, 120);
  EXPECT_EQ(experiment.data.batches, 3);
  EXPECT_EQ(experiment.repeat, 10);
  EXPECT_EQ(experiment.timing, plan::Timing::Tutorial);
  EXPECT_EQ(experiment.model->classes, 1000);
  ASSERT_NE(experiment.variantById("pipeline-20"), nullptr);
  EXPECT_EQ(experiment.variantById("pipeline-20")->schedule, "tutorial");
  for (const int split : {1, 3, 5, 8, 10, 12, 20, 40, 60}) {
    EXPECT_NE(experiment.variantById("sweep-s" + std::to_string(split)), nullptr) << split;
  }
}

TEST(Presets, QuickRunsAPipelineThatIsPredictedWellAheadOfOneWorker) {
  const plan::Experiment experiment = preset("tutorial-resnet50-quick");
  TimeNs single = 0, best = 0;
  for (const plan::Variant& variant : experiment.variants) {
    const TimeNs step =
        simulate(*lowerVariant(experiment, variant), *estimateCosts(experiment, variant))->stepNs;
    if (variant.strategy == plan::Strategy::Single && variant.threads == 0) {
      single = single == 0 ? step : std::min(single, step);
    }
    if (variant.strategy == plan::Strategy::Pipeline) {
      best = best == 0 ? step : std::min(best, step);
    }
  }
  EXPECT_GT(static_cast<double>(single) / static_cast<double>(best), 1.3);
  for (const char* id : {"baseline-mb4", "baseline-mb8", "baseline-mb16", "single-all-cores"}) {
    EXPECT_NE(experiment.variantById(id), nullptr) << id;
  }
}

TEST(Presets, TooBigFitsTwoDevicesAndNotOne) {
  const plan::Experiment experiment = preset("too-big");
  for (const plan::Variant& variant : experiment.variants) {
    const auto peak =
        simulate(*lowerVariant(experiment, variant), *estimateCosts(experiment, variant))
            ->peakBytes;
    const bool fits = std::all_of(peak.begin(), peak.end(), [&](Bytes bytes) {
      return bytes <= *experiment.devices[0].maxMemory;
    });
    EXPECT_EQ(fits, variant.strategy != plan::Strategy::Single) << variant.id;
  }
}

}  // namespace
}  // namespace stagelane::predict
