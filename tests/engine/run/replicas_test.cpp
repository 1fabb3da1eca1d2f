// Replicas of stages against plain autograd over the same micro-batches: bit-equal.

#include <ATen/TensorOperators.h>

#include "tests/engine/run/cuts.h"
#include "tests/engine/run/replicated_grid.h"

namespace stagelane::run {
namespace {

using namespace test;

TEST(Replicas, OfPipelinesAreExactUnderEverySchedule) {
  for (const int replicas : {2, 3}) {
    for (const GridSchedule& schedule : everyReplicatedSchedule()) {
      SCOPED_TRACE(schedule.name + ", replicas: " + std::to_string(replicas));
      Bench bench(replicatedPipeline(mlpModel(), schedule, {.replicas = replicas}));
      ASSERT_EQ(bench.variant("v").rows.size(), 2U * static_cast<std::size_t>(replicas));
      expectExact(bench);
    }
  }
}

TEST(Replicas, AreExactInFloat64AndEqualTheUndividedBatch) {
  const GridModel model = mlpModel();
  std::vector<std::string> experiments{
      dataParallel(model, {.replicas = 3, .dtype = "float64"}),
      dataParallel(model, {.dtype = "float64"}, R"(,"split_size":3)")};
  for (const GridSchedule& schedule : everyReplicatedSchedule()) {
    experiments.push_back(replicatedPipeline(model, schedule, {.dtype = "float64"}));
  }
  for (const std::string& experiment : experiments) {
    SCOPED_TRACE(experiment.substr(experiment.find("\"variants\"")));
    Bench bench(experiment);
    const GradientVerdict verdict = bench.check("v");
    EXPECT_TRUE(verdict.result.bitEqual) << verdict.worst;
    ASSERT_TRUE(verdict.result.fullBatchError);
    EXPECT_LE(*verdict.result.fullBatchError, 1e-12);
  }
}

TEST(Replicas, OfTheWholeModelAreExactForEveryModel) {
  for (const GridModel& model : everyReplicatedModel()) {
    for (const int workers : {2, 3, 4}) {
      SCOPED_TRACE(model.name + ", workers: " + std::to_string(workers));
      Bench bench(dataParallel(model, {.devices = 1, .replicas = workers}));
      ASSERT_EQ(bench.variant("v").rows.size(), static_cast<std::size_t>(workers));
      expectExact(bench);
    }
  }
}

TEST(Replicas, OfTheWholeModelAreExactWhenTheyAccumulate) {
  for (const char* split : {"2", "3", "4"}) {
    SCOPED_TRACE(split);
    Bench bench(dataParallel(gptModel(), {.devices = 1, .replicas = 3},
                             R"(,"split_size":)" + std::string(split)));
    expectExact(bench);
  }
}

TEST(Replicas, AreExactOnTokensWithDropoutAndATiedHead) {
  for (const GridSchedule& schedule : everyReplicatedSchedule()) {
    SCOPED_TRACE(schedule.name);
    Bench bench(replicatedPipeline(gptModel(), schedule, {}));
    EXPECT_FALSE(bench.variant("v").lowered.tied.empty());
    expectExact(bench);
  }
}

TEST(Replicas, AreExactWhenRecomputing) {
  for (const plan::Recompute mode : {plan::Recompute::Always, plan::Recompute::ExceptLast}) {
    for (const GridSchedule& schedule :
         {GridSchedule{"1f1b"}, GridSchedule{"zbv", 2, StageLayout::V}}) {
      SCOPED_TRACE(schedule.name);
      plan::Experiment experiment = experimentOf(replicatedPipeline(gptModel(), schedule, {}));
      for (plan::Variant& variant : experiment.variants) variant.recompute = mode;
      Bench bench(std::move(experiment));
      expectExact(bench);
    }
  }
}

TEST(Replicas, AreExactWhenClipping) {
  const ReplicatedGrid clipped{.settings = R"("clip_grad_norm":0.01,)"};
  for (const std::string& experiment :
       {dataParallel(mlpModel(), clipped), replicatedPipeline(mlpModel(), {"1f1b"}, clipped),
        replicatedPipeline(gptModel(), {"zbv", 2, StageLayout::V}, clipped)}) {
    Bench bench(experiment);
    expectBitEqual(bench, "v");
  }
}

TEST(Replicas, AreExactInInferenceAndGiveTheOutputOfEveryMicroBatch) {
  const ReplicatedGrid infer{.settings = R"("task":"infer",)"};
  for (const std::string& experiment :
       {dataParallel(normModel(), infer), replicatedPipeline(normModel(), {"gpipe"}, infer)}) {
    Bench bench(experiment);
    expectBitEqual(bench, "v");
    const TrainingSnapshot snapshot = trained(bench, "v", 1).last;
    EXPECT_EQ(snapshot.outputs.size(), bench.variant("v").microBatchSizes.size());
    EXPECT_TRUE(snapshot.gradients.empty());
  }
}

TEST(Replicas, NormalizeTheirOwnPartAndTheFirstOnesStatisticsAreTheModels) {
  for (const std::string& experiment :
       {dataParallel(normModel(), {}, R"(,"split_size":3)"),
        replicatedPipeline(normModel(), {"1f1b"}, {}),
        replicatedPipeline(normModel(), {"gpipe"}, {.replicas = 3})}) {
    Bench bench(experiment);
    expectExact(bench);
    const VariantRun& run = bench.variant("v");
    const std::size_t replicas = run.variant->stages.front().group.size();
    const std::size_t first = (run.microBatchSizes.size() + replicas - 1) / replicas;
    const Trained step = trained(bench, "v", 1);
    const std::vector<at::Tensor>& means = step.buffers.at("bn1.running_mean");
    ASSERT_EQ(means.size(), replicas);
    EXPECT_TRUE(step.last.buffers.at("bn1.running_mean").equal(means[0]));
    EXPECT_FALSE(means[0].equal(means[1]));
    EXPECT_EQ(step.last.buffers.at("bn1.num_batches_tracked").item<std::int64_t>(),
              static_cast<std::int64_t>(first));
  }
}

TEST(Replicas, KeepEqualWeightsOverSteps) {
  for (const char* optimizer :
       {R"("optimizer":{"lr":0.1,"momentum":0.9},)",
        R"("optimizer":{"kind":"adam","lr":0.01},"clip_grad_norm":0.05,)"}) {
    const ReplicatedGrid grid{.settings = optimizer};
    for (const std::string& experiment :
         {dataParallel(gptModel(), grid), replicatedPipeline(gptModel(), {"1f1b"}, grid),
          replicatedPipeline(gptModel(), {"zbv", 2, StageLayout::V}, grid)}) {
      Bench bench(experiment);
      const Trained three = trained(bench, "v", 3);
      expectEqualCopies(three, 2);
      const Trained two = trained(bench, "v", 2);
      for (const auto& [name, copies] : three.copies) {
        EXPECT_FALSE(copies.front().equal(two.copies.at(name).front()))
            << name << " is not trained";
      }
    }
  }
}

/// Three batches of 20, 20 and `last` samples in float64, on one device and on replicas.
std::string unevenBatches(int last, const std::string& settings) {
  return R"({"stagelane":1,"name":"t",)" + settings +
         R"("model":{"zoo":"toy"},"input":{"shape":[10],"dtype":"float64"},
    "data":{"labels":"normal","batch_size":20,"samples":)" +
         std::to_string(40 + last) + R"(},"devices":["cpu:0","cpu:1","cpu:2","cpu:3"],
    "variants":[{"name":"one","strategy":"single"},{"name":"dp","strategy":"data_parallel"},
    {"name":"p","strategy":"pipeline","replicas":2,"schedule":"1f1b","split_size":5,)" +
         kToyStages + "}]}";
}

double distance(const at::Tensor& a, const at::Tensor& b) {
  return (a - b).abs().max().item<double>() / b.abs().max().item<double>();
}

TEST(Replicas, TrainAsOneDeviceDoesWithASmallerLastBatch) {
  for (const char* optimizer :
       {R"("optimizer":{"lr":0.1,"momentum":0.9,"weight_decay":0.01},)",
        R"("optimizer":{"kind":"adam","lr":0.01},)",
        R"("optimizer":{"kind":"adamw","lr":0.01},"clip_grad_norm":0.05,)"}) {
    SCOPED_TRACE(optimizer);
    Bench bench(unevenBatches(18, optimizer));
    const Trained one = trained(bench, "one", 3);
    for (const char* id : {"dp", "p"}) {
      SCOPED_TRACE(id);
      const Trained replicas = trained(bench, id, 3);
      expectEqualCopies(replicas, 2);
      ASSERT_EQ(replicas.copies.size(), one.copies.size());
      for (const auto& [name, copies] : one.copies) {
        EXPECT_LE(distance(replicas.copies.at(name).front(), copies.front()), 1e-9) << name;
      }
    }
  }
}

/// Plain autograd over the undivided third batch, from the initial values.
TrainingSnapshot thirdBatch(Bench& bench, std::int64_t samples) {
  const at::ScalarType dtype = scalarType(bench.experiment);
  const VariantRun& one = bench.variant("one");
  ReferencePlan plan;
  plan.experiment = &bench.experiment;
  plan.stages = one.variant->stages;
  plan.parts = {{0, plan.stages.back().lastBlock, one.stepPlan(bench.experiment).workers.front()}};
  plan.microBatchSizes = {samples};
  plan.gradientOrder = {{0}};
  SyntheticData data(bench.experiment, dtype);
  for (int skipped = 0; skipped < 2; ++skipped) static_cast<void>(data.next());
  const Batch batch = data.next();
  EXPECT_EQ(batch.input.size(0), samples);
  return valueOf(referenceStep(plan, drawInitialValues(*bench.experiment.model, 0, dtype), batch,
                               bench.control));
}

TEST(Replicas, HaveTheGradientsAndLossOfTheUndividedSmallerLastBatch) {
  Bench bench(unevenBatches(18, R"("optimizer":{"lr":0},)"));
  const auto total = [](const TrainingSnapshot& snapshot) {
    double sum = 0.0;
    for (const at::Tensor& loss : snapshot.losses) sum += loss.item<double>();
    return sum;
  };
  const TrainingSnapshot one = thirdBatch(bench, 18);
  for (const char* id : {"one", "dp", "p"}) {
    SCOPED_TRACE(id);
    const TrainingSnapshot replicas = trained(bench, id, 3).last;
    EXPECT_EQ(replicas.losses.size(), id == std::string("one") ? 1U : 4U);
    EXPECT_NEAR(total(replicas), total(one), 1e-12);
    ASSERT_EQ(replicas.gradients.size(), one.gradients.size());
    for (const auto& [name, gradient] : one.gradients) {
      EXPECT_LE(distance(replicas.gradients.at(name), gradient), 1e-12) << name;
    }
    const TrainingSnapshot before = trained(bench, id, 2).last;
    EXPECT_GT(distance(before.gradients.at("net1.weight"), replicas.gradients.at("net1.weight")),
              1e-3)
        << "the last batch has other samples";
  }
}

}  // namespace
}  // namespace stagelane::run
