/// stagelane-engine as a program: its commands, run folders, signals and exit codes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/record/run_record.h"
#include "engine/trace/middle_steps.h"
#include "profiler/analysis/idle.h"
#include "profiler/formats/perfetto.h"
#include "tests/integration/engine_process.h"
#include "tests/support/fault_clock.h"

namespace stagelane {
namespace {

using test::contentOf;
using test::EngineProcess;
using test::FaultClock;
using test::TemporaryFolder;
using testing::HasSubstr;

std::string toy(int repeats) {
  return R"({"stagelane":1,"name":"toy","model":{"zoo":"toy"},"input":{"shape":[10]},
    "data":{"labels":"normal","batch_size":20,"batches":1},"devices":["cpu:0","cpu:1"],
    "repeat":)" +
         std::to_string(repeats) + R"(,"warmup":0,"variants":[
    {"name":"single","strategy":"single","device":"cpu:0"},
    {"name":"p","strategy":"pipeline","schedule":"1f1b","split_size":5,
     "stages":[{"first":"net1","device":"cpu:0"},{"first":"net2","device":"cpu:1"}]}]})";
}

struct Place {
  TemporaryFolder folder;
  std::string experiment(const std::string& text) {
    std::ofstream(folder / "experiment.json") << text;
    return (folder / "experiment.json").string();
  }
  [[nodiscard]] record::RunFolder run() const { return {folder / "run"}; }
  [[nodiscard]] std::vector<std::string> arguments(const std::string& path) const {
    return {"run", path, "--out", run().root.string()};
  }
};

record::RunResult resultOf(const record::RunFolder& folder) {
  auto result = record::openRun(folder.root);
  EXPECT_TRUE(result) << (result ? "" : describe(result.error()));
  return result ? *result : record::RunResult{};
}

TEST(EngineProgram, RunsTheToyAndLeavesACompleteFolder) {
  Place place;
  EngineProcess engine(place.arguments(place.experiment(toy(2))), place.folder / "out");
  EXPECT_EQ(engine.wait(), 0) << engine.errors();
  for (const auto& path : {place.run().experiment(), place.run().environment(),
                           place.run().events(), place.run().result(), place.run().log()}) {
    EXPECT_GT(std::filesystem::file_size(path), 0U) << path;
  }
  const std::vector<Json> lines = engine.lines();
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines.front().at("event"), "started");
  EXPECT_EQ(lines.back().at("event"), "finished");
  EXPECT_EQ(engine.output(), contentOf(place.run().events()));
  const record::RunResult result = resultOf(place.run());
  EXPECT_EQ(result.status, record::RunStatus::Done);
  ASSERT_EQ(result.variants.size(), 3U);
  for (const record::VariantResult& variant : result.variants) {
    EXPECT_EQ(variant.seconds.size(), 2U) << variant.id;
    EXPECT_TRUE(std::filesystem::exists(place.run().trace(variant.id))) << variant.id;
  }
}

void expectDevicesAddUp(const record::VariantResult& variant) {
  for (const record::DeviceResult& device : variant.devices) {
    TimeNs sum = device.busyNs;
    for (const auto& [cause, durationNs] : device.idle) sum += durationNs;
    EXPECT_EQ(sum, variant.stepNs) << variant.id << " " << device.id;
    EXPECT_EQ(device.idle.size(), 7U);
  }
}

TEST(EngineProgram, ItsResultAndItsTraceSayTheSame) {
  Place place;
  EngineProcess engine(place.arguments(place.experiment(toy(3))), place.folder / "out");
  ASSERT_EQ(engine.wait(), 0) << engine.errors();
  for (const record::VariantResult& variant : resultOf(place.run()).variants) {
    expectDevicesAddUp(variant);
    const auto read = formats::readPerfetto(place.run().trace(variant.id));
    ASSERT_TRUE(read) << describe(read.error());
    const auto steps = analysis::stepsOf(*read->trace);
    ASSERT_FALSE(steps.empty());
    const trace::Step& step = steps[analysis::medianStep(steps)];
    EXPECT_EQ(step.endNs - step.startNs, variant.stepNs) << variant.id;
    EXPECT_EQ(trace::statedMedianNs(*read->trace), 0) << variant.id;
  }
}

TEST(EngineProgram, OfTwoRepeatsTheStepIsTheMedianAndTheTraceSaysWhichOneItShows) {
  Place place;
  EngineProcess engine(place.arguments(place.experiment(toy(2))), place.folder / "out");
  ASSERT_EQ(engine.wait(), 0) << engine.errors();
  for (const record::VariantResult& variant : resultOf(place.run()).variants) {
    expectDevicesAddUp(variant);
    ASSERT_TRUE(variant.bound);
    EXPECT_LE(variant.bound->stepNs, variant.stepNs) << variant.id;
    const auto read = formats::readPerfetto(place.run().trace(variant.id));
    ASSERT_TRUE(read) << describe(read.error());
    ASSERT_EQ(read->trace->steps().size(), 1U);
    const trace::Step& shown = read->trace->steps().front();
    EXPECT_EQ(trace::statedMedianNs(*read->trace), variant.stepNs) << variant.id;
    // The faster repeat is shown; a repeat contains a step and the time around it.
    const TimeNs shownNs = shown.endNs - shown.startNs;
    const TimeNs otherNs = 2 * variant.stepNs - shownNs;
    ASSERT_THAT(shown.repeat, testing::AnyOf(0, 1)) << variant.id;
    const auto repeat = static_cast<std::size_t>(shown.repeat);
    EXPECT_LE(variant.seconds.at(repeat), variant.seconds.at(1 - repeat)) << variant.id;
    EXPECT_LE(static_cast<double>(shownNs) * 1e-9, variant.seconds.at(repeat)) << variant.id;
    EXPECT_LE(static_cast<double>(otherNs) * 1e-9, variant.seconds.at(1 - repeat)) << variant.id;
  }
}

TEST(EngineProgram, StopsOnSigtermAndKeepsWhatItMeasured) {
  Place place;
  EngineProcess engine(place.arguments(place.experiment(toy(100000))), place.folder / "out");
  ASSERT_TRUE(engine.waitFor("measurement", 3)) << engine.errors();
  engine.kill(SIGTERM);
  EXPECT_EQ(engine.wait(), 130);
  EXPECT_EQ(engine.lines().back().at("event"), "canceled");
  const record::RunResult result = resultOf(place.run());
  EXPECT_EQ(result.status, record::RunStatus::Canceled);
  EXPECT_GE(result.variants.at(0).seconds.size(), 1U);
}

TEST(EngineProgram, AfterSigkillTheFolderReadsAsFailedWithItsMeasurements) {
  Place place;
  EngineProcess engine(place.arguments(place.experiment(toy(100000))), place.folder / "out");
  ASSERT_TRUE(engine.waitFor("measurement", 3)) << engine.errors();
  engine.kill(SIGKILL);
  const FaultClock clock;
  clock.strike();
  EXPECT_EQ(engine.wait(), -SIGKILL);
  clock.expectEnded();
  const record::RunResult result = resultOf(place.run());
  EXPECT_EQ(result.status, record::RunStatus::Failed);
  EXPECT_GE(result.variants.at(0).seconds.size(), 1U);
  const auto read = formats::readPerfetto(place.run().trace(result.variants.at(0).id));
  ASSERT_TRUE(read) << describe(read.error());
  const std::vector<trace::Step> steps = analysis::stepsOf(*read->trace);
  EXPECT_GE(steps.size(), 1U);
  EXPECT_EQ(steps.front().repeat, 0);
}

TEST(EngineProgram, AFileSizeLimitIsAnErrorOfWriting) {
  Place place;
  EngineProcess engine(place.arguments(place.experiment(toy(100000))), place.folder / "out", 20000);
  ASSERT_TRUE(engine.waitFor("measurement", 3)) << engine.errors();
  // From here on the limit is near: it is the fault, or about to be.
  const FaultClock clock;
  clock.strike();
  EXPECT_EQ(engine.wait(), 8) << engine.errors();
  clock.expectEnded();
}

TEST(EngineProgram, AFolderThatIsNotEmptyIsRefused) {
  Place place;
  std::filesystem::create_directory(place.run().root);
  std::ofstream(place.run().root / "mine.txt") << "keep me";
  EngineProcess engine(place.arguments(place.experiment(toy(1))), place.folder / "out");
  EXPECT_EQ(engine.wait(), 8);
  EXPECT_EQ(contentOf(place.run().root / "mine.txt"), "keep me");
  EXPECT_FALSE(engine.errors().empty());
}

TEST(EngineProgram, ABrokenExperimentIsErrorThreeAndSaysWhere) {
  Place place;
  EngineProcess engine(place.arguments(place.experiment(R"({"stagelane":1,"modl":{}})")),
                       place.folder / "out");
  EXPECT_EQ(engine.wait(), 3);
  ASSERT_EQ(engine.lines().size(), 1U);
  EXPECT_EQ(engine.lines().front().at("code"), 3);
  EXPECT_FALSE(std::filesystem::exists(place.run().root));

  EngineProcess absent({"run", "/nonexistent.json", "--out", place.run().root.string()},
                       place.folder / "out2");
  EXPECT_EQ(absent.wait(), 3);
}

TEST(EngineProgram, AGpuThatIsNotThereIsErrorFour) {
  Place place;
  EngineProcess engine(
      place.arguments(place.experiment(R"({"stagelane":1,"name":"g","model":{"zoo":"toy"},
        "input":{"shape":[10]},"data":{"labels":"normal","batch_size":4},"devices":["cuda:77"],
        "repeat":1,"variants":[{"name":"s","strategy":"single","device":"cuda:77"}]})")),
      place.folder / "out");
  EXPECT_EQ(engine.wait(), 4) << engine.errors();
}

TEST(EngineProgram, CommandsAndUsage) {
  const TemporaryFolder folder;
  EngineProcess version({"version"}, folder / "version");
  EXPECT_EQ(version.wait(), 0);
  EXPECT_THAT(version.output(), HasSubstr("stagelane-engine "));

  EngineProcess devices({"devices", "--json"}, folder / "devices");
  EXPECT_EQ(devices.wait(), 0) << devices.errors();
  const Json list = Json::parse(devices.output()).at("devices");
  ASSERT_FALSE(list.empty());
  EXPECT_TRUE(list.at(0).contains("usable"));

  EngineProcess calibrate({"calibrate", "x.json"}, folder / "calibrate");
  EXPECT_EQ(calibrate.wait(), 2);
  EXPECT_THAT(calibrate.errors(), HasSubstr("--out is required"));

  EngineProcess nothing({}, folder / "nothing");
  EXPECT_EQ(nothing.wait(), 2);
  EngineProcess unknown({"run", "--fast"}, folder / "unknown");
  EXPECT_EQ(unknown.wait(), 2);
}

}  // namespace
}  // namespace stagelane
