#include "engine/run/step/executor.h"

#include <atomic>
#include <condition_variable>

#include "tests/engine/run/run_fixture.h"

namespace stagelane::run {
namespace {

using namespace test;

const std::string kPipeline = R"("variants":[{"name":"p","strategy":"pipeline",
    "schedule":"1f1b","split_size":5,)" +
                              kToyStages + "}]";

struct ToyStep {
  explicit ToyStep(ExecutorOptions options = {}, RunControl* control = nullptr)
      : bench(toy("20", kPipeline)), used(control != nullptr ? control : &bench.control) {
    StepPlan plan = bench.variant("p").stepPlan(bench.experiment);
    plan.options = std::move(options);
    executor = std::make_unique<Executor>(std::move(plan), *used);
    EXPECT_TRUE(executor->build(drawInitialValues(*bench.experiment.model, 0, at::kFloat)));
    SyntheticData data(bench.experiment, at::kFloat);
    input = valueOf(executor->prepare(data.next()));
  }
  Bench bench;
  RunControl* used;
  std::unique_ptr<Executor> executor;
  StepInput input;
};

TEST(Executor, PlaysEveryActionOfEveryRowOnce) {
  ToyStep step;
  EXPECT_EQ(valueOf(step.executor->step(step.input, {})), Executor::Outcome::Done);
  const auto records = step.executor->takeRecords();
  EXPECT_EQ(records.size(), step.bench.variant("p").lowered.actionCount);
  EXPECT_EQ(step.executor->losses().size(), 4U);
  EXPECT_TRUE(step.executor->takeRecords().empty());
}

/// Counts actions on all threads.
class CountingObserver final : public trace::ActionObserver {
 public:
  void actionBegins(std::int32_t /*device*/, StageId stage,
                    MicroBatchId microBatch) const override {
    ++m_begun;
    m_stages += stage.value;
    m_microBatches += microBatch.value;
  }
  void actionEnds() const override { ++m_ended; }
  mutable std::atomic<std::size_t> m_begun{0};
  mutable std::atomic<std::size_t> m_ended{0};
  mutable std::atomic<std::int64_t> m_stages{0};
  mutable std::atomic<std::int64_t> m_microBatches{0};
};

TEST(Executor, TellsWhoObservesWhichActionsItPlays) {
  ToyStep step;
  const CountingObserver observer;
  trace::observeActions(&observer);
  const auto outcome = step.executor->step(step.input, {});
  trace::observeActions(nullptr);
  ASSERT_TRUE(outcome);
  std::int64_t stages = 0;
  std::int64_t microBatches = 0;
  const auto records = step.executor->takeRecords();
  for (const trace::ActionRecord& record : records) {
    stages += record.stage;
    microBatches += record.microBatch;
  }
  EXPECT_EQ(observer.m_begun, records.size());
  EXPECT_EQ(observer.m_ended, records.size());
  EXPECT_EQ(observer.m_stages, stages);
  EXPECT_EQ(observer.m_microBatches, microBatches);
}

TEST(Executor, RecordsWhatItDidInTheOrderOfTheSchedule) {
  ToyStep step;
  ASSERT_TRUE(step.executor->step(step.input, {3, 1, false}));
  const auto records = step.executor->takeRecords();
  std::size_t next = 0;
  for (std::size_t row = 0; row < 2; ++row) {
    TimeNs lastEndNs = 0;
    for (const auto& action : step.bench.variant("p").lowered.actions[row]) {
      const trace::ActionRecord& record = records.at(next++);
      EXPECT_EQ(record.kind, action.kind);
      EXPECT_EQ(record.microBatch, action.microBatch.value);
      EXPECT_EQ(record.device, static_cast<int>(row));
      EXPECT_EQ(record.repeat, 3);
      EXPECT_EQ(record.step, 1);
      EXPECT_LE(record.startNs, record.endNs);
      if (isCompute(record.kind)) {
        EXPECT_GE(record.startNs, lastEndNs);
        lastEndNs = record.endNs;
      }
    }
  }
}

TEST(Executor, ReceiveBeginsWhenTheDataIsReadyAtTheSender) {
  ToyStep step;
  ASSERT_TRUE(step.executor->step(step.input, {}));
  const auto records = step.executor->takeRecords();
  int pairs = 0;
  for (const auto& receive : records) {
    if (receive.kind != ActionKind::RecvForward) continue;
    for (const auto& send : records) {
      if (send.kind == ActionKind::SendForward && send.microBatch == receive.microBatch) {
        EXPECT_EQ(send.startNs, receive.startNs);
        EXPECT_EQ(send.bytes, receive.bytes);
        EXPECT_EQ(send.bytes, 5 * 10 * 4);
        ++pairs;
      }
    }
  }
  EXPECT_EQ(pairs, 4);
}

TEST(Executor, HasNoBarrierBetweenTheForwardsOfTwoStages) {
  std::mutex mutex;
  std::condition_variable changed;
  bool nextBegan = false;
  bool sawIt = false;
  ExecutorOptions options;
  options.beforeAction = [&](int row, const schedule::LoweredAction& action) {
    std::unique_lock lock(mutex);
    if (row == 0 && action.kind == ActionKind::Forward && action.microBatch.value == 1) {
      nextBegan = true;
      changed.notify_all();
    }
    if (row == 1 && action.kind == ActionKind::Forward && action.microBatch.value == 0) {
      // Stage 1 does not end its F0 before stage 0 has begun its F1.
      sawIt = changed.wait_for(lock, std::chrono::seconds(20), [&] { return nextBegan; });
    }
  };
  ToyStep step(options);
  ASSERT_TRUE(step.executor->step(step.input, {}));
  EXPECT_TRUE(sawIt);
}

TEST(Executor, OverlapsTheStagesInARecordedStep) {
  Bench bench(resnet18("8", R"("variants":[{"name":"p","strategy":"pipeline","schedule":"gpipe",
      "split_size":2,"stages":[{"first":"conv1","device":"cpu:0"},
                               {"first":"layer2.0","device":"cpu:1"}]}])"));
  Executor executor(bench.variant("p").stepPlan(bench.experiment), bench.control);
  ASSERT_TRUE(executor.build(drawInitialValues(*bench.experiment.model, 0, at::kFloat)));
  SyntheticData data(bench.experiment, at::kFloat);
  const StepInput input = valueOf(executor.prepare(data.next()));
  // A busy machine may wake a thread too late to overlap; with a barrier no step would ever
  // overlap.
  int overlaps = 0;
  for (int i = 0; i < 50 && overlaps == 0; ++i) {
    ASSERT_TRUE(executor.step(input, {}));
    const auto records = executor.takeRecords();
    for (const auto& a : records) {
      for (const auto& b : records) {
        const bool neighbors = a.kind == ActionKind::Forward && b.kind == ActionKind::Forward &&
                               a.stage == 0 && b.stage == 1 && a.microBatch == b.microBatch + 1;
        overlaps += neighbors && a.startNs < b.endNs && b.startNs < a.endNs ? 1 : 0;
      }
    }
  }
  EXPECT_GT(overlaps, 0);
}

TEST(Executor, AThrowingStageEndsEverythingAndNamesTheAction) {
  const std::size_t threadsBefore = threadsOfProcess();
  {
    ExecutorOptions options;
    options.beforeAction = [](int row, const schedule::LoweredAction& action) {
      if (row == 1 && action.kind == ActionKind::Backward && action.microBatch.value == 1) {
        throw std::runtime_error("broken on purpose");
      }
    };
    ToyStep step(options);
    const auto outcome = step.executor->step(step.input, {});
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ErrorCode::EngineFailure);
    EXPECT_EQ(outcome.error().failure,
              (Failure{FailureKind::Unknown, "p", {"cpu:1"}, {1}, {1}, ActionKind::Backward}));
    EXPECT_EQ(outcome.error().message, "cpu:1: broken on purpose");
  }
  expectThreads(threadsBefore);
}

TEST(Executor, AnOperatorsErrorBecomesAnError) {
  ToyStep step;
  step.input.inputs[2] = step.input.inputs[2].narrow(1, 0, 3);
  const auto outcome = step.executor->step(step.input, {});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().failure,
            (Failure{FailureKind::Unknown, "p", {"cpu:0"}, {0}, {2}, ActionKind::Forward}));
}

TEST(Executor, StopsAtTheNextActionBoundaryWhenCanceled) {
  std::atomic<bool> stop{false};
  RunControl control(&stop);
  ExecutorOptions options;
  options.beforeAction = [&](int row, const schedule::LoweredAction& action) {
    if (row == 0 && action.kind == ActionKind::Forward && action.microBatch.value == 1) stop = true;
  };
  ToyStep step(options, &control);
  EXPECT_EQ(valueOf(step.executor->step(step.input, {})), Executor::Outcome::Stopped);
  EXPECT_LT(step.executor->takeRecords().size(), step.bench.variant("p").lowered.actionCount);
}

TEST(Executor, ALostTensorEndsInAnErrorThatNamesWhoWaitsForWhat) {
  Bench bench(toy("20", kPipeline));
  VariantRun& run = bench.variant("p");
  std::erase_if(run.lowered.actions[0], [](const schedule::LoweredAction& action) {
    return action.kind == ActionKind::SendForward && action.microBatch.value == 2;
  });
  RunControl control(nullptr, 2'000'000'000);
  Executor executor(run.stepPlan(bench.experiment), control);
  ASSERT_TRUE(executor.build(drawInitialValues(*bench.experiment.model, 0, at::kFloat)));
  SyntheticData data(bench.experiment, at::kFloat);
  const StepInput input = valueOf(executor.prepare(data.next()));
  const auto outcome = executor.step(input, {});
  ASSERT_FALSE(outcome);
  const Failure& failure = outcome.error().failure;
  EXPECT_EQ(failure.kind, FailureKind::Stalled);
  // Reported by the row that notices it first: the one that waits for F2, or the one that waits for
  // its gradient.
  EXPECT_TRUE(failure.action == ActionKind::RecvForward ||
              failure.action == ActionKind::RecvBackward)
      << describe(outcome.error());
  EXPECT_TRUE(failure.microBatch.valid());
}

TEST(Executor, TakesAsManyStepsAsAsked) {
  ToyStep step;
  const at::Tensor before =
      step.executor->row(0).stages().at(0).tensors().parameters().front().second.detach().clone();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(step.executor->step(step.input, {0, i, false}));
  const auto& [name, parameter] =
      step.executor->row(0).stages().at(0).tensors().parameters().front();
  EXPECT_FALSE(parameter.equal(before)) << name;
  EXPECT_FALSE(parameter.grad().defined()) << "OPT drops the gradients";
}

}  // namespace
}  // namespace stagelane::run
