#include "engine/schedule/generators.h"

#include <gtest/gtest.h>

#include <set>

#include "engine/schedule/lowering.h"
#include "engine/schedule/text_forms.h"

namespace stagelane::schedule {
namespace {

std::string grid(const char* name, int devices, int microBatches) {
  const auto schedule = generate(name, {devices, microBatches, 1});
  EXPECT_TRUE(schedule) << describe(schedule.error());
  return schedule ? toText(*schedule) : "";
}

TEST(Single, AlternatesForwardAndBackward) {
  EXPECT_EQ(grid("single", 1, 1), "0F0 0B0\n");
  EXPECT_EQ(grid("single", 1, 3), "0F0 0B0 0F1 0B1 0F2 0B2\n");
}

TEST(ModelParallel, RunsOneStageAtATime) {
  EXPECT_EQ(grid("model_parallel", 1, 1), "0F0 0B0\n");
  EXPECT_EQ(grid("model_parallel", 3, 1), "0F0 0B0\n1F0 1B0\n2F0 2B0\n");
}

TEST(ModelParallel, TakesADeviceThatComesBack) {
  const auto schedule = generateForStages("model_parallel", {0, 1, 0}, 1);
  ASSERT_TRUE(schedule);
  EXPECT_EQ(toText(*schedule), "0F0 2F0 2B0 0B0\n1F0 1B0\n");
}

TEST(Gpipe, RunsAllForwardsThenAllBackwardsInReverse) {
  // GPipe, figure 2c.
  EXPECT_EQ(grid("gpipe", 2, 4),
            "0F0 0F1 0F2 0F3 0B3 0B2 0B1 0B0\n"
            "1F0 1F1 1F2 1F3 1B3 1B2 1B1 1B0\n");
  EXPECT_EQ(grid("gpipe", 1, 2), "0F0 0F1 0B1 0B0\n");
  EXPECT_EQ(grid("gpipe", 3, 1), "0F0 0B0\n1F0 1B0\n2F0 2B0\n");
}

TEST(Tutorial, HasTheOrderOfGpipeAndOneLoss) {
  EXPECT_EQ(grid("tutorial", 2, 3),
            "0F0 0F1 0F2 0B2 0B1 0B0\n"
            "1F0 1F1 1F2 1B2 1B1 1B0\n");
  EXPECT_EQ(generate("tutorial", {2, 3, 1})->lossMode, LossMode::WholeBatch);
  EXPECT_EQ(generate("gpipe", {2, 3, 1})->lossMode, LossMode::PerMicroBatch);
}

TEST(OneForwardOneBackward, WarmsUpAlternatesAndDrains) {
  EXPECT_EQ(grid("1f1b", 4, 8),
            "0F0 0F1 0F2 0F3 0B0 0F4 0B1 0F5 0B2 0F6 0B3 0F7 0B4 0B5 0B6 0B7\n"
            "1F0 1F1 1F2 1B0 1F3 1B1 1F4 1B2 1F5 1B3 1F6 1B4 1F7 1B5 1B6 1B7\n"
            "2F0 2F1 2B0 2F2 2B1 2F3 2B2 2F4 2B3 2F5 2B4 2F6 2B5 2F7 2B6 2B7\n"
            "3F0 3B0 3F1 3B1 3F2 3B2 3F3 3B3 3F4 3B4 3F5 3B5 3F6 3B6 3F7 3B7\n");
}

TEST(OneForwardOneBackward, WorksWithFewerMicroBatchesThanDevices) {
  EXPECT_EQ(grid("1f1b", 4, 2),
            "0F0 0F1 0B0 0B1\n"
            "1F0 1F1 1B0 1B1\n"
            "2F0 2F1 2B0 2B1\n"
            "3F0 3B0 3F1 3B1\n");
  EXPECT_EQ(grid("1f1b", 1, 2), "0F0 0B0 0F1 0B1\n");
}

TEST(Generators, WriteEachActionOnceWithForwardFirstForAllSizes) {
  for (const std::string& name : availableSchedules()) {
    for (int p = 1; p <= 8; ++p) {
      for (int m = 1; m <= 32; ++m) {
        if ((name == "single" && p > 1) || (name == "model_parallel" && m > 1)) continue;
        const auto schedule = generate(name, {p, m, 1});
        ASSERT_TRUE(schedule) << name << p << m;
        EXPECT_EQ(schedule->stages, p);
        ASSERT_EQ(schedule->actions.size(), static_cast<std::size_t>(p));
        for (int row = 0; row < p; ++row) {
          const auto& actions = schedule->actions[static_cast<std::size_t>(row)];
          ASSERT_EQ(actions.size(), static_cast<std::size_t>(2 * m));
          std::set<int> forwards, backwards;
          for (const Action& action : actions) {
            EXPECT_EQ(action.stage.value, row);
            if (action.kind == ActionKind::Forward) {
              EXPECT_TRUE(forwards.insert(action.microBatch.value).second);
            } else {
              EXPECT_EQ(forwards.count(action.microBatch.value), 1u);
              EXPECT_TRUE(backwards.insert(action.microBatch.value).second);
            }
          }
          EXPECT_EQ(static_cast<int>(backwards.size()), m);
        }
      }
    }
  }
}

TEST(Generators, SayTheRuleThatSizesBreak) {
  const auto words = [](const char* name, Sizes sizes) {
    const auto schedule = generate(name, sizes);
    EXPECT_FALSE(schedule) << name;
    if (!schedule) {
      EXPECT_EQ(schedule.error().code, ErrorCode::Invalid);
    }
    return schedule ? std::string() : describe(schedule.error());
  };
  EXPECT_NE(words("single", {2, 1, 1}).find("one device"), std::string::npos);
  EXPECT_NE(words("model_parallel", {2, 4, 1}).find("one micro-batch"), std::string::npos);
  EXPECT_NE(words("gpipe", {0, 4, 1}).find("from 1 to 1024"), std::string::npos);
  EXPECT_NE(words("gpipe", {2000000000, 4, 1}).find("from 1 to 1024"), std::string::npos);
  EXPECT_NE(words("gpipe", {2, 0, 1}).find("at least one micro-batch"), std::string::npos);
  EXPECT_NE(words("gpipe", {2, -1, 1}).find("at least one micro-batch"), std::string::npos);
  EXPECT_NE(words("gpipe", {1000, 2000000000, 1}).find("20000000"), std::string::npos);
  EXPECT_NE(words("1f1b", {2, 4, 2}).find("one stage on each device"), std::string::npos);
  EXPECT_NE(words("1f1b", {2, 4, 0}).find("at least one chunk"), std::string::npos);
  EXPECT_NE(words("zbv", {2, 4, 2}).find("not available in this version"), std::string::npos);
  EXPECT_NE(words("1f2b", {2, 4, 1}).find("\"1f1b\""), std::string::npos);
  EXPECT_NE(words("", {2, 4, 1}).find("no schedule"), std::string::npos);
}

TEST(GenerateForStages, RefusesLayoutsThatTheMethodDoesNotHave) {
  for (const char* name : {"gpipe", "1f1b", "tutorial"}) {
    const auto schedule = generateForStages(name, {0, 1, 0}, 2);
    ASSERT_FALSE(schedule);
    EXPECT_NE(schedule.error().message.find("3 stages on 2 devices"), std::string::npos);
  }
  EXPECT_FALSE(generateForStages("gpipe", {}, 2));
  EXPECT_FALSE(generateForStages("gpipe", {1, 0}, 2)) << "row 0 is used first";
  EXPECT_FALSE(generateForStages("gpipe", {0, 2}, 2));
  EXPECT_FALSE(generateForStages("gpipe", {-1}, 2));
}

TEST(ScheduleNames, AreTheFifteenOfTheContract) {
  EXPECT_EQ(availableSchedules().size(), 5u);
  EXPECT_EQ(plannedSchedules().size(), 10u);
}

}  // namespace
}  // namespace stagelane::schedule
