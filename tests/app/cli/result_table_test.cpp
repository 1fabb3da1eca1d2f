#include "app/cli/result_table.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace stagelane::app {
namespace {

record::RunResult sample() {
  record::RunResult run;
  run.name = "Toy";
  run.timing = "steady";
  run.folder = "/runs/toy";
  run.devices = {"cpu:0", "cpu:1"};
  record::VariantResult base;
  base.id = "single";
  base.name = "single";
  base.status = record::RunStatus::Done;
  base.seconds = {3.0, 3.02};
  record::fillStatistics(base);
  base.speedup = 1.0;
  base.speedupBase = "single";
  record::VariantResult pipe = base;
  pipe.id = "pipe";
  pipe.name = "pipeline";
  pipe.splitSize = 8;
  pipe.speedup = 1.487;
  pipe.speedupAllCores = 1.2;
  pipe.bound = record::BoundResult{1, 1, 1.51};
  pipe.gradientCheck = record::GradientCheckResult{true, 0.0, "plain autograd", {}};
  pipe.noisy = true;
  record::DeviceResult device;
  device.id = "cpu:0";
  device.utilisation = 0.875;
  pipe.devices = {device};
  record::VariantResult big;
  big.id = "big";
  big.name = "big";
  big.status = record::RunStatus::NotRun;
  big.reason = "does not fit: needs 9 GiB, has 8 GiB";
  run.variants = {base, pipe, big};
  return run;
}

TEST(ResultTable, ARowHasSplitTimeBothSpeedUpsBoundIdleBadgeAndMarks) {
  const std::string table = resultTable(sample());
  const std::size_t begin = table.find("pipeline");
  ASSERT_NE(begin, std::string::npos);
  const std::string row = table.substr(begin, table.find('\n', begin) - begin);
  for (const char* cell :
       {"8", "3.01 ± 0.01 s", "1.49×", "1.20×", "1.51×", "cpu:0 12 %", "bit-equal", "noisy"}) {
    EXPECT_NE(row.find(cell), std::string::npos) << cell << " in " << row;
  }
}

TEST(ResultTable, SaysTheErrorOfTheOwnPrecisionBesideTheJudgedOne) {
  record::RunResult run = sample();
  run.variants[1].gradientCheck =
      record::GradientCheckResult{false, 2e-13, "plain autograd", {}, 3e-7};
  EXPECT_NE(resultTable(run).find("differs by 2.0e-13 (own precision: 3.0e-07)"),
            std::string::npos);
}

TEST(ResultTable, NamesCannotCommandTheTerminalOrForgeALine) {
  record::RunResult run = sample();
  const auto lines = [](const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
  };
  const auto before = lines(resultTable(run));
  run.name = "a\033[31m\nb";
  run.folder = "/runs/x\ny";
  for (record::VariantResult& variant : run.variants) {
    variant.name += "\nc\r";
    variant.reason += variant.reason.empty() ? "" : "\nd";
  }
  const std::string table = resultTable(run);
  EXPECT_EQ(lines(table), before);
  EXPECT_EQ(table.find_first_of("\033\r"), std::string::npos);
  EXPECT_NE(table.find("a␛[31m␊b"), std::string::npos);
}

TEST(ResultTable, SaysWhatRecordingCost) {
  record::RunResult run = sample();
  EXPECT_EQ(resultTable(run).find("Recording took"), std::string::npos);
  run.variants[0].capture.emplace().overheadPct = 0.125;
  run.variants[1].capture.emplace().overheadPct = 0.5;
  run.variants[1].capture->overheadCiPct = {-0.25, 1.5};
  EXPECT_NE(resultTable(run).find("Recording took up to 0.50 % of a step (\"pipeline\"); repeats "
                                  "with deeper recording differed by -0.25 to 1.50 % (95 %)."),
            std::string::npos)
      << resultTable(run);
}

TEST(ResultTable, OfAnInferenceHasLatencyThroughputAndOutputs) {
  record::RunResult run = sample();
  EXPECT_EQ(resultTable(run).find("latency"), std::string::npos);
  record::VariantResult& pipe = run.variants[1];
  pipe.outputCheck = record::GradientCheckResult{false, 0.5, "the forward of one worker", {}};
  pipe.gradientCheck.reset();
  pipe.latency = record::LatencyResult{0.0125, 0.25};
  pipe.throughput = 640.04;
  const std::string table = resultTable(run);
  const std::string row = table.substr(table.find("pipeline"));
  for (const char* cell : {"12.5 ms, 250 ms", "640.0", "differs by 5.0e-01"}) {
    EXPECT_NE(row.find(cell), std::string::npos) << cell << " in " << row;
  }
  EXPECT_NE(table.find("outputs"), std::string::npos);
  EXPECT_EQ(table.find("gradients"), std::string::npos);
}

TEST(ResultTable, TheFastestPipelineSaysWhyItIsNotFaster) {
  record::RunResult run = sample();
  EXPECT_EQ(resultTable(run).find("is not faster"), std::string::npos);
  record::VariantResult& pipe = run.variants[1];
  pipe.strategy = "pipeline";
  pipe.explanation = Json::parse(R"({"basis": "measured", "ideal_ns": 6000000, "parts": [
      {"cause": "imbalance", "ns": 1000000}, {"cause": "warmup", "ns": 0},
      {"cause": "waiting", "ns": 3000000}], "step_ns": 10000000})");
  record::VariantResult slower = pipe;
  slower.id = slower.name = "slower";
  slower.medianS = 2.0 * pipe.medianS;
  run.variants.push_back(slower);
  const std::string table = resultTable(run);
  EXPECT_NE(table.find("Why a step of \"pipeline\" is not faster:\n"), std::string::npos) << table;
  EXPECT_EQ(table.find("Why a step of \"slower\""), std::string::npos);
  for (const char* text : {"60.0 %", "30.0 %", "waiting", "measured step"}) {
    EXPECT_NE(table.find(text), std::string::npos) << text << " in " << table;
  }
  EXPECT_EQ(table.find("warm-up"), std::string::npos);
}

TEST(ResultTable, AnExplanationThatDoesNotAddUpIsLeftOut) {
  record::RunResult run = sample();
  run.variants[1].strategy = "pipeline";
  run.variants[1].explanation =
      Json::parse(R"({"basis": "measured", "ideal_ns": 1, "parts": [], "step_ns": 2})");
  EXPECT_EQ(resultTable(run).find("is not faster"), std::string::npos);
}

TEST(ResultTable, WhatDidNotRunSaysWhy) {
  const std::string table = resultTable(sample());
  EXPECT_NE(table.find("not run"), std::string::npos);
  EXPECT_NE(table.find("big: does not fit: needs 9 GiB, has 8 GiB"), std::string::npos);
}

TEST(ResultTable, TheBaseIsNamedAndTheFolderComesLast) {
  const std::string table = resultTable(sample());
  EXPECT_NE(table.find("relative to \"single\""), std::string::npos);
  const std::string end = "folder: /runs/toy\n";
  EXPECT_EQ(table.substr(table.size() - end.size()), end);
}

TEST(ResultTable, TheBasesTimeIsTheMedianThatSpeedUpsAreMadeOf) {
  record::RunResult run = sample();
  run.variants[0].seconds = {3.0, 3.0, 9.0};
  record::fillStatistics(run.variants[0]);
  const std::string base = "relative to \"single\", 3.00 s";
  EXPECT_NE(resultTable(run).find(base + " median;"), std::string::npos) << resultTable(run);
  run.variants[0].seconds = {3.0};
  record::fillStatistics(run.variants[0]);
  EXPECT_NE(resultTable(run).find(base + ";"), std::string::npos) << resultTable(run);
}

TEST(ResultTable, OneRepeatHasNoDeviationAndNoneHasNoTime) {
  record::VariantResult variant;
  EXPECT_EQ(secondsText(variant), "-");
  EXPECT_EQ(idleText(variant), "-");
  variant.seconds = {0.0123};
  record::fillStatistics(variant);
  EXPECT_EQ(secondsText(variant), "12.3 ms");
}

TEST(ResultTable, ARunWithoutVariantsStillNamesItsFolder) {
  record::RunResult run;
  run.folder = "/runs/empty";
  EXPECT_NE(resultTable(run).find("folder: /runs/empty"), std::string::npos);
}

}  // namespace
}  // namespace stagelane::app
