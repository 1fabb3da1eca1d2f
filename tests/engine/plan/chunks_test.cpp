// Several stages per device: where schedules require them, and what placements produce.

#include <gmock/gmock.h>

#include <filesystem>
#include <set>

#include "engine/schedule/methods.h"
#include "tests/engine/plan/documents.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"

namespace stagelane::plan {
namespace {

using testing::devicesOf;
using ::testing::Each;
using ::testing::ElementsAre;
using testing::expectError;
using testing::good;
using testing::resnetWith;
using testing::toyWith;

Json resnetPipeline(const std::string& members) {
  return resnetWith(R"([{"name": "p", "strategy": "pipeline", "split_size": 2, )" + members + "}]");
}

/// Stages cover the chain, without gaps.
void expectCover(const Experiment& experiment, const Variant& variant) {
  std::size_t next = 0;
  for (const Stage& stage : variant.stages) {
    EXPECT_EQ(stage.firstBlock, next);
    EXPECT_GE(stage.lastBlock, stage.firstBlock);
    next = stage.lastBlock + 1;
  }
  EXPECT_EQ(next, experiment.model->blocks.size());
}

TEST(Chunks, AreCutAndLaidOutAsEachScheduleOfASweepWants) {
  const Experiment experiment = good(resnetPipeline(
      R"("schedule": ["1f1b", "zb-h2", "zbv", "v-min", "interleaved-1f1b", "looped-bfs"])"));
  for (const char* flat : {"p-1f1b", "p-zb-h2"}) {
    EXPECT_THAT(devicesOf(*experiment.variantById(flat)), ElementsAre("cpu:0", "cpu:1"));
    EXPECT_EQ(experiment.variantById(flat)->chunks, 1);
  }
  for (const char* v : {"p-zbv", "p-v-min"}) {
    EXPECT_THAT(devicesOf(*experiment.variantById(v)),
                ElementsAre("cpu:0", "cpu:1", "cpu:1", "cpu:0"));
    EXPECT_EQ(experiment.variantById(v)->chunks, 2);
  }
  for (const char* loop : {"p-interleaved-1f1b", "p-looped-bfs"}) {
    EXPECT_THAT(devicesOf(*experiment.variantById(loop)),
                ElementsAre("cpu:0", "cpu:1", "cpu:0", "cpu:1"));
  }
  for (const Variant& variant : experiment.variants) expectCover(experiment, variant);
}

TEST(Chunks, MayBeMoreForLoops) {
  const Experiment experiment =
      good(resnetPipeline(R"("schedule": "interleaved-zero-bubble", "chunks": 3)"));
  EXPECT_THAT(devicesOf(experiment.variants[0]),
              ElementsAre("cpu:0", "cpu:1", "cpu:0", "cpu:1", "cpu:0", "cpu:1"));
  EXPECT_EQ(experiment.variants[0].chunks, 3);
  expectCover(experiment, experiment.variants[0]);
}

TEST(Chunks, MustBeAsManyAsTheScheduleHas) {
  expectError(resnetPipeline(R"("schedule": "zbv", "chunks": 3)"), "/variants/0/chunks",
              "two stages on each device, not 3");
  expectError(resnetPipeline(R"("schedule": ["zbv", "1f1b"], "chunks": 2)"), "/variants/0/chunks",
              "1f1b places one stage on each device, not 2");
  expectError(resnetPipeline(R"("chunks": 0)"), "/variants/0/chunks", "from 1");
  expectError(resnetWith(R"([{"strategy": "model_parallel", "chunks": 2}])"), "/variants/0/chunks",
              "only the strategy pipeline");
  expectError(resnetWith(R"([{"strategy": "single", "chunks": 2}])"), "/variants/0/chunks",
              "only the strategy pipeline");
}

TEST(Chunks, NeedABlockEach) {
  expectError(toyWith(R"([{"strategy": "pipeline", "schedule": "zbv", "split_size": 5}])"),
              "/variants/0/schedule", "has 3 blocks, but 4 stages");
  expectError(toyWith(R"([{"strategy": "pipeline", "schedule": "looped-bfs", "split_size": 5,
                           "chunks": 2}])"),
              "/variants/0/chunks", "has 3 blocks, but 4 stages");
  Json four = toyWith(R"([{"strategy": "pipeline", "split_size": 5}])");
  four["devices"] = {"cpu:0", "cpu:1", "cpu:2", "cpu:3"};
  expectError(four, "/variants/0/schedule", "4 stages");
  four["variants"][0] = {{"strategy", "model_parallel"}};
  EXPECT_EQ(good(four).variants[0].stages.size(), 3u) << "no schedule wants a stage each";
}

TEST(Chunks, OfAPlacementAreItsRuns) {
  const Experiment loop = good(resnetPipeline(
      R"("schedule": "looped-bfs", "chunks": 2, "placement": {"": "cpu:1", "conv1": "cpu:0",
         "bn1": "cpu:0", "relu": "cpu:0", "maxpool": "cpu:0", "layer1": "cpu:1", "layer2": "cpu:0"})"));
  EXPECT_THAT(devicesOf(loop.variants[0]), ElementsAre("cpu:0", "cpu:1", "cpu:0", "cpu:1"));
  expectError(
      resnetPipeline(
          R"("schedule": "looped-bfs", "chunks": 3, "placement": {"": "cpu:1", "conv1": "cpu:0"})"),
      "/variants/0/chunks", "chunks 3 on 2 devices are 6 stages, but there are 2");
}

TEST(Chunks, SplitTheTurnOfAPlacedV) {
  const Experiment turn = good(resnetPipeline(
      R"("schedule": "zbv", "placement": {"": "cpu:0", "layer1": "cpu:1", "layer2": "cpu:1"})"));
  const Variant& variant = turn.variants[0];
  EXPECT_THAT(devicesOf(variant), ElementsAre("cpu:0", "cpu:1", "cpu:1", "cpu:0"));
  expectCover(turn, variant);
  EXPECT_EQ(turn.model->blocks[variant.stages[1].firstBlock].name, "layer1.0");
  EXPECT_EQ(turn.model->blocks[variant.stages[3].firstBlock].name, "layer3.0");
  const Experiment one = good(resnetPipeline(R"("schedule": "zbv", "placement": {"": "cpu:0"})"));
  EXPECT_THAT(devicesOf(one.variants[0]), ElementsAre("cpu:0", "cpu:0"));
}

TEST(Chunks, OfListedStagesAreTakenAsTheyAre) {
  const char* stages = R"("stages": [{"first": "conv1", "device": "cpu:0"},
      {"first": "layer1", "device": "cpu:1"}, {"first": "layer2", "device": "cpu:1"},
      {"first": "layer4", "device": "cpu:0"}])";
  const Experiment experiment =
      good(resnetPipeline(std::string(R"("schedule": "v-half", "chunks": 2, )") + stages));
  EXPECT_EQ(experiment.variants[0].stages.size(), 4u);
  EXPECT_EQ(experiment.variants[0].chunks, 2);
}

TEST(Chunks, AreThoseOfTheOwnScheduleWhereThePlacementIsTheSameAsAnother) {
  const Experiment experiment = good(resnetWith(
      R"([{"name": "mp", "strategy": "model_parallel", "placement": "optimal"},
          {"name": "flat", "strategy": "pipeline", "split_size": 2, "placement": "same as: mp"},
          {"name": "v", "strategy": "pipeline", "split_size": 2, "schedule": "zbv",
           "placement": "same as: flat"}])"));
  EXPECT_EQ(experiment.variantById("mp")->stages, experiment.variantById("flat")->stages);
  EXPECT_THAT(devicesOf(*experiment.variantById("v")),
              ElementsAre("cpu:0", "cpu:1", "cpu:1", "cpu:0"));
}

TEST(Sweeps, NeverGiveTwoMembersOneName) {
  // Two files with one stem, and a variant with the same name as a member.
  const std::string file = checkout::testData() + "/schedules/zbv_p2_m4_v2.csv";
  const stagelane::test::TemporaryFolder folder;
  const std::filesystem::path copy = folder / "zbv_p2_m4_v2.csv";
  std::filesystem::copy_file(file, copy, std::filesystem::copy_options::overwrite_existing);
  Json document = resnetWith(R"([
      {"name": "p s2", "strategy": "single"},
      {"name": "p", "strategy": "pipeline", "split_size": [2, 4]},
      {"name": "q", "strategy": "pipeline", "split_size": 2, "schedule": []}])");
  document["variants"][2]["schedule"] = {{{"csv", file}}, {{"csv", copy.string()}}, "gpipe"};
  const Experiment experiment = good(document);
  std::set<std::string> names;
  std::set<std::string> ids;
  for (const Variant& variant : experiment.variants) {
    EXPECT_TRUE(names.insert(variant.name).second) << variant.name;
    EXPECT_TRUE(ids.insert(variant.id).second) << variant.id;
  }
  EXPECT_EQ(names.count("p s2 2"), 1u);
}

TEST(Variants, KnowWhereTheFileSaysThem) {
  const Experiment experiment =
      good(toyWith(R"([{"strategy": "single"}, {"strategy": "pipeline", "split_size": [5, 10]}])"));
  for (const Variant& variant : experiment.variants) {
    if (variant.implicit) {
      EXPECT_EQ(variant.pointer, "");
    } else {
      EXPECT_EQ(variant.pointer,
                variant.strategy == Strategy::Single ? "/variants/0" : "/variants/1");
    }
  }
}

}  // namespace
}  // namespace stagelane::plan
