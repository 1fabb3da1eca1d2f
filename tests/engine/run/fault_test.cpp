#include <ATen/ops/empty.h>
#include <gmock/gmock.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/record/failure_json.h"
#include "engine/run/device/allocator.h"
#include "engine/run/loop/run_loop.h"
#include "tests/engine/run/run_fixture.h"
#include "tests/engine/run/third_step.h"
#include "tests/support/fault_clock.h"

namespace stagelane::run {
namespace {

using namespace test;
using stagelane::test::FaultClock;
using testing::HasSubstr;

/// Only ends a test that would otherwise hang.
constexpr auto kPatience = std::chrono::seconds(60);

/// A stall timeout for tests, and the same as a setting.
constexpr auto kStallTimeout = std::chrono::seconds(2);
constexpr const char* kStallSetting = R"("stall_timeout_s":2,)";
/// Longer than that.
constexpr auto kStall = std::chrono::seconds(3);

/// A run of three repeats over two workers in which something breaks.
struct BrokenRun {
  /// `options` break the second repeat at the time of `clock`.
  BrokenRun(ExecutorOptions options, const FaultClock& faultClock, const std::string& settings = "")
      : clock(faultClock) {
    const std::size_t threadsBefore = threadsOfProcess();
    const plan::Experiment experiment =
        experimentOf(toy("20", settings + R"("repeat":3,"warmup":0,"verify_gradients":false,
            "variants":[{"name":"p","strategy":"pipeline","schedule":"1f1b","split_size":5,)" +
                                   kToyStages + "}]"));
    {
      RunLoop loop(experiment, recorded.ports(), std::move(options));
      const auto outcome = loop.run();
      EXPECT_FALSE(outcome);
      if (!outcome) error = outcome.error();
    }
    clock.end();
    expectThreads(threadsBefore);
  }

  /// The run ended in time, named the place, and kept what it had measured before.
  void expectNamed(const Failure& failure, std::chrono::nanoseconds timeout = {}) {
    clock.expectEnded(timeout, std::string(word(failure.action.value())));
    EXPECT_EQ(record::failureToJson(failureOf(error)), record::failureToJson(failure))
        << describe(error);
    const Json result = recorded.result("p");
    EXPECT_EQ(result.at("status"), "failed");
    EXPECT_EQ(result.at("failure"), record::failureToJson(failure));
    EXPECT_EQ(result.at("seconds").size(), 1U) << "the first repeat is kept";
  }

  Recorded recorded;
  Error error;
  FaultClock clock;
};

TEST(Fault, AWorkerThatThrowsIsNamed) {
  const FaultClock clock;
  ExecutorOptions options;
  options.beforeAction = [at = AtTheThirdStep(clock, ActionKind::Backward, 1, 2)](
                             int /*row*/, const schedule::LoweredAction& action) mutable {
    if (at(action)) throw std::runtime_error("broken on purpose");
  };
  BrokenRun run(options, clock);
  run.expectNamed({FailureKind::EngineFailure, "p", {"cpu:1"}, {1}, {2}, ActionKind::Backward});
  EXPECT_THAT(run.error.message, HasSubstr("broken on purpose"));
}

TEST(Fault, MemoryThatRunsOutInTheMiddleOfAStepIsNamed) {
  const FaultClock clock;
  ExecutorOptions options;
  options.beforeAction = [at = AtTheThirdStep(clock, ActionKind::Forward, 0, 3)](
                             int /*row*/, const schedule::LoweredAction& action) mutable {
    if (at(action)) static_cast<void>(at::empty({std::int64_t{1} << 50}));
  };
  BrokenRun run(options, clock);
  run.expectNamed({FailureKind::OutOfMemory, "p", {"cpu:0"}, {0}, {3}, ActionKind::Forward});
  EXPECT_EQ(run.error.code, ErrorCode::OutOfMemory);
}

/// Points of 1, 5 and 20 samples per micro-batch, and a single device to compare with.
/// Micro-batches of the given size request more memory than exists, in each turn after `turns`;
/// `clock` strikes at the first. `before`: measurements of an earlier process.
Result<RunOutcome> runExhausted(Recorded& recorded, const FaultClock& clock, int microBatch,
                                int turns, const record::RunResult* before = nullptr) {
  installAllocator(plan::AllocatorKind::Caching);
  ExecutorOptions options;
  options.beforeAction = [clock, microBatch, turns, seen = std::make_shared<std::atomic<int>>(0)](
                             int row, const schedule::LoweredAction& action) {
    const bool there =
        row == 0 && action.kind == ActionKind::Forward && action.microBatch.value == microBatch;
    // The toy has two batches a turn.
    if (there && ++*seen > 2 * turns) {
      clock.strike();
      static_cast<void>(at::empty({std::int64_t{1} << 50}));
    }
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

/// Ends the clock when the run says that it leaves out a point, because the others go on.
void endAtTheWarning(Recorded& recorded, const FaultClock& clock) {
  recorded.onEvent = [clock](const Event& event) -> Status {
    if (event.name == "warning" && event.members.at("code") == "out_of_memory") clock.end();
    return {};
  };
}

TEST(Fault, APointThatRunsOutOfMemoryLeavesTheOthersToBeMeasured) {
  for (const int turns : {0, 1}) {
    const FaultClock clock;
    Recorded recorded;
    endAtTheWarning(recorded, clock);
    EXPECT_EQ(valueOf(runExhausted(recorded, clock, 19, turns)), RunOutcome::Done);
    clock.expectEnded({}, "repeat_" + std::to_string(turns + 1));
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
  const FaultClock clock;
  Recorded recorded;
  endAtTheWarning(recorded, clock);
  EXPECT_EQ(valueOf(runExhausted(recorded, clock, 19, 0, &before)), RunOutcome::Done);
  clock.expectEnded();
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
  const FaultClock clock;
  Recorded recorded;
  const auto outcome = runExhausted(recorded, clock, 0, 0);
  clock.expectEnded();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::OutOfMemory);
  EXPECT_EQ(recorded.count("finished"), 0U);
}

TEST(Fault, ADroppedMessageIsNamed) {
  for (const bool forwards : {true, false}) {
    const FaultClock clock;
    ExecutorOptions options;
    options.dropMessage =
        [at = AtTheThirdStep(clock, forwards ? ActionKind::SendForward : ActionKind::SendBackward,
                             forwards ? 0 : 1, 1)](
            int /*row*/, const schedule::LoweredAction& action) mutable { return at(action); };
    BrokenRun run(options, clock, kStallSetting);
    run.expectNamed({FailureKind::Stalled,
                     "p",
                     {forwards ? "cpu:1" : "cpu:0"},
                     {forwards ? 1 : 0},
                     {1},
                     forwards ? ActionKind::RecvForward : ActionKind::RecvBackward},
                    kStallTimeout);
    EXPECT_EQ(run.error.code, ErrorCode::EngineFailure);
  }
}

TEST(Fault, AWorkerThatStallsIsNamed) {
  const FaultClock clock;
  ExecutorOptions options;
  options.beforeAction = [at = AtTheThirdStep(clock, ActionKind::Backward, 0, 1)](
                             int /*row*/, const schedule::LoweredAction& action) mutable {
    if (at(action)) std::this_thread::sleep_for(kStall);
  };
  BrokenRun run(options, clock, kStallSetting);
  run.expectNamed({FailureKind::Stalled, "p", {"cpu:0"}, {0}, {1}, ActionKind::Backward},
                  kStallTimeout);
}

TEST(Fault, AWorkerThatStallsAloneIsNoticed) {
  const FaultClock clock;
  const plan::Experiment experiment =
      experimentOf(toy("20", R"("repeat":1,"warmup":0,"stall_timeout_s":2,
          "variants":[{"name":"s","strategy":"single","device":"cpu:0"}])"));
  Recorded recorded;
  ExecutorOptions options;
  options.beforeAction = [&clock](int /*row*/, const schedule::LoweredAction& action) {
    if (action.kind != ActionKind::Optimizer) return;
    clock.strike();
    std::this_thread::sleep_for(kStall);
  };
  const auto outcome = RunLoop(experiment, recorded.ports(), options).run();
  clock.expectEnded(kStallTimeout);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().failure.kind, FailureKind::Stalled);
  EXPECT_EQ(outcome.error().failure.action, ActionKind::Optimizer);
}

/// A step in which a thread does not return from its action until `letGo`.
struct StuckStep {
  StuckStep()
      : bench(toy("20", R"("variants":[{"name":"p","strategy":"pipeline","schedule":"1f1b",
            "split_size":5,)" +
                            kToyStages + "}]")),
        control(&stop, std::chrono::nanoseconds(kStallTimeout).count()),
        plan(bench.variant("p").stepPlan(bench.experiment)) {
    plan.options.beforeAction = [this, kept = held](int row,
                                                    const schedule::LoweredAction& action) {
      if (row != 1 || action.kind != ActionKind::Backward) return;
      clock.strike();
      if (whenStuck) whenStuck();
      std::unique_lock lock(mutex);
      changed.wait(lock, [this] { return open; });
      passed = true;
      changed.notify_all();
    };
  }

  Result<Executor::Outcome> play() {
    Executor executor(plan, control);
    EXPECT_TRUE(executor.build(drawInitialValues(*bench.experiment.model, 0, at::kFloat)));
    SyntheticData data(bench.experiment, at::kFloat);
    const StepInput input = valueOf(executor.prepare(data.next()));
    return executor.step(input, {});
  }

  /// The thread continues after all, and finds all of its objects alive.
  void letGo() {
    std::unique_lock lock(mutex);
    open = true;
    changed.notify_all();
    EXPECT_TRUE(changed.wait_for(lock, kPatience, [this] { return passed; }));
    lock.unlock();
    // The process must not end before the thread has finished its action.
    plan.options.beforeAction = nullptr;
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (held.use_count() > 1 && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    EXPECT_EQ(held.use_count(), 1);
  }

  std::mutex mutex;
  std::condition_variable changed;
  bool open = false;
  bool passed = false;
  std::atomic<bool> stop{false};
  std::function<void()> whenStuck;
  FaultClock clock;
  /// Lives as long as anything that the thread uses.
  std::shared_ptr<int> held = std::make_shared<int>();
  Bench bench;
  RunControl control;
  StepPlan plan;
};

/// Never freed, because an abandoned thread still uses it.
StuckStep& stuckStep() {
  static auto* const kSteps = new std::vector<std::unique_ptr<StuckStep>>();
  return *kSteps->emplace_back(std::make_unique<StuckStep>());
}

TEST(Fault, AThreadThatNeverComesBackIsLeftBehind) {
  StuckStep& step = stuckStep();
  const auto outcome = step.play();
  step.clock.expectEnded(kStallTimeout);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().failure,
            (Failure{FailureKind::Stalled, "p", {"cpu:1"}, {1}, {0}, ActionKind::Backward}));
  EXPECT_TRUE(step.bench.pool.anyAbandoned());
  step.letGo();
}

TEST(Fault, ACancelDoesNotWaitForAThreadThatNeverComesBack) {
  StuckStep& step = stuckStep();
  step.whenStuck = [&step] { step.stop = true; };
  const auto outcome = step.play();
  step.clock.expectEnded();
  ASSERT_TRUE(outcome) << describe(outcome.error());
  EXPECT_EQ(*outcome, Executor::Outcome::Stopped);
  EXPECT_TRUE(step.bench.pool.anyAbandoned());
  step.letGo();
}

}  // namespace
}  // namespace stagelane::run
