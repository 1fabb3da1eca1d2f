// Devices of a plan in the window: partitions of a GPU, a variant on an imagined device beside
// others that can run, lanes that scroll under a drag, a device that a run is using.

#include <QFile>
#include <QJsonArray>

#include "tests/gui/experiments.h"
#include "tests/gui/window_test.h"
#include "tests/support/paths.h"

namespace stagelane::gui {
namespace {

const QString kSecond = QStringLiteral("cpu:1");

class PlanDevices : public WindowTest {
 protected:
  void TearDown() override {
    WindowTest::TearDown();
    qunsetenv("STAGELANE_ENGINE");
  }
  /// The engine lists these devices; otherwise it is the usual one.
  void beOnAMachineWith(const QJsonArray& devices) const {
    QFile list(path(QStringLiteral("machine.json")));
    ASSERT_TRUE(list.open(QIODevice::WriteOnly));
    list.write(QJsonDocument(QJsonObject{{QStringLiteral("devices"), devices}}).toJson());
    QFile script(path(QStringLiteral("engine")));
    ASSERT_TRUE(script.open(QIODevice::WriteOnly));
    script.write(QStringLiteral("#!/bin/sh\n[ \"$1\" = devices ] && exec cat '%1'\n"
                                "exec '%2' \"$@\"\n")
                     .arg(list.fileName(),
                          QString::fromStdString(checkout::programs() + "/stagelane-engine"))
                     .toUtf8());
    script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    script.close();
    qputenv("STAGELANE_ENGINE", script.fileName().toUtf8());
  }
  /// The preset toy with other devices. @returns its path
  [[nodiscard]] QString writeToy(const QJsonArray& devices, const QString& splitAt,
                                 const QString& second) const {
    QJsonObject toy =
        readJson(QString::fromStdString(checkout::root() + "/resources/presets/toy.json"));
    toy[QStringLiteral("devices")] = devices;
    const QString first = devices.at(0).toString();
    toy[QStringLiteral("variants")] = QJsonArray{QJsonObject{
        {QStringLiteral("name"), QStringLiteral("pipe")},
        {QStringLiteral("strategy"), QStringLiteral("pipeline")},
        {QStringLiteral("schedule"), QStringLiteral("1f1b")},
        {QStringLiteral("split_size"), 5},
        {QStringLiteral("placement"),
         QJsonObject{{QStringLiteral("net1"), first},
                     {QStringLiteral("relu"), splitAt == QStringLiteral("relu") ? second : first},
                     {QStringLiteral("net2"), second}}}}};
    const QString file = path(QStringLiteral("devices.json"));
    QFile out(file);
    EXPECT_TRUE(out.open(QIODevice::WriteOnly));
    out.write(QJsonDocument(toy).toJson());
    return file;
  }
  [[nodiscard]] static QJsonArray workers(int count) {
    QJsonArray devices;
    for (int device = 0; device < count; ++device) {
      devices.append(QStringLiteral("cpu:%1").arg(device));
    }
    return devices;
  }
  [[nodiscard]] QString valueOf(const char* name) const {
    return m_window.map().valueOf(QString::fromLatin1(name));
  }
  [[nodiscard]] QRect rectOf(const QString& name) const {
    const UiMapFile map = m_window.map();
    const Control* control = map.find(name);
    EXPECT_NE(control, nullptr) << name.toStdString();
    return control == nullptr ? QRect() : control->rect;
  }
};

TEST_F(PlanDevices, PartitionsOfAFileAreShownAddedAndRemoved) {
  ASSERT_TRUE(m_window.open(
      {.file = writeToy({QStringLiteral("cuda:0/1of4"), QStringLiteral("cuda:0/2of4")},
                        QStringLiteral("relu"), QStringLiteral("cuda:0/2of4"))}));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("lane.cuda:0/2of4")));
  EXPECT_EQ(valueOf("chip.net2"), QStringLiteral("cuda:0/2of4"));
  ASSERT_TRUE(m_window.click(QStringLiteral("addDevice")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("addParts.cuda:0/3of4")));
  EXPECT_EQ(m_window.map().find(QStringLiteral("add.cuda:0")), nullptr)
      << "a GPU is whole or divided";
  ASSERT_TRUE(m_window.click(QStringLiteral("addParts.cuda:0/3of4")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("lane.cuda:0/3of4")));
  const QPoint chip = rectOf(QStringLiteral("chip.net2")).center();
  m_window.press(chip, {chip.x(), rectOf(QStringLiteral("lane.cuda:0/3of4")).center().y()});
  m_window.release();
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("net2 on the third part"), [](const UiMapFile& map) {
    return map.valueOf(QStringLiteral("chip.net2")) == QStringLiteral("cuda:0/3of4");
  }));
  keepPicture(m_window.picture(), QStringLiteral("plan-partitions-light-1280"));
  m_window.key(QStringLiteral("ctrl+z"));
  m_window.key(QStringLiteral("ctrl+z"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("two parts again"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("lane.cuda:0/3of4")) == nullptr &&
           !map.isEnabled(QStringLiteral("undo"));
  }));
}

TEST_F(PlanDevices, AnEmptyLaneIsSetUpAndRemovedFromTheKeyboard) {
  ASSERT_TRUE(m_window.open({.file = writeToy(workers(3), QStringLiteral("relu"), kSecond)}));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("lane.cpu:2")));
  const auto doFromPalette = [this](const QString& words) {
    m_window.key(QStringLiteral("ctrl+shift+p"));
    if (!m_window.waitForFocus(QStringLiteral("paletteSearch"))) return false;
    m_window.type(words);
    if (!m_window.waitForText(QStringLiteral("palette.0"), words)) return false;
    m_window.key(QStringLiteral("Return"));
    return true;
  };
  ASSERT_TRUE(doFromPalette(QStringLiteral("Set up cpu:2")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("deviceDialog")));
  m_window.key(QStringLiteral("Escape"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the dialog to close"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("deviceDialog")) == nullptr;
  }));
  ASSERT_TRUE(doFromPalette(QStringLiteral("Remove cpu:2")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("no such lane"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("lane.cpu:2")) == nullptr &&
           map.find(QStringLiteral("lane.cpu:1")) != nullptr;
  }));
}

TEST_F(PlanDevices, AWholeGpuIsDividedWithItsBlocksOnTheFirstPart) {
  ASSERT_TRUE(m_window.open({.file = writeToy({QStringLiteral("cuda:0"), QStringLiteral("cpu:0")},
                                              QStringLiteral("relu"), QStringLiteral("cpu:0"))}));
  ASSERT_TRUE(m_window.click(QStringLiteral("addDevice")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("addParts.cuda:0/1of2")));
  ASSERT_TRUE(m_window.click(QStringLiteral("addParts.cuda:0/1of2")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("lane.cuda:0/2of2")));
  EXPECT_EQ(valueOf("chip.net1"), QStringLiteral("cuda:0/1of2"));
  EXPECT_EQ(m_window.map().find(QStringLiteral("lane.cuda:0")), nullptr);
  m_window.key(QStringLiteral("ctrl+z"));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("lane.cuda:0")));
}

TEST_F(PlanDevices, NoGpuIsOfferedWhereNoneIsKnown) {
  beOnAMachineWith(QJsonArray{});
  ASSERT_TRUE(m_window.open({.file = writeToy(workers(2), QStringLiteral("none"), kSecond)}));
  ASSERT_TRUE(m_window.click(QStringLiteral("addDevice")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("addCpuWorker")));
  EXPECT_TRUE(m_window.map().namesThatBegin(QStringLiteral("add.")).isEmpty());
  EXPECT_TRUE(m_window.map().namesThatBegin(QStringLiteral("addParts.")).isEmpty());
  EXPECT_NE(m_window.map().find(QStringLiteral("addImagined")), nullptr);
  m_window.key(QStringLiteral("Escape"));
}

TEST_F(PlanDevices, AWholeGpuOfTheMachineIsOfferedOnceAndAdded) {
  const auto gpu = [](const char* id, bool usable) {
    return QJsonObject{{QStringLiteral("id"), QString::fromLatin1(id)},
                       {QStringLiteral("name"), QStringLiteral("Test GPU")},
                       {QStringLiteral("memory_bytes"), 8.0 * 1024 * 1024 * 1024},
                       {QStringLiteral("usable"), usable}};
  };
  beOnAMachineWith(QJsonArray{gpu("cuda:0", true), gpu("cuda:1", false)});
  ASSERT_TRUE(m_window.open({.file = writeToy(workers(2), QStringLiteral("none"), kSecond)}));
  ASSERT_TRUE(m_window.click(QStringLiteral("addDevice")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("add.cuda:0"),
                                   QStringLiteral("Add cuda:0, Test GPU, 8 GiB")));
  EXPECT_EQ(m_window.map().find(QStringLiteral("add.cuda:1")), nullptr) << "it cannot be used";
  ASSERT_TRUE(m_window.click(QStringLiteral("add.cuda:0")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("lane.cuda:0")));
  ASSERT_TRUE(m_window.click(QStringLiteral("addDevice")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("addCpuWorker")));
  EXPECT_EQ(m_window.map().find(QStringLiteral("add.cuda:0")), nullptr) << "the plan has it";
  m_window.key(QStringLiteral("Escape"));
  m_window.key(QStringLiteral("ctrl+z"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("no GPU"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("lane.cuda:0")) == nullptr;
  }));
}

TEST_F(PlanDevices, LanesScrollUnderADragAtTheirEdgeAndTheLastOneTakesTheDrop) {
  ASSERT_TRUE(
      m_window.open({.file = writeToy(workers(8), QStringLiteral("none"), QStringLiteral("cpu:1")),
                     .size = {1024, 700}}));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("chip.relu")));
  const QRect area = rectOf(QStringLiteral("lanesArea"));
  const UiMapFile before = m_window.map();
  const Control* last = before.find(QStringLiteral("lane.cpu:7"));
  ASSERT_TRUE(last == nullptr || last->rect.top() > area.bottom()) << "it has to be scrolled to";
  const QPoint chip = rectOf(QStringLiteral("chip.relu")).center();
  const int height = rectOf(QStringLiteral("lane.cpu:1")).height();
  m_window.press(chip, {chip.x(), area.bottom() - 3});
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the last lane"), [&](const UiMapFile& map) {
    const Control* lane = map.find(QStringLiteral("lane.cpu:7"));
    // The map has the visible part of a lane: here all of it, not only a strip at the edge.
    return lane != nullptr && lane->rect.height() >= height;
  }));
  m_window.moveTo({chip.x(), rectOf(QStringLiteral("lane.cpu:7")).center().y()});
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("hint"), QStringLiteral("to cpu:7")));
  m_window.release();
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("relu on cpu:7"), [](const UiMapFile& map) {
    return map.valueOf(QStringLiteral("chip.relu")) == QStringLiteral("cpu:7");
  }));
  // And back up.
  m_window.press(rectOf(QStringLiteral("chip.relu")).center(), {chip.x(), area.top() + 3});
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the first lane"), [&](const UiMapFile& map) {
    const Control* lane = map.find(QStringLiteral("lane.cpu:0"));
    return lane != nullptr && lane->rect.height() >= height;
  }));
  m_window.key(QStringLiteral("Escape"));
  m_window.release();
  m_window.wheel(area.center(), -30);
  EXPECT_TRUE(m_window.waitFor(QStringLiteral("relu on cpu:7 still"), [](const UiMapFile& map) {
    return map.valueOf(QStringLiteral("chip.relu")) == QStringLiteral("cpu:7");
  }));
}

TEST_F(PlanDevices, BlocksThatAKeyMovesBelowTheLanesInSightStayInSight) {
  ASSERT_TRUE(
      m_window.open({.file = writeToy(workers(8), QStringLiteral("none"), QStringLiteral("cpu:1")),
                     .size = {1024, 700}}));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("chip.relu")));
  ASSERT_TRUE(m_window.click(QStringLiteral("chip.relu")));
  for (int lane = 1; lane < 8; ++lane) {
    m_window.key(QStringLiteral("alt+Down"));
    const QString device = QStringLiteral("cpu:%1").arg(lane);
    ASSERT_TRUE(m_window.waitFor(
        QStringLiteral("relu in sight, on ") + device,
        [&](const UiMapFile& map) { return map.valueOf(QStringLiteral("chip.relu")) == device; }));
  }
}

TEST_F(PlanDevices, AVariantOnAnImaginedDeviceIsLeftOutOfTheRunWithTheReason) {
  QJsonObject toy =
      readJson(QString::fromStdString(checkout::root() + "/resources/presets/toy.json"));
  QJsonArray devices = workers(2);
  devices.append(QJsonObject{{QStringLiteral("id"), QStringLiteral("sim:0")},
                             {QStringLiteral("like"), QStringLiteral("cpu:0")},
                             {QStringLiteral("speed"), 2.0}});
  toy[QStringLiteral("devices")] = devices;
  const QString file = path(QStringLiteral("imagined.json"));
  QFile out(file);
  ASSERT_TRUE(out.open(QIODevice::WriteOnly));
  out.write(QJsonDocument(toy).toJson());
  out.close();
  ASSERT_TRUE(m_window.open({.file = file}));
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.pipeline")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("run"), QStringLiteral("Run 3 included")));
  const QPoint chip = rectOf(QStringLiteral("chip.net2")).center();
  m_window.press(chip, {chip.x(), rectOf(QStringLiteral("lane.sim:0")).center().y()});
  m_window.release();
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("run"), QStringLiteral("Run 2 of 3 included")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runMessage"),
                                   QStringLiteral("uses sim:0, an imagined device")));
  ASSERT_TRUE(m_window.click(QStringLiteral("run")));
  const auto runsDone = [this](int count, const QString& control) {
    return m_window.waitFor(
        QStringLiteral("the end of run %1").arg(count),
        [&](const UiMapFile& map) {
          const QStringList runs = m_window.runFolders();
          return runs.size() == count && map.isEnabled(control) &&
                 readJson(runs.back() + QStringLiteral("/result.json"))[QStringLiteral("status")] ==
                     QStringLiteral("done");
        },
        120000);
  };
  ASSERT_TRUE(runsDone(1, QStringLiteral("run")));
  const QJsonObject result =
      readJson(m_window.runFolders().front() + QStringLiteral("/result.json"));
  QStringList measured;
  for (const QJsonValue& variant : result[QStringLiteral("variants")].toArray()) {
    measured.append(variant.toObject()[QStringLiteral("id")].toString());
  }
  EXPECT_TRUE(measured.contains(QStringLiteral("model-parallel")));
  EXPECT_FALSE(measured.contains(QStringLiteral("pipeline")));
  // No other variant is included, so there is nothing to run.
  for (const char* other : {"include.single", "include.model-parallel"}) {
    ASSERT_TRUE(m_window.click(QString::fromLatin1(other)));
  }
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("no run"), [](const UiMapFile& map) {
    return !map.isEnabled(QStringLiteral("run")) &&
           map.textOf(QStringLiteral("runMessage")).contains(QStringLiteral("Run disabled"));
  }));
  // The tab that is shown may still run alone.
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.single")));
  ASSERT_TRUE(m_window.click(QStringLiteral("runMenu")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("runThis")));
  ASSERT_TRUE(m_window.click(QStringLiteral("runThis")));
  ASSERT_TRUE(runsDone(2, QStringLiteral("runMenu")));
}

TEST_F(PlanDevices, ADeviceThatARunIsUsingIsNotRemoved) {
  const QString remove = QStringLiteral("removeTheDevice");
  ASSERT_TRUE(m_window.open({.file = writeLongToy(path(QStringLiteral(".")))}));
  ASSERT_TRUE(m_window.click(QStringLiteral("run")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runMessage"), QStringLiteral("repeat ")));
  ASSERT_TRUE(m_window.click(QStringLiteral("deviceMenu.cpu:1")));
  ASSERT_TRUE(m_window.waitForText(remove, QStringLiteral("cpu:1 is running")));
  EXPECT_FALSE(m_window.map().isEnabled(remove));
  // A click on it does nothing, and leaves the menu.
  m_window.clickAt(rectOf(remove).center());
  m_window.key(QStringLiteral("Escape"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the menu to close"),
                               [&](const UiMapFile& map) { return map.find(remove) == nullptr; }));
  EXPECT_NE(m_window.map().find(QStringLiteral("lane.cpu:1")), nullptr);
  EXPECT_FALSE(m_window.map().isEnabled(QStringLiteral("undo"))) << "the plan is as it was";
  ASSERT_TRUE(m_window.click(QStringLiteral("cancel")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("banner"), QStringLiteral("canceled")));
  ASSERT_TRUE(m_window.click(QStringLiteral("deviceMenu.cpu:1")));
  ASSERT_TRUE(m_window.click(remove));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("one device"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("lane.cpu:1")) == nullptr;
  }));
}

}  // namespace
}  // namespace stagelane::gui
