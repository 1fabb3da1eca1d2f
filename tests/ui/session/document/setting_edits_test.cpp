#include "ui/session/document/setting_edits.h"

#include <gtest/gtest.h>

#include "engine/plan/experiment.h"
#include "engine/search/resolve.h"

namespace stagelane::ui {
namespace {

Json resnet() {
  return Json::parse(R"({
    "stagelane": 1, "name": "resnet18, 2 devices", "model": {"zoo": "resnet18"},
    "input": {"shape": [3, 64, 64], "dtype": "float32"},
    "data": {"batch_size": 8, "labels": "one_hot"}, "devices": {"auto": 2},
    "variants": [
      {"name": "alone", "strategy": "single", "device": "#0"},
      {"name": "placed", "strategy": "model_parallel",
       "placement": {"": "#1", "conv1": "#0", "bn1": "#0", "relu": "#0", "maxpool": "#0",
                     "layer1": "#0"}},
      {"name": "staged", "strategy": "pipeline", "split_size": 2,
       "stages": [{"first": "conv1", "device": "#0"}, {"first": "layer3.1", "device": "#1"}]},
      {"name": "like it", "strategy": "pipeline", "split_size": 4, "placement": "same as: placed"},
      {"name": "balanced", "strategy": "model_parallel", "placement": "balanced"}
    ]})");
}

Status reads(const Json& document) {
  const auto read = plan::readExperiment(document, "", {});
  return read ? Status() : Status(tl::make_unexpected(read.error()));
}

testing::AssertionResult isReadable(const Json& document) {
  const Status status = reads(document);
  return status ? testing::AssertionSuccess()
                : testing::AssertionFailure() << status.error().message << status.error().context;
}

ModelChange changedTo(const Json& document, const std::string& zooName) {
  ModelChoice choice = beginningWith(zooName).model;
  const auto model = model::buildModel(choice.definition, "", "");
  choice.input = inputFor(**model, choice.input);
  return withModel(document, choice, **model);
}

QString nameOfStep(const ModelChange& change) {
  return stepName(change, **model::buildModel(change.document["model"], "", ""));
}

TEST(AnotherModel, KeepsPlacementsThatItsBlocksFit) {
  const ModelChange change = changedTo(resnet(), "resnet50");
  EXPECT_EQ(change.refitted, QStringList());
  EXPECT_EQ(change.document["variants"], resnet()["variants"]);
  EXPECT_TRUE(isReadable(change.document));
  EXPECT_EQ(nameOfStep(change), QStringLiteral("Model resnet50"));
}

TEST(AnotherModel, PlacesAnewWhatDoesNotFitAndSaysWhich) {
  const ModelChange change = changedTo(resnet(), "gpt");
  EXPECT_EQ(change.refitted, (QStringList{QStringLiteral("placed"), QStringLiteral("staged")}));
  const Json& variants = change.document["variants"];
  EXPECT_EQ(variants[1]["placement"], "optimal");
  EXPECT_EQ(variants[2]["placement"], "optimal");
  EXPECT_FALSE(variants[2].contains("stages"));
  EXPECT_EQ(variants[3]["placement"], "same as: placed");
  EXPECT_EQ(variants[4]["placement"], "balanced");
  EXPECT_TRUE(isReadable(change.document));
  EXPECT_EQ(nameOfStep(change), QStringLiteral("Model gpt, placement of 2 variants optimal"));
}

TEST(AnotherModel, TakesAlongANameThatWasMadeFromIt) {
  EXPECT_EQ(changedTo(resnet(), "gpt").document["name"], "gpt, 2 devices");
  Json named = resnet();
  named["name"] = "resnet18, the slow one";
  EXPECT_EQ(changedTo(named, "gpt").document["name"], "resnet18, the slow one");
}

TEST(AnotherModel, LosesTheTypeOfTokens) {
  Json tokens = changedTo(resnet(), "gpt").document;
  tokens["input"]["dtype"] = "int64";
  ASSERT_TRUE(isReadable(tokens));
  const Json document = changedTo(tokens, "resnet18").document;
  EXPECT_FALSE(document["input"].contains("dtype"));
  EXPECT_TRUE(isReadable(document));
}

TEST(AnotherOptimizer, HasOnlyItsOwnNumbers) {
  Json document = resnet();
  document["optimizer"] = {{"kind", "sgd"}, {"lr", 0.1}, {"momentum", 0.9}};
  const Json adam = withOptimizerKind(document, "adam");
  EXPECT_EQ(adam["optimizer"], (Json{{"kind", "adam"}, {"lr", 0.1}}));
  Json tuned = adam;
  tuned["optimizer"]["betas"] = {0.8, 0.9};
  tuned["optimizer"]["eps"] = 1e-6;
  EXPECT_TRUE(isReadable(withOptimizerKind(tuned, "adamw")));
  EXPECT_EQ(withOptimizerKind(tuned, "sgd")["optimizer"], (Json{{"kind", "sgd"}, {"lr", 0.1}}));
  Json none = resnet();
  EXPECT_TRUE(isReadable(withOptimizerKind(none, "adam")));
}

TEST(SettingsThatBelongTogether, ChangeTogether) {
  for (const char* loss : {"mse", "cross_entropy"}) {
    for (const char* labels : {"one_hot", "class", "normal"}) {
      Json document = resnet();
      document["data"]["labels"] = labels;
      EXPECT_TRUE(isReadable(withLoss(document, loss))) << loss << labels;
      document["loss"] = loss;
      EXPECT_TRUE(isReadable(withLabels(document, labels))) << loss << labels;
    }
  }
  for (const char* precision : {"fp32", "tf32", "bf16"}) {
    for (const char* dtype : {"float32", "float64"}) {
      Json document = resnet();
      document["precision"] = precision;
      EXPECT_TRUE(isReadable(withDtype(document, dtype))) << precision << dtype;
      document = resnet();
      document["input"]["dtype"] = dtype;
      EXPECT_TRUE(isReadable(withPrecision(document, precision))) << precision << dtype;
    }
  }
  Json warm = resnet();
  warm["warmup"] = 3;
  EXPECT_TRUE(isReadable(withTiming(warm, "tutorial")));
  EXPECT_EQ(withTiming(warm, "steady")["warmup"], 3);
}

}  // namespace
}  // namespace stagelane::ui
