#include "ui/plan/strategy_memory.h"

#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

Json documentWith(Json variant) {
  return {{"name", "t"}, {"variants", Json::array({std::move(variant)})}};
}

const QString kTab = QStringLiteral("p");

TEST(StrategyMemory, BringsBackAListOfSplitSizesAndThePlacement) {
  const Json pipeline{{"name", "p"},
                      {"strategy", "pipeline"},
                      {"schedule", "zbv"},
                      {"split_size", {4, 8, 16}},
                      {"placement", "optimal"}};
  StrategyMemory memory;
  memory.keep(kTab, pipeline);
  const Json back = memory.restored(kTab,
                                    documentWith({{"name", "p"},
                                                  {"strategy", "pipeline"},
                                                  {"schedule", "1f1b"},
                                                  {"split_size", 8},
                                                  {"placement", {{"", "cpu:0"}}}}),
                                    0);
  EXPECT_EQ(back["variants"][0], pipeline);
}

TEST(StrategyMemory, LeavesWhatItNeverSawAndWhatIsNoMatterOfTheStrategy) {
  StrategyMemory memory;
  memory.keep(kTab, {{"name", "p"}, {"strategy", "pipeline"}, {"recompute", "always"}});
  const Json single = documentWith({{"name", "p"}, {"strategy", "single"}, {"device", "cpu:0"}});
  EXPECT_EQ(memory.restored(kTab, single, 0), single);
  const Json other = documentWith({{"name", "q"}, {"strategy", "pipeline"}, {"split_size", 2}});
  EXPECT_EQ(memory.restored(QStringLiteral("q"), other, 0), other);
  const Json renamed = documentWith({{"name", "new"}, {"strategy", "pipeline"}});
  EXPECT_EQ(memory.restored(kTab, renamed, 0)["variants"][0]["name"], "new");
  EXPECT_FALSE(memory.restored(kTab, renamed, 0)["variants"][0].contains("recompute"));
}

}  // namespace
}  // namespace stagelane::ui
