#include "engine/schedule/lowering.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "engine/base/files.h"
#include "engine/schedule/generators.h"
#include "engine/schedule/text_forms.h"
#include "tests/support/paths.h"

namespace stagelane::schedule {
namespace {

std::string rowText(const LoweredSchedule& lowered, std::size_t row) {
  std::string text;
  for (const LoweredAction& action : lowered.actions[row]) {
    if (!text.empty()) text += ' ';
    text += cell({action.kind, action.stage, action.microBatch});
    if (action.peer >= 0) text += "@" + std::to_string(action.peer);
  }
  return text;
}

LoweredSchedule lowered(const char* name, int devices, int microBatches) {
  return lower(*generate(name, {devices, microBatches, {}}));
}

TEST(Lower, AddsLossTransfersAndOptimizer) {
  const LoweredSchedule schedule = lowered("1f1b", 2, 2);
  EXPECT_EQ(rowText(schedule, 0),
            "0F0 0SEND_F0@1 0F1 0SEND_F1@1 0RECV_B0@1 0B0 0RECV_B1@1 0B1 OPT");
  EXPECT_EQ(rowText(schedule, 1),
            "1RECV_F0@0 1F0 1LOSS0 1B0 1SEND_B0@0 1RECV_F1@0 1F1 1LOSS1 1B1 1SEND_B1@0 OPT");
  EXPECT_EQ(schedule.actionCount, 20u);
}

TEST(Lower, AddsOneLossForTheWholeBatchOfTheTutorial) {
  EXPECT_EQ(rowText(lowered("tutorial", 2, 2), 1),
            "1RECV_F0@0 1F0 1RECV_F1@0 1F1 1LOSS 1B1 1SEND_B1@0 1B0 1SEND_B0@0 OPT");
}

TEST(Lower, AddsNoTransfersOnOneDevice) {
  EXPECT_EQ(rowText(lowered("single", 1, 1), 0), "0F0 0LOSS0 0B0 OPT");
}

TEST(Lower, AddsNoTransferBetweenStagesOfOneDeviceAndOneOptimizerAStage) {
  const LoweredSchedule schedule = lower(*generateForStages("model_parallel", {0, 0, 1, 0}, 1));
  EXPECT_EQ(
      rowText(schedule, 0),
      "0F0 1F0 1SEND_F0@1 3RECV_F0@1 3F0 3LOSS0 3B0 3SEND_B0@1 1RECV_B0@1 1B0 0B0 OPT OPT OPT");
  EXPECT_TRUE(validate(schedule));
}

TEST(Lower, TreatsInputAndWeightHalvesAsABackward) {
  const auto schedule = fromCsv("0F0,0I0,0W0\n1F0,1I0,1W0\n", "test");
  ASSERT_TRUE(schedule);
  const LoweredSchedule both = lower(*schedule);
  EXPECT_EQ(rowText(both, 0), "0F0 0SEND_F0@1 0RECV_B0@1 0I0 0W0 OPT");
  EXPECT_EQ(rowText(both, 1), "1RECV_F0@0 1F0 1LOSS0 1I0 1SEND_B0@0 1W0 OPT");
  EXPECT_TRUE(validate(both));
}

TEST(Lower, HasNoTransferAtTheTurnOfAV) {
  const LoweredSchedule schedule = lowered("zbv", 2, 1);
  EXPECT_EQ(rowText(schedule, 0),
            "0F0 0SEND_F0@1 3RECV_F0@1 3F0 3LOSS0 3I0 3SEND_B0@1 3W0 0RECV_B0@1 0I0 0W0 OPT OPT");
  EXPECT_EQ(rowText(schedule, 1),
            "1RECV_F0@0 1F0 2F0 2SEND_F0@0 2RECV_B0@0 2I0 2W0 1I0 1SEND_B0@0 1W0 OPT OPT");
}

TEST(Lower, AddsUpTheGradientsOfTiedStagesBeforeAnyUpdateOfTheirRow) {
  const LoweredSchedule schedule = lower(*generate("1f1b", {3, 1, 1}), {{0, 2}});
  EXPECT_EQ(rowText(schedule, 0), "0F0 0SEND_F0@1 0RECV_B0@1 0B0 0REDUCE OPT");
  EXPECT_EQ(rowText(schedule, 1), "1RECV_F0@0 1F0 1SEND_F0@2 1RECV_B0@2 1B0 1SEND_B0@0 OPT");
  EXPECT_EQ(rowText(schedule, 2), "2RECV_F0@1 2F0 2LOSS0 2B0 2SEND_B0@1 2REDUCE OPT");
  EXPECT_TRUE(validate(schedule));
  // Several groups and several stages per row: one REDUCE per tied stage, all before the first OPT.
  const LoweredSchedule v = lower(*generate("zbv", {2, 1, 2}), {{0, 3}, {1, 3}});
  const std::string row = rowText(v, 0);
  EXPECT_EQ(row.substr(row.find("0REDUCE")), "0REDUCE 3REDUCE OPT OPT");
  EXPECT_TRUE(validate(v));
}

/// The channel capacity that methods with chunks that wrap around need; all others need one.
int capacityFor(const std::string& name, int p, int m) {
  if (name == "looped-bfs") return (m + p - 1) / p;
  if (name == "interleaved-zero-bubble") return p / 2 + 1;
  return 1;
}

TEST(Validate, AcceptsEveryGeneratedSchedule) {
  for (const std::string& name : generatedScheduleNames()) {
    for (int p = 1; p <= 8; ++p) {
      for (int m = 1; m <= 32; ++m) {
        for (int v = 1; v <= 3; ++v) {
          const auto schedule = generate(name, {p, m, v});
          if (!schedule) continue;
          const LoweredSchedule list = lower(*schedule, {{0, schedule->stages - 1}});
          const LoweredSchedule plain = lower(*schedule);
          for (const Status& status :
               {validate(plain), validate(plain, capacityFor(name, p, m)),
                schedule->stages > 1 ? validate(list, capacityFor(name, p, m)) : Status{}}) {
            EXPECT_TRUE(status) << name << " " << p << " " << m << " " << v << ": "
                                << describe(status.error());
          }
        }
      }
    }
  }
}

TEST(Validate, AcceptsTheSchedulesOfTorchDistributedPipelining) {
  const auto index = readJsonFile(checkout::testData() + "/schedules/index.json");
  ASSERT_TRUE(index);
  ASSERT_EQ(index->size(), 36u);
  for (const Json& entry : *index) {
    const std::string path =
        checkout::testData() + "/schedules/" + entry["file"].get<std::string>();
    const auto schedule = fromCsv(*readFile(path), path);
    ASSERT_TRUE(schedule) << describe(schedule.error());
    EXPECT_EQ(schedule->devices, entry["devices"].get<int>());
    EXPECT_EQ(schedule->microBatches, entry["microbatches"].get<int>());
    const auto status = validate(lower(*schedule));
    EXPECT_TRUE(status) << path << ": " << describe(status.error());
  }
}

/// Schedules that are small enough to change in every way.
std::vector<LoweredSchedule> samples() {
  const auto halves = fromCsv("0F0,0F1,0I0,0W0,0I1,0W1\n1F0,1I0,1F1,1W0,1I1,1W1\n", "test");
  return {lowered("1f1b", 3, 3),
          lowered("gpipe", 2, 3),
          lowered("tutorial", 2, 2),
          lowered("single", 1, 2),
          lowered("model_parallel", 3, 1),
          lower(*halves),
          lowered("zbv", 2, 3),
          lowered("dualpipev", 2, 4),
          lowered("v-min", 3, 2),
          lowered("interleaved-1f1b", 2, 2),
          lower(*generate("interleaved-zero-bubble", {2, 2, 2}), {{0, 3}}),
          lower(*generate("zb-h1", {3, 3, 1}), {{0, 2}, {1, 2}}),
          lower(*generateForStages("model_parallel", {0, 1, 0}, 1))};
}

TEST(Validate, CatchesEveryDroppedAction) {
  for (const LoweredSchedule& sample : samples()) {
    for (std::size_t row = 0; row < sample.actions.size(); ++row) {
      for (std::size_t i = 0; i < sample.actions[row].size(); ++i) {
        LoweredSchedule broken = sample;
        broken.actions[row].erase(broken.actions[row].begin() + static_cast<std::ptrdiff_t>(i));
        broken.actionCount -= 1;
        EXPECT_FALSE(validate(broken)) << rowText(broken, row);
      }
    }
  }
}

TEST(Validate, CatchesEveryDuplicatedAction) {
  for (const LoweredSchedule& sample : samples()) {
    for (std::size_t row = 0; row < sample.actions.size(); ++row) {
      for (std::size_t i = 0; i < sample.actions[row].size(); ++i) {
        LoweredSchedule broken = sample;
        broken.actions[row].push_back(broken.actions[row][i]);
        broken.actionCount += 1;
        const auto status = validate(broken);
        ASSERT_FALSE(status) << rowText(broken, row);
        EXPECT_NE(status.error().message.find("row " + std::to_string(row)), std::string::npos);
      }
    }
  }
}

TEST(Validate, CatchesEveryActionOnAnotherRow) {
  for (const LoweredSchedule& sample : samples()) {
    for (std::size_t row = 0; row < sample.actions.size(); ++row) {
      for (std::size_t other = 0; other < sample.actions.size(); ++other) {
        if (other == row) continue;
        for (std::size_t i = 0; i < sample.actions[row].size(); ++i) {
          LoweredSchedule broken = sample;
          broken.actions[other].push_back(broken.actions[row][i]);
          broken.actions[row].erase(broken.actions[row].begin() + static_cast<std::ptrdiff_t>(i));
          EXPECT_FALSE(validate(broken));
        }
      }
    }
  }
}

/// True if a row may do `second` before `first`, because neither needs the other.
bool independent(const LoweredSchedule& sample, const LoweredAction& first,
                 const LoweredAction& second) {
  if (first.kind == second.kind && !first.microBatch.valid()) return true;
  if (first.kind == ActionKind::Reduce && second.kind == ActionKind::Optimizer) return false;
  if (isTransfer(first.kind) && second.kind == ActionKind::Optimizer) return true;
  if (first.kind == ActionKind::Optimizer || second.kind == ActionKind::Optimizer) {
    return first.stage != second.stage;
  }
  const bool whole = sample.source.lossMode == LossMode::WholeBatch &&
                     (first.kind == ActionKind::Loss || second.kind == ActionKind::Loss);
  if (whole) return first.stage != second.stage;
  return first.microBatch != second.microBatch || first.stage != second.stage;
}

TEST(Validate, CatchesEverySwapOfDependentNeighbors) {
  for (const LoweredSchedule& sample : samples()) {
    for (std::size_t row = 0; row < sample.actions.size(); ++row) {
      for (std::size_t i = 0; i + 1 < sample.actions[row].size(); ++i) {
        const LoweredAction first = sample.actions[row][i];
        const LoweredAction second = sample.actions[row][i + 1];
        LoweredSchedule swapped = sample;
        std::swap(swapped.actions[row][i], swapped.actions[row][i + 1]);
        if (independent(sample, first, second)) continue;
        // W and the SEND_B of the same micro-batch both follow I and do not need each other.
        const bool weightAndSend =
            (first.kind == ActionKind::SendBackward && second.kind == ActionKind::BackwardWeight);
        EXPECT_EQ(validate(swapped).has_value(), weightAndSend) << rowText(swapped, row);
      }
    }
  }
}

TEST(Validate, NamesRowActionStageAndMicroBatch) {
  LoweredSchedule broken = lowered("1f1b", 2, 2);
  // Row 1 does B1 before its forward.
  auto& row = broken.actions[1];
  const auto backward = std::find_if(row.begin(), row.end(), [](const LoweredAction& action) {
    return action.kind == ActionKind::Backward && action.microBatch.value == 1;
  });
  const LoweredAction moved = *backward;
  row.erase(backward);
  row.insert(row.begin(), moved);
  const auto status = validate(broken);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message,
            "device row 1: 1B1 (stage 1, micro-batch 1) comes before its 1F1");
  EXPECT_EQ(status.error().code, ErrorCode::Invalid);
}

TEST(Validate, NamesTheActionThatAFileLeftOut) {
  const auto words = [](const char* csv) {
    const auto schedule = fromCsv(csv, "test");
    EXPECT_TRUE(schedule) << csv;
    const auto status = schedule ? validate(lower(*schedule)) : Status{};
    EXPECT_FALSE(status) << csv;
    return status ? std::string() : status.error().message;
  };
  EXPECT_EQ(words("0F0,0I0,0F1,0I1,0W1\n1F0,1B0,1F1,1B1\n"),
            "device row 0: 0W0 (stage 0, micro-batch 0) is missing");
  EXPECT_EQ(words("0F0,0F1,0B0,0B1\n1F0,1B0,1F1\n"),
            "device row 1: 1B1 (stage 1, micro-batch 1) is missing");
  EXPECT_EQ(words("0F0,0B0,0B1\n1F0,1B0,1F1,1B1\n"),
            "device row 0: 0F1 (stage 0, micro-batch 1) is missing");
  EXPECT_EQ(words("0F5,0B5\n"), "device row 0: 0F0 (stage 0, micro-batch 0) is missing");
  EXPECT_EQ(words("0F0,0F0,0B0\n"), "device row 0: 0F0 (stage 0, micro-batch 0) appears twice");
  EXPECT_EQ(words("0F0,0B0,0I0,0W0\n"),
            "device row 0: 0I0 (stage 0, micro-batch 0) repeats a completed backward");
}

/// Every action of a file removed, repeated, or swapped with its neighbor where that matters: the
/// error names the row, and the action if it was removed or repeated.
TEST(Validate, NamesWhatIsWrongInEveryBrokenFile) {
  for (const char* name : {"1f1b", "zb-h1", "zbv", "interleaved-1f1b"}) {
    const Schedule sound = *generate(name, {2, 4, {}});
    for (std::size_t row = 0; row < sound.actions.size(); ++row) {
      for (std::size_t i = 0; i < sound.actions[row].size(); ++i) {
        const std::string action = cell(sound.actions[row][i]);
        Schedule broken = sound;
        broken.actions[row].erase(broken.actions[row].begin() + static_cast<std::ptrdiff_t>(i));
        auto status = validate(lower(*fromCsv(toCsv(broken), "test")));
        ASSERT_FALSE(status) << name << action;
        EXPECT_EQ(status.error().message.find("device row " + std::to_string(row) + ": " + action),
                  0u)
            << status.error().message;
        broken = sound;
        broken.actions[row].push_back(sound.actions[row][i]);
        status = validate(lower(*fromCsv(toCsv(broken), "test")));
        ASSERT_FALSE(status) << name << action;
        EXPECT_EQ(status.error().message.find("device row " + std::to_string(row) + ": " + action),
                  0u)
            << status.error().message;
      }
    }
  }
}

TEST(Validate, ProvesADeadlockBetweenDevices) {
  // Each row alone is in order. Together, row 0 waits for the gradient of micro-batch 0 before it
  // sends micro-batch 1, and row 1 waits for micro-batch 1 before it sends that gradient.
  const auto schedule = fromCsv("0F0,0B0,0F1,0B1\n1F0,1F1,1B0,1B1\n", "test");
  ASSERT_TRUE(schedule);
  const auto status = validate(lower(*schedule));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message,
            "device row 0: 0RECV_B0 (stage 0, micro-batch 0) waits forever: the devices wait for "
            "each other (deadlock)");
}

TEST(Validate, SaysWhatIsWrongWithAReduce) {
  const LoweredSchedule sample = lower(*generate("1f1b", {2, 2, 1}), {{0, 1}});
  const auto words = [&](const std::function<void(LoweredSchedule&)>& change) {
    LoweredSchedule broken = sample;
    change(broken);
    const auto status = validate(broken);
    EXPECT_FALSE(status);
    return status ? std::string() : status.error().message;
  };
  // Row 1 ends in … 1B1 1SEND_B1 1REDUCE OPT.
  EXPECT_EQ(words([](LoweredSchedule& list) {
              auto& row = list.actions[1];
              std::swap(row[row.size() - 1], row[row.size() - 2]);
            }),
            "device row 1: OPT (stage 1) comes before the REDUCE of its stage");
  EXPECT_EQ(words([](LoweredSchedule& list) {
              auto& row = list.actions[1];
              const LoweredAction reduce = row[row.size() - 2];
              row.erase(row.end() - 2);
              row.insert(row.begin(), reduce);
            }),
            "device row 1: 1REDUCE (stage 1) comes before the weight gradient of micro-batch 0");
  EXPECT_EQ(words([](LoweredSchedule& list) { list.tied.clear(); }),
            "device row 0: 0REDUCE (stage 0) belongs to a stage that has neither replicas "
            "nor shared parameters");
  EXPECT_NE(words([](LoweredSchedule& list) {
              list.tied = {{1, 0}};
            }).find("ascending"),
            std::string::npos);
  EXPECT_NE(words([](LoweredSchedule& list) {
              list.tied = {{0, 7}};
            }).find("ascending"),
            std::string::npos);
}

TEST(Validate, SaysWhichSendFindsNoRoomInABoundedChannel) {
  // Row 0 sends two outputs before row 1, which waits for its gradient first, receives the second.
  const LoweredSchedule breadth = lowered("looped-bfs", 2, 4);
  EXPECT_TRUE(validate(breadth, 2));
  const auto status = validate(breadth, 1);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message,
            "device row 0: 0SEND_F3 (stage 0, micro-batch 3) waits forever for room in a channel "
            "of 1: the devices wait for each other (deadlock)");
  EXPECT_FALSE(validate(breadth, 0)) << "a channel holds at least one";
}

TEST(Validate, RefusesNumbersOutsideTheSchedule) {
  const LoweredSchedule sample = lowered("1f1b", 2, 2);
  for (const int value : {-2, -1, 2, 1000000}) {
    LoweredSchedule broken = sample;
    broken.actions[0][0].stage = StageId{value};
    EXPECT_FALSE(validate(broken));
    broken = sample;
    broken.actions[0][0].microBatch = MicroBatchId{value};
    EXPECT_FALSE(validate(broken));
    broken = sample;
    broken.actions[0][1].peer = value;
    EXPECT_FALSE(validate(broken));
    broken = sample;
    broken.source.rows = {0, value};
    EXPECT_FALSE(validate(broken));
  }
  LoweredSchedule broken = sample;
  broken.actions[0][0].kind = ActionKind::Reduce;
  EXPECT_FALSE(validate(broken));
  broken = sample;
  broken.actionCount = 3;
  EXPECT_FALSE(validate(broken));
  broken = sample;
  broken.source.devices = 3;
  EXPECT_FALSE(validate(broken));
  EXPECT_FALSE(validate(LoweredSchedule{}));
}

}  // namespace
}  // namespace stagelane::schedule
