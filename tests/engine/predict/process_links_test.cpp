#include <gmock/gmock.h>

#include "engine/predict/block_costs.h"
#include "engine/predict/cost_table.h"
#include "engine/predict/prediction.h"
#include "tests/engine/plan/documents.h"

namespace stagelane::predict {
namespace {

using plan::testing::parsed;
using ::testing::HasSubstr;

const char* const kTable = R"({"stagelane_costs": 1, "blocks": [
    {"name": "net1", "points": [{"samples": 5, "F_ns": 100, "B_ns": 200, "output_bytes": 1000}]},
    {"name": "relu", "points": [{"samples": 5, "F_ns": 10, "B_ns": 20, "output_bytes": 1000}]},
    {"name": "net2", "points": [{"samples": 5, "F_ns": 50, "B_ns": 100, "output_bytes": 500}]}],
  "links": [{"from": "cpu:0", "to": "cpu:1", "latency_ns": 7, "bytes_per_s": 0},
            {"from": "cpu:1", "to": "cpu:0", "latency_ns": 7, "bytes_per_s": 0}],
  "process_links": [{"latency_ns": 3000, "bytes_per_s": 1e9},
                    {"from": "cpu:0", "to": "cpu:1@1", "latency_ns": 9000, "bytes_per_s": 1e8}]})";

CostTable tableOf(const char* text = kTable) {
  return costTableFromJson(parsed(text), "t").value();
}

/// net1 | relu, net2 on two devices, calibrated.
struct TwoStages {
  explicit TwoStages(const std::string& second, CostTable costs = tableOf())
      : table(std::move(costs)) {
    Json document = plan::testing::toyWith(
        R"([{"name": "p", "strategy": "pipeline", "schedule": "gpipe", "split_size": 5,
             "stages": [{"first": "net1", "device": "cpu:0"},
                        {"first": "relu", "device": ")" +
        second + R"("}]}])");
    document["devices"] = {"cpu:0", second};
    experiment = plan::testing::good(document);
    table.basis = Basis::Calibrated;
  }
  [[nodiscard]] PlanCosts costs() const {
    return planCosts(experiment, experiment.variants[0], &table).value();
  }

  plan::Experiment experiment;
  CostTable table;
};

TEST(ProcessLinks, AreMembersOfACostFile) {
  const CostTable table = tableOf();
  ASSERT_EQ(table.processLinks.size(), 2U);
  EXPECT_FALSE(table.processLinks[0].from.has_value());
  EXPECT_EQ(table.processLinks[0].latencyNs, 3000);
  EXPECT_EQ(table.processLinks[1].from, DeviceId{"cpu:0"});
  EXPECT_EQ(table.processLinks[1].to, DeviceId{"cpu:1@1"});
  EXPECT_EQ(toJson(table)["process_links"], parsed(kTable)["process_links"]);
  EXPECT_FALSE(toJson(CostTable{}).contains("process_links"));
}

TEST(ProcessLinks, SayWhatIsWrong) {
  const auto wrong = [](const char* links) {
    Json document = parsed(kTable);
    document["process_links"] = parsed(links);
    const auto table = costTableFromJson(document, "f");
    EXPECT_FALSE(table) << links;
    return table ? std::string() : describe(table.error());
  };
  EXPECT_THAT(wrong("{}"), HasSubstr("/process_links"));
  EXPECT_THAT(wrong(R"([{"from": "cpu:0"}])"), HasSubstr("both devices, or none"));
  EXPECT_THAT(wrong(R"([{"latency_ns": -1}])"), HasSubstr("/process_links/0/latency_ns"));
  EXPECT_THAT(wrong(R"([{"bytes_per_s": -1}])"), HasSubstr("/process_links/0/bytes_per_s"));
  EXPECT_THAT(wrong(R"([{"from": "cpu", "to": "cpu:1"}])"), HasSubstr("/process_links/0/from"));
}

TEST(ProcessLinks, AreForStagesOfDifferentRanks) {
  EXPECT_EQ(TwoStages("cpu:1").costs().stage[0][0].sendForward, 7);
  const PlanCosts other = TwoStages("cpu:0@1").costs();
  EXPECT_EQ(other.stage[0][0].sendForward, 3000 + 1000);
  EXPECT_EQ(other.stage[1][0].sendBackward, 3000 + 1000);
  EXPECT_FALSE(other.estimatesProcesses);
}

TEST(ProcessLinks, OfTwoDevicesTakePrecedenceInTheirDirection) {
  const PlanCosts costs = TwoStages("cpu:1@1").costs();
  EXPECT_EQ(costs.stage[0][0].sendForward, 9000 + 10'000);
  EXPECT_EQ(costs.stage[1][0].sendBackward, 3000 + 1000);
}

TEST(ProcessLinks, AreForStagesThatAreDealtToProcesses) {
  TwoStages two("cpu:1");
  two.experiment.dealtRanks = 2;
  EXPECT_EQ(two.costs().stage[0][0].sendForward, 3000 + 1000);
  plan::Variant& variant = two.experiment.variants[0];
  variant.strategy = plan::Strategy::DataParallel;
  BlockCostSource source(two.experiment, &two.table);
  EXPECT_DOUBLE_EQ(source.transferNs(DeviceId{"cpu:0"}, DeviceId{"cpu:1"}, 1000.0), 7.0)
      << "only what is dealt";
}

TEST(ProcessLinks, MakeAReceiverKeepItsInput) {
  const auto kept = [](const char* second) {
    return TwoStages(second).costs().stage[1][0].savedBytes;
  };
  EXPECT_GT(kept("cpu:0@1"), kept("cpu:1"));
}

TEST(ProcessLinks, AreEstimatedAndSaySoWhereACalibrationHasNone) {
  CostTable table = tableOf();
  table.processLinks.clear();
  const TwoStages two("cpu:0@1", table);
  EXPECT_TRUE(two.costs().estimatesProcesses);
  EXPECT_GT(two.costs().stage[0][0].sendForward, 10'000);
  const TwoStages inOneProcess("cpu:1", table);
  EXPECT_FALSE(inOneProcess.costs().estimatesProcesses);
}

TEST(ProcessLinks, ChangeWithTheOtherLinksOfAWhatIf) {
  const TwoStages two("cpu:0@1");
  WhatIf free;
  free.links = 0.0;
  const auto costs = planCosts(two.experiment, two.experiment.variants[0], &two.table, free);
  EXPECT_EQ(costs->stage[0][0].sendForward, 0);
}

}  // namespace
}  // namespace stagelane::predict
