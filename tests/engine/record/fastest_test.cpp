#include "engine/record/fastest.h"

#include <gtest/gtest.h>

#include <utility>

namespace stagelane::record {
namespace {

VariantResult measured(const std::string& id, std::vector<double> seconds) {
  VariantResult variant;
  variant.id = id;
  variant.strategy = id == "one" ? "single" : "pipeline";
  variant.seconds = std::move(seconds);
  fillStatistics(variant);
  return variant;
}

TEST(FastestVariant, IsTheOneWithTheSmallestMedian) {
  RunResult run;
  // The median of "spiky" is the smallest, its mean is not: speed-ups are ratios of medians.
  run.variants = {measured("slow", {3.0, 3.0, 3.0}), measured("spiky", {1.0, 1.0, 7.0}),
                  measured("steady", {2.0, 2.0, 2.0})};
  ASSERT_NE(fastestVariant(run), nullptr);
  EXPECT_EQ(fastestVariant(run)->id, "spiky");
}

TEST(FastestVariant, IsNoneWhereNothingWasMeasured) {
  RunResult run;
  EXPECT_EQ(fastestVariant(run), nullptr);
  run.variants = {measured("not run", {})};
  EXPECT_EQ(fastestVariant(run), nullptr);
}

TEST(FastestVariant, OneThatWasCanceledCountsWithTheRepeatsItHas) {
  RunResult run;
  run.variants = {measured("done", {2.0, 2.0}), measured("canceled", {1.0})};
  run.variants[1].status = RunStatus::Canceled;
  EXPECT_EQ(fastestVariant(run)->id, "canceled");
}

TEST(FastestVariant, LeavesOutWhatIsNotAskedFor) {
  RunResult run;
  run.variants = {measured("one", {1.0}), measured("two", {2.0})};
  const VariantResult* pipeline = fastestVariant(
      run, [](const VariantResult& variant) { return variant.strategy == "pipeline"; });
  ASSERT_NE(pipeline, nullptr);
  EXPECT_EQ(pipeline->id, "two");
}

TEST(FastestVariant, AFewRepeatsDoNotWinOverMany) {
  RunResult run;
  run.variants = {measured("whole", {4.0, 4.2}), measured("quick", {1.0})};
  for (VariantResult& variant : run.variants) variant.status = RunStatus::Canceled;
  EXPECT_FALSE(isCutShort(run.variants[0], 2));
  EXPECT_TRUE(isCutShort(run.variants[1], 2));
  EXPECT_EQ(fastestWhole(run, 2)->id, "whole");
  EXPECT_EQ(fastestWhole(run, 0)->id, "quick") << "nobody knows how many were asked for";
  EXPECT_EQ(fastestWhole(run, 3)->id, "quick") << "none is whole";
  run.variants[1].status = RunStatus::Running;
  EXPECT_FALSE(isCutShort(run.variants[1], 2)) << "it goes on";
  run.variants.clear();
  EXPECT_EQ(fastestWhole(run, 2), nullptr);
}

TEST(FastestVariant, KnowsHowManyRepeatsWereAskedFor) {
  const Json asked{{"repeat", 3}};
  const Json silent = Json::object();
  EXPECT_EQ(repeatsAsked(&asked), 3);
  EXPECT_EQ(repeatsAsked(&silent), 10);
  EXPECT_EQ(repeatsAsked(nullptr), 0);
}

}  // namespace
}  // namespace stagelane::record
