#include "engine/run/calibrate/rank_plan.h"

#include <gmock/gmock.h>

#include "tests/engine/run/run_fixture.h"

namespace stagelane::run {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

const DeviceId kFirst{"cpu:0"};
const DeviceId kSecond{"cpu:1"};

plan::Experiment twoWorkers(const std::string& variants) {
  return test::experimentOf(test::toy("8", R"("variants":[)" + variants + "]"));
}
const std::string kPipeline =
    R"({"name":"p","strategy":"pipeline","schedule":"1f1b","split_size":4,)" + test::kToyStages +
    "}";

TEST(RankPlan, HasBothDirectionsOfTheRanksThatAVariantUses) {
  const auto plan = test::valueOf(planBetweenRanks(twoWorkers(kPipeline), 2, /*dealt=*/true));
  ASSERT_EQ(plan.links.size(), 2U);
  EXPECT_EQ(plan.links[0].from, 0);
  EXPECT_EQ(plan.links[0].to, 1);
  EXPECT_THAT(plan.links[0].devices, ElementsAre(Pair(kFirst, kSecond)));
  EXPECT_EQ(plan.links[1].from, 1);
  EXPECT_THAT(plan.links[1].devices, ElementsAre(Pair(kSecond, kFirst)));
  EXPECT_THAT(plan.summing, IsEmpty());
}

TEST(RankPlan, HasNothingWithinOneProcess) {
  const auto plan = test::valueOf(planBetweenRanks(twoWorkers(kPipeline), 2, /*dealt=*/false));
  EXPECT_EQ(plan, RankPlan{});
}

TEST(RankPlan, HasTheRanksThatSumGradientsOnce) {
  const std::string ddp = R"({"name":"d","strategy":"ddp"})";
  const std::string other = R"({"name":"e","strategy":"ddp","bucket_mb":5})";
  const auto plan = test::valueOf(planBetweenRanks(twoWorkers(ddp + "," + other), 2, false));
  EXPECT_THAT(plan.summing, ElementsAre(ElementsAre(0, 1)));
  EXPECT_THAT(plan.links, IsEmpty());
}

TEST(RankPlan, NeedsEnoughProcesses) {
  const auto plan = planBetweenRanks(twoWorkers(R"({"name":"d","strategy":"ddp"})"), 1, false);
  ASSERT_FALSE(plan.has_value());
  EXPECT_EQ(plan.error().code, ErrorCode::Invalid);
}

}  // namespace
}  // namespace stagelane::run
