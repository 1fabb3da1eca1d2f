#include "ui/session/document/gpu_partitions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

#include "engine/base/json.h"
#include "ui/plan/plan_model/plan_devices.h"
#include "ui/session/document/document.h"
#include "ui/session/machine.h"
#include "ui/session/prediction/costs.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

Json toy(const char* devices) {
  Json document = Json::parse(R"({
    "stagelane": 1, "name": "t", "model": {"zoo": "toy"}, "input": {"shape": [10]},
    "data": {"labels": "normal", "batch_size": 8}, "repeat": 1,
    "variants": [
      {"name": "pipe", "strategy": "pipeline", "schedule": "1f1b", "split_size": 2,
       "placement": {"net1": "#0", "relu": "#0", "net2": "#1"}},
      {"name": "one", "strategy": "single", "device": "#0"}]})");
  document["devices"] = Json::parse(devices);
  return document;
}

class GpuPartitions : public testing::Test {
 protected:
  void load(const char* devices) {
    m_session.document().load(toy(devices), {}, {});
    ASSERT_TRUE(m_session.document().experiment()) << devices;
  }
  /// As if the machine had one GPU.
  void findGpu() {
    m_session.machine().setDevices(
        {{DeviceId{"cpu:0"}, QStringLiteral("CPU"), 1},
         {DeviceId{"cuda:0"}, QStringLiteral("H200"), Bytes{141} << 30}});
  }
  [[nodiscard]] QStringList texts() const {
    QStringList all;
    for (const PartitionOffer& offer : m_devices.partitionOffers()) all.append(textOf(offer));
    return all;
  }
  [[nodiscard]] const PartitionOffer& offer(const char* text) {
    m_offers = m_devices.partitionOffers();
    const auto found = std::find_if(m_offers.begin(), m_offers.end(), [&](const auto& candidate) {
      return textOf(candidate) == QLatin1String(text);
    });
    EXPECT_NE(found, m_offers.end()) << text;
    return *found;
  }
  [[nodiscard]] std::string devices() const {
    return m_session.document().json()["devices"].dump();
  }

  Session m_session;
  PlanDevices m_devices{&m_session};
  std::vector<PartitionOffer> m_offers;
};

TEST_F(GpuPartitions, AreNotOfferedWhereNoGpuIsKnown) {
  load(R"(["cpu:0", "cpu:1"])");
  EXPECT_TRUE(m_devices.partitionOffers().empty());
}

TEST_F(GpuPartitions, OfAMachinesGpuAreAllAddedInOneStep) {
  load(R"(["cpu:0", "cpu:1"])");
  findGpu();
  EXPECT_EQ(texts(), (QStringList{QStringLiteral("Add 2 partitions of cuda:0"),
                                  QStringLiteral("Add 3 partitions of cuda:0"),
                                  QStringLiteral("Add 4 partitions of cuda:0")}));
  m_devices.addPartitions(offer("Add 2 partitions of cuda:0"));
  EXPECT_EQ(devices(), R"(["cpu:0","cpu:1","cuda:0/1of2","cuda:0/2of2"])");
  EXPECT_TRUE(m_session.document().experiment());
  EXPECT_TRUE(m_devices.partitionOffers().empty()) << "all parts of that division are there";
  EXPECT_TRUE(m_devices.otherGpus().empty()) << "a GPU is whole or divided";
  m_session.document().undoStack().undo();
  EXPECT_EQ(m_session.document().json(), toy(R"(["cpu:0", "cpu:1"])"));
}

TEST_F(GpuPartitions, OfAFileAreShownAndCompletedOnAMachineWithoutAGpu) {
  load(R"(["cuda:0/1of4", "cuda:0/2of4"])");
  EXPECT_EQ(texts(),
            (QStringList{QStringLiteral("Add cuda:0/3of4"), QStringLiteral("Add cuda:0/4of4")}));
  m_devices.addPartitions(offer("Add cuda:0/4of4"));
  EXPECT_EQ(devices(), R"(["cuda:0/1of4","cuda:0/2of4","cuda:0/4of4"])");
  ASSERT_TRUE(m_session.document().experiment());
  EXPECT_FALSE(m_session.document().error());
  ASSERT_TRUE(m_devices.remove(DeviceId{"cuda:0/2of4"}));
  EXPECT_EQ(texts().size(), 2);
}

TEST_F(GpuPartitions, DivideAWholeGpuAndKeepItsBlocksOnTheFirst) {
  Json document = toy(R"([{"id": "cuda:0", "max_memory": 1000}, "cuda:1"])");
  document["variants"][0]["placement"] = {{"net1", "cuda:0"}, {"relu", "#0"}, {"net2", "cuda:1"}};
  document["variants"][1]["device"] = "cuda:0";
  m_session.document().load(document, {}, {});
  ASSERT_TRUE(m_session.document().experiment());
  m_devices.addPartitions(offer("Divide cuda:0 into 2 partitions"));
  EXPECT_EQ(devices(), R"([{"id":"cuda:0/1of2","max_memory":500},"cuda:1",)"
                       R"({"id":"cuda:0/2of2","max_memory":500}])");
  const Json& variants = m_session.document().json()["variants"];
  EXPECT_EQ(variants[0]["placement"].dump(),
            R"({"net1":"cuda:0/1of2","relu":"#0","net2":"cuda:1"})");
  EXPECT_EQ(variants[1]["device"], "cuda:0/1of2");
  EXPECT_FALSE(m_session.document().error());
  EXPECT_EQ(m_session.document().undoStack().undoText(),
            QStringLiteral("Divide cuda:0 into 2 partitions"));
  m_session.document().undoStack().undo();
  EXPECT_EQ(m_session.document().json(), document);
}

TEST_F(GpuPartitions, AreOfferedForAGpuThatWasCalibrated) {
  load(R"(["cpu:0", "cpu:1"])");
  auto table = std::make_shared<predict::CostTable>();
  predict::BlockCosts block;
  block.name = "net1";
  block.device = DeviceId{"cuda:1"};
  table->blocks = {block};
  m_session.costs().set(table);
  EXPECT_THAT(texts(), testing::Contains(QStringLiteral("Add 2 partitions of cuda:1")));
}

TEST_F(GpuPartitions, KnowTheGpuThatTheyArePartsOf) {
  EXPECT_EQ(wholeGpu(DeviceId{"cuda:3/1of4"}), DeviceId{"cuda:3"});
  EXPECT_EQ(wholeGpu(DeviceId{"cuda:3"}), DeviceId{"cuda:3"});
  EXPECT_EQ(wholeGpu(DeviceId{"cpu:0"}), DeviceId{});
}

}  // namespace
}  // namespace stagelane::ui
