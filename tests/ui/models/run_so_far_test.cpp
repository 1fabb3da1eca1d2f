#include "ui/models/run_so_far.h"

#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

using record::VariantResult;

VariantResult variant(const std::string& id, const std::string& strategy,
                      std::vector<double> seconds) {
  record::VariantResult one;
  one.id = id;
  one.strategy = strategy;
  one.seconds = std::move(seconds);
  if (!one.seconds.empty()) record::fillStatistics(one);
  return one;
}

TEST(RunSoFar, HasSpeedUpsToTheFastestSingleDeviceOfTheRepeatsThereAre) {
  auto run = std::make_shared<record::RunResult>();
  run->variants = {variant("single", "single", {4.0, 4.2}),
                   variant("baseline-mb8", "single", {3.0}),
                   variant("single-all-cores", "single", {1.0}),
                   variant("pipe", "pipeline", {1.5, 1.5}), variant("later", "pipeline", {})};
  const RunResultPtr filled = withSpeedupsSoFar(run);
  EXPECT_EQ(filled->variants[3].speedupBase, "baseline-mb8");
  EXPECT_DOUBLE_EQ(filled->variants[3].speedup.value(), 2.0);
  EXPECT_DOUBLE_EQ(filled->variants[1].speedup.value(), 1.0);
  EXPECT_FALSE(filled->variants[4].speedup);
}

TEST(RunSoFar, KeepsWhatTheEngineHasSaid) {
  auto run = std::make_shared<record::RunResult>();
  run->variants = {variant("single", "single", {4.0}), variant("pipe", "pipeline", {2.0})};
  run->variants[1].speedup = 1.9;
  EXPECT_EQ(withSpeedupsSoFar(run), run);
  EXPECT_EQ(withSpeedupsSoFar(nullptr), nullptr);
}

TEST(RunSoFar, AFewRepeatsDoNotWinOverMany) {
  record::RunResult run;
  run.variants = {variant("whole", "single", {4.0, 4.2}), variant("quick", "pipeline", {1.0})};
  for (VariantResult& each : run.variants) each.status = record::RunStatus::Canceled;
  EXPECT_FALSE(isCutShort(run.variants[0], 2));
  EXPECT_TRUE(isCutShort(run.variants[1], 2));
  EXPECT_EQ(fastestWhole(run, 2)->id, "whole");
  EXPECT_EQ(fastestWhole(run, 0)->id, "quick") << "nobody knows how many were asked for";
  EXPECT_EQ(fastestWhole(run, 3)->id, "quick") << "none is whole";
  run.variants[1].status = record::RunStatus::Running;
  EXPECT_FALSE(isCutShort(run.variants[1], 2)) << "it goes on";
  run.variants.clear();
  EXPECT_EQ(fastestWhole(run, 2), nullptr);
}

TEST(RunSoFar, KnowsHowManyRepeatsWereAskedFor) {
  const Json asked{{"repeat", 3}};
  const Json silent = Json::object();
  EXPECT_EQ(repeatsAsked(&asked), 3);
  EXPECT_EQ(repeatsAsked(&silent), 10);
  EXPECT_EQ(repeatsAsked(nullptr), 0);
}

}  // namespace
}  // namespace stagelane::ui
