#include "engine/plan/rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stagelane::plan {
namespace {

using schedule::StageRows;
using ::testing::ElementsAre;

DeviceGroup group(std::vector<std::string> names) {
  std::vector<DeviceId> devices;
  for (std::string& name : names) devices.push_back({std::move(name)});
  return DeviceGroup(std::move(devices));
}

TEST(DeviceGroup, OfOneIsItsDevice) {
  const DeviceGroup one = DeviceId{"a"};
  EXPECT_EQ(one.size(), 1U);
  EXPECT_EQ(one.first(), DeviceId{"a"});
  EXPECT_EQ(one, group({"a"}));
  EXPECT_EQ(one.text(), "a");
}

TEST(DeviceGroup, OfReplicasHasThemInOrder) {
  const DeviceGroup two = group({"b", "a"});
  EXPECT_EQ(two.size(), 2U);
  EXPECT_EQ(two[0], DeviceId{"b"});
  EXPECT_EQ(two[1], DeviceId{"a"});
  EXPECT_TRUE(two.contains({"a"}));
  EXPECT_TRUE(two.contains({"b"}));
  EXPECT_FALSE(two.contains({"c"}));
  EXPECT_NE(two, group({"a", "b"}));
  EXPECT_EQ(two.text(), "b+a");
}

TEST(StageRows, NumberDevicesByFirstUse) {
  const std::vector<Stage> v{{0, 0, DeviceId{"b"}}, {1, 1, DeviceId{"a"}}, {2, 2, DeviceId{"b"}}};
  EXPECT_THAT(rowsOf(v), ElementsAre(DeviceId{"b"}, DeviceId{"a"}));
  const StageRows rows = stageRowsOf(v);
  EXPECT_EQ(rows, (StageRows{0, 1, 0}));
  EXPECT_TRUE(rows.areSingle());
  EXPECT_EQ(rows.stages(), 3);
  EXPECT_EQ(rows.rows(), 2);
  EXPECT_EQ(rows.of(2, 5), 0);
  EXPECT_EQ(rows.replicaOn(1, 1), 0);
  EXPECT_EQ(rows.replicaOn(1, 0), -1);
  EXPECT_EQ(StageRows().rows(), 0);
}

TEST(StageRows, LetReplicasTakeTurns) {
  const std::vector<Stage> stages{{0, 0, group({"a", "b"})}, {1, 1, DeviceId{"c"}}};
  EXPECT_THAT(rowsOf(stages), ElementsAre(DeviceId{"a"}, DeviceId{"b"}, DeviceId{"c"}));
  const StageRows rows = stageRowsOf(stages);
  EXPECT_FALSE(rows.areSingle());
  EXPECT_EQ(rows.rows(), 3);
  EXPECT_EQ(rows.replicas(0), 2);
  EXPECT_EQ(rows.replicas(1), 1);
  EXPECT_EQ(rows.of(0, 0), 0);
  EXPECT_EQ(rows.of(0, 1), 1);
  EXPECT_EQ(rows.of(0, 2), 0);
  EXPECT_EQ(rows.of(1, 1), 2);
  EXPECT_EQ(rows.replicaOf(0, 3), 1);
  EXPECT_EQ(rows.replicaOn(0, 1), 1);
  EXPECT_EQ(rows.replicaOn(1, 1), -1);
  EXPECT_EQ(rows.copyOn(1, 2), 2);
  EXPECT_EQ(rows.copies(), 3);
  EXPECT_EQ(StageRows::ofReplicas({{0}, {1}}), (StageRows{0, 1})) << "all single";
}

}  // namespace
}  // namespace stagelane::plan
