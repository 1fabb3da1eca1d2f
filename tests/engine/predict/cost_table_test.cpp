#include "engine/predict/cost_table.h"

#include <gmock/gmock.h>

#include "tests/engine/plan/documents.h"

namespace stagelane::predict {
namespace {

using plan::testing::parsed;
using ::testing::HasSubstr;

const char* const kWhole = R"({"stagelane_costs": 1,
  "blocks": [
    {"name": "net1", "device": "cpu:0", "threads": 2, "accumulate_ns": 3, "optimizer_ns": 4,
     "points": [
       {"samples": 8, "F_ns": 80, "I_ns": 70, "W_ns": 60, "B_ns": 120, "saved_bytes": 5,
        "temp_bytes": 6, "output_bytes": 7, "noise": 0.25},
       {"samples": 2, "F_ns": 20, "I_ns": 30, "W_ns": 40}]},
    {"name": "relu", "points": [{"samples": 1, "F_ns": 1.6, "B_ns": 5}]}],
  "links": [{"from": "cpu:0", "to": "cuda:1", "latency_ns": 10, "bytes_per_s": 2e9}],
  "optimizer_ns": {"net1": 9}, "contention": {"2 busy": 1.05, "4 busy": 1.5},
  "loss": [{"samples": 2, "F_ns": 11}], "action_overhead_ns": 12, "origin": {"machine": "here"}})";

TEST(CostFile, GivesEveryFigureItSays) {
  const auto table = costTableFromJson(parsed(kWhole), "f");
  ASSERT_TRUE(table) << describe(table.error());
  EXPECT_EQ(table->basis, Basis::File);
  const BlockCosts& first = table->blocks.at(0);
  EXPECT_EQ(first.name, "net1");
  EXPECT_EQ(first.device, DeviceId{"cpu:0"});
  EXPECT_EQ(first.threads, 2);
  EXPECT_EQ(first.accumulateNs, 3);
  EXPECT_EQ(first.optimizerNs, 4);
  ASSERT_EQ(first.points.size(), 2U);
  EXPECT_EQ(first.points[0].samples, 2);
  const CostPoint& point = first.points[1];
  EXPECT_EQ(point.forward, 80);
  EXPECT_EQ(point.backwardInput, 70);
  EXPECT_EQ(point.backwardWeight, 60);
  EXPECT_EQ(point.backward, 120);
  EXPECT_EQ(point.savedBytes, 5);
  EXPECT_EQ(point.temporaryBytes, 6);
  EXPECT_EQ(point.outputBytes, 7);
  EXPECT_EQ(point.noise, 0.25);
  EXPECT_EQ(table->links.at(0).latencyNs, 10);
  EXPECT_EQ(table->links[0].bytesPerSecond, 2e9);
  EXPECT_EQ(table->optimizerNs.at("net1"), 9);
  EXPECT_EQ(table->contention.at(4), 1.5);
  EXPECT_EQ(table->loss.at(0).forward, 11);
  EXPECT_EQ(table->actionOverheadNs, 12);
  EXPECT_EQ(table->origin["machine"], "here");
}

/// A minute if each key were searched for among the others.
TEST(CostFile, ManyKeysTakeLinearTime) {
  constexpr int kKeys = 100'000;
  Json document = parsed(kWhole);
  std::string text = "{";
  for (int i = 0; i < kKeys; ++i) {
    text += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":" + std::to_string(i);
  }
  document["optimizer_ns"] = parsed(text + "}");
  const auto start = std::chrono::steady_clock::now();
  const auto table = costTableFromJson(document, "f");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  ASSERT_TRUE(table) << describe(table.error());
  EXPECT_EQ(table->optimizerNs.size(), static_cast<std::size_t>(kKeys));
  EXPECT_EQ(table->optimizerNs.at("7"), 7);
}

TEST(CostFile, SaysWhichFactorIsWrong) {
  for (const char* wrong : {R"({"2 busy":"much"})", R"({"2 busy":0})", R"({"2 busy":101})",
                            R"({"two":1.5})", R"({"0 busy":1.5})", "[]"}) {
    Json document = parsed(kWhole);
    document["contention"] = parsed(wrong);
    const auto table = costTableFromJson(document, "f");
    ASSERT_FALSE(table) << wrong;
    EXPECT_NE(describe(table.error()).find("/contention"), std::string::npos)
        << describe(table.error());
  }
}

TEST(CostFile, SaysWhichOptimizerTimeIsWrong) {
  for (const char* wrong : {R"("fast")", "-1", "1e16"}) {
    Json document = parsed(kWhole);
    document["optimizer_ns"] = parsed(std::string(R"({"net1":)") + wrong + "}");
    const auto table = costTableFromJson(document, "f");
    ASSERT_FALSE(table) << wrong;
    EXPECT_NE(describe(table.error()).find("/optimizer_ns/net1"), std::string::npos)
        << describe(table.error());
  }
}

TEST(CostFile, SaysWhatABlockDoesToItsDevicesAccount) {
  Json document = parsed(kWhole);
  Json& point = document["blocks"][0]["points"][0];
  Bytes value = 100;
  for (const MemoryFigure& figure : kMemoryFigures) point["memory"][figure.key] = ++value;
  const auto table = costTableFromJson(document, "f");
  ASSERT_TRUE(table) << describe(table.error());
  const CostPoint& known = table->blocks[0].points[1];
  ASSERT_TRUE(known.memory);
  EXPECT_EQ(known.memory->unkeptOutput, 101);
  EXPECT_EQ(known.memory->weightPeak, 108);
  EXPECT_FALSE(table->blocks[0].points[0].memory);
  EXPECT_EQ(toJson(*table)["blocks"][0]["points"][1]["memory"], point["memory"]);
  point["memory"].erase("captured_bytes");
  const auto lacking = costTableFromJson(document, "f");
  ASSERT_FALSE(lacking);
  EXPECT_THAT(describe(lacking.error()), HasSubstr("/blocks/0/points/0/memory"));
}

TEST(CostFile, TakesTheHalvesForTheWholeBackwardAndTheWholeForTheHalves) {
  const auto table = *costTableFromJson(parsed(kWhole), "f");
  const CostPoint& halves = table.blocks[0].points[0];
  EXPECT_EQ(halves.backward, 70);
  EXPECT_EQ(halves.savedBytes, kUnknownBytes);
  const CostPoint& whole = table.blocks[1].points[0];
  EXPECT_EQ(whole.forward, 2);
  EXPECT_EQ(whole.backward, 5);
  EXPECT_EQ(whole.backwardInput + whole.backwardWeight, 5);
}

TEST(CostFile, ReadsWhatItWrites) {
  const Json once = toJson(*costTableFromJson(parsed(kWhole), "f"));
  const auto again = costTableFromJson(once, "f");
  ASSERT_TRUE(again) << describe(again.error());
  EXPECT_EQ(toJson(*again), once);
}

TEST(CostFile, MaySayWhereItIsKept) {
  Json printed = toJson(*costTableFromJson(parsed(kWhole), "f"));
  const Json table = printed;
  printed["file"] = "/somewhere/calibrations/net.json";
  const auto again = costTableFromJson(printed, "f");
  ASSERT_TRUE(again) << describe(again.error());
  EXPECT_EQ(toJson(*again), table);
}

TEST(CostFile, NamesThePlaceOfEachMistake) {
  const std::string block =
      R"({"stagelane_costs": 1, "blocks": [{"name": "a", "points": [{"samples": 1, "F_ns": 1, "B_ns": 1}]}])";
  const std::string links = block + R"(, "links": [)";
  const std::string contention = block + R"(, "contention": )";
  const std::vector<std::pair<std::string, std::pair<const char*, const char*>>> cases{
      {"[]", {"f, /", "expected an object"}},
      {R"({"blocks": []})", {"f, /stagelane_costs", "missing"}},
      {R"({"stagelane_costs": 2, "blocks": []})", {"f, /stagelane_costs", "version 2"}},
      {R"({"stagelane_costs": 1})", {"f, /blocks", "missing"}},
      {R"({"stagelane_costs": 1, "blocks": {}})", {"f, /blocks", "list"}},
      {R"({"stagelane_costs": 1, "blocks": [3]})", {"f, /blocks/0", "expected an object"}},
      {R"({"stagelane_costs": 1, "blocks": [{"points": []}]})", {"f, /blocks/0/name", "missing"}},
      {R"({"stagelane_costs": 1, "blocks": [{"name": "a", "points": []}]})",
       {"f, /blocks/0/points", "at least one"}},
      {R"({"stagelane_costs": 1, "blocks": [{"name": "a", "device": "gpu", "points": []}]})",
       {"f, /blocks/0/device", "gpu"}},
      {R"({"stagelane_costs": 1, "blocks": [{"name": "a", "points": [{"samples": 0, "F_ns": 1, "B_ns": 1}]}]})",
       {"f, /blocks/0/points/0/samples", "from 1 to 1e9"}},
      {R"({"stagelane_costs": 1, "blocks": [{"name": "a", "points": [{"samples": 1, "F_ns": -1, "B_ns": 1}]}]})",
       {"f, /blocks/0/points/0/F_ns", "must be from 0"}},
      {R"({"stagelane_costs": 1, "blocks": [{"name": "a", "points": [{"samples": 1, "F_ns": 1.1e15, "B_ns": 1}]}]})",
       {"f, /blocks/0/points/0/F_ns", "to 1e15"}},
      {R"({"stagelane_costs": 1, "blocks": [{"name": "a", "points": [{"samples": 1000000001, "F_ns": 1, "B_ns": 1}]}]})",
       {"f, /blocks/0/points/0/samples", "from 1 to 1e9"}},
      {R"({"stagelane_costs": 1, "blocks": [{"name": "a", "points": [{"samples": 1, "F_ns": 1}]}]})",
       {"f, /blocks/0/points/0", "needs B_ns"}},
      {R"({"stagelane_costs": 1, "blocks": [{"name": "a", "points": [{"samples": 1, "F_ns": 1, "B_ms": 1}]}]})",
       {"f, /blocks/0/points/0", "needs B_ns"}},
      {R"({"stagelane_costs": 1, "blocks": [{"name": "a", "points": [{"samples": 1, "F_ns": 1, "B_ns": 1, "x": 1}]}]})",
       {"f, /blocks/0/points/0/x", "unknown key"}},
      {R"({"stagelane_costs": 1, "blocks": [{"name": "a", "points": [{"samples": 1, "F_ns": 1, "B_ns": 1}, {"samples": 1, "F_ns": 1, "B_ns": 1}]}]})",
       {"f, /blocks/0/points", "two points for 1"}},
      {R"({"stagelane_costs": 1, "blocks": [{"name": "a", "points": [{"samples": 1, "F_ns": 1, "B_ns": 1}]}, {"name": "a", "points": [{"samples": 1, "F_ns": 1, "B_ns": 1}]}]})",
       {"f, /blocks/1", "twice"}},
      {links + R"({"to": "cpu:0"}]})", {"f, /links/0/from", "missing"}},
      {links + R"({"from": "cpu:0", "to": "cpu:1", "bytes_per_s": -1}]})",
       {"f, /links/0/bytes_per_s", "0 or more"}},
      {block + R"(, "optimizer_ns": {"a": "x"}})", {"f, /optimizer_ns/a", "number"}},
      {block + R"(, "optimizer_ns": 3})", {"f, /optimizer_ns", "object"}},
      {contention + R"({"two": 1.1}})", {"f, /contention/two", "number of workers"}},
      {contention + R"({"2 busy": 0}})", {"f, /contention/2 busy", "above 0"}},
      {contention + R"({"2 busy": 101}})", {"f, /contention/2 busy", "at most 100"}},
      {block + R"(, "cost": 3})", {"f, /cost", "unknown key"}}};
  for (const auto& [document, expected] : cases) {
    const auto table = costTableFromJson(parsed(document), "f");
    ASSERT_FALSE(table) << document;
    EXPECT_EQ(table.error().code, ErrorCode::Invalid);
    EXPECT_EQ(table.error().context, expected.first) << document;
    EXPECT_THAT(table.error().message, HasSubstr(expected.second)) << document;
  }
}

TEST(CostFile, ThatIsAbsentOrNoJsonIsInvalid) {
  const auto absent = readCostTable("/nowhere/costs.json");
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code, ErrorCode::Invalid);
  EXPECT_THAT(describe(absent.error()), HasSubstr("/nowhere/costs.json"));
}

TEST(CostTable, HasANetworkForPairsWithoutALink) {
  const char* text = R"({"stagelane_costs": 1, "blocks": [], "links": [], "network":
      {"devices_per_node": 8, "within": {"latency_ns": 5, "bytes_per_s": 3e11},
       "between": {"bytes_per_s": 25e9}}})";
  const auto table = costTableFromJson(plan::testing::parsed(text), "t");
  ASSERT_TRUE(table) << describe(table.error());
  ASSERT_TRUE(table->network);
  EXPECT_EQ(table->network->devicesPerNode, 8);
  EXPECT_EQ(table->network->within.latencyNs, 5);
  EXPECT_EQ(table->network->between.bytesPerSecond, 25e9);
  const auto again = costTableFromJson(toJson(*table), "t");
  ASSERT_TRUE(again) << describe(again.error());
  EXPECT_EQ(toJson(*again), toJson(*table));
  for (const char* wrong : {R"({"devices_per_node": 0, "within": {}, "between": {}})",
                            R"({"devices_per_node": 8, "within": {}})", R"({"within": {}})",
                            R"({"devices_per_node": 8, "within": {}, "between": {"speed": 1}})"}) {
    Json document = plan::testing::parsed(text);
    document["network"] = plan::testing::parsed(wrong);
    const auto refused = costTableFromJson(document, "t");
    ASSERT_FALSE(refused) << wrong;
    EXPECT_EQ(refused.error().context.rfind("t, /network", 0), 0U) << refused.error().context;
  }
}

}  // namespace
}  // namespace stagelane::predict
