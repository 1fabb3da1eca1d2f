#include "engine/search/advice.h"

#include <gmock/gmock.h>

namespace stagelane::search {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Advice, HasASourceForEachKindOfSeveralDevices) {
  for (const plan::StrategyRow& row : plan::strategies()) {
    const Advice* advice = adviceOn(row, 1);
    const bool severalDevices = row.available && !row.oneDevice;
    ASSERT_EQ(advice != nullptr, severalDevices) << row.name;
    if (advice == nullptr) continue;
    EXPECT_THAT(advice->text, Not(IsEmpty()));
    EXPECT_NE(advice->text.back(), '.');
    EXPECT_THAT(advice->source, Not(IsEmpty()));
    EXPECT_THAT(advice->url, StartsWith("https://"));
  }
}

TEST(Advice, TellsReplicasInOneProcessFromThoseInSeveral) {
  const Advice* together = adviceOn(plan::strategyRow("data_parallel"), 2);
  const Advice* apart = adviceOn(plan::strategyRow("ddp"), 2);
  ASSERT_NE(together, nullptr);
  ASSERT_NE(apart, nullptr);
  EXPECT_THAT(together->text, HasSubstr("DistributedDataParallel"));
  EXPECT_NE(together->text, apart->text);
}

TEST(Advice, OnPipelinesDependsOnTheirReplicas) {
  const plan::StrategyRow& pipeline = plan::pipelineStrategy();
  EXPECT_NE(adviceOn(pipeline, 1), adviceOn(pipeline, 2));
  EXPECT_EQ(adviceOn(pipeline, 2), adviceOn(pipeline, 4));
}

}  // namespace
}  // namespace stagelane::search
