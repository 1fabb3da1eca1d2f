#include "ui/session/run/rank_choice.h"

#include <gmock/gmock.h>

#include "engine/base/json.h"

namespace stagelane::ui {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

plan::Experiment toy(const char* devices, const char* variants) {
  Json document = Json::parse(R"({
    "stagelane": 1, "name": "t", "model": {"zoo": "toy"}, "input": {"shape": [10]},
    "data": {"labels": "normal", "batch_size": 8, "batches": 1}, "repeat": 1})");
  document["devices"] = Json::parse(devices);
  document["variants"] = Json::parse(variants);
  auto experiment = plan::readExperiment(document, "", {});
  EXPECT_TRUE(experiment) << (experiment ? "" : describe(experiment.error()));
  return experiment.value_or(plan::Experiment{});
}

constexpr const char* kThree = R"(["cpu:0", "cpu:1", "cpu:2"])";
constexpr const char* kPipeline =
    R"([{"name": "p", "strategy": "pipeline", "schedule": "gpipe", "split_size": 2}])";

TEST(RankChoice, OfAPipelineIsFromTwoToTheNumberOfDevices) {
  const plan::Experiment experiment = toy(kThree, kPipeline);
  EXPECT_THAT(rankCounts(experiment), ElementsAre(2, 3));
  EXPECT_EQ(ranksToAsk(experiment, 3), 3);
  EXPECT_EQ(ranksToAsk(experiment, 4), 0) << "more than devices";
  EXPECT_EQ(ranksToAsk(experiment, 0), 0);
}

TEST(RankChoice, IsNoneWhereNothingIsDealt) {
  EXPECT_THAT(rankCounts(toy(kThree, R"([{"name": "s", "strategy": "single"}])")), IsEmpty());
  EXPECT_THAT(rankCounts(toy(kThree, R"([{"name": "d", "strategy": "data_parallel"}])")),
              IsEmpty());
  EXPECT_THAT(rankCounts(toy(R"(["cpu:0"])", kPipeline)), IsEmpty());
}

TEST(RankChoice, IsNotBelowWhatTheExperimentNeeds) {
  const char* both = R"([
    {"name": "p", "strategy": "model_parallel"},
    {"name": "d", "strategy": "ddp"}])";
  EXPECT_THAT(rankCounts(toy(kThree, both)), ElementsAre(3));
}

TEST(RankChoice, LooksAtIncludedVariantsOnly) {
  const char* excluded = R"([
    {"name": "p", "strategy": "model_parallel", "include": false},
    {"name": "s", "strategy": "single"}])";
  EXPECT_THAT(rankCounts(toy(kThree, excluded)), IsEmpty());
}

}  // namespace
}  // namespace stagelane::ui
