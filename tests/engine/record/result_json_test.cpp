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

VariantResult replicated() {
  VariantResult variant = samples::full();
  variant.replicas = 2;
  variant.devices[0].parameters = 5'130;
  variant.devices[0].layers = 10;
  return variant;
}

TEST(ResultJson, ReplicasHaveTheirNumberAndWhatTheirDevicesHaveOfTheModel) {
  const Json json = toJson(replicated());
  EXPECT_EQ(json["replicas"], 2);
  EXPECT_EQ(json["devices"][0]["parameters"], 5130);
  EXPECT_EQ(json["devices"][0]["layers"], 10);
  const auto read = variantResultFromJson(json);
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(toJson(*read), json);
  EXPECT_EQ(read->replicas, 2);
  EXPECT_EQ(read->devices.at(0).parameters, 5130);
  EXPECT_EQ(read->devices.at(0).layers, 10);
  for (const char* key : {"ranks", "all_reduce", "hogwild"})
    EXPECT_FALSE(json.contains(key)) << key;
  EXPECT_EQ(variantResultFromJson(toJson(samples::full()))->replicas, 1);
}

TEST(ResultJson, RanksAndTheirAllReduceReadBackTheSame) {
  VariantResult variant = replicated();
  variant.ranks.push_back({0, "one", 41, "done", {}, {"cpu:0"}});
  variant.ranks.push_back({1, "two", 42, "failed", ClockResult{-5, 3, 0.25}, {"cuda:0", "cuda:1"}});
  variant.allReduce = AllReduceResult{4096, 700, 62.5};
  const Json json = toJson(variant);
  EXPECT_EQ(
      json["ranks"][0],
      (Json{
          {"rank", 0}, {"host", "one"}, {"pid", 41}, {"status", "done"}, {"devices", {"cpu:0"}}}));
  EXPECT_EQ(json["ranks"][1]["clock"],
            (Json{{"offset_ns", -5}, {"error_ns", 3}, {"drift_ppm", 0.25}}));
  EXPECT_EQ(json["all_reduce"], (Json{{"bytes", 4096}, {"exposed_ns", 700}, {"hidden_pct", 62.5}}));
  const auto read = variantResultFromJson(json);
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(toJson(*read), json);
  EXPECT_FALSE(read->ranks.at(0).clock);
  EXPECT_EQ(read->ranks.at(1).devices.size(), 2U);
}

TEST(ResultJson, HogwildReadsBackTheSameAlsoWithoutNumbers) {
  VariantResult variant = samples::full();
  HogwildResult& hogwild = variant.hogwild.emplace();
  hogwild = {4, true, 100, 12.5, {2.0, 7.0, 9}, 0.75, 0.25, {{{1, 5}, {0.75, 0.5}}, {{2}, {0.5}}}};
  const Json json = toJson(variant);
  EXPECT_EQ(json["hogwild"]["curves"][0], (Json{{"updates", {1, 5}}, {"loss", {0.75, 0.5}}}));
  auto read = variantResultFromJson(json);
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(toJson(*read), json);
  const double none = std::numeric_limits<double>::quiet_NaN();
  hogwild.lastLoss = hogwild.curves[1].loss[0] = hogwild.staleness.p99 = none;
  variant.ranks.push_back({0, "one", 41, "done", ClockResult{0, 1, none}, {}});
  const Json unknown = toJson(variant);
  EXPECT_TRUE(unknown["hogwild"]["last_loss"].is_null());
  read = variantResultFromJson(unknown);
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(toJson(*read), unknown);
  EXPECT_TRUE(std::isnan(read->hogwild->curves.at(1).loss.at(0)));
}

TEST(ResultJson, AFailureNamesItsRankAndHost) {
  VariantResult variant = samples::planned("pipe");
  variant.status = RunStatus::Failed;
  variant.failure = Failure{FailureKind::RankLost, "pipe"};
  variant.failure->rank = 1;
  variant.failure->host = "two";
  const Json json = toJson(variant);
  EXPECT_EQ(json["failure"],
            (Json{{"kind", "rank_lost"}, {"variant", "pipe"}, {"rank", 1}, {"host", "two"}}));
  EXPECT_EQ(variantResultFromJson(json)->failure, variant.failure);
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
        R"({"id":"a","status":"done","bound":{"step_ns":"x"}})",
        R"({"id":"a","status":"done","replicas":"x"})", R"({"id":"a","status":"done","ranks":[3]})",
        R"({"id":"a","status":"done","all_reduce":{}})",
        R"({"id":"a","status":"done","hogwild":{"processes":4}})"}) {
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
