#include "ui/plan/plan_model/replica_lanes.h"

#include <gtest/gtest.h>

#include "tests/ui/plan/plan_fixtures.h"
#include "ui/plan/plan_model/chip_locks.h"
#include "ui/plan/plan_model/cut_costs.h"
#include "ui/plan/plan_model/plan_moves.h"
#include "ui/session/document/document.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

const std::vector<DeviceId> kFour{{"cpu:0"}, {"cpu:1"}, {"cpu:2"}, {"cpu:3"}};

TEST(ReplicaLanes, WithoutReplicasTheLanesAreTheDevices) {
  const ReplicaLanes lanes({}, kFour);
  EXPECT_EQ(lanes.order(), kFour);
  EXPECT_TRUE(lanes.brackets().empty());
  EXPECT_EQ(lanes.columnWidth(), 0);
}

TEST(ReplicaLanes, DevicesOfAReplicaAreTogetherAndFreeOnesLast) {
  const std::vector<DeviceId> five{kFour[0], kFour[1], kFour[2], kFour[3], {"cpu:4"}};
  const ReplicaLanes lanes(
      {plan::DeviceGroup({kFour[0], kFour[2]}), plan::DeviceGroup({kFour[4 - 1], kFour[1]})}, five);
  EXPECT_EQ(lanes.order(),
            (std::vector<DeviceId>{kFour[0], kFour[3], kFour[1], kFour[2], {"cpu:4"}}));
  ASSERT_EQ(lanes.brackets().size(), 2U);
  EXPECT_EQ(lanes.brackets()[0], (ReplicaBracket{0, 1, QStringLiteral("replica 0"), {}}));
  EXPECT_EQ(lanes.brackets()[1], (ReplicaBracket{2, 3, QStringLiteral("replica 1"), {}}));
}

TEST(ReplicaLanes, ABracketNamesTheRankThatItsDevicesName) {
  const DeviceId here{"cuda:0"};
  const DeviceId there{"cuda:0@1"};
  const ReplicaLanes lanes({plan::DeviceGroup({here, there})}, {here, there});
  ASSERT_EQ(lanes.brackets().size(), 2U);
  EXPECT_EQ(lanes.brackets()[0].place, QString());
  EXPECT_EQ(lanes.brackets()[1].place, QStringLiteral("rank 1"));
}

TEST(ReplicaLanes, DevicesOfAHostAreTogetherUnderItsNameAndThoseOfThisMachineLast) {
  const std::vector<DeviceId> devices{
      {"cpu:0"}, {"box/cuda:0"}, {"me@far/cuda:0"}, {"box/cuda:0/1of2"}};
  const ReplicaLanes lanes({}, devices);
  EXPECT_EQ(lanes.order(), (std::vector<DeviceId>{devices[1], devices[3], devices[2], devices[0]}));
  ASSERT_EQ(lanes.brackets().size(), 2U);
  EXPECT_EQ(lanes.brackets()[0], (ReplicaBracket{0, 1, QStringLiteral("box"), {}, false}));
  EXPECT_EQ(lanes.brackets()[1],
            (ReplicaBracket{2, 2, QStringLiteral("far"), QStringLiteral("user me"), false}));
  EXPECT_FALSE(lanes.areReplicas());
  EXPECT_EQ(lanes.nameOf(devices[3]), QStringLiteral("cuda:0/1of2"));
  EXPECT_EQ(lanes.nameOf(devices[0]), QStringLiteral("cpu:0"));
}

TEST(ReplicaLanes, ABracketOfAReplicaNamesItsHostAndRank) {
  const DeviceId one{"box/cuda:0"};
  const DeviceId other{"box/cuda:0@1"};
  const ReplicaLanes lanes({plan::DeviceGroup({one, other})}, {one, other});
  ASSERT_EQ(lanes.brackets().size(), 2U);
  EXPECT_EQ(lanes.brackets()[0].place, QStringLiteral("box"));
  EXPECT_EQ(lanes.brackets()[1].place, QStringLiteral("box, rank 1"));
  EXPECT_TRUE(lanes.areReplicas());
  EXPECT_EQ(lanes.nameOf(other), QStringLiteral("cuda:0@1"));
}

class ReplicatedPlan : public testing::Test {
 protected:
  static Json pipelineOf(const std::string& places) {
    Json json = sample::toyPipeline(1);
    json["devices"] = {"cpu:0", "cpu:1", "cpu:2", "cpu:3"};
    json["variants"][0].erase("stages");
    json["variants"][0].update(Json::parse(places));
    return json;
  }
  void load(const Json& json) {
    m_session.document().load(json, {}, {});
    sample::settle(m_plan);
    ASSERT_TRUE(m_plan.ready());
    connectRefusals();
  }
  void connectRefusals() {
    QObject::connect(&m_plan, &PlanModel::refused, &m_plan,
                     [this](const QString& reason) { m_refused = reason; });
  }
  [[nodiscard]] const Json& variant() const { return m_session.document().json()["variants"][0]; }

  Session m_session;
  PlanModel m_plan{&m_session};
  QString m_refused;
};

TEST_F(ReplicatedPlan, AMoveInTheSecondReplicaIsAnEditOfTheFirst) {
  load(pipelineOf(R"({"replicas": 2,
                      "placement": {"net1": "cpu:0", "relu": "cpu:0", "net2": "cpu:1"}})"));
  EXPECT_EQ(m_plan.lanes(), kFour);
  ASSERT_EQ(m_plan.replicaLanes().brackets().size(), 2U);
  EXPECT_EQ(replicasOfBlock(m_plan.shape(), 2), plan::DeviceGroup({kFour[1], kFour[3]}));
  ASSERT_TRUE(m_plan.moves().move({1}, kFour[3])) << m_refused.toStdString();
  EXPECT_EQ(variant()["placement"]["relu"], "cpu:1") << variant().dump();
  EXPECT_EQ(m_plan.shape().deviceOfBlock[1], kFour[1]);
  m_session.document().undoStack().undo();
  EXPECT_EQ(m_plan.shape().deviceOfBlock[1], kFour[0]);
}

TEST_F(ReplicatedPlan, CutsUseTheDevicesOfTheFirstReplica) {
  load(pipelineOf(R"({"replicas": 2,
                      "placement": {"net1": "cpu:0", "relu": "cpu:0", "net2": "cpu:1"}})"));
  EXPECT_EQ(m_plan.moves().cutDevices(), (std::vector<DeviceId>{kFour[0], kFour[1]}));
  m_plan.moves().cutAt(1);
  EXPECT_EQ(m_plan.shape().deviceOfBlock[1], kFour[1]) << m_refused.toStdString();
}

TEST_F(ReplicatedPlan, StagesWithListedDevicesKeepThem) {
  load(pipelineOf(R"({"stages": [{"first": "net1", "device": ["cpu:0", "cpu:2"]},
                                 {"first": "net2", "device": ["cpu:1", "cpu:3"]}]})"));
  EXPECT_EQ(m_plan.lanes(), kFour);
  ASSERT_TRUE(m_plan.moves().move({1}, kFour[1])) << m_refused.toStdString();
  EXPECT_EQ(variant()["stages"][1]["device"], Json({"cpu:1", "cpu:3"})) << variant().dump();
}

TEST_F(ReplicatedPlan, TheWholeModelOnEachDeviceCannotBeMovedCutOrLocked) {
  Json json = sample::toyPipeline(1);
  for (const plan::StrategyRow& row : plan::strategies()) {
    if (row.replicates && row.available) {
      json["variants"][0] = {{"name", "p"}, {"strategy", row.name}};
    }
  }
  load(json);
  ASSERT_EQ(m_plan.replicaLanes().brackets().size(), 2U);
  EXPECT_EQ(replicasOfBlock(m_plan.shape(), 0).size(), 2U);
  EXPECT_FALSE(m_plan.moves().whyFixed().isEmpty());
  EXPECT_FALSE(m_plan.moves().move({0}, kFour[1]));
  EXPECT_EQ(m_refused, m_plan.moves().whyFixed());
  m_plan.select(1, 1);
  for (const auto& act : {std::function<void()>([this] { m_plan.locks().toggle(); }),
                          std::function<void()>([this] { m_plan.moves().cutBeforeCurrent(); }),
                          std::function<void()>([this] { m_plan.moves().moveSelection(1); })}) {
    m_refused.clear();
    act();
    EXPECT_EQ(m_refused, m_plan.moves().whyFixed());
  }
  EXPECT_TRUE(m_plan.cuts().curve().empty());
  EXPECT_EQ(m_session.document().undoStack().count(), 0);
}

}  // namespace
}  // namespace stagelane::ui
