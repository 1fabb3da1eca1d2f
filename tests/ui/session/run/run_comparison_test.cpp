#include "ui/session/run/run_comparison.h"

#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

record::VariantResult variant(const std::string& id, std::vector<double> seconds) {
  record::VariantResult result;
  result.id = id;
  result.seconds = std::move(seconds);
  result.stepNs = 100;
  result.devices = {{"cpu:0", 80, 0.8, {{"host", 20}}, {}, 0, 1000, {}}};
  return result;
}

const FigureDifference* figure(const VariantComparison& comparison, const std::string& name) {
  for (const FigureDifference& one : comparison.figures) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

TEST(RunComparison, NamesSettingsByPointerAndVariantsByTheirName) {
  const Json left = Json::parse(
      R"({"seed": 1, "loss": "mse", "variants": [{"name": "a", "split_size": 4}, {"name": "b"}]})");
  const Json right = Json::parse(
      R"({"seed": 2, "variants": [{"name": "b"}, {"name": "a", "split_size": 8}], "trace": "ops"})");
  const std::vector<SettingDifference> settings = settingDifferences(left, right);
  ASSERT_EQ(settings.size(), 4U);
  EXPECT_EQ(settings[0].pointer, "/loss");
  EXPECT_TRUE(settings[0].right.is_null());
  EXPECT_EQ(settings[1].pointer, "/seed");
  EXPECT_EQ(settings[2].pointer, "/trace");
  EXPECT_TRUE(settings[2].left.is_null());
  EXPECT_EQ(settings[3].pointer, "/variants/a/split_size");
  EXPECT_EQ(settings[3].right, 8);
  EXPECT_TRUE(settingDifferences(left, left).empty());
}

TEST(RunComparison, SaysWhetherTheSpreadExplainsTheSeconds) {
  const auto words = [](std::vector<double> left, std::vector<double> right) {
    const VariantComparison comparison = compareVariants({variant("v", std::move(left)), Json()},
                                                         {variant("v", std::move(right)), Json()});
    return significanceWords(*figure(comparison, "seconds"));
  };
  EXPECT_EQ(words({1.00, 1.01, 0.99}, {1.20, 1.21, 1.19}), "beyond the spread");
  EXPECT_EQ(words({1.0, 1.4, 0.7}, {1.2, 1.6, 0.9}), "within the spread");
  EXPECT_EQ(words({1.0}, {2.0}), "spread not known");
}

TEST(RunComparison, ListsOnlyFiguresThatDiffer) {
  record::VariantResult right = variant("v", {1.0, 1.0});
  right.devices[0].peakBytes = 2000;
  const VariantComparison comparison =
      compareVariants({variant("v", {1.0, 1.0}), Json()}, {right, Json()});
  ASSERT_EQ(comparison.figures.size(), 2U);
  EXPECT_EQ(comparison.figures[1].name, "cpu:0 peak_bytes");
  const Json json = toJson(comparison);
  EXPECT_EQ(json.at("figures").at(1).at("delta_pct"), 100.0);
  EXPECT_EQ(json.at("figures").at(0).at("significant"), false);
}

TEST(RunComparison, MatchesVariantsByTheirId) {
  record::RunResult left;
  left.variants = {variant("a", {}), variant("b", {})};
  record::RunResult right;
  right.variants = {variant("b", {}), variant("c", {})};
  const RunComparison comparison = compareRuns(left, Json::object(), right, Json::object());
  ASSERT_EQ(comparison.variants.size(), 1U);
  EXPECT_EQ(comparison.variants[0].leftId, "b");
  EXPECT_EQ(comparison.onlyLeft, std::vector<std::string>{"a"});
  EXPECT_EQ(comparison.onlyRight, std::vector<std::string>{"c"});
}

TEST(RunComparison, ListsWhatMakesTwoVariantsOfOneExperimentDifferent) {
  const Json experiment = Json::parse(
      R"({"variants": [{"name": "Pipe line", "strategy": "pipeline", "schedule": ["gpipe", "1f1b"],
                        "split_size": 5, "recompute": "always"},
                       {"name": "other", "strategy": "pipeline", "chunks": 2}]})");
  record::VariantResult gpipe = variant("pipe-line-gpipe", {1.0});
  gpipe.strategy = "pipeline";
  gpipe.schedule = "gpipe";
  gpipe.splitSize = 5;
  gpipe.placement = {{"net1", "cpu:0"}, {"net2", "cpu:1"}};
  record::VariantResult interleaved = gpipe;
  interleaved.id = "pipe-line-1f1b";
  interleaved.schedule = "1f1b";
  const auto ofSweep = compareVariants({gpipe, experiment}, {interleaved, experiment}).settings;
  ASSERT_EQ(ofSweep.size(), 1U);
  EXPECT_EQ(ofSweep[0].pointer, "/schedule");
  EXPECT_EQ(ofSweep[0].left, "gpipe");
  EXPECT_EQ(ofSweep[0].right, "1f1b");
  record::VariantResult other = gpipe;
  other.id = "other";
  other.splitSize = 10;
  other.placement["net2"] = "cpu:0";
  std::vector<std::string> pointers;
  const VariantComparison comparison = compareVariants({gpipe, experiment}, {other, experiment});
  for (const SettingDifference& one : comparison.settings) pointers.push_back(one.pointer);
  EXPECT_EQ(pointers,
            (std::vector<std::string>{"/chunks", "/placement/net2", "/recompute", "/split_size"}));
  EXPECT_EQ(toJson(comparison)["settings"].size(), 4U);
  EXPECT_TRUE(compareVariants({gpipe, experiment}, {gpipe, experiment}).settings.empty());
}

}  // namespace
}  // namespace stagelane::ui
