// Several training steps on GPUs follow those of CPU workers, and each strategy passes the
// gradient check. Later steps reuse the memory of earlier ones, so that a missing wait, or memory
// that is reused too early, changes the losses.

#include <cmath>
#include <iostream>

#include "tests/engine/run/gpu/gpu_place.h"
#include "tests/engine/run/schedule_grid.h"

namespace stagelane::run {
namespace {

using namespace test;

constexpr int kSteps = 20;

class TrainingOnGpus : public OnGpuPlace {};

double sumOf(const std::vector<at::Tensor>& losses) {
  double sum = 0.0;
  for (const at::Tensor& loss : losses) sum += loss.item<double>();
  return sum;
}

/// The loss of each step of the variant `v`.
std::vector<double> trainedLosses(const std::string& experiment) {
  Bench bench(experiment);
  const at::ScalarType dtype = scalarType(bench.experiment);
  Executor executor(bench.variant("v").stepPlan(bench.experiment), bench.control);
  std::vector<double> losses;
  const Status built = executor.build(drawInitialValues(*bench.experiment.model, 0, dtype));
  EXPECT_TRUE(built) << describe(built.error());
  SyntheticData data(bench.experiment, dtype);
  for (int step = 0; built && step < kSteps; ++step) {
    const StepInput input = valueOf(executor.prepare(data.next()));
    const auto outcome = executor.step(input, {0, step, false});
    EXPECT_TRUE(outcome) << describe(outcome.error());
    const Status ended = executor.synchronize();
    EXPECT_TRUE(ended) << describe(ended.error());
    if (!outcome || !ended) break;
    losses.push_back(sumOf(executor.losses()));
  }
  return losses;
}

/// Members that `members` adds to the experiment.
std::string with(const std::string& experiment, const std::string& members) {
  Json document = Json::parse(experiment);
  document.update(Json::parse(members));
  return document.dump();
}

/// In float64: rounding is then far below the tolerance, and a lost or early value far above.
void expectTheCpusLosses(const GpuPlace& place, const std::string& experiment) {
  const std::vector<double> expected = trainedLosses(experiment);
  const std::vector<double> losses = trainedLosses(movedTo(place, experiment));
  ASSERT_EQ(losses.size(), expected.size());
  ASSERT_EQ(losses.size(), static_cast<std::size_t>(kSteps));
  double largest = 0.0;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const double error = std::abs(losses[i] - expected[i]) / std::abs(expected[i]);
    EXPECT_LE(error, 1e-8) << "step " << i << ": " << losses[i] << " instead of " << expected[i];
    largest = std::max(largest, error);
  }
  std::cout << "largest relative error of the losses: " << largest << std::endl;
}

TEST_P(TrainingOnGpus, LossesOfEveryScheduleFollowTheCpus) {
  for (const GridSchedule& schedule : everySchedule()) {
    SCOPED_TRACE(schedule.name);
    expectTheCpusLosses(GetParam(),
                        gridExperiment(mlpModel(), schedule, 2, Tail::Uneven, "float64"));
  }
}

TEST_P(TrainingOnGpus, LossesWithAdamAndClippingFollowTheCpus) {
  for (const GridSchedule& schedule : everySchedule()) {
    if (schedule.name == "1f1b" || schedule.name == "zbv") {
      SCOPED_TRACE(schedule.name);
      expectTheCpusLosses(GetParam(),
                          with(gridExperiment(mlpModel(), schedule, 2, Tail::Uneven, "float64"),
                               R"({"optimizer":{"kind":"adam","lr":0.001},"clip_grad_norm":0.1})"));
    }
  }
}

TEST_P(TrainingOnGpus, ModelParallelAndASingleDevicePassTheGradientCheck) {
  const std::string variants = R"("variants":[
    {"name":"s","strategy":"single","device":"cpu:0"},
    {"name":"t","strategy":"single","device":"cpu:1"},
    {"name":"mp","strategy":"model_parallel","stages":[{"first":"conv1","device":"cpu:0"},
     {"first":"layer3.0","device":"cpu:1"}]}])";
  Bench bench(movedTo(GetParam(), resnet18("5", variants)));
  for (const char* id : {"s", "t", "mp"}) {
    const GradientVerdict verdict = bench.check(id);
    EXPECT_TRUE(verdict.passed) << id << ", " << verdict.worst << ": "
                                << verdict.result.maxRelError;
  }
}

TEST_P(TrainingOnGpus, DeferredBatchStatisticsPassTheGradientCheck) {
  for (const GridSchedule& schedule : everySchedule()) {
    if (schedule.name != "gpipe" && schedule.name != "1f1b") continue;
    Bench bench(movedTo(GetParam(), with(gridExperiment(resnetModel(), schedule, 2, Tail::Uneven),
                                         R"({"batch_norm":"deferred"})")));
    const GradientVerdict verdict = bench.check("v");
    EXPECT_TRUE(verdict.passed) << schedule.name << ", " << verdict.worst << ": "
                                << verdict.result.maxRelError;
  }
}

INSTANTIATE_TEST_SUITE_P(Gpu, TrainingOnGpus, testing::ValuesIn(everyGpuPlace()), nameOfPlace);

}  // namespace
}  // namespace stagelane::run
