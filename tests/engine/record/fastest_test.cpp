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

TEST(FastestVariant, IsTheOneWhoseRepeatsTakeLeastOnAverage) {
  RunResult run;
  // The median of "spiky" is the smallest, its mean is not.
  run.variants = {measured("slow", {3.0, 3.0, 3.0}), measured("spiky", {1.0, 1.0, 7.0}),
                  measured("steady", {2.0, 2.0, 2.0})};
  ASSERT_NE(fastestVariant(run), nullptr);
  EXPECT_EQ(fastestVariant(run)->id, "steady");
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

}  // namespace
}  // namespace stagelane::record
