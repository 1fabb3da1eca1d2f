#include "ui/session/prediction/prediction.h"

#include <gtest/gtest.h>
#include "tests/support/paths.h"

namespace stagelane::ui {
namespace {

Json preset(const std::string& name) {
  auto read = readJsonFile(checkout::root() + "/resources/presets/" + name + ".json");
  EXPECT_TRUE(read);
  return read ? *read : Json{};
}

PlanPredictionPtr predicted(const Json& document, const std::string& id) {
  const auto experiment = plan::readExperiment(document, ".", {});
  EXPECT_TRUE(experiment) << (experiment ? "" : describe(experiment.error()));
  const plan::Variant* variant = experiment ? experiment->variantById(id) : nullptr;
  EXPECT_NE(variant, nullptr) << id;
  if (variant == nullptr) return std::make_shared<PlanPrediction>();
  auto prediction = predictPlan(*experiment, *variant);
  EXPECT_TRUE(prediction);
  return *prediction;
}

TEST(PredictedSpeedup, IsToTheModelParallelPlanWhereNoDeviceHoldsTheModel) {
  const auto pipeline = predicted(preset("too-big"), "pipeline-gpipe");
  const auto parallel = predicted(preset("too-big"), "model-parallel");
  EXPECT_EQ(pipeline->baseName, "model parallel");
  EXPECT_EQ(pipeline->baseStepNs, parallel->stepNs);
  EXPECT_DOUBLE_EQ(parallel->speedup(), 1.0);
}

TEST(PredictedSpeedup, IsToWhatTheRunMeasuresToo) {
  Json document = preset("too-big");
  document["devices"] = {"cpu:0", "cpu:1"};
  EXPECT_EQ(predicted(document, "pipeline-gpipe")->baseName, "single");
  document["variants"][0]["include"] = false;
  EXPECT_EQ(predicted(document, "pipeline-gpipe")->baseName, "model parallel");
}

TEST(PredictedSpeedup, IsToOneDeviceWhereTheFileHasNothingToCompareWith) {
  Json document = preset("too-big");
  document["variants"] = Json::array({{{"name", "p"},
                                       {"strategy", "pipeline"},
                                       {"schedule", "gpipe"},
                                       {"split_size", 8},
                                       {"placement", "optimal"}}});
  EXPECT_EQ(predicted(document, "p")->speedup(), 0.0) << "one device does not hold the model";
  document["devices"] = {"cpu:0", "cpu:1"};
  EXPECT_EQ(predicted(document, "p")->baseName, "one device, undivided");
  EXPECT_GT(predicted(document, "p")->speedup(), 1.0);
}

TEST(PredictedSpeedup, IsToTheFastestOfDevicesThatDifferAndSaysWhich) {
  Json document = preset("too-big");
  document["devices"] = Json::parse(R"(["cpu:0", {"id": "sim:0", "like": "cpu:0", "speed": 4}])");
  const auto pipeline = predicted(document, "pipeline-gpipe");
  const auto slow = predicted(document, "single");
  EXPECT_EQ(pipeline->baseName, "one device, undivided, on sim:0");
  EXPECT_NEAR(slow->speedup(), 0.25, 0.01) << "the file's single device is the slow one";
  // A device that cannot hold the model is not a base.
  document["devices"][1]["max_memory"] = "1MiB";
  EXPECT_EQ(predicted(document, "pipeline-gpipe")->baseName, "single, on cpu:0");
  // A single device of the file that is the fastest is the base itself.
  document["devices"] = Json::parse(R"([{"id": "sim:0", "like": "cpu:0", "speed": 4}, "cpu:0"])");
  EXPECT_EQ(predicted(document, "pipeline-gpipe")->baseName, "single, on sim:0");
}

TEST(MostSpeedup, IsTheNumberOfDevicesWhereTheyAreAlike) {
  Json document = preset("too-big");
  document["devices"] = {"cpu:0", "cpu:1"};
  EXPECT_EQ(predicted(document, "pipeline-gpipe")->mostSpeedup(), 2.0);
  EXPECT_EQ(predicted(document, "single")->mostSpeedup(), 0.0) << "one device gains nothing";
}

TEST(MostSpeedup, OfDevicesThatDifferIsWhatTheirLowerBoundLeaves) {
  Json document = preset("too-big");
  document["devices"] =
      Json::array({"cpu:0", {{"id", "sim:0"}, {"like", "cpu:0"}, {"speed", 20.0}}});
  const auto plan = predicted(document, "pipeline-gpipe");
  EXPECT_GT(plan->mostSpeedup(), plan->boundSpeedup() * 0.999);
  EXPECT_DOUBLE_EQ(plan->mostSpeedup(),
                   static_cast<double>(plan->baseStepNs) / static_cast<double>(plan->lowerBoundNs));
  EXPECT_LE(plan->mostSpeedup(), 21.0 / 20.0)
      << "a slow device adds a twentieth to one twenty times as fast";
}

}  // namespace
}  // namespace stagelane::ui
