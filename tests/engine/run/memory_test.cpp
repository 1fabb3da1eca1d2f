// Memory that an executor keeps between forward and backward, by the allocator's accounts. Every
// byte belongs to the worker that allocated it; a boundary tensor between CPU workers is shared, so
// it stays on its producer's account as long as the next stage keeps it. Measured right before the
// first backward of a row, when all of its micro-batches are alive and no operator runs: the
// difference from before the step is what the micro-batches keep. The batch itself, which the first
// stage also keeps, is on the host's account: CPU workers read it there. Gradients, temporary
// memory of operators and the optimizer's state come later, and parameters were there before.

#include <iostream>
#include <numeric>

#include "tests/engine/run/schedule_grid.h"

namespace stagelane::run {
namespace {

using namespace test;

Bytes liveBytes(Worker& worker) {
  worker.backend().resetPeakBytes();
  return worker.backend().peakBytes();
}

struct Kept {
  std::vector<Bytes> bytes;  ///< by row
  std::vector<int> live;     ///< by row: micro-batches
  Bytes batch = 0;           ///< of the batch's input
};

/// What each row's micro-batches keep right before the row's first B.
Kept keptBeforeFirstBackward(Bench& bench) {
  const VariantRun& run = bench.variant("v");
  const std::size_t rows = run.workers.size();
  Kept kept{std::vector<Bytes>(rows, -1), std::vector<int>(rows, 0)};
  std::vector<Bytes> before(rows, 0);
  StepPlan plan = run.stepPlan(bench.experiment);
  plan.options.beforeAction = [&](int row, const schedule::LoweredAction& action) {
    const auto index = static_cast<std::size_t>(row);
    if (kept.bytes[index] >= 0) return;
    if (action.kind == ActionKind::Forward) {
      ++kept.live[index];
    } else if (action.kind == ActionKind::Backward) {
      kept.bytes[index] = liveBytes(*run.workers[index]) - before[index];
    }
  };
  Executor executor(plan, bench.control);
  EXPECT_TRUE(
      executor.build(drawInitialValues(*bench.experiment.model, 0, scalarType(bench.experiment))));
  for (std::size_t row = 0; row < rows; ++row) before[row] = liveBytes(*run.workers[row]);
  SyntheticData data(bench.experiment, scalarType(bench.experiment));
  const Batch batch = data.next();
  kept.batch = static_cast<Bytes>(batch.input.nbytes());
  const StepInput input = valueOf(executor.prepare(batch));
  EXPECT_TRUE(executor.step(input, {}));
  return kept;
}

/// One stage on one worker, all micro-batches forward, then all backward.
std::string allForwardFirst(const std::string& model, const std::string& input) {
  return R"({"stagelane":1,"name":"m","model":)" + model + R"(,"input":{)" + input +
         R"(},"data":{"batch_size":12,"labels":"one_hot"},"devices":["cpu:0"],"variants":[{"name":"v",
         "strategy":"pipeline","schedule":"gpipe","split_size":4,"placement":{"":"cpu:0"}}]})";
}

Bytes savedByBlocks(const plan::Experiment& experiment, std::int64_t samples) {
  model::Shape input{samples};
  input.insert(input.end(), experiment.input.begin(), experiment.input.end());
  const auto shapes = valueOf(model::inferShapes(*experiment.model, input, experiment.dtype));
  return std::accumulate(
      shapes.blocks.begin(), shapes.blocks.end(), Bytes{0},
      [](Bytes sum, const model::BlockCost& block) { return sum + block.savedBytes; });
}

void expectWithinTwoPercent(const std::string& name, Bytes measured, Bytes expected) {
  const double ratio = static_cast<double>(measured) / static_cast<double>(expected);
  std::cout << name << ": kept " << measured << " bytes, blocks save " << expected << ", ratio "
            << ratio << std::endl;
  EXPECT_NEAR(ratio, 1.0, 0.02);
}

TEST(Memory, OfLiveMicroBatchesIsWhatTheBlocksSave) {
  installAllocator(plan::AllocatorKind::Caching);
  const std::string resnet = R"({"zoo":"resnet18","num_classes":10})";
  for (const auto& [model, input] : std::vector<std::pair<std::string, std::string>>{
           {resnet, R"("shape":[3,64,64])"}, {mlpModel().definition, R"("shape":[24])"}}) {
    Bench bench(allForwardFirst(model, input));
    const Kept kept = keptBeforeFirstBackward(bench);
    ASSERT_EQ(kept.live, std::vector<int>{3});
    expectWithinTwoPercent(model.substr(0, 40), kept.bytes[0] + kept.batch,
                           3 * savedByBlocks(bench.experiment, 4));
  }
}

TEST(Memory, OfAllStagesTogetherIsWhatTheBlocksSave) {
  installAllocator(plan::AllocatorKind::Caching);
  for (const GridModel& model : {resnetModel(), mlpModel()}) {
    Bench bench(gridExperiment(model, {"gpipe"}, 2, Tail::Even));
    const Kept kept = keptBeforeFirstBackward(bench);
    ASSERT_EQ(kept.live, (std::vector<int>{4, 4}));
    expectWithinTwoPercent(model.name, kept.bytes[0] + kept.bytes[1] + kept.batch,
                           4 * savedByBlocks(bench.experiment, 3));
  }
}

TEST(Memory, OfARecomputingStageIsItsInputs) {
  installAllocator(plan::AllocatorKind::Caching);
  Bench bench(gridExperiment(resnetModel(), {"gpipe"}, 2, Tail::Even));
  const Kept all = keptBeforeFirstBackward(bench);
  for (plan::Variant& variant : bench.experiment.variants) {
    variant.recompute = plan::Recompute::Always;
  }
  const Kept inputs = keptBeforeFirstBackward(bench);
  EXPECT_LT(10 * (inputs.bytes[0] + inputs.bytes[1]), all.bytes[0] + all.bytes[1]);
}

TEST(Memory, IsAsBeforeWhenAStepHasEnded) {
  installAllocator(plan::AllocatorKind::Caching);
  for (const GridSchedule& schedule : everySchedule()) {
    SCOPED_TRACE(schedule.name);
    Bench bench(gridExperiment(mlpModel(), schedule, 2, Tail::Uneven));
    const VariantRun& run = bench.variant("v");
    Executor executor(run.stepPlan(bench.experiment), bench.control);
    ASSERT_TRUE(executor.build(drawInitialValues(*bench.experiment.model, 0, at::kFloat)));
    SyntheticData data(bench.experiment, at::kFloat);
    const StepInput input = valueOf(executor.prepare(data.next()));
    const auto live = [&] {
      Bytes sum = 0;
      for (Worker* worker : run.workers) sum += liveBytes(*worker);
      for (const at::Tensor& loss : executor.losses()) sum -= static_cast<Bytes>(loss.nbytes());
      return sum;
    };
    const Bytes before = live();
    ASSERT_TRUE(executor.step(input, {}));
    EXPECT_EQ(live(), before);
  }
}

}  // namespace
}  // namespace stagelane::run
