#include "ui/session/document/device_edits.h"

#include <gtest/gtest.h>

#include "engine/base/json.h"
#include "engine/record/run_record.h"
#include "ui/plan/plan_model/plan_devices.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

Json toy(const char* devices = R"(["cpu:0", "cpu:1", "cpu:2"])") {
  Json document = Json::parse(R"({
    "stagelane": 1, "name": "t", "model": {"zoo": "toy"}, "input": {"shape": [10]},
    "data": {"labels": "normal", "batch_size": 8}, "repeat": 1,
    "variants": [
      {"name": "pipe", "strategy": "pipeline", "schedule": "1f1b", "split_size": 2,
       "placement": {"net1": "cpu:0", "relu": "cpu:1", "net2": "cpu:2"}},
      {"name": "by number", "strategy": "model_parallel",
       "placement": {"net1": "#0", "relu": "#1", "net2": "#2"}},
      {"name": "stages", "strategy": "pipeline", "schedule": "gpipe", "split_size": 2,
       "stages": [{"first": "net1", "device": "cpu:0"}, {"first": "relu", "device": "cpu:1"},
                  {"first": "net2", "device": "cpu:2"}]},
      {"name": "one", "strategy": "single", "device": "cpu:1"}]})");
  document["devices"] = Json::parse(devices);
  return document;
}

class DeviceEdits : public testing::Test {
 protected:
  void load(Json document) { m_session.document().load(std::move(document), {}, {}); }
  [[nodiscard]] const Json& json() const { return m_session.document().json(); }
  [[nodiscard]] const Json& variant(std::size_t index) const { return json()["variants"][index]; }

  Session m_session;
  PlanDevices m_devices{&m_session};
};

TEST_F(DeviceEdits, AWorkerIsAddedAtTheEndUnderTheNextFreeName) {
  load(toy());
  m_devices.addCpuWorker();
  EXPECT_EQ(json()["devices"].dump(), R"(["cpu:0","cpu:1","cpu:2","cpu:3"])");
  EXPECT_EQ(m_session.document().undoStack().undoText().toStdString(), "Add cpu:3");
  m_session.document().undoStack().undo();
  EXPECT_EQ(json(), toy());
}

TEST_F(DeviceEdits, WhatTheMachineChoseIsWrittenOutBeforeOneIsAdded) {
  Json document = toy(R"({"auto": 3})");
  load(document);
  m_devices.addCpuWorker();
  EXPECT_EQ(json()["devices"].dump(), R"(["cpu:0","cpu:1","cpu:2","cpu:3"])");
}

TEST_F(DeviceEdits, AnImaginedDeviceIsWrittenWithAllThatItIs) {
  load(toy());
  m_devices.add({DeviceId{"sim:0"}, Bytes{8} << 30, DeviceId{"cpu:0"}, 2.0});
  EXPECT_EQ(json()["devices"][3].dump(),
            R"({"id":"sim:0","like":"cpu:0","speed":2.0,"max_memory":8589934592})");
  ASSERT_TRUE(m_session.document().experiment());
  EXPECT_EQ(m_session.document().experiment()->devices[3].speed, 2.0);
  EXPECT_EQ(deviceText(m_session.document().experiment()->devices[3]).toStdString(),
            "imagined, 2× cpu:0");
}

TEST_F(DeviceEdits, BlocksOfARemovedDeviceGoToTheOneBefore) {
  load(toy());
  ASSERT_TRUE(m_devices.remove({"cpu:1"}));
  EXPECT_EQ(json()["devices"].dump(), R"(["cpu:0","cpu:2"])");
  EXPECT_EQ(variant(0)["placement"]["relu"], "cpu:0");
  EXPECT_EQ(variant(1)["placement"].dump(), R"({"net1":"#0","relu":"#0","net2":"#1"})");
  EXPECT_EQ(variant(2)["stages"].size(), 2U);
  EXPECT_EQ(variant(3)["device"], "cpu:0");
  EXPECT_TRUE(m_session.document().experiment());
  EXPECT_FALSE(m_session.document().error());
  m_session.document().undoStack().undo();
  EXPECT_EQ(json(), toy());
}

TEST_F(DeviceEdits, BlocksOfTheFirstGoToTheSecond) {
  load(toy());
  ASSERT_TRUE(m_devices.remove({"cpu:0"}));
  EXPECT_EQ(variant(0)["placement"]["net1"], "cpu:1");
  EXPECT_EQ(variant(1)["placement"].dump(), R"({"net1":"#0","relu":"#0","net2":"#1"})");
}

TEST_F(DeviceEdits, TheOnlyDeviceStays) {
  load(toy());
  ASSERT_TRUE(m_devices.remove({"cpu:2"}));
  ASSERT_TRUE(m_devices.remove({"cpu:1"}));
  QString reason;
  QObject::connect(&m_devices, &PlanDevices::refused, [&](const QString& why) { reason = why; });
  EXPECT_FALSE(m_devices.remove({"cpu:0"}));
  EXPECT_EQ(reason.toStdString(), "cpu:0 is the only device. Add another one before removing it");
}

TEST_F(DeviceEdits, ADeviceThatRunsStaysUntilItIsDone) {
  load(toy());
  m_session.runState().setPhase(RunPhase::Running);
  auto result = std::make_shared<record::RunResult>();
  result->devices = {"cpu:0", "cpu:1"};
  m_session.results().set(result);
  EXPECT_FALSE(m_devices.remove({"cpu:1"}));
  EXPECT_TRUE(m_devices.remove({"cpu:2"}));
  m_session.runState().setPhase(RunPhase::Idle);
  EXPECT_TRUE(m_devices.remove({"cpu:1"}));
}

TEST_F(DeviceEdits, ADeviceWithALockedBlockStays) {
  load(toy());
  m_session.document().lockBlocks(QStringLiteral("Lock relu"), m_session.selection().tabId(),
                                  {{QStringLiteral("relu"), DeviceId{"cpu:1"}}});
  EXPECT_FALSE(m_devices.remove({"cpu:1"}));
  EXPECT_TRUE(m_devices.remove({"cpu:2"}));
}

TEST_F(DeviceEdits, DevicesOfAHostAreAddedInOneStep) {
  load(toy());
  ASSERT_TRUE(m_devices.addAll({{"box/cuda:0"}, {"box/cuda:1"}}, ListedDevices::Stay));
  EXPECT_EQ(json()["devices"].dump(), R"(["cpu:0","cpu:1","cpu:2","box/cuda:0","box/cuda:1"])");
  EXPECT_FALSE(m_devices.addAll({{"box/cuda:0"}}, ListedDevices::Stay)) << "it is listed";
  EXPECT_EQ(m_session.document().undoStack().count(), 1);
  m_session.document().undoStack().undo();
  EXPECT_EQ(json(), toy());
}

TEST_F(DeviceEdits, DevicesOfAHostTakeThePlacesOfTheListedOnes) {
  load(toy());
  ASSERT_TRUE(m_devices.addAll({{"box/cuda:1"}, {"box/cuda:0"}}, ListedDevices::AreReplaced));
  EXPECT_EQ(json()["devices"].dump(), R"(["box/cuda:1","box/cuda:0"])");
  EXPECT_EQ(variant(0)["placement"].dump(),
            R"({"net1":"box/cuda:1","relu":"box/cuda:0","net2":"box/cuda:0"})");
  EXPECT_EQ(variant(1)["placement"].dump(), R"({"net1":"#0","relu":"#1","net2":"#1"})");
  EXPECT_EQ(variant(3)["device"], "box/cuda:0");
  EXPECT_TRUE(m_session.document().experiment());
  EXPECT_FALSE(m_session.document().error());
  EXPECT_EQ(m_session.document().undoStack().count(), 1);
}

TEST_F(DeviceEdits, DevicesThatRunAreNotReplaced) {
  load(toy());
  m_session.runState().setPhase(RunPhase::Running);
  EXPECT_FALSE(m_devices.addAll({{"box/cuda:0"}}, ListedDevices::AreReplaced));
  EXPECT_TRUE(m_devices.addAll({{"box/cuda:0"}}, ListedDevices::Stay));
}

TEST_F(DeviceEdits, AWorkerIsAddedOnTheHostOfThePlan) {
  load(toy());
  ASSERT_TRUE(m_devices.addAll({{"box/cpu:0"}}, ListedDevices::AreReplaced));
  m_devices.addCpuWorker();
  EXPECT_EQ(json()["devices"].dump(), R"(["box/cpu:0","box/cpu:1"])");
}

TEST_F(DeviceEdits, SettingsReplaceWhatTheFileSays) {
  load(toy());
  m_devices.change({DeviceId{"cpu:1"}, Bytes{500} << 20, {}, 1.0});
  EXPECT_EQ(json()["devices"][1].dump(), R"({"id":"cpu:1","max_memory":524288000})");
  m_devices.change({DeviceId{"cpu:1"}, {}, {}, 1.0});
  EXPECT_EQ(json(), toy());
}

}  // namespace
}  // namespace stagelane::ui
