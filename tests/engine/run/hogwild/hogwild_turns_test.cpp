/// Turns of Hogwild variants with threads; tests/integration/hogwild_test.py has processes.

#include "engine/run/hogwild/hogwild_turns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/run/hogwild/worker_program.h"
#include "tests/engine/run/run_fixture.h"

namespace stagelane::run {
namespace {

using test::Bench;
using testing::HasSubstr;

std::string mlp(const std::string& variant, const std::string& rest = "") {
  return R"({"stagelane":1,"name":"h","model":{"zoo":"mlp","depth":2,"width":32,"in":64,"out":4},
    "input":{"shape":[64]},"data":{"labels":"normal","batch_size":8,"batches":4},
    "optimizer":{"kind":"sgd","lr":0.05},"devices":["cpu:0"],)" +
         rest + R"("variants":[{"name":"h","strategy":"hogwild","threads":true,)" + variant + "}]}";
}

RepeatMeasurement taken(HogwildTurns& turns, Bench& bench, int repeat) {
  auto measured = test::valueOf(turns.take(bench.variant("h"), repeat));
  EXPECT_TRUE(measured);
  return measured ? std::move(*measured) : RepeatMeasurement{};
}

TEST(HogwildTurns, MakeTheUpdatesThatTheVariantAsksFor) {
  Bench bench(mlp(R"("processes":3,"updates":300)"));
  HogwildTurns turns(bench.experiment, bench.control);
  const RepeatMeasurement measured = taken(turns, bench, 0);
  ASSERT_TRUE(measured.hogwild);
  EXPECT_EQ(measured.hogwild->updates, 300);
  EXPECT_EQ(measured.hogwild->processes, 3);
  EXPECT_LT(measured.hogwild->lastLoss, measured.hogwild->firstLoss);
  EXPECT_EQ(measured.records.size(), 4U * 300U);
  EXPECT_EQ(measured.losses.size(), 4U);
  EXPECT_EQ(measured.steps.size(), 100U);
  EXPECT_GT(measured.seconds, 0.0);
}

TEST(HogwildTurns, MakeAnUpdateForEachBatchByDefault) {
  Bench bench(mlp(R"("processes":2)"));
  HogwildTurns turns(bench.experiment, bench.control);
  EXPECT_EQ(taken(turns, bench, 0).hogwild->updates, 4);
}

TEST(HogwildTurns, OfOneProcessIsTrainingAndRepeatsItself) {
  Bench bench(mlp(R"("processes":1,"updates":200)"));
  HogwildTurns turns(bench.experiment, bench.control);
  const RepeatMeasurement first = taken(turns, bench, 0);
  const RepeatMeasurement again = taken(turns, bench, 0);
  EXPECT_EQ(first.losses, again.losses) << "every repeat begins at the initial values";
  EXPECT_EQ(first.hogwild->staleness.max, 0);
  EXPECT_NE(first.losses, taken(turns, bench, 1).losses) << "another order of the data";
}

TEST(HogwildTurns, StopAtTheNextUpdateAndKeepWhatWasMeasured) {
  std::atomic<bool> stop{false};
  Bench bench(mlp(R"("processes":2,"updates":1000000000)"));
  RunControl control(&stop);
  HogwildTurns turns(bench.experiment, control);
  std::thread stopper([&stop] {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    stop.store(true);
  });
  const auto measured = turns.take(bench.variant("h"), 0);
  stopper.join();
  ASSERT_TRUE(measured) << describe(measured.error());
  EXPECT_FALSE(*measured);
  ASSERT_TRUE(bench.variant("h").result.hogwild);
  EXPECT_GT(bench.variant("h").result.hogwild->updates, 0);
  EXPECT_FALSE(turns.threadsLeft());
}

TEST(HogwildTurns, FailWhenTheLossIsNotFinite) {
  plan::Experiment experiment = test::experimentOf(mlp(R"("processes":2,"updates":2000)"));
  experiment.optimizer.learningRate = 1e4;
  Bench bench(std::move(experiment));
  HogwildTurns turns(bench.experiment, bench.control);
  const auto measured = turns.take(bench.variant("h"), 0);
  ASSERT_FALSE(measured);
  EXPECT_EQ(measured.error().code, ErrorCode::EngineFailure);
  EXPECT_THAT(measured.error().message, HasSubstr("the loss became"));
  EXPECT_THAT(measured.error().hint, HasSubstr("smaller learning rate"));
  EXPECT_GE(measured.error().failure.rank, 0);
}

TEST(HogwildTurns, SayThatAProgramCannotBeStarted) {
  Bench bench(mlp(R"("processes":2)"));
  plan::Variant variant = *bench.variant("h").variant;
  variant.hogwild.threads = false;
  bench.variant("h").variant = &variant;
  HogwildTurns turns(bench.experiment, bench.control, "/no/such/program");
  const auto measured = turns.take(bench.variant("h"), 0);
  ASSERT_FALSE(measured);
  EXPECT_EQ(measured.error().failure.kind, FailureKind::RankLost);
  EXPECT_THAT(measured.error().message, HasSubstr("could not start"));
}

TEST(HogwildTurns, GiveTheirProcessesTheVariantAlone) {
  plan::Experiment experiment = test::experimentOf(
      R"({"stagelane":1,"name":"two","model":{"zoo":"toy"},"input":{"shape":[10]},
      "data":{"labels":"normal","batch_size":20,"batches":2},"devices":["cpu:0","cpu:1"],
      "variants":[{"name":"single","strategy":"single"},
      {"name":"h","strategy":"hogwild","processes":3,"updates":50,"device":"cpu:1"}]})");
  const plan::Variant* const variant = experiment.variantById("h");
  ASSERT_NE(variant, nullptr);
  const plan::Experiment read =
      test::valueOf(readWorkerDocument(workerDocument(experiment, *variant)));
  const plan::Variant* const own = read.variantById("h");
  ASSERT_NE(own, nullptr);
  EXPECT_EQ(own->pointer, "/variants/0");
  EXPECT_EQ(own->hogwild.processes, 3);
  EXPECT_EQ(own->hogwild.updates, 50);
  EXPECT_EQ(own->stages.front().group.first().value, "cpu:1");
}

}  // namespace
}  // namespace stagelane::run
