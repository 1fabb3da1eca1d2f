// Runs of variants with replicas: their events and results, and failures of one replica.

#include <gmock/gmock.h>

#include "engine/record/failure_json.h"
#include "tests/engine/run/replicated_grid.h"
#include "tests/support/fault_clock.h"

namespace stagelane::run {
namespace {

using namespace test;
using stagelane::test::FaultClock;
using ::testing::HasSubstr;

/// One layer from 5 to 2 values, in batches of 30, 30, 30 and 10 samples.
std::string hundredSamples(const std::string& settings, const std::string& variants) {
  return R"({"stagelane":1,"name":"t",)" + settings + R"("repeat":2,"warmup":1,
    "model":{"layers":[{"name":"fc","kind":"Linear","in_features":5,"out_features":2}]},
    "input":{"shape":[5]},"data":{"labels":"normal","batch_size":30,"samples":100},
    "devices":["cpu:0","cpu:1"],"variants":[)" +
         variants + "]}";
}

const std::string kDataParallel = R"({"name":"dp","strategy":"data_parallel"})";

std::vector<Json> sizesOf(const Recorded& recorded) {
  std::vector<Json> found;
  for (const Event& event : recorded.events) {
    if (event.name == "sizes") found.push_back(event.members);
  }
  return found;
}

TEST(ReplicatedRun, SaysTheSizesOfEveryBatchOfTheFirstRepeat) {
  const plan::Experiment experiment = experimentOf(hundredSamples(
      R"("print_sizes":true,)", kDataParallel + R"(,{"name":"one","strategy":"single"})"));
  Recorded recorded;
  ASSERT_EQ(valueOf(runExperiment(experiment, recorded.ports())), RunOutcome::Done);
  const std::vector<Json> sizes = sizesOf(recorded);
  ASSERT_EQ(sizes.size(), 4U);
  const auto expected = [](int batch, int samples) {
    const auto shape = [](int rows, int width) { return Json{rows, width}; };
    Json replicas = Json::array();
    for (const char* device : {"cpu:0", "cpu:1"}) {
      replicas.push_back({{"device", device},
                          {"input", shape(samples / 2, 5)},
                          {"output", shape(samples / 2, 2)}});
    }
    return Json{{"variant", "dp"},
                {"batch", batch},
                {"input", shape(samples, 5)},
                {"output", shape(samples, 2)},
                {"replicas", replicas}};
  };
  for (int batch = 0; batch < 4; ++batch) {
    EXPECT_EQ(sizes[static_cast<std::size_t>(batch)], expected(batch, batch < 3 ? 30 : 10));
  }
}

TEST(ReplicatedRun, SaysNoSizesUnlessTheExperimentPrintsThem) {
  for (const char* settings : {"", R"("print_sizes":false,)"}) {
    const plan::Experiment experiment = experimentOf(hundredSamples(settings, kDataParallel));
    Recorded recorded;
    ASSERT_EQ(valueOf(runExperiment(experiment, recorded.ports())), RunOutcome::Done);
    EXPECT_EQ(recorded.count("sizes"), 0U);
  }
}

TEST(ReplicatedRun, HasItsReplicasAProofAndWhatEachDeviceHasOfTheModel) {
  const plan::Experiment experiment =
      experimentOf(toy("20", R"("repeat":2,"variants":[{"name":"one","strategy":"single"},
        {"name":"dp","strategy":"data_parallel"},
        {"name":"p","strategy":"pipeline","split_size":5,)" +
                                 kToyStages + "}]"));
  Recorded recorded;
  ASSERT_EQ(valueOf(runExperiment(experiment, recorded.ports())), RunOutcome::Done);
  const Json replicated = recorded.result("dp");
  EXPECT_EQ(replicated.at("replicas"), 2);
  EXPECT_EQ(replicated.at("gradient_check").at("bit_equal"), true);
  EXPECT_FALSE(recorded.result("p").contains("replicas"));
  const auto shares = [&recorded](const char* id) {
    std::vector<std::pair<std::int64_t, int>> found;
    const Json result = recorded.result(id);
    for (const Json& device : result.at("devices")) {
      found.emplace_back(device.at("parameters").get<std::int64_t>(),
                         device.at("layers").get<int>());
    }
    return found;
  };
  using ::testing::ElementsAre;
  using ::testing::Pair;
  EXPECT_THAT(shares("one"), ElementsAre(Pair(165, 2)));
  EXPECT_THAT(shares("dp"), ElementsAre(Pair(165, 2), Pair(165, 2)));
  EXPECT_THAT(shares("p"), ElementsAre(Pair(110, 1), Pair(55, 1)));
}

/// Plays a step in which an action of a row throws. The others wait for its gradients in REDUCE.
void expectOneReplicasFailure(const std::string& experiment, int brokenRow, ActionKind kind,
                              const std::string& device) {
  Bench bench(experiment);
  const FaultClock clock;
  StepPlan plan = bench.variant("v").stepPlan(bench.experiment);
  plan.options.beforeAction = [clock, brokenRow, kind](int row,
                                                       const schedule::LoweredAction& action) {
    if (row != brokenRow || action.kind != kind) return;
    clock.strike();
    throw std::runtime_error("broken on purpose");
  };
  Executor executor(plan, bench.control);
  ASSERT_TRUE(
      executor.build(drawInitialValues(*bench.experiment.model, 0, scalarType(bench.experiment))));
  SyntheticData data(bench.experiment, scalarType(bench.experiment));
  const auto outcome = executor.step(valueOf(executor.prepare(data.next())), {});
  clock.expectEnded({}, device + " " + std::string(word(kind)));
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().message, HasSubstr("broken on purpose"));
  const Failure failure = failureOf(outcome.error());
  EXPECT_EQ(failure.device.value, device);
  EXPECT_EQ(failure.action, kind);
}

TEST(ReplicatedRun, EndsWithTheDeviceOfTheReplicaThatFails) {
  const ReplicatedGrid three{.devices = 1, .replicas = 3};
  for (const ActionKind kind :
       {ActionKind::Forward, ActionKind::Backward, ActionKind::Reduce, ActionKind::Optimizer}) {
    expectOneReplicasFailure(dataParallel(mlpModel(), three), 1, kind, "cpu:1");
  }
  for (const ActionKind kind : {ActionKind::Backward, ActionKind::Reduce}) {
    const std::string experiment = replicatedPipeline(mlpModel(), {"1f1b"}, {});
    Bench bench(experiment);
    const std::vector<DeviceId>& rows = bench.variant("v").rows;
    expectOneReplicasFailure(experiment, 3, kind, rows.at(3).value);
  }
}

}  // namespace
}  // namespace stagelane::run
