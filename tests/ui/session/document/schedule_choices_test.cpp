#include "ui/session/document/schedule_choices.h"

#include <gtest/gtest.h>

#include <map>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

/// A pipeline of ResNet-18 over two CPU workers, batch 8.
Json documentWith(const char* variants) {
  Json document = Json::parse(R"({
    "stagelane": 1, "name": "test", "model": {"zoo": "resnet18", "num_classes": 10},
    "input": {"shape": [3, 32, 32]}, "data": {"labels": "one_hot", "batch_size": 8},
    "devices": ["cpu:0", "cpu:1"]})");
  document["variants"] = Json::parse(variants);
  return document;
}

/// Refusals by name of the variant of the given name.
std::map<QString, QString> refusals(const Json& document, const char* name) {
  const auto experiment = plan::readExperiment(document, {}, {});
  EXPECT_TRUE(experiment) << describe(experiment.error());
  std::map<QString, QString> answer;
  for (std::size_t i = 0; experiment && i < document["variants"].size(); ++i) {
    if (document["variants"][i]["name"] != name) continue;
    const plan::Variant* variant = experiment->variantById(name);
    EXPECT_NE(variant, nullptr);
    for (const ScheduleChoice& choice : scheduleChoices(document, i, *experiment, *variant)) {
      answer[choice.name] = choice.refusal;
    }
  }
  return answer;
}

TEST(ScheduleChoices, OfAPlanThatIsCutByAModeAreAllThatItsSizesAllow) {
  const auto all =
      refusals(documentWith(R"([{"name": "p", "strategy": "pipeline", "split_size": 2}])"), "p");
  EXPECT_GE(all.size(), 12u);
  for (const auto& [name, refusal] : all) EXPECT_EQ(refusal, QString()) << utf8(name);
  const auto odd =
      refusals(documentWith(R"([{"name": "p", "strategy": "pipeline", "split_size": 3}])"), "p");
  EXPECT_TRUE(odd.at("interleaved-1f1b").contains("a multiple of the 2 devices"));
  EXPECT_TRUE(odd.at("dualpipev").contains("two micro-batches for each device"));
  EXPECT_EQ(odd.at("zbv"), QString());
}

TEST(ScheduleChoices, OfAPlacementAreThoseOfItsRuns) {
  const auto runs = refusals(documentWith(R"([
      {"name": "base", "strategy": "model_parallel", "placement": {"": "cpu:1", "conv1": "cpu:0"}},
      {"name": "p", "strategy": "pipeline", "split_size": 2, "placement": "same as: base"}])"),
                             "p");
  EXPECT_EQ(runs.at("zb-h1"), QString());
  EXPECT_TRUE(runs.at("zbv").contains("two stages on each device"));
  EXPECT_TRUE(runs.at("looped-bfs").isEmpty()) << "one chunk of a loop is a pipeline";
  const auto v = refusals(documentWith(R"([
      {"name": "p", "strategy": "pipeline", "split_size": 2, "schedule": "zbv",
       "placement": {"": "cpu:0", "layer1": "cpu:1", "layer2": "cpu:1"}}])"),
                          "p");
  EXPECT_EQ(v.at("v-min"), QString());
  EXPECT_TRUE(v.at("1f1b").contains("one stage on each device"));
}

TEST(ScheduleChoices, NeedABlockForEachStage) {
  Json document = documentWith(R"([{"name": "p", "strategy": "pipeline", "split_size": 2}])");
  document["model"] = {{"zoo", "toy"}};
  document["input"] = {{"shape", {10}}};
  document["data"]["labels"] = "normal";
  const auto choices = refusals(document, "p");
  EXPECT_EQ(choices.at("1f1b"), QString());
  EXPECT_EQ(choices.at("zbv"), "zbv needs 4 stages, but the model has 3 blocks");
}

TEST(WithSchedule, DropsChunksThatTheScheduleCannotHave) {
  const Json document = documentWith(
      R"([{"name": "p", "strategy": "pipeline", "split_size": 2, "schedule": "zbv", "chunks": 2}])");
  const Json flat = withSchedule(document, 0, QStringLiteral("zb-h1"));
  EXPECT_EQ(flat["variants"][0]["schedule"], "zb-h1");
  EXPECT_FALSE(flat["variants"][0].contains("chunks"));
  const Json loop = withSchedule(document, 0, QStringLiteral("looped-bfs"));
  EXPECT_EQ(loop["variants"][0]["chunks"], 2);
}

}  // namespace
}  // namespace stagelane::ui
