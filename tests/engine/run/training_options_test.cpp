// Every training option, with every kind of schedule, against the reference: bit-equal.

#include <ATen/TensorOperators.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "tests/engine/run/cuts.h"
#include "tests/engine/run/run_fixture.h"
#include "tests/support/fault_clock.h"

namespace stagelane::run {
namespace {

using namespace test;

/// The same plan under the schedules that differ in order, loss and halves, and with recompute.
std::string plans(const std::string& split, const std::string& stages) {
  const std::string at = R"(,"split_size":)" + split + "," + stages + "}";
  const auto pipeline = [&](const std::string& name, const std::string& rest) {
    return R"(,{"name":")" + name + R"(","strategy":"pipeline",)" + rest + at;
  };
  return R"("variants":[{"name":"one","strategy":"single","split_size":)" + split + "}" +
         R"(,{"name":"mp","strategy":"model_parallel",)" + stages + "}" +
         pipeline("tutorial", R"("schedule":"tutorial")") +
         pipeline("gpipe", R"("schedule":"gpipe")") +
         pipeline("again", R"("schedule":"gpipe","recompute":"always")") +
         pipeline("zb-h1", R"("schedule":"zb-h1")") + "]";
}
const std::vector<std::string> kAll{"one", "mp", "tutorial", "gpipe", "again", "zb-h1"};
const std::string kStages =
    R"("stages":[{"first":"conv1","device":"cpu:0"},{"first":"layer2.1","device":"cpu:1"}])";

std::string resnet(const std::string& options, const std::string& dtype = "float32") {
  return R"({"stagelane":1,"name":"r","model":{"zoo":"resnet18","num_classes":10},
    "input":{"shape":[3,32,32],"dtype":")" +
         dtype + R"("},"data":{"batch_size":7,"batches":2},"devices":["cpu:0","cpu:1"],)" +
         options + "," + plans("3", kStages) + "}";
}

void expectAllBitEqual(const std::string& json, const std::vector<std::string>& ids = kAll) {
  Bench bench(json);
  for (const std::string& id : ids) expectBitEqual(bench, id);
}

// A batch of 7 in threes has a tail of one sample, for which batch norm cannot be trained in the
// last layers of 32² (1 × 1): hence 8.
std::string of8(std::string json) {
  const std::string seven = R"("batch_size":7)";
  return json.replace(json.find(seven), seven.size(), R"("batch_size":8)");
}

TEST(ClipGradNorm, IsBitEqualUnderEverySchedule) {
  expectAllBitEqual(of8(resnet(R"("clip_grad_norm":0.01)")));
}

TEST(ClipGradNorm, OfTheToyComparesWithTheUndividedBatchToo) {
  Bench bench(toy("20", R"("clip_grad_norm":0.01,"variants":[{"name":"p","strategy":"pipeline",
    "split_size":6,)" + kToyStages +
                            "}]"));
  const GradientVerdict verdict = bench.check("p");
  EXPECT_TRUE(verdict.passed) << verdict.worst;
  ASSERT_TRUE(verdict.result.fullBatchError);
  EXPECT_LE(*verdict.result.fullBatchError, 1e-12);
}

/// Steps a variant of an experiment over its batches; what the last step left.
TrainingSnapshot trained(Bench& bench, const std::string& id, int steps) {
  const at::ScalarType dtype = scalarType(bench.experiment);
  Executor executor(bench.variant(id).stepPlan(bench.experiment), bench.control);
  EXPECT_TRUE(executor.build(drawInitialValues(*bench.experiment.model, 0, dtype)));
  SyntheticData data(bench.experiment, dtype);
  TrainingSnapshot snapshot;
  for (int step = 0; step < steps; ++step) {
    const StepInput input = valueOf(executor.prepare(data.next()));
    EXPECT_EQ(valueOf(executor.step(input, {0, step, true})), Executor::Outcome::Done);
    snapshot = snapshotOf(executor);
    for (std::size_t row = 0; row < executor.plan().workers.size(); ++row) {
      for (const auto& [stage, work] : executor.row(row).stages()) {
        for (const auto& [name, parameter] : work.tensors().parameters()) {
          at::Tensor(parameter).mutable_grad() = at::Tensor();
        }
      }
    }
  }
  return snapshot;
}

/// "one" accumulates on one device what "p" computes on two: F0 B0 F1 B1 … either way.
TEST(ClipGradNorm, TrainsTwoDevicesLikeOneOverSeveralSteps) {
  for (const char* optimizer : {"sgd", "adam", "adamw"}) {
    const std::string options = R"("clip_grad_norm":0.05,"optimizer":{"kind":")" +
                                std::string(optimizer) + R"(","lr":0.1},)";
    Bench bench(toy("20", options + R"("variants":[{"name":"one","strategy":"single",
      "split_size":6},{"name":"p","strategy":"pipeline","schedule":"1f1b","split_size":6,)" +
                              kToyStages + "}]"));
    const TrainingSnapshot two = trained(bench, "p", 4);
    const TrainingSnapshot one = trained(bench, "one", 4);
    const Comparison comparison = compare(two, one);
    EXPECT_TRUE(comparison.bitEqual) << optimizer << ": " << comparison.worst;
    const TrainingSnapshot before = trained(bench, "one", 3);
    EXPECT_FALSE(compare(one, before).bitEqual) << "nothing was learnt";
  }
}

TEST(ClipGradNorm, EndsWhenADeviceNeverComes) {
  Bench bench(toy("20", R"("clip_grad_norm":1,"stall_timeout_s":1,"variants":[{"name":"p",
    "strategy":"pipeline","split_size":6,)" +
                            kToyStages + "}]"));
  const stagelane::test::FaultClock clock;
  StepPlan plan = bench.variant("p").stepPlan(bench.experiment);
  plan.options.beforeAction = [clock](int row, const schedule::LoweredAction& action) {
    if (row == 1 && action.kind == ActionKind::Backward && action.microBatch.value == 3) {
      clock.strike();
      throw std::runtime_error("broken on purpose");
    }
  };
  Executor executor(plan, bench.control);
  ASSERT_TRUE(executor.build(drawInitialValues(*bench.experiment.model, 0, at::kFloat)));
  SyntheticData data(bench.experiment, at::kFloat);
  const auto outcome = executor.step(valueOf(executor.prepare(data.next())), {});
  clock.expectEnded();
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.error().message.find("broken on purpose"), std::string::npos);
}

TEST(DeferredBatchNorm, IsBitEqualUnderEverySchedule) {
  expectAllBitEqual(of8(resnet(R"("batch_norm":"deferred")")));
}

/// The first batch norm gets the same values as one over the undivided batch; deeper ones do not,
/// because the normalization before them is that of a micro-batch.
TEST(DeferredBatchNorm, HasTheRunningStatisticsOfTheUndividedBatch) {
  Bench bench(of8(resnet(R"("batch_norm":"deferred")", "float64")));
  const TrainingSnapshot whole = trained(bench, "mp", 1);
  for (const char* id : {"one", "tutorial", "gpipe", "again", "zb-h1"}) {
    const TrainingSnapshot split = trained(bench, id, 1);
    for (const char* name : {"bn1.running_mean", "bn1.running_var"}) {
      const at::Tensor& expected = whole.buffers.at(name);
      const at::Tensor distance = (split.buffers.at(name) - expected).abs();
      EXPECT_LE((distance / expected.abs().max()).max().item<double>(), 1e-12) << id << name;
    }
    for (const auto& [name, buffer] : split.buffers) {
      if (name.find("num_batches_tracked") != std::string::npos) {
        EXPECT_EQ(buffer.item<std::int64_t>(), 1) << id << " " << name;
      }
    }
  }
}

TEST(Bf16, IsBitEqualUnderEverySchedule) {
  expectAllBitEqual(of8(resnet(R"("precision":"bf16")")));
}

TEST(Bf16, IsBitEqualWithCrossEntropyInChannelsLast) {
  expectAllBitEqual(of8(resnet(R"("precision":"bf16","memory_format":"channels_last",
    "loss":"cross_entropy")")),
                    {"one", "tutorial", "again", "zb-h1"});
}

TEST(Bf16, ChangesTheNumbers) {
  Bench full(of8(resnet(R"("precision":"fp32")")));
  Bench half(of8(resnet(R"("precision":"bf16")")));
  EXPECT_FALSE(compare(trained(full, "one", 1), trained(half, "one", 1)).bitEqual);
}

TEST(Inference, GivesTheOutputsOfOneDeviceUnderEveryScheduleWithATailOfOneSample) {
  expectAllBitEqual(resnet(R"("task":"infer")"));
  expectAllBitEqual(resnet(R"("task":"infer","precision":"bf16")"), {"mp", "gpipe"});
}

TEST(Inference, UsesRunningStatisticsAndLeavesThemAlone) {
  Bench bench(resnet(R"("task":"infer")"));
  const TrainingSnapshot snapshot = trained(bench, "gpipe", 2);
  EXPECT_EQ(snapshot.outputs.size(), 3U);
  EXPECT_TRUE(snapshot.losses.empty());
  EXPECT_TRUE(snapshot.gradients.empty());
  EXPECT_TRUE(at::equal(snapshot.buffers.at("bn1.running_mean"), at::zeros({64})));
  EXPECT_EQ(snapshot.buffers.at("bn1.num_batches_tracked").item<std::int64_t>(), 0);
}

TEST(Inference, FailsTheCheckWhenAnOutputIsMissingOrWrong) {
  TrainingSnapshot right;
  right.outputs = {{0, at::ones({2})}, {1, at::ones({2})}};
  TrainingSnapshot wrong = right;
  wrong.outputs[1] = at::zeros({2});
  EXPECT_EQ(compare(wrong, right).worst, "output of micro-batch 1");
  wrong.outputs.erase(1);
  EXPECT_FALSE(compare(wrong, right).bitEqual);
}

TEST(Inference, KeepsNothingOfAMicroBatchAfterItsForward) {
  Bench bench(resnet(R"("task":"infer")"));
  Executor executor(bench.variant("gpipe").stepPlan(bench.experiment), bench.control);
  ASSERT_TRUE(executor.build(drawInitialValues(*bench.experiment.model, 0, at::kFloat)));
  SyntheticData data(bench.experiment, at::kFloat);
  ASSERT_TRUE(executor.step(valueOf(executor.prepare(data.next())), {}));
  EXPECT_EQ(executor.peakLiveMicroBatches(), (std::vector<int>{1, 1}));
  EXPECT_TRUE(executor.outputs().empty()) << "kept only for the check";
}

}  // namespace
}  // namespace stagelane::run
