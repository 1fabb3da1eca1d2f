#include "engine/plan/strategies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/schedule/methods.h"

namespace stagelane::plan {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(Strategies, HaveAllNamesThatExperimentFilesAlreadySay) {
  EXPECT_THAT(
      strategyNames(&StrategyRow::available),
      ElementsAre("single", "model_parallel", "pipeline", "data_parallel", "ddp", "hogwild"));
  EXPECT_THAT(strategyNames(&StrategyRow::available, false), ElementsAre("offload"));
}

TEST(Strategies, AreFoundByValueAndByName) {
  for (const StrategyRow& row : strategies()) {
    EXPECT_EQ(&strategyRow(row.strategy), &row) << row.name;
    EXPECT_EQ(&strategyRow(row.name), &row) << row.name;
  }
  for (const char* name : {"", "Single", "1f1b"}) {
    EXPECT_EQ(strategyRow(name).name, "") << name;
    EXPECT_FALSE(strategyRow(name).available) << name;
  }
}

TEST(Strategies, OfThisVersionHaveWordsAndASchedule) {
  for (const StrategyRow& row : strategies()) {
    if (!row.available) continue;
    SCOPED_TRACE(row.name);
    EXPECT_THAT(std::string(row.title), Not(IsEmpty()));
    EXPECT_THAT(std::string(row.description), Not(IsEmpty()));
    EXPECT_THAT(std::string(row.description), Not(EndsWith(".")));
    EXPECT_NE(schedule::methodNamed(row.schedule), nullptr);
    EXPECT_EQ(schedule::isPipelineSchedule(row.schedule), row.pipelined);
    EXPECT_FALSE(row.pipelined && !row.splits);
  }
}

TEST(Strategies, AreListedInWords) {
  EXPECT_EQ(inWords({}), "");
  EXPECT_EQ(inWords({"a"}), "a");
  EXPECT_EQ(inWords({"a", "b"}), "a or b");
  EXPECT_EQ(inWords({"a", "b", "c"}, " and "), "a, b and c");
}

}  // namespace
}  // namespace stagelane::plan
