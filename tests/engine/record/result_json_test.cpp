#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "engine/record/run_record.h"
#include "tests/engine/record/run_samples.h"

namespace stagelane::record {
namespace {

std::set<std::string> keysOf(const Json& json) {
  std::set<std::string> keys;
  for (const auto& item : json.items()) keys.insert(item.key());
  return keys;
}

TEST(ResultJson, AFullVariantHasExactlyTheKeysOfTheContract) {
  const Json json = toJson(samples::full());
  EXPECT_EQ(keysOf(json),
            (std::set<std::string>{
                "id",        "name",    "strategy", "schedule",     "split_size",
                "placement", "status",  "seconds",  "mean_s",       "std_s",
                "median_s",  "step_ns", "speedup",  "speedup_base", "speedup_all_cores",
                "bound",     "loss",    "devices",  "predicted",    "gradient_check",
                "capture",   "noisy"}));
  EXPECT_EQ(keysOf(json["bound"]),
            (std::set<std::string>{"step_ns", "perfect_cut_step_ns", "speedup"}));
  EXPECT_EQ(keysOf(json["devices"][0]),
            (std::set<std::string>{"id", "busy_ns", "utilisation", "idle", "starved_by",
                                   "transfer_bytes", "peak_bytes", "busy"}));
  EXPECT_EQ(keysOf(json["devices"][0]["busy"]), (std::set<std::string>{"forward", "backward"}));
  EXPECT_EQ(keysOf(json["devices"][0]["idle"]),
            (std::set<std::string>{"warmup", "drain", "tail", "starved", "transfer", "host",
                                   "unattributed"}));
  EXPECT_EQ(keysOf(json["predicted"]),
            (std::set<std::string>{"basis", "step_ns", "devices", "error"}));
  EXPECT_EQ(keysOf(json["gradient_check"]),
            (std::set<std::string>{"bit_equal", "max_rel_error", "reference", "full_batch_error"}));
  EXPECT_EQ(keysOf(json["capture"]),
            (std::set<std::string>{"events", "dropped", "overhead_pct", "overhead_ci_pct"}));
}

TEST(ResultJson, InferenceHasLatencyThroughputAndAnOutputCheckInPlaceOfGradients) {
  VariantResult variant = samples::full();
  variant.outputCheck = std::move(variant.gradientCheck);
  variant.gradientCheck.reset();
  variant.latency = LatencyResult{0.25, 0.5};
  variant.throughput = 128.0;
  variant.loss.clear();
  const Json json = toJson(variant);
  EXPECT_FALSE(json.contains("gradient_check"));
  EXPECT_EQ(json["output_check"]["bit_equal"], true);
  EXPECT_EQ(json["latency"], (Json{{"p50_s", 0.25}, {"p99_s", 0.5}}));
  EXPECT_EQ(json["throughput"], 128.0);
  const auto back = variantResultFromJson(json);
  ASSERT_TRUE(back) << describe(back.error());
  EXPECT_EQ(toJson(*back), json);
}

TEST(ResultJson, ARunHasTheTopLevelKeysOfTheContract) {
  RunResult run = samples::plannedRun();
  run.status = RunStatus::Done;
  EXPECT_EQ(keysOf(toJson(run)), (std::set<std::string>{"stagelane", "name", "status", "timing",
                                                        "folder", "devices", "variants"}));
}

TEST(ResultJson, WhatWasWrittenIsReadBackTheSame) {
  RunResult run = samples::plannedRun();
  run.status = RunStatus::Failed;
  run.reason = "out of memory";
  run.failure =
      Failure{FailureKind::OutOfMemory, "pipe", {"cpu:1"}, {1}, {2}, ActionKind::Backward};
  run.folder = "/somewhere";
  run.variants.push_back(samples::full());
  run.variants.back().status = RunStatus::Failed;
  run.variants.back().failure = run.failure;
  run.variants.back().gradientCheck->ownPrecisionError = 2e-6;
  run.variants.push_back(samples::planned("left"));
  run.variants.back().included = false;
  run.variants.push_back(samples::planned("slow"));
  run.variants.back().earlyStop = EarlyStop{3, 0.5, 0.25, "pipe"};
  const Json json = toJson(run);
  const auto read = runResultFromJson(json);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(toJson(*read), json);
  EXPECT_EQ(json["failure"], (Json{{"kind", "out_of_memory"},
                                   {"variant", "pipe"},
                                   {"device", "cpu:1"},
                                   {"stage", 1},
                                   {"micro_batch", 2},
                                   {"action", "B"}}));
  EXPECT_EQ(read->variants.at(2).failure, run.failure);
  ASSERT_TRUE(read->variants.at(2).gradientCheck);
  EXPECT_EQ(read->variants.at(2).gradientCheck->ownPrecisionError, 2e-6);
  EXPECT_FALSE(read->variants.at(3).included);
  ASSERT_TRUE(read->variants.at(4).earlyStop);
  EXPECT_EQ(read->variants.at(4).earlyStop->best, "pipe");
}

TEST(ResultJson, AVariantThatWasNotMeasuredHasNoFiguresRatherThanZeros) {
  const Json json = toJson(samples::planned("single"));
  for (const char* key : {"mean_s", "std_s", "median_s", "step_ns", "speedup", "speedup_base",
                          "speedup_all_cores", "bound", "predicted", "gradient_check", "capture"}) {
    EXPECT_FALSE(json.contains(key)) << key;
  }
  EXPECT_EQ(json["seconds"], Json::array());
}

TEST(ResultJson, ALossThatIsNoNumberIsNullAndComesBackAsNoNumber) {
  VariantResult variant = samples::full();
  variant.loss = {1.0, std::numeric_limits<double>::quiet_NaN()};
  const Json json = toJson(variant);
  EXPECT_TRUE(json["loss"][1].is_null());
  const auto read = variantResultFromJson(json);
  ASSERT_TRUE(read);
  EXPECT_TRUE(std::isnan(read->loss.at(1)));
}

TEST(ResultJson, AMemberOfTheWrongTypeIsAnErrorAndNeverACrash) {
  for (const char* text :
       {"[]", "null", "3", R"({"id":3,"status":"done"})", R"({"id":"a"})",
        R"({"id":"a","status":"fine"})", R"({"id":"a","status":"done","seconds":"x"})",
        R"({"id":"a","status":"done","devices":[3]})",
        R"({"id":"a","status":"done","bound":{"step_ns":"x"}})"}) {
    const auto read = variantResultFromJson(Json::parse(text));
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, ErrorCode::Invalid);
  }
  EXPECT_FALSE(runResultFromJson(Json::parse(R"({"status":"done","variants":[1]})")));
}

TEST(ResultJson, StatisticsUseThePopulationDeviation) {
  const VariantResult variant = samples::full();
  EXPECT_DOUBLE_EQ(variant.meanS, 3.0);
  EXPECT_DOUBLE_EQ(variant.stdS, std::sqrt(14.0 / 3.0));
  EXPECT_DOUBLE_EQ(variant.medianS, 2.0);
}

TEST(ResultJson, TheMedianOfAnEvenNumberIsTheMiddleOfTheTwo) {
  VariantResult variant;
  variant.seconds = {4.0, 1.0};
  fillStatistics(variant);
  EXPECT_DOUBLE_EQ(variant.medianS, 2.5);
  variant.seconds.clear();
  fillStatistics(variant);
  EXPECT_EQ(variant.medianS, 0.0);
}

TEST(ResultJson, EveryStatusHasAWordThatReadsBack) {
  for (const RunStatus status : {RunStatus::Running, RunStatus::Done, RunStatus::Failed,
                                 RunStatus::Canceled, RunStatus::NotRun}) {
    EXPECT_EQ(runStatusFromWord(word(status)), status);
  }
  EXPECT_FALSE(runStatusFromWord("finished"));
}

}  // namespace
}  // namespace stagelane::record
