#include "ui/session/run/run_so_far.h"

#include <gtest/gtest.h>

#include "engine/record/left_out.h"

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

TEST(RunSoFar, HasNoPlaceInPicturesForWhatWasNotIncluded) {
  auto run = std::make_shared<record::RunResult>();
  run->variants = {variant("single", "single", {4.0}), variant("pipe", "pipeline", {})};
  EXPECT_EQ(pictured(run)->variants.size(), 2u) << "not measured yet";
  run->variants[1].status = record::RunStatus::NotRun;
  run->variants[1].reason = "does not fit";
  EXPECT_EQ(pictured(run)->variants.size(), 2u);
  run->variants[1].included = false;
  ASSERT_EQ(pictured(run)->variants.size(), 1u);
  EXPECT_EQ(pictured(run)->variants[0].id, "single");
  EXPECT_EQ(pictured(nullptr), nullptr);
}

TEST(RunSoFar, KeepsWhatTheEngineHasSaid) {
  auto run = std::make_shared<record::RunResult>();
  run->variants = {variant("single", "single", {4.0}), variant("pipe", "pipeline", {2.0})};
  run->variants[1].speedup = 1.9;
  EXPECT_EQ(withSpeedupsSoFar(run), run);
  EXPECT_EQ(withSpeedupsSoFar(nullptr), nullptr);
}

}  // namespace
}  // namespace stagelane::ui
