#include <ATen/ops/empty.h>
#include <gmock/gmock.h>

#include <condition_variable>
#include <thread>

#include "engine/record/failure_json.h"
#include "engine/run/device/allocator.h"
#include "engine/run/loop/run_loop.h"
#include "tests/engine/run/run_fixture.h"

namespace stagelane::run {
namespace {

using namespace test;
using testing::HasSubstr;

/// Only ends a test that would otherwise hang.
constexpr auto kPatience = std::chrono::seconds(60);

/// A run of three repeats over two workers in which something breaks.
struct BrokenRun {
  /// `options` break the second repeat.
  BrokenRun(ExecutorOptions options, const std::string& settings = "") {
    const std::size_t threadsBefore = threadsOfProcess();
    const plan::Experiment experiment =
        experimentOf(toy("20", settings + R"("repeat":3,"warmup":0,"verify_gradients":false,
            "variants":[{"name":"p","strategy":"pipeline","schedule":"1f1b","split_size":5,)" +
                                   kToyStages + "}]"));
    const auto began = std::chrono::steady_clock::now();
    {
      RunLoop loop(experiment, recorded.ports(), std::move(options));
      const auto outcome = loop.run();
      EXPECT_FALSE(outcome);
      if (!outcome) error = outcome.error();
    }
    took = std::chrono::steady_clock::now() - began;
    expectThreads(threadsBefore);
  }

  /// The run ended in time, named the place, and kept what it had measured before.
  void expectNamed(const Failure& failure) {
    EXPECT_EQ(record::failureToJson(failureOf(error)), record::failureToJson(failure))
        << describe(error);
    EXPECT_LT(took, kPatience);
    const Json result = recorded.result("p");
    EXPECT_EQ(result.at("status"), "failed");
    EXPECT_EQ(result.at("failure"), record::failureToJson(failure));
    EXPECT_EQ(result.at("seconds").size(), 1U) << "the first repeat is kept";
  }

  Recorded recorded;
  Error error;
  std::chrono::steady_clock::duration took{};
};

/// True at the second repeat's first step: the toy has two batches a repeat.
class AtTheThirdStep {
 public:
  AtTheThirdStep(ActionKind kind, int stage, int microBatch)
      : m_kind(kind), m_stage(stage), m_microBatch(microBatch) {}
  bool operator()(const schedule::LoweredAction& action) {
    return action.kind == m_kind && action.stage.value == m_stage &&
           action.microBatch.value == m_microBatch && ++*m_seen == 3;
  }

 private:
  ActionKind m_kind;
  int m_stage;
  int m_microBatch;
  /// Every turn has a copy of the options.
  std::shared_ptr<std::atomic<int>> m_seen = std::make_shared<std::atomic<int>>(0);
};

TEST(Fault, AWorkerThatThrowsIsNamed) {
  ExecutorOptions options;
  options.beforeAction = [at = AtTheThirdStep(ActionKind::Backward, 1, 2)](
                             int /*row*/, const schedule::LoweredAction& action) mutable {
    if (at(action)) throw std::runtime_error("broken on purpose");
  };
  BrokenRun run(options);
  run.expectNamed({FailureKind::EngineFailure, "p", {"cpu:1"}, {1}, {2}, ActionKind::Backward});
  EXPECT_THAT(run.error.message, HasSubstr("broken on purpose"));
}

TEST(Fault, MemoryThatRunsOutInTheMiddleOfAStepIsNamed) {
  ExecutorOptions options;
  options.beforeAction = [at = AtTheThirdStep(ActionKind::Forward, 0, 3)](
                             int /*row*/, const schedule::LoweredAction& action) mutable {
    if (at(action)) static_cast<void>(at::empty({std::int64_t{1} << 50}));
  };
  BrokenRun run(options);
  run.expectNamed({FailureKind::OutOfMemory, "p", {"cpu:0"}, {0}, {3}, ActionKind::Forward});
  EXPECT_EQ(run.error.code, ErrorCode::OutOfMemory);
}

/// Points of 1, 5 and 20 samples per micro-batch, and a single device to compare with.
/// Micro-batches of the given size request more memory than exists, in each turn after `turns`.
/// `before`: measurements of an earlier process.
Result<RunOutcome> runExhausted(Recorded& recorded, int microBatch, int turns,
                                const record::RunResult* before = nullptr) {
  installAllocator(plan::AllocatorKind::Caching);
  ExecutorOptions options;
  options.beforeAction = [microBatch, turns, seen = std::make_shared<std::atomic<int>>(0)](
                             int row, const schedule::LoweredAction& action) {
    const bool there =
        row == 0 && action.kind == ActionKind::Forward && action.microBatch.value == microBatch;
    // The toy has two batches a turn.
    if (there && ++*seen > 2 * turns) static_cast<void>(at::empty({std::int64_t{1} << 50}));
  };
  const plan::Experiment experiment =
      experimentOf(toy("20", R"("repeat":3,"warmup":0,"verify_gradients":false,
          "skip_out_of_memory":true,"variants":[{"name":"p","strategy":"pipeline",
          "schedule":"gpipe","split_size":[1,5,20],)" +
                                 kToyStages + "}]"));
  const std::size_t threadsBefore = threadsOfProcess();
  RunPorts ports = recorded.ports();
  ports.before = before;
  auto outcome = RunLoop(experiment, ports, options).run();
  expectThreads(threadsBefore);
  return outcome;
}

TEST(Fault, APointThatRunsOutOfMemoryLeavesTheOthersToBeMeasured) {
  for (const int turns : {0, 1}) {
    Recorded recorded;
    EXPECT_EQ(valueOf(runExhausted(recorded, 19, turns)), RunOutcome::Done);
    const Json exhausted = recorded.result("p-s1");
    EXPECT_EQ(exhausted.at("status"), "failed");
    EXPECT_EQ(
        record::failureFromJson(exhausted.at("failure")),
        (Failure{FailureKind::OutOfMemory, "p-s1", {"cpu:0"}, {0}, {19}, ActionKind::Forward}));
    EXPECT_EQ(exhausted.at("seconds").size(), static_cast<std::size_t>(turns));
    for (const std::string id : {"p-s5", "p-s20"}) {
      EXPECT_EQ(recorded.result(id).at("status"), "done") << id;
      EXPECT_EQ(recorded.result(id).at("seconds").size(), 3U) << id;
    }
    EXPECT_EQ(recorded.count("finished"), 1U);
  }
}

TEST(Fault, APointThatRunsOutOfMemoryWhenItIsOnlyTracedKeepsItsRepeats) {
  record::RunResult before;
  for (const char* id : {"p-s1", "p-s5", "p-s20"}) {
    record::VariantResult& variant = before.variants.emplace_back();
    variant.id = id;
    variant.seconds = {0.5, 0.6, 0.7};
  }
  Recorded recorded;
  EXPECT_EQ(valueOf(runExhausted(recorded, 19, 0, &before)), RunOutcome::Done);
  const Json exhausted = recorded.result("p-s1");
  EXPECT_EQ(exhausted.at("status"), "failed");
  EXPECT_EQ(exhausted.at("failure").at("kind"), "out_of_memory");
  for (const std::string id : {"p-s1", "p-s5", "p-s20"}) {
    EXPECT_EQ(recorded.result(id).at("seconds"), Json({0.5, 0.6, 0.7})) << id;
  }
  for (const std::string id : {"p-s5", "p-s20"}) {
    EXPECT_EQ(recorded.result(id).at("status"), "done") << id;
    EXPECT_GT(recorded.result(id).at("step_ns").get<TimeNs>(), 0) << id;
  }
}

TEST(Fault, WhereNothingFitsTheDataIsNotDrawn) {
  installAllocator(plan::AllocatorKind::Caching);
  const plan::Experiment experiment = experimentOf(
      R"({"stagelane":1,"name":"t","input":{"shape":[100000]},
      "model":{"zoo":"mlp","depth":1,"width":8,"in":100000,"out":10},
      "data":{"labels":"normal","batch_size":1000000,"batches":1},
      "devices":[{"id":"cpu:0","max_memory":"1GiB"}],"repeat":1,
      "variants":[{"name":"a","strategy":"single","device":"cpu:0"}]})");
  Recorded recorded;
  EXPECT_EQ(valueOf(RunLoop(experiment, recorded.ports(), {}).run()), RunOutcome::Done);
  EXPECT_EQ(recorded.result("a").at("status"), "not_run");
  EXPECT_EQ(recorded.result("a").at("failure"),
            (Json{{"kind", "does_not_fit"}, {"variant", "a"}, {"device", "cpu:0"}}));
}

TEST(Fault, ASweepOfWhichNothingFitsIsOutOfMemory) {
  Recorded recorded;
  const auto outcome = runExhausted(recorded, 0, 0);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::OutOfMemory);
  EXPECT_EQ(recorded.count("finished"), 0U);
}

TEST(Fault, ADroppedMessageIsNamed) {
  for (const bool forwards : {true, false}) {
    ExecutorOptions options;
    options.dropMessage =
        [at = AtTheThirdStep(forwards ? ActionKind::SendForward : ActionKind::SendBackward,
                             forwards ? 0 : 1, 1)](
            int /*row*/, const schedule::LoweredAction& action) mutable { return at(action); };
    BrokenRun run(options, R"("stall_timeout_s":2,)");
    run.expectNamed({FailureKind::Stalled,
                     "p",
                     {forwards ? "cpu:1" : "cpu:0"},
                     {forwards ? 1 : 0},
                     {1},
                     forwards ? ActionKind::RecvForward : ActionKind::RecvBackward});
    EXPECT_EQ(run.error.code, ErrorCode::EngineFailure);
  }
}

TEST(Fault, AWorkerThatStallsIsNamed) {
  ExecutorOptions options;
  options.beforeAction = [at = AtTheThirdStep(ActionKind::Backward, 0, 1)](
                             int /*row*/, const schedule::LoweredAction& action) mutable {
    if (at(action)) std::this_thread::sleep_for(std::chrono::seconds(4));
  };
  BrokenRun run(options, R"("stall_timeout_s":2,)");
  run.expectNamed({FailureKind::Stalled, "p", {"cpu:0"}, {0}, {1}, ActionKind::Backward});
}

TEST(Fault, AWorkerThatStallsAloneIsNoticed) {
  const plan::Experiment experiment =
      experimentOf(toy("20", R"("repeat":1,"warmup":0,"stall_timeout_s":2,
          "variants":[{"name":"s","strategy":"single","device":"cpu:0"}])"));
  Recorded recorded;
  ExecutorOptions options;
  options.beforeAction = [](int /*row*/, const schedule::LoweredAction& action) {
    if (action.kind == ActionKind::Optimizer) std::this_thread::sleep_for(std::chrono::seconds(4));
  };
  const auto outcome = RunLoop(experiment, recorded.ports(), options).run();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().failure.kind, FailureKind::Stalled);
  EXPECT_EQ(outcome.error().failure.action, ActionKind::Optimizer);
}

TEST(Fault, AThreadThatNeverComesBackIsLeftBehind) {
  struct Gate {
    std::mutex mutex;
    std::condition_variable changed;
    bool open = false;
    bool passed = false;
  };
  // An abandoned thread still uses these objects, so they must outlive it.
  auto& gate = *new Gate();
  auto& bench = *new Bench(toy("20", R"("variants":[{"name":"p","strategy":"pipeline",
      "schedule":"1f1b","split_size":5,)" +
                                         kToyStages + "}]"));
  auto& control = *new RunControl(nullptr, 2'000'000'000);
  StepPlan plan = bench.variant("p").stepPlan(bench.experiment);
  // Lives as long as anything that the thread uses.
  const auto held = std::make_shared<int>();
  plan.options.beforeAction = [&gate, held](int row, const schedule::LoweredAction& action) {
    if (row == 1 && action.kind == ActionKind::Backward) {
      std::unique_lock lock(gate.mutex);
      gate.changed.wait(lock, [&gate] { return gate.open; });
      gate.passed = true;
      gate.changed.notify_all();
    }
  };
  const auto began = std::chrono::steady_clock::now();
  {
    Executor executor(plan, control);
    ASSERT_TRUE(executor.build(drawInitialValues(*bench.experiment.model, 0, at::kFloat)));
    SyntheticData data(bench.experiment, at::kFloat);
    const StepInput input = valueOf(executor.prepare(data.next()));
    const auto outcome = executor.step(input, {});
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().failure,
              (Failure{FailureKind::Stalled, "p", {"cpu:1"}, {1}, {0}, ActionKind::Backward}));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - began, kPatience);
  EXPECT_TRUE(bench.pool.anyAbandoned());
  // The thread continues after all, and finds all of its objects alive.
  std::unique_lock lock(gate.mutex);
  gate.open = true;
  gate.changed.notify_all();
  EXPECT_TRUE(gate.changed.wait_for(lock, kPatience, [&gate] { return gate.passed; }));
  lock.unlock();
  // The process must not end before the thread has finished its action.
  plan.options.beforeAction = nullptr;
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (held.use_count() > 1 && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(held.use_count(), 1);
}

}  // namespace
}  // namespace stagelane::run
