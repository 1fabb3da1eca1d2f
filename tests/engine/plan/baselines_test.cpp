#include "engine/plan/baselines.h"

#include <gtest/gtest.h>

namespace stagelane::plan {
namespace {

/// The id of the base of candidates with these times; "" for none.
std::string baseOf(const std::vector<BaseCandidate>& candidates, const std::vector<double>& times,
                   std::vector<std::size_t>* asked = nullptr) {
  const auto base = speedupBase(candidates, [&](std::size_t index) {
    if (asked != nullptr) asked->push_back(index);
    return times.at(index);
  });
  return base ? std::string(candidates[*base].id) : "";
}

const std::vector<BaseCandidate> kAll{{"pipe", "pipeline"},       {"slow", "single"},
                                      {"baseline-mb4", "single"}, {"single-all-cores", "single"},
                                      {"mp", "model_parallel"},   {"mp-2", "model_parallel"}};

TEST(SpeedupBase, IsTheFastestSingleDeviceWithTheThreadsOfOneWorker) {
  EXPECT_EQ(baseOf(kAll, {1, 9, 8, 2, 3, 3}), "baseline-mb4");
  EXPECT_EQ(baseOf(kAll, {1, 7, 8, 2, 3, 3}), "slow");
}

TEST(SpeedupBase, IsTheFastestModelParallelOneWhereNoSingleDeviceHasATime) {
  EXPECT_EQ(baseOf(kAll, {1, 0, 0, 2, 5, 4}), "mp-2");
  EXPECT_EQ(baseOf(kAll, {1, 0, 0, 2, 0, 0}), "") << "all cores never is the base";
  EXPECT_EQ(baseOf({}, {}), "");
}

TEST(SpeedupBase, AsksForTheTimesThatMatterOnly) {
  std::vector<std::size_t> asked;
  baseOf(kAll, {1, 9, 8, 2, 3, 3}, &asked);
  EXPECT_EQ(asked, (std::vector<std::size_t>{1, 2}));
}

TEST(ImplicitIds, AreThoseOfTheVariantsThatAreAdded) {
  EXPECT_EQ(baselineId(12), "baseline-mb12");
  for (const char* id : {"single-all-cores", "baseline-mb12"}) EXPECT_TRUE(isImplicitId(id)) << id;
  for (const char* id : {"single", "baseline-mb", "baseline-mb1x", "baseline", ""}) {
    EXPECT_FALSE(isImplicitId(id)) << id;
  }
}

}  // namespace
}  // namespace stagelane::plan
