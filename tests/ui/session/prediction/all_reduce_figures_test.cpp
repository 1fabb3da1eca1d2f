#include "ui/session/prediction/all_reduce_figures.h"

#include <gtest/gtest.h>

#include "engine/base/json.h"
#include "engine/search/resolve.h"

namespace stagelane::ui {
namespace {

PlanPredictionPtr predict(const char* variant, int devices) {
  Json document = Json::parse(R"({
    "stagelane": 1, "name": "r", "model": {"zoo": "resnet18", "num_classes": 10},
    "input": {"shape": [3, 64, 64]}, "data": {"batch_size": 16, "labels": "one_hot"},
    "devices": [], "repeat": 1, "variants": []})");
  for (int device = 0; device < devices; ++device) {
    document["devices"].push_back("cpu:" + std::to_string(device));
  }
  document["variants"].push_back(Json::parse(variant));
  auto experiment = plan::readExperiment(document, "", {});
  EXPECT_TRUE(experiment) << (experiment ? "" : describe(experiment.error()));
  const plan::Experiment resolved = search::resolveStages(*experiment, nullptr);
  const auto prediction = predictPlan(resolved, resolved.variants.front());
  EXPECT_TRUE(prediction) << (prediction ? "" : describe(prediction.error()));
  return prediction ? *prediction : nullptr;
}

constexpr const char* kReplicated = R"({"name": "p", "strategy": "pipeline", "schedule": "1f1b",
  "split_size": 2, "replicas": 2})";
/// 11 181 642 parameters of float32.
constexpr Bytes kGradients = 4 * 11'181'642LL;

TEST(AllReduceFigures, OfProcessesHaveTheHiddenPartOfTheBuckets) {
  const PlanPredictionPtr plan = predict(R"({"name": "d", "strategy": "ddp", "bucket_mb": 5})", 2);
  ASSERT_TRUE(plan && plan->costs.allReduce);
  const auto figures = allReduceOf(*plan);
  ASSERT_TRUE(figures);
  EXPECT_EQ(figures->bytes, plan->costs.allReduce->bytes);
  EXPECT_GT(figures->hiddenNs(), 0);
  const double hidden =
      100.0 * static_cast<double>(figures->hiddenNs()) / static_cast<double>(figures->allNs);
  EXPECT_NEAR(hidden, plan->costs.allReduce->hiddenPct, 0.1);
  // The hidden piece ends where the exposed one begins.
  const auto pieces = allReducePieces(*plan, figures->row);
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_FALSE(pieces[0].exposed);
  EXPECT_TRUE(pieces[1].exposed);
  EXPECT_EQ(pieces[0].endNs, pieces[1].startNs);
  EXPECT_GE(pieces[0].startNs, 0);
}

TEST(AllReduceFigures, OfReplicasInOneProcessAreExposed) {
  const PlanPredictionPtr plan = predict(R"({"name": "d", "strategy": "data_parallel"})", 2);
  ASSERT_TRUE(plan);
  const auto figures = allReduceOf(*plan);
  ASSERT_TRUE(figures);
  EXPECT_EQ(figures->bytes, kGradients);
  EXPECT_GT(figures->exposedNs, 0);
  EXPECT_EQ(figures->hiddenNs(), 0);
}

TEST(AllReduceFigures, OfAReplicatedPipelineHaveTheGradientsOfAllStages) {
  const PlanPredictionPtr plan = predict(kReplicated, 4);
  ASSERT_TRUE(plan);
  const auto figures = allReduceOf(*plan);
  ASSERT_TRUE(figures);
  EXPECT_NEAR(static_cast<double>(figures->bytes), static_cast<double>(kGradients), 4.0);
  for (int row = 0; row < 4; ++row) {
    TimeNs all = 0;
    TimeNs last = 0;
    for (const AllReducePiece& piece : allReducePieces(*plan, row)) {
      EXPECT_GT(piece.endNs, piece.startNs);
      EXPECT_GE(piece.startNs, last) << "pieces do not overlap";
      last = piece.endNs;
      all += piece.endNs - piece.startNs;
    }
    EXPECT_GT(all, 0) << row;
    EXPECT_LE(last, plan->stepNs);
    EXPECT_LE(all, figures->allNs + figures->exposedNs);
  }
}

TEST(AllReduceFigures, AreNothingWithoutReplicas) {
  const PlanPredictionPtr plan =
      predict(R"({"name": "p", "strategy": "pipeline", "schedule": "1f1b", "split_size": 4})", 2);
  ASSERT_TRUE(plan);
  EXPECT_FALSE(allReduceOf(*plan));
}

}  // namespace
}  // namespace stagelane::ui
