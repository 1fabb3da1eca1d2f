// Replicas of a pipeline are pipelines of their own over every n-th micro-batch.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/schedule/generators.h"
#include "engine/schedule/lowering.h"
#include "engine/schedule/text_forms.h"

namespace stagelane::schedule {
namespace {

using ::testing::HasSubstr;

/// Stages in a schedule's layout, whose device d is row d·n + r in replica r of n.
struct Replicated {
  std::vector<int> single;  ///< of one replica
  StageRows rows;
};

Replicated replicated(const std::string& name, int devices, int replicas) {
  const ScheduleLayout layout = layoutOf(name);
  Replicated answer{rowsOfStages(layout.layout, devices, layout.chunks), {}};
  std::vector<std::vector<int>> groups;
  for (const int row : answer.single) {
    groups.emplace_back();
    for (int replica = 0; replica < replicas; ++replica) {
      groups.back().push_back(row * replicas + replica);
    }
  }
  answer.rows = StageRows::ofReplicas(groups);
  return answer;
}

std::string grid(const char* name, const StageRows& rows, int microBatches) {
  const auto schedule = generateForStages(name, rows, microBatches);
  EXPECT_TRUE(schedule) << describe(schedule.error());
  return schedule ? toText(*schedule) : "";
}

std::string refusal(const char* name, const StageRows& rows, int microBatches) {
  const Status status = suits(name, rows, microBatches);
  EXPECT_FALSE(status);
  EXPECT_FALSE(generateForStages(name, rows, microBatches));
  if (status) return "";
  EXPECT_EQ(status.error().code, ErrorCode::Invalid);
  return describe(status.error());
}

TEST(ReplicatedSchedules, LetReplicasTakeTurnsWithTheMicroBatches) {
  EXPECT_EQ(grid("single", StageRows::ofReplicas({{0, 1}}), 2), "0F0 0B0\n0F1 0B1\n");
  EXPECT_EQ(grid("single", StageRows::ofReplicas({{0, 1}}), 5),
            "0F0 0B0 0F2 0B2 0F4 0B4\n0F1 0B1 0F3 0B3\n");
  EXPECT_EQ(grid("gpipe", StageRows::ofReplicas({{0, 1}, {2, 3}}), 4),
            "0F0 0F2 0B2 0B0\n0F1 0F3 0B3 0B1\n1F0 1F2 1B2 1B0\n1F1 1F3 1B3 1B1\n");
  EXPECT_EQ(grid("1f1b", StageRows::ofReplicas({{0, 2}, {1, 3}}), 5),
            "0F0 0F2 0B0 0F4 0B2 0B4\n1F0 1B0 1F2 1B2 1F4 1B4\n"
            "0F1 0F3 0B1 0B3\n1F1 1B1 1F3 1B3\n");
}

/// Whether there is a schedule; if so, it is that of each replica and valid.
bool isThatOfItsReplicas(const std::string& name, int devices, int replicas, int microBatches) {
  const Replicated stages = replicated(name, devices, replicas);
  const auto whole = generateForStages(name, stages.rows, microBatches);
  bool all = true;
  for (int replica = 0; replica < replicas; ++replica) {
    const int own = (microBatches - replica + replicas - 1) / replicas;
    const auto one = generateForStages(name, StageRows(stages.single), own);
    all = all && one.has_value();
    for (int row = 0; whole && one && row < devices; ++row) {
      std::vector<Action> expected = one->actions[static_cast<std::size_t>(row)];
      for (Action& action : expected) {
        action.microBatch.value = action.microBatch.value * replicas + replica;
      }
      EXPECT_EQ(whole->actions[static_cast<std::size_t>(row * replicas + replica)], expected);
    }
  }
  EXPECT_EQ(whole.has_value(), all && microBatches >= replicas);
  if (!whole) return false;
  EXPECT_EQ(whole->microBatches, microBatches);
  const Status valid = validate(lower(*whole));
  EXPECT_TRUE(valid) << describe(valid.error());
  return true;
}

TEST(ReplicatedSchedules, AreThoseOfEachReplicaForAllMethodsAndSizes) {
  for (const std::string& name : generatedScheduleNames()) {
    if (methodNamed(name)->lossMode == LossMode::WholeBatch) continue;
    int generated = 0;
    for (int p = 1; p <= 3; ++p) {
      for (int replicas = 2; replicas <= 3; ++replicas) {
        for (int m = 1; m <= 4 * p * replicas + 1; ++m) {
          SCOPED_TRACE(name + " " + std::to_string(p) + " " + std::to_string(replicas) + " " +
                       std::to_string(m));
          generated += isThatOfItsReplicas(name, p, replicas, m) ? 1 : 0;
          if (HasFailure()) return;
        }
      }
    }
    EXPECT_GE(generated, name == "model_parallel" ? 6 : 10) << name;
  }
}

TEST(ReplicatedSchedules, NeedTheSameReplicasOfEveryStageOnDevicesOfTheirOwn) {
  EXPECT_THAT(refusal("gpipe", StageRows::ofReplicas({{0, 1}, {2}}), 4),
              HasSubstr("stage 1 has 1 replicas, but stage 0 has 2"));
  EXPECT_THAT(refusal("gpipe", StageRows::ofReplicas({{0}, {1, 2}}), 4),
              HasSubstr("stage 1 has 2 replicas, but stage 0 has 1"));
  EXPECT_THAT(refusal("gpipe", StageRows::ofReplicas({{0, 1}, {1, 0}}), 4),
              HasSubstr("a device has stages of two replicas"));
}

TEST(ReplicatedSchedules, NeedAMicroBatchForEachReplica) {
  const StageRows rows = StageRows::ofReplicas({{0, 1, 2}, {3, 4, 5}});
  EXPECT_THAT(refusal("gpipe", rows, 2), HasSubstr("2 micro-batches cannot be shared by 3"));
  EXPECT_THAT(refusal("gpipe", rows, 1), HasSubstr("1 micro-batch cannot be shared by 3"));
  EXPECT_TRUE(suits("gpipe", rows, 3));
}

TEST(ReplicatedSchedules, SuitTheRulesOfTheirMethodInEachReplica) {
  const StageRows rows = StageRows::ofReplicas({{0, 1}, {2, 3}});
  EXPECT_THAT(refusal("tutorial", rows, 4), HasSubstr("loss of the whole batch"));
  EXPECT_THAT(refusal("auto", rows, 4), HasSubstr("search"));
  EXPECT_THAT(refusal("single", rows, 4), HasSubstr("one device"));
  EXPECT_THAT(refusal("model_parallel", rows, 4), HasSubstr("one micro-batch"));
  EXPECT_THAT(refusal("1f1b", StageRows::ofReplicas({{0, 1}, {0, 1}}), 4),
              HasSubstr("one stage on each device"));
  const Replicated loop = replicated("interleaved-1f1b", 2, 2);
  EXPECT_TRUE(suits("interleaved-1f1b", loop.rows, 4));
  EXPECT_THAT(refusal("interleaved-1f1b", loop.rows, 6), HasSubstr("multiple of the 2 devices"));
  EXPECT_THAT(refusal("interleaved-1f1b", loop.rows, 5), HasSubstr("multiple of the 2 devices"));
}

}  // namespace
}  // namespace stagelane::schedule
