#include "engine/schedule/generators.h"

#include <gtest/gtest.h>

#include <set>

#include "engine/schedule/lowering.h"
#include "engine/schedule/text_forms.h"
#include "engine/schedule/unit_play.h"

namespace stagelane::schedule {
namespace {

std::string grid(const char* name, int devices, int microBatches, std::optional<int> chunks = {}) {
  const auto schedule = generate(name, {devices, microBatches, chunks});
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

/// F before its backward, I before W, each stage and micro-batch once on the row of its stage.
void expectEachOnceInOrder(const Schedule& schedule) {
  std::set<std::pair<int, int>> forwards, inputs, done;
  for (std::size_t row = 0; row < schedule.actions.size(); ++row) {
    for (const Action& action : schedule.actions[row]) {
      const std::pair<int, int> key{action.stage.value, action.microBatch.value};
      ASSERT_EQ(schedule.rows.row(key.first, 0), static_cast<int>(row));
      switch (action.kind) {
        case ActionKind::Forward: ASSERT_TRUE(forwards.insert(key).second); break;
        case ActionKind::Backward:
          ASSERT_TRUE(forwards.count(key) && !inputs.count(key) && done.insert(key).second);
          break;
        case ActionKind::BackwardInput:
          ASSERT_TRUE(forwards.count(key) && !done.count(key) && inputs.insert(key).second);
          break;
        case ActionKind::BackwardWeight:
          ASSERT_TRUE(inputs.count(key) && done.insert(key).second);
          break;
        default: FAIL() << cell(action);
      }
    }
  }
  const auto passes = static_cast<std::size_t>(schedule.stages * schedule.microBatches);
  EXPECT_EQ(forwards.size(), passes);
  EXPECT_EQ(done.size(), passes);
}

TEST(Generators, WriteEachActionOnceInOrderForAllSizes) {
  for (const std::string& name : generatedScheduleNames()) {
    int generated = 0;
    for (int p = 1; p <= 8; ++p) {
      for (int m = 1; m <= 32; ++m) {
        for (int v = 1; v <= 3; ++v) {
          const auto schedule = generate(name, {p, m, v});
          if (!schedule) {
            EXPECT_EQ(schedule.error().code, ErrorCode::Invalid);
            continue;
          }
          ++generated;
          SCOPED_TRACE(name + " " + std::to_string(p) + " " + std::to_string(m) + " " +
                       std::to_string(v));
          EXPECT_EQ(schedule->stages, p * v);
          EXPECT_EQ(schedule->microBatches, m);
          expectEachOnceInOrder(*schedule);
          if (HasFailure()) return;
        }
      }
    }
    EXPECT_GE(generated, name == "model_parallel" ? 8 : 32) << name;
  }
}

TEST(Generators, TakeEverySizeThatTheMethodAllows) {
  for (int p = 1; p <= 8; ++p) {
    for (int m = 1; m <= 32; ++m) {
      for (const char* any : {"tutorial", "gpipe", "1f1b", "zb-h1", "zb-h2", "zbv", "v-half",
                              "v-min", "looped-bfs"}) {
        EXPECT_TRUE(generate(any, {p, m, {}})) << any << ' ' << p << ' ' << m;
      }
      EXPECT_EQ(generate("dualpipev", {p, m, {}}).has_value(), m >= 2 * p);
      for (int v = 1; v <= 3; ++v) {
        EXPECT_TRUE(generate("looped-bfs", {p, m, v}));
        const bool grouped = v == 1 || m % p == 0;
        EXPECT_EQ(generate("interleaved-1f1b", {p, m, v}).has_value(), grouped);
        EXPECT_EQ(generate("interleaved-zero-bubble", {p, m, v}).has_value(), grouped);
      }
    }
  }
}

TEST(Generators, ComeToAnEndFarBeyondTheGrid) {
  for (const std::string& name : generatedScheduleNames()) {
    if (name == "single" || name == "model_parallel") continue;
    for (const int p : {9, 10, 11, 12, 29, 64, 100}) {
      for (const int m : {1, 2, p - 1, p, 2 * p, 3 * p, 5 * p}) {
        const auto schedule = generate(name, {p, m, {}});
        if (schedule) {
          EXPECT_TRUE(playUnits(*schedule).complete) << name << ' ' << p << ' ' << m;
        }
      }
    }
  }
}

TEST(Generators, HaveTwoChunksWhereTheMethodIsAboutChunks) {
  EXPECT_EQ(generate("zbv", {3, 6, {}})->stages, 6);
  EXPECT_EQ(generate("interleaved-1f1b", {3, 6, {}})->stages, 6);
  EXPECT_EQ(generate("zb-h1", {3, 6, {}})->stages, 3);
}

TEST(Generators, WithOneChunkAreTheMethodsWithoutChunks) {
  for (int p = 1; p <= 5; ++p) {
    for (int m = 1; m <= 9; ++m) {
      EXPECT_EQ(generate("interleaved-1f1b", {p, m, 1})->actions,
                generate("1f1b", {p, m, 1})->actions);
      EXPECT_EQ(generate("looped-bfs", {p, m, 1})->actions, generate("gpipe", {p, m, 1})->actions);
      EXPECT_EQ(generate("interleaved-zero-bubble", {p, m, 1})->actions,
                generate("zb-h1", {p, m, 1})->actions);
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
  EXPECT_NE(words("1f1b", {2, 4, 0}).find("from 1 to 1024 chunks"), std::string::npos);
  EXPECT_NE(words("auto", {2, 4, 2}).find("search over costs"), std::string::npos);
  EXPECT_NE(words("zbv", {2, 4, 1}).find("two stages on each device, not 1"), std::string::npos);
  EXPECT_NE(words("v-min", {2, 4, 3}).find("two stages on each device, not 3"), std::string::npos);
  EXPECT_NE(words("looped-bfs", {2, 4, 5000}).find("from 1 to 1024 chunks, not 5000"),
            std::string::npos);
  for (const char* name : {"interleaved-1f1b", "interleaved-zero-bubble"}) {
    const std::string rule = words(name, {4, 6, 2});
    EXPECT_NE(rule.find("a multiple of the 4 devices, but there are 6"), std::string::npos) << rule;
    EXPECT_NE(rule.find("Use 4 or 8 micro-batches"), std::string::npos) << rule;
  }
  EXPECT_NE(words("dualpipev", {4, 7, {}}).find("at least two micro-batches for each device, 8"),
            std::string::npos);
  EXPECT_NE(words("1f2b", {2, 4, 1}).find("\"1f1b\""), std::string::npos);
  EXPECT_NE(words("", {2, 4, 1}).find("unknown schedule \"\""), std::string::npos);
}

TEST(GenerateForStages, RefusesLayoutsThatTheMethodDoesNotHave) {
  const auto words = [](const char* name, const std::vector<int>& rows) {
    const auto schedule = generateForStages(name, rows, 4);
    EXPECT_FALSE(schedule) << name;
    return schedule ? std::string() : schedule.error().message;
  };
  for (const char* name : {"gpipe", "1f1b", "tutorial", "zb-h1", "zb-h2"}) {
    EXPECT_NE(words(name, {0, 1, 0}).find("3 stages on 2 devices"), std::string::npos);
  }
  for (const char* name : {"zbv", "v-half", "v-min", "dualpipev"}) {
    EXPECT_NE(words(name, {0, 1}).find("two stages on each device"), std::string::npos);
    EXPECT_NE(words(name, {0, 1, 0, 1}).find("in a V"), std::string::npos);
    EXPECT_TRUE(generateForStages(name, {0, 1, 1, 0}, 4));
  }
  for (const char* name : {"interleaved-1f1b", "looped-bfs", "interleaved-zero-bubble"}) {
    EXPECT_NE(words(name, {0, 1, 1, 0}).find("in a loop"), std::string::npos);
    EXPECT_NE(words(name, {0, 1, 0}).find("3 stages on 2 devices"), std::string::npos);
    EXPECT_TRUE(generateForStages(name, {0, 1, 0, 1}, 4));
  }
  EXPECT_FALSE(generateForStages("gpipe", {}, 2));
  EXPECT_FALSE(generateForStages("gpipe", {1, 0}, 2)) << "row 0 is used first";
  EXPECT_FALSE(generateForStages("gpipe", {0, 2}, 2));
  EXPECT_FALSE(generateForStages("gpipe", {-1}, 2));
}

}  // namespace
}  // namespace stagelane::schedule
