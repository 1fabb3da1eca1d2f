// The keys for training, and the warnings about a machine that is too small.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/plan/documents.h"

namespace stagelane::plan {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Json withOptimizer(const std::string& text) {
  Json document = toyDocument();
  document["optimizer"] = parsed(text);
  return document;
}

TEST(Optimizer, HasTheDefaultsOfPyTorch) {
  const OptimizerSpec adam = good(withOptimizer(R"({"kind": "adam"})")).optimizer;
  EXPECT_EQ(adam.kind, "adam");
  EXPECT_EQ(adam.learningRate, 0.001);
  EXPECT_THAT(adam.betas, ElementsAre(0.9, 0.999));
  EXPECT_EQ(adam.eps, 1e-8);
  EXPECT_EQ(adam.weightDecay, 0.0);
  EXPECT_EQ(optimizerStates(adam), 2);
  EXPECT_EQ(good(withOptimizer(R"({"kind": "adamw"})")).optimizer.weightDecay, 0.01);
}

TEST(Optimizer, ReadsEveryKeyOfItsKind) {
  const OptimizerSpec adamw =
      good(withOptimizer(R"({"kind": "adamw", "lr": 0.5, "betas": [0, 0.5], "eps": 0,
                             "weight_decay": 0.0})"))
          .optimizer;
  EXPECT_EQ(adamw.learningRate, 0.5);
  EXPECT_THAT(adamw.betas, ElementsAre(0.0, 0.5));
  EXPECT_EQ(adamw.eps, 0.0);
  EXPECT_EQ(adamw.weightDecay, 0.0);
}

TEST(Optimizer, RefusesKeysOfAnotherKindAtTheirPlace) {
  expectError(withOptimizer(R"({"kind": "adam", "momentum": 0.9})"), "/optimizer/momentum",
              "adam has no momentum");
  expectError(withOptimizer(R"({"kind": "sgd", "betas": [0.9, 0.99]})"), "/optimizer/betas",
              "sgd has no betas");
  expectError(withOptimizer(R"({"eps": 1e-8})"), "/optimizer/eps", "sgd has no eps");
}

TEST(Optimizer, MovesMoreMemoryTheMoreStatesItHas) {
  const auto streams = [](const std::string& text) {
    return optimizerStreams(good(withOptimizer(text)).optimizer);
  };
  const double plain = streams(R"({"kind": "sgd"})");
  const double momentum = streams(R"({"kind": "sgd", "momentum": 0.9})");
  const double adam = streams(R"({"kind": "adam"})");
  EXPECT_EQ(plain, 3.0);
  EXPECT_GT(momentum, plain);
  EXPECT_GT(adam, momentum);
  EXPECT_GT(streams(R"({"kind": "adam", "weight_decay": 0.1})"), adam);
}

TEST(Optimizer, RefusesBetasThatAreNone) {
  const auto betas = [](const std::string& value) {
    return withOptimizer(R"({"kind": "adam", "betas": )" + value + "}");
  };
  expectError(betas("[0.9]"), "/optimizer/betas", "two numbers");
  expectError(betas("0.9"), "/optimizer/betas", "two numbers");
  expectError(betas("[0.9, 1]"), "/optimizer/betas/1", "below 1");
  expectError(betas("[-0.1, 0.9]"), "/optimizer/betas/0", "at least 0");
  expectError(betas("[null, 0.9]"), "/optimizer/betas/0", "at least 0");
  expectError(withOptimizer(R"({"kind": "lion"})"), "/optimizer/kind", "adamw");
}

TEST(Training, HasItsOptionsOffByDefault) {
  const Experiment experiment = good(toyDocument());
  EXPECT_EQ(experiment.task, Task::Train);
  EXPECT_EQ(experiment.precision, Precision::Fp32);
  EXPECT_EQ(experiment.batchNorm, BatchNormMode::Running);
  EXPECT_FALSE(experiment.clipGradNorm);
}

Json withKey(const char* key, const Json& value) {
  Json document = toyDocument();
  document[key] = value;
  return document;
}

TEST(Training, ReadsEveryOption) {
  EXPECT_EQ(good(withKey("task", "infer")).task, Task::Infer);
  EXPECT_EQ(good(withKey("batch_norm", "deferred")).batchNorm, BatchNormMode::Deferred);
  EXPECT_EQ(good(withKey("precision", "bf16")).precision, Precision::Bf16);
  EXPECT_EQ(good(withKey("clip_grad_norm", 0.5)).clipGradNorm, 0.5);
  EXPECT_FALSE(good(withKey("clip_grad_norm", nullptr)).clipGradNorm);
}

TEST(Training, ClipsToAPositiveNumberOnly) {
  expectError(withKey("clip_grad_norm", 0), "/clip_grad_norm", "above 0");
  expectError(withKey("clip_grad_norm", -1.5), "/clip_grad_norm", "above 0");
  expectError(withKey("clip_grad_norm", "1"), "/clip_grad_norm", "number");
}

TEST(Precision, OtherThanFp32IsForFloat32Models) {
  Json document = withKey("precision", "bf16");
  document["input"]["dtype"] = "float64";
  expectError(document, "/precision", "float32");
}

TEST(Precision, Tf32OnACpuWorkerIsFloat32WithAWarning) {
  const Experiment experiment = good(withKey("precision", "tf32"));
  EXPECT_EQ(experiment.precision, Precision::Tf32);
  EXPECT_THAT(experiment.warnings, ElementsAre(HasSubstr("CPU workers compute in float32")));
}

TEST(Recompute, IsReadForEachVariantAndKeptInItsSweep) {
  const Experiment experiment = good(toyWith(R"([{"name": "one", "strategy": "single"},
    {"name": "p", "strategy": "pipeline", "split_size": [5, 10], "recompute": "except_last"},
    {"name": "q", "strategy": "pipeline", "split_size": 5, "recompute": "always"}])"));
  EXPECT_EQ(experiment.variantById("one")->recompute, Recompute::Never);
  EXPECT_EQ(experiment.variantById("p-s5")->recompute, Recompute::ExceptLast);
  EXPECT_EQ(experiment.variantById("p-s10")->recompute, Recompute::ExceptLast);
  EXPECT_EQ(experiment.variantById("q")->recompute, Recompute::Always);
  expectError(toyWith(R"([{"strategy": "single", "recompute": "sometimes"}])"),
              "/variants/0/recompute", "except_last");
}

TEST(Inference, TakesMicroBatchesThatBatchNormCouldNotTrainOn) {
  Json document = resnetWith(R"([{"name": "p", "strategy": "pipeline", "split_size": 1}])");
  document["input"]["shape"] = {3, 32, 32};
  expectError(document, "/variants/0/split_size", "batch norm");
  document["task"] = "infer";
  EXPECT_EQ(good(document).variants.front().splitSize, 1);
}

std::vector<std::string> warningsOn(int cores) {
  Json document = toyWith(R"([{"name": "one", "strategy": "single"},
    {"name": "both", "strategy": "pipeline", "split_size": 5}])");
  document["threads_per_cpu_worker"] = 2;
  const auto experiment = readExperiment(document, ".", MachineDevices{0, cores});
  EXPECT_TRUE(experiment) << describe(experiment.error());
  return experiment ? experiment->warnings : std::vector<std::string>{"?"};
}

TEST(SharedCores, AreWarnedOfOnceWhereAVariantHasMoreThreadsThanCores) {
  EXPECT_THAT(warningsOn(3), ElementsAre(HasSubstr("on 3 cores")));
  EXPECT_THAT(warningsOn(3).front(), HasSubstr("4 cores"));
  EXPECT_THAT(warningsOn(4), IsEmpty());
  EXPECT_THAT(warningsOn(0), IsEmpty()) << "an unknown machine is not warned of";
}

TEST(Included, SomeVariantMustBe) {
  const Experiment none = good(toyWith(R"([{"strategy": "single", "include": false}])"));
  const Status refused = requireIncluded(none);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::Invalid);
  EXPECT_EQ(refused.error().context, "/variants");
  EXPECT_TRUE(requireIncluded(good(toyDocument())));
}

}  // namespace
}  // namespace stagelane::plan
