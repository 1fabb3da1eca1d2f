#include "engine/run/loop/run_loop.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "tests/engine/run/run_fixture.h"
#include "tests/support/fault_clock.h"

namespace stagelane::run {
namespace {

using namespace test;
using testing::HasSubstr;

const std::string kThreeVariants =
    R"("repeat":3,"variants":[{"name":"single","strategy":"single","device":"cpu:0"},
    {"name":"mp","strategy":"model_parallel",)" +
    kToyStages + R"(},
    {"name":"p","strategy":"pipeline","schedule":"1f1b","split_size":7,)" +
    kToyStages + "}]";
const std::string kThree = R"("warmup":1,)" + kThreeVariants;

Json eventOf(const Recorded& recorded, const std::string& name) {
  for (const Event& event : recorded.events) {
    if (event.name == name) return event.members;
  }
  return nullptr;
}

/// Announcements of turns; the gradient checks announce themselves with a phase.
std::size_t turnsAnnounced(const Recorded& recorded) {
  std::size_t count = 0;
  for (const Event& event : recorded.events) {
    count += event.name == "progress" && !event.members.contains("phase") ? 1U : 0U;
  }
  return count;
}

TEST(RunLoop, SaysWhatHappensInOrder) {
  const plan::Experiment experiment = experimentOf(toy("20", kThree));
  Recorded recorded;
  EXPECT_EQ(valueOf(runExperiment(experiment, recorded.ports())), RunOutcome::Done);
  ASSERT_FALSE(recorded.events.empty());
  EXPECT_EQ(recorded.events.front().name, "started");
  EXPECT_EQ(recorded.events.back().name, "finished");
  const std::size_t variants = experiment.variants.size();
  EXPECT_EQ(variants, 4U) << "single, all cores is added";
  EXPECT_EQ(recorded.count("measurement"), variants * 3);
  EXPECT_EQ(turnsAnnounced(recorded), variants * 4) << "a warm-up turn each";
  EXPECT_EQ(recorded.count("variant_done"), variants + 3) << "again for each gradient check";
  EXPECT_EQ(recorded.traces.size(), variants);
  EXPECT_EQ(recorded.appended.size(), variants);
  for (const auto& [variant, repeats] : recorded.appended) {
    EXPECT_EQ(repeats, (std::vector<std::int32_t>{0, 1, 2})) << variant;
  }
}

TEST(RunLoop, FillsTheResultsOfEveryVariant) {
  const plan::Experiment experiment = experimentOf(toy("20", kThree));
  Recorded recorded;
  ASSERT_TRUE(runExperiment(experiment, recorded.ports()));
  for (const std::string id : {"single", "mp", "p"}) {
    const Json result = recorded.result(id);
    EXPECT_EQ(result.at("status"), "done") << id;
    EXPECT_EQ(result.at("seconds").size(), 3U) << id;
    EXPECT_EQ(result.at("loss").size(), 2U) << id;
    EXPECT_GT(result.at("step_ns"), 0) << id;
    EXPECT_GT(result.at("bound").at("step_ns"), 0) << id;
    EXPECT_LE(result.at("bound").at("perfect_cut_step_ns"), result.at("bound").at("step_ns"));
    EXPECT_GT(result.at("bound").at("speedup"), 0.0) << id;
    EXPECT_EQ(result.at("speedup_base"), "single") << id;
    EXPECT_TRUE(result.at("gradient_check").at("bit_equal")) << id;
    EXPECT_GT(result.at("speedup_all_cores"), 0.0) << id;
    EXPECT_EQ(result.at("predicted").at("basis"), "estimate") << id;
  }
  EXPECT_EQ(recorded.result("single").at("speedup"), 1.0);
  EXPECT_EQ(recorded.result("p").at("devices").at(0).at("transfer_bytes"), 20 * 10 * 4 * 2);
  EXPECT_FALSE(recorded.result("single-all-cores").contains("gradient_check"));
}

TEST(RunLoop, EveryRepeatAndVariantStartsFromTheSameParametersAndData) {
  const plan::Experiment experiment = experimentOf(toy("20", kThree));
  Recorded first;
  Recorded second;
  ASSERT_TRUE(runExperiment(experiment, first.ports()));
  ASSERT_TRUE(runExperiment(experiment, second.ports()));
  EXPECT_EQ(first.result("p").at("loss"), second.result("p").at("loss"));
  EXPECT_EQ(first.result("single").at("loss"), first.result("mp").at("loss"));
  const double a = first.result("p").at("loss").at(1);
  const double b = first.result("single").at("loss").at(1);
  EXPECT_NEAR(a, b, 1e-5);
  EXPECT_NE(first.result("p").at("loss").at(0), first.result("p").at("loss").at(1));
}

TEST(RunLoop, VariantsTakeTurnsWithinARepeat) {
  const plan::Experiment experiment = experimentOf(toy("20", kThree));
  Recorded recorded;
  ASSERT_TRUE(runExperiment(experiment, recorded.ports()));
  std::vector<int> repeats;
  std::vector<std::string> order;
  for (const Event& event : recorded.events) {
    if (event.name == "measurement") {
      repeats.push_back(event.members.at("repeat"));
      order.push_back(event.members.at("variant"));
    }
  }
  EXPECT_TRUE(std::is_sorted(repeats.begin(), repeats.end()));
  EXPECT_EQ(repeats.front(), 1);
  EXPECT_EQ(repeats.back(), 3);
  const std::vector<std::string> one(order.begin(), order.begin() + 4);
  const std::vector<std::string> two(order.begin() + 4, order.begin() + 8);
  const std::vector<std::string> three(order.begin() + 8, order.end());
  EXPECT_FALSE(one == two && two == three) << "the order is drawn anew for each repeat";
}

TEST(RunLoop, TutorialTimingHasNoWarmUpAndTheSameLosses) {
  Recorded steady;
  Recorded tutorial;
  ASSERT_TRUE(runExperiment(experimentOf(toy("20", kThree)), steady.ports()));
  const plan::Experiment experiment =
      experimentOf(toy("20", R"("timing":"tutorial",)" + kThreeVariants));
  ASSERT_TRUE(runExperiment(experiment, tutorial.ports()));
  EXPECT_EQ(eventOf(tutorial, "started").at("run").at("timing"), "tutorial");
  EXPECT_EQ(turnsAnnounced(tutorial), tutorial.count("measurement"));
  EXPECT_EQ(tutorial.result("p").at("loss"), steady.result("p").at("loss"));
}

TEST(RunLoop, WhatDoesNotFitIsNotRunAndTheBaseIsModelParallel) {
  const std::string big = R"({"stagelane":1,"name":"big","model":{"zoo":"mlp","depth":4,"width":256,
      "in":256,"out":256},"input":{"shape":[256]},"data":{"batch_size":16,"labels":"normal"},
    "devices":[{"id":"cpu:0","max_memory":"2MiB"},{"id":"cpu:1","max_memory":"2MiB"}],
    "repeat":2,"variants":[{"name":"single","strategy":"single","device":"cpu:0"},)";
  const auto model = valueOf(model::buildModel(
      Json{{"zoo", "mlp"}, {"depth", 4}, {"width", 256}, {"in", 256}, {"out", 256}}, "", "."));
  const std::string stages =
      R"("stages":[{"first":")" + model->blocks.front().name + R"(","device":"cpu:0"},{"first":")" +
      model->blocks[model->blocks.size() / 2].name + R"(","device":"cpu:1"}])";
  const plan::Experiment experiment = experimentOf(
      big + R"({"name":"halves","strategy":"model_parallel",)" + stages +
      R"(},{"name":"p","strategy":"pipeline","schedule":"1f1b","split_size":4,)" + stages + "}]}");
  Recorded recorded;
  EXPECT_EQ(valueOf(runExperiment(experiment, recorded.ports())), RunOutcome::Done);
  const Json single = recorded.result("single");
  EXPECT_EQ(single.at("status"), "not_run");
  EXPECT_EQ(single.at("failure"),
            (Json{{"kind", "does_not_fit"}, {"variant", "single"}, {"device", "cpu:0"}}));
  EXPECT_THAT(single.at("reason").get<std::string>(), HasSubstr(", has 2.0 MiB"));
  const Json pipeline = recorded.result("p");
  EXPECT_EQ(pipeline.at("status"), "done");
  EXPECT_EQ(pipeline.at("speedup_base"), "halves");
  EXPECT_TRUE(pipeline.at("gradient_check").at("bit_equal"));
  EXPECT_THAT(pipeline.at("gradient_check").at("reference").get<std::string>(),
              HasSubstr("model-parallel variant 'halves'"));
}

TEST(RunLoop, AVariantThatIsNotIncludedIsNotRun) {
  const plan::Experiment experiment = experimentOf(
      toy("20", R"("repeat":1,"variants":[{"name":"a","strategy":"single","device":"cpu:0"},
      {"name":"b","strategy":"single","device":"cpu:1","include":false}])"));
  Recorded recorded;
  ASSERT_TRUE(runExperiment(experiment, recorded.ports()));
  EXPECT_EQ(recorded.result("a").at("status"), "done");
  EXPECT_EQ(recorded.result("b").at("status"), "not_run");
}

TEST(RunLoop, CancelKeepsWhatWasMeasured) {
  const plan::Experiment experiment = experimentOf(toy("20", kThree));
  Recorded recorded;
  recorded.onEvent = [&](const Event& event) -> Status {
    recorded.stop = recorded.stop ||
                    (event.name == "measurement" && event.members.at("repeat").get<int>() == 2);
    return {};
  };
  EXPECT_EQ(valueOf(runExperiment(experiment, recorded.ports())), RunOutcome::Canceled);
  EXPECT_EQ(recorded.events.back().name, "canceled");
  EXPECT_EQ(recorded.count("measurement"), 5U);
  const Json result = recorded.result("p");
  EXPECT_EQ(result.at("status"), "canceled");
  EXPECT_GE(result.at("seconds").size(), 1U);
  EXPECT_EQ(recorded.count("finished"), 0U);
}

TEST(RunLoop, ARunThatGoesOnMeasuresOnlyWhatIsMissing) {
  const plan::Experiment experiment = experimentOf(toy("20", kThree));
  record::RunResult before;
  for (const char* id : {"single", "mp", "p"}) {
    record::VariantResult variant;
    variant.id = id;
    before.variants.push_back(variant);
  }
  for (record::VariantResult& variant : before.variants) variant.seconds = {0.5};
  Recorded recorded;
  RunPorts ports = recorded.ports();
  ports.before = &before;
  EXPECT_EQ(valueOf(runExperiment(experiment, ports)), RunOutcome::Done);
  EXPECT_EQ(recorded.events.front().name, "resumed");
  EXPECT_EQ(recorded.count("started"), 0U);
  for (const plan::Variant& variant : experiment.variants) {
    const Json seconds = recorded.result(variant.id).at("seconds");
    ASSERT_EQ(static_cast<std::int64_t>(seconds.size()), experiment.repeat) << variant.id;
    const bool known =
        std::any_of(before.variants.begin(), before.variants.end(),
                    [&](const record::VariantResult& one) { return one.id == variant.id; });
    EXPECT_EQ(seconds[0] == 0.5, known) << variant.id;
  }
}

TEST(RunLoop, AVariantThatIsDoneKeepsItsResultsAndOneWithoutThemIsOnlyTraced) {
  const plan::Experiment experiment = experimentOf(toy("20", kThree));
  Recorded first;
  ASSERT_TRUE(runExperiment(experiment, first.ports()));
  record::RunResult before;
  for (const plan::Variant& variant : experiment.variants) {
    before.variants.push_back(*record::variantResultFromJson(first.result(variant.id)));
  }
  // Killed after the last repeat, before the results.
  record::VariantResult& last = before.variants.back();
  last.status = record::RunStatus::Running;
  last.stepNs = 0;
  Recorded second;
  RunPorts ports = second.ports();
  ports.before = &before;
  EXPECT_EQ(valueOf(runExperiment(experiment, ports)), RunOutcome::Done);
  EXPECT_EQ(second.count("measurement"), 0U);
  for (const record::VariantResult& variant : before.variants) {
    const Json result = second.result(variant.id);
    EXPECT_EQ(result.at("status"), "done");
    EXPECT_EQ(result.at("seconds").get<std::vector<double>>(), variant.seconds);
    EXPECT_GT(result.at("step_ns").get<TimeNs>(), 0);
  }
}

TEST(RunLoop, AnEarlyStopEndsWhatCannotBecomeTheFastest) {
  // All micro-batches but the first are slow: 20 of one sample take many times as long as one of
  // all, even on a busy machine.
  ExecutorOptions options;
  options.beforeAction = [](int, const schedule::LoweredAction& action) {
    if (action.microBatch.value > 0) std::this_thread::sleep_for(std::chrono::milliseconds(4));
  };
  const plan::Experiment experiment = experimentOf(toy("20", R"("repeat":6,"early_stop":true,
    "variants":[{"name":"s","strategy":"pipeline","schedule":"gpipe","split_size":[1,20],
     "stages":[{"first":"net1","device":"cpu:0"},{"first":"net2","device":"cpu:1"}]}])"));
  Recorded recorded;
  const RunPorts ports = recorded.ports();
  EXPECT_EQ(valueOf(RunLoop(experiment, ports, options).run()), RunOutcome::Done);
  EXPECT_EQ(recorded.result("s-s20").at("seconds").size(), 6U);
  const Json hopeless = recorded.result("s-s1");
  EXPECT_EQ(hopeless.at("status"), "canceled");
  EXPECT_GE(hopeless.at("seconds").size(), 3U);
  EXPECT_LT(hopeless.at("seconds").size(), 6U);
  EXPECT_EQ(hopeless.at("early_stop").at("best"), "s-s20");
  EXPECT_GE(hopeless.at("early_stop").at("repeats").get<int>(), 3);
}

TEST(RunLoop, CancelBeforeTheFirstTurnIsNoError) {
  Recorded recorded;
  recorded.stop = true;
  EXPECT_EQ(valueOf(runExperiment(experimentOf(toy("20", kThree)), recorded.ports())),
            RunOutcome::Canceled);
  EXPECT_EQ(recorded.count("measurement"), 0U);
}

TEST(RunLoop, AnEventThatCannotBeWrittenEndsTheRun) {
  const stagelane::test::FaultClock clock;
  Recorded recorded;
  recorded.onEvent = [&](const Event& event) -> Status {
    if (event.name == "measurement") {
      clock.strike();
      return fail(ErrorCode::CannotWrite, "the disk is full", "events.jsonl");
    }
    return {};
  };
  const auto outcome = runExperiment(experimentOf(toy("20", kThree)), recorded.ports());
  clock.expectEnded();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::CannotWrite);
  EXPECT_EQ(recorded.count("progress"), 5U) << "four warm-ups and the first timed turn";
}

TEST(RunLoop, AFailingVariantEndsTheRunAndEarlierRepeatsAreKept) {
  const plan::Experiment experiment = experimentOf(toy("20", kThree));
  Recorded recorded;
  const RunPorts ports = recorded.ports();
  ExecutorOptions options;
  options.beforeAction = [&](int row, const schedule::LoweredAction& action) {
    if (row == 1 && action.kind == ActionKind::Backward && recorded.count("measurement") >= 6) {
      throw std::runtime_error("a cosmic ray");
    }
  };
  const auto outcome = RunLoop(experiment, ports, options).run();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::EngineFailure);
  EXPECT_THAT(outcome.error().message, HasSubstr("cosmic ray"));
  EXPECT_EQ(outcome.error().failure.action, ActionKind::Backward);
  EXPECT_EQ(outcome.error().failure.stage, StageId{1});
  std::size_t kept = 0;
  for (const std::string id : {"single", "single-all-cores", "mp", "p"}) {
    EXPECT_EQ(recorded.result(id).at("status"), "failed") << id;
    EXPECT_EQ(recorded.result(id).at("failure").at("variant"), outcome.error().failure.variant)
        << "where it happened, of the others too";
    kept += recorded.result(id).at("seconds").size();
  }
  EXPECT_EQ(kept, recorded.count("measurement"));
}

TEST(RunLoop, AGradientMismatchIsAnErrorAfterEverythingWasKept) {
  const plan::Experiment experiment = experimentOf(toy("20", kThree));
  Recorded recorded;
  const RunPorts ports = recorded.ports();
  ExecutorOptions wrong;
  wrong.lossFactor = 0.5;
  const auto outcome = RunLoop(experiment, ports, wrong).run();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::GradientMismatch);
  EXPECT_EQ(outcome.error().failure.kind, FailureKind::GradientsDiffer);
  EXPECT_FALSE(outcome.error().failure.variant.empty());
  EXPECT_EQ(recorded.count("finished"), 0U);
  EXPECT_FALSE(recorded.result("p").at("gradient_check").at("bit_equal"));
  EXPECT_EQ(recorded.result("p").at("seconds").size(), 3U);
  EXPECT_EQ(recorded.result("p").at("status"), "done");
}

TEST(RunLoop, ABudgetThatRunsOutIsOutOfMemory) {
  installAllocator(plan::AllocatorKind::Caching);
  plan::Experiment experiment = experimentOf(resnet18(
      "8", R"("repeat":1,"variants":[{"name":"s","strategy":"single","device":"cpu:0"}])"));
  WorkerPool pool(experiment);
  // Below any limit that the estimate would accept: the allocator itself has to refuse.
  Worker* worker = valueOf(pool.worker({"cpu:0"}, 1));
  worker->backend().setMemoryLimit(1 << 20);
  VariantRun run = std::move(valueOf(prepareVariants(experiment, pool)).front());
  RunControl control(nullptr);
  TurnTaker turns(experiment, control);
  ASSERT_TRUE(turns.prepare());
  const auto taken = turns.take(run, 0);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, ErrorCode::OutOfMemory);
}

TEST(RunLoop, BatchNormOverOneValueIsInvalid) {
  plan::Experiment experiment = experimentOf(
      R"({"stagelane":1,"name":"r","model":{"zoo":"resnet18","num_classes":10},
    "input":{"shape":[3,32,32]},"data":{"batch_size":4},"devices":["cpu:0","cpu:1"],
    "variants":[{"name":"p","strategy":"pipeline","schedule":"gpipe","split_size":2,
      "stages":[{"first":"conv1","device":"cpu:0"},{"first":"layer3.0","device":"cpu:1"}]}]})");
  // The reader rejects such a file; the engine does not rely on it.
  experiment.data.batchSize = 3;
  Recorded recorded;
  const auto outcome = runExperiment(experiment, recorded.ports());
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::Invalid);
  EXPECT_EQ(outcome.error().failure.variant, "p");
  EXPECT_TRUE(recorded.events.empty());
}

}  // namespace
}  // namespace stagelane::run
