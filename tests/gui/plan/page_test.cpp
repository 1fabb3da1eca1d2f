// The Plan page beyond dragging: measuring costs, adding and removing devices, fixing a plan that
// cannot run, applying suggestions, reading the layers. Writes the pictures of its states, light
// and dark, small and large, to build/shots.

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QMap>
#include <QProcess>
#include <QThread>
#include <utility>

#include "tests/gui/experiments.h"
#include "tests/gui/ui_map_rules.h"
#include "tests/gui/window_test.h"
#include "tests/support/paths.h"

namespace stagelane::gui {
namespace {

class PlanPage : public WindowTest {
 protected:
  void openToy(const QString& theme = QStringLiteral("light"), QSize size = {1280, 800}) {
    ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy"), .size = size, .theme = theme}));
    showPipeline();
  }
  void showPipeline() {
    ASSERT_TRUE(m_window.click(QStringLiteral("variant.pipeline")));
    ASSERT_TRUE(m_window.waitFor(QStringLiteral("the pipeline"), [](const UiMapFile& map) {
      return map.valueOf(QStringLiteral("variant.pipeline")) == QStringLiteral("current") &&
             !map.textOf(QStringLiteral("stepTime")).isEmpty();
    }));
  }
  [[nodiscard]] QString text(const char* name) const {
    return m_window.map().textOf(QString::fromLatin1(name));
  }
  [[nodiscard]] bool has(const QString& name) const { return m_window.map().find(name) != nullptr; }
  void addWorker() {
    ASSERT_TRUE(m_window.click(QStringLiteral("addDevice")));
    ASSERT_TRUE(m_window.waitForControl(QStringLiteral("addCpuWorker")));
    ASSERT_TRUE(m_window.click(QStringLiteral("addCpuWorker")));
  }
  void addImagined(const QString& memory) {
    ASSERT_TRUE(m_window.click(QStringLiteral("addDevice")));
    ASSERT_TRUE(m_window.waitForControl(QStringLiteral("addImagined")));
    ASSERT_TRUE(m_window.click(QStringLiteral("addImagined")));
    ASSERT_TRUE(m_window.waitForControl(QStringLiteral("deviceMemory")));
    ASSERT_TRUE(m_window.replaceText(QStringLiteral("deviceMemory"), memory));
    ASSERT_TRUE(m_window.click(QStringLiteral("deviceOk")));
    ASSERT_TRUE(m_window.waitForControl(QStringLiteral("lane.sim:0")));
  }
  /// A resnet152 with its longest group open: more chips than fit into a small window.
  void openManyChips() {
    QJsonObject many = readJson(
        QString::fromStdString(checkout::root() + "/resources/presets/tutorial-resnet50.json"));
    many[QStringLiteral("model")] =
        QJsonObject{{QStringLiteral("zoo"), QStringLiteral("resnet152")},
                    {QStringLiteral("num_classes"), 1000}};
    QFile file(path(QStringLiteral("many.json")));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(QJsonDocument(many).toJson());
    file.close();
    ASSERT_TRUE(m_window.open({.file = file.fileName(), .size = {1024, 700}}));
    ASSERT_TRUE(m_window.click(QStringLiteral("variant.model-parallel")));
    ASSERT_TRUE(m_window.click(QStringLiteral("chip.layer3")));
    m_window.key(QStringLiteral("Return"));
  }
  /// Drags a chip into a lane.
  void drag(const QString& chip, const QString& lane) {
    const UiMapFile map = m_window.map();
    const Control* from = map.find(chip);
    const Control* to = map.find(lane);
    ASSERT_NE(from, nullptr) << chip.toStdString();
    ASSERT_NE(to, nullptr) << lane.toStdString();
    m_window.press(from->rect.center(), {from->rect.center().x(), to->rect.center().y()});
    m_window.release();
  }
  void keep(const QString& state, const QString& theme, QSize size) {
    m_window.moveTo({2, 2});
    keepPicture(m_window.picture(),
                QStringLiteral("plan-%1-%2-%3").arg(state, theme).arg(size.width()));
    const UiMapFile map = m_window.map();
    expectSound(map);
  }
};

TEST_F(PlanPage, CostsAreMeasuredAndEveryNumberIsPredictedAnew) {
  openToy();
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("basis"), QStringLiteral("Estimate")));
  const QString estimated = text("stepTime");
  EXPECT_TRUE(estimated.startsWith(QStringLiteral("≈")));
  ASSERT_TRUE(m_window.click(QStringLiteral("calibrate")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("basis"), QStringLiteral("Calibrated"), 90000));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("another step time"), [&](const UiMapFile& map) {
    const QString step = map.textOf(QStringLiteral("stepTime"));
    return step != estimated && !step.startsWith(QStringLiteral("≈"));
  }));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("costsKnown"), QStringLiteral("spread")));
}

TEST_F(PlanPage, ACalibrationOfAnotherMachineIsStaleUntilItIsMeasuredAgain) {
  openToy();
  ASSERT_TRUE(m_window.click(QStringLiteral("calibrate")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("basis"), QStringLiteral("Calibrated"), 90000));
  ASSERT_EQ(m_window.close().toStdString(), "");
  const QDir stored(path(QStringLiteral("workspace/calibrations")));
  const QStringList names = stored.entryList({QStringLiteral("*.json")});
  ASSERT_EQ(names.size(), 1);
  QJsonObject table = readJson(stored.filePath(names.front()));
  QJsonObject origin = table[QStringLiteral("origin")].toObject();
  QJsonObject environment = origin[QStringLiteral("environment")].toObject();
  environment[QStringLiteral("cpu")] = QStringLiteral("Another CPU");
  origin[QStringLiteral("environment")] = environment;
  table[QStringLiteral("origin")] = origin;
  QFile out(stored.filePath(names.front()));
  ASSERT_TRUE(out.open(QIODevice::WriteOnly));
  out.write(QJsonDocument(table).toJson());
  out.close();
  openToy();
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("basis"), QStringLiteral("Stale")));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("costsKnown"),
                           QStringLiteral("Stale calibration: the processor was Another CPU")));
  keep(QStringLiteral("stale"), QStringLiteral("light"), {1280, 800});
  ASSERT_TRUE(m_window.click(QStringLiteral("calibrate")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("basis"), QStringLiteral("Calibrated"), 90000));
}

TEST_F(PlanPage, ACalibrationCanBeCanceled) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("tutorial-resnet50-quick")}));
  ASSERT_TRUE(m_window.click(QStringLiteral("calibrate")));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("calibrationProgress"), QStringLiteral("Calibrating")));
  keep(QStringLiteral("calibrating"), QStringLiteral("light"), {1280, 800});
  ASSERT_TRUE(m_window.click(QStringLiteral("cancelCalibration")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("calibrate"), 60000));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("basis"), QStringLiteral("Estimate")));
}

TEST_F(PlanPage, DevicesAreAddedAndRemovedAndUndoBringsThemBack) {
  openToy();
  ASSERT_NO_FATAL_FAILURE(addWorker());
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("lane.cpu:2")));
  ASSERT_TRUE(m_window.click(QStringLiteral("deviceMenu.cpu:1")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("removeTheDevice")));
  ASSERT_TRUE(m_window.click(QStringLiteral("removeTheDevice")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("no cpu:1"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("lane.cpu:1")) == nullptr &&
           map.find(QStringLiteral("lane.cpu:2")) != nullptr;
  }));
  ASSERT_TRUE(m_window.click(QStringLiteral("undo")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("lane.cpu:1")));
  ASSERT_TRUE(m_window.click(QStringLiteral("undo")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("no cpu:2"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("lane.cpu:2")) == nullptr &&
           !map.isEnabled(QStringLiteral("undo"));
  }));
}

TEST_F(PlanPage, AnImaginedDeviceIsMarkedAndOneClickMendsThePlan) {
  openToy();
  ASSERT_NO_FATAL_FAILURE(addImagined(QStringLiteral("8 GiB")));
  ASSERT_NO_FATAL_FAILURE(drag(QStringLiteral("chip.net2"), QStringLiteral("lane.sim:0")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("planProblem"), QStringLiteral("imagined")));
  EXPECT_EQ(m_window.map().valueOf(QStringLiteral("chip.net2")), QStringLiteral("sim:0"));
  ASSERT_TRUE(m_window.click(QStringLiteral("fixPlan")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("a sound plan"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("planProblem")) == nullptr &&
           map.valueOf(QStringLiteral("chip.net2")) == QStringLiteral("cpu:0");
  }));
}

TEST_F(PlanPage, APlanOverBudgetIsMendedByItsButtonAndUndoBringsItBack) {
  QFile file(path(QStringLiteral("over.json")));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(R"({
    "stagelane": 1, "name": "over", "model": {"zoo": "resnet18", "num_classes": 10},
    "input": {"shape": [3, 64, 64]}, "data": {"batch_size": 16, "labels": "one_hot"}, "repeat": 1,
    "devices": [{"id": "cpu:0", "max_memory": "36MiB"}, "cpu:1"],
    "variants": [{"name": "p", "strategy": "pipeline", "schedule": "1f1b", "split_size": 4,
      "placement": {"conv1": "cpu:0", "bn1": "cpu:0", "relu": "cpu:0", "maxpool": "cpu:0",
        "layer1": "cpu:0", "layer2": "cpu:0", "layer3": "cpu:0", "layer4": "cpu:1",
        "avgpool": "cpu:1", "fc": "cpu:1"}}]})");
  file.close();
  ASSERT_TRUE(m_window.open({.file = file.fileName()}));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("planProblem"),
                                   QStringLiteral("cpu:0 is over budget: needs")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("fixPlan"), QStringLiteral("Use: ")));
  keep(QStringLiteral("over-budget"), QStringLiteral("light"), {1280, 800});
  ASSERT_TRUE(m_window.click(QStringLiteral("fixPlan")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("a plan that fits"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("planProblem")) == nullptr &&
           map.isEnabled(QStringLiteral("undo"));
  }));
  ASSERT_TRUE(m_window.click(QStringLiteral("undo")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("planProblem"), QStringLiteral("over budget")));
}

TEST_F(PlanPage, ASuggestionIsTakenByOneClickAndUndoneByOne) {
  ASSERT_TRUE(
      m_window.open({.file = QStringLiteral("tutorial-resnet50-quick"), .size = {1600, 900}}));
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.tutorial-8")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("applyEverything")));
  const QString before = text("stepTime");
  ASSERT_TRUE(m_window.click(QStringLiteral("applyEverything")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("another plan"), [&](const UiMapFile& map) {
    return map.textOf(QStringLiteral("stepTime")) != before &&
           map.textOf(QStringLiteral("suggestedEverything"))
               .startsWith(QStringLiteral("No better"));
  }));
  ASSERT_TRUE(m_window.click(QStringLiteral("undo")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the plan before"), [&](const UiMapFile& map) {
    return map.textOf(QStringLiteral("stepTime")) == before &&
           !map.isEnabled(QStringLiteral("undo"));
  }));
}

/// The speed-ups that the command line predicts, by variant.
QMap<QString, double> predictedSpeedups(const QString& experiment,
                                        const QProcessEnvironment& environment) {
  QProcess predict;
  predict.setProcessEnvironment(environment);
  predict.start(QString::fromStdString(checkout::programs() + "/stagelane"),
                {QStringLiteral("predict"), experiment, QStringLiteral("--no-calibrate"),
                 QStringLiteral("--json")});
  EXPECT_TRUE(predict.waitForFinished(60000));
  QMap<QString, double> speedups;
  const QJsonDocument answer = QJsonDocument::fromJson(predict.readAllStandardOutput());
  for (const QJsonValue& variant : answer[QStringLiteral("variants")].toArray()) {
    speedups[variant[QStringLiteral("id")].toString()] =
        variant[QStringLiteral("speedup")].toDouble();
  }
  return speedups;
}

TEST_F(PlanPage, WhereNoDeviceHoldsTheModelSpeedUpsAreThoseOfTheCommandLine) {
  const QString tooBig = QStringLiteral("too-big");
  const auto speedups = predictedSpeedups(tooBig, m_window.environment());
  ASSERT_GT(speedups[QStringLiteral("pipeline-gpipe")], 1.0);
  ASSERT_TRUE(m_window.open({.file = tooBig}));
  ASSERT_NO_FATAL_FAILURE(showPipeline());
  const QString said = QString::number(speedups[QStringLiteral("pipeline-gpipe")], 'f', 2);
  EXPECT_TRUE(m_window.waitForText(QStringLiteral("speedup"), said + QChar(0x00D7)));
}

TEST_F(PlanPage, ChipsBeyondTheEdgeAreReachedByKeys) {
  ASSERT_NO_FATAL_FAILURE(openManyChips());
  const auto seen = [](const UiMapFile& map, const char* name) {
    const Control* chip = map.find(QString::fromLatin1(name));
    const Control* side = map.find(QStringLiteral("inspector"));
    return chip != nullptr && chip->rect.width() >= 18 && side != nullptr &&
           chip->rect.right() < side->rect.left();
  };
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the open group"), [&](const UiMapFile& map) {
    return seen(map, "chip.layer3.0") && !seen(map, "chip.fc");
  }));
  for (int at = 0; at < 40; ++at) m_window.key(QStringLiteral("Right"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the last chip"),
                               [&](const UiMapFile& map) { return seen(map, "chip.fc"); }));
  keep(QStringLiteral("many"), QStringLiteral("light"), {1024, 700});
}

TEST_F(PlanPage, HeadersStayInSightBesideScrolledChips) {
  ASSERT_NO_FATAL_FAILURE(openManyChips());
  const auto rectOf = [this](const QString& name) {
    const UiMapFile map = m_window.map();
    const Control* control = map.find(name);
    EXPECT_NE(control, nullptr) << name.toStdString();
    return control == nullptr ? QRect() : control->rect;
  };
  // Keys are still being processed when the last chip first becomes visible.
  const auto lastChipRests = [this] {
    QRect before;
    return m_window.waitFor(QStringLiteral("the last chip at rest"), [&](const UiMapFile& now) {
      const Control* chip = now.find(QStringLiteral("chip.fc"));
      const QRect rect = chip == nullptr ? QRect() : chip->rect;
      const bool rests = rect.width() >= 18 && rect == std::exchange(before, rect);
      QThread::msleep(300);
      return rests;
    });
  };
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("chip.layer3.0")));
  const QRect menu = rectOf(QStringLiteral("deviceMenu.cpu:0"));
  const QRect add = rectOf(QStringLiteral("addDevice"));
  const int chips = rectOf(QStringLiteral("lane.cpu:0")).left();
  for (int at = 0; at < 40; ++at) m_window.key(QStringLiteral("Right"));
  ASSERT_TRUE(lastChipRests());
  EXPECT_EQ(rectOf(QStringLiteral("deviceMenu.cpu:0")), menu);
  EXPECT_EQ(rectOf(QStringLiteral("addDevice")), add);
  EXPECT_EQ(rectOf(QStringLiteral("lane.cpu:0")).left(), chips);
  const UiMapFile map = m_window.map();
  for (const QString& name :
       map.namesThatBegin(QStringLiteral("chip.")) + map.namesThatBegin(QStringLiteral("group."))) {
    EXPECT_GE(map.find(name)->rect.left(), chips) << name.toStdString() << " is under a header";
  }
  EXPECT_EQ(map.find(QStringLiteral("chip.conv1")), nullptr);
  // The click goes to the header, not to what is scrolled under it.
  ASSERT_TRUE(m_window.click(QStringLiteral("deviceMenu.cpu:1")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("removeTheDevice")));
  m_window.key(QStringLiteral("Escape"));
  // Back: the focused chip is scrolled out from under the headers.
  for (int at = 0; at < 30; ++at) m_window.key(QStringLiteral("Left"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("a chip on the left"), [&](const UiMapFile& now) {
    const Control* chip = now.find(QStringLiteral("chip.layer3.9"));
    return chip != nullptr && chip->rect.left() >= chips && chip->rect.width() >= 18;
  }));
  // A drop on a header is a drop in its lane.
  for (int at = 0; at < 30; ++at) m_window.key(QStringLiteral("Right"));
  ASSERT_TRUE(lastChipRests());
  ASSERT_EQ(m_window.map().valueOf(QStringLiteral("chip.fc")), QStringLiteral("cpu:1"));
  m_window.press(rectOf(QStringLiteral("chip.fc")).center(),
                 {chips - 90, rectOf(QStringLiteral("lane.cpu:0")).center().y()});
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("hint"), QStringLiteral("to cpu:0")));
  m_window.release();
  for (int at = 0; at < 30; ++at) m_window.key(QStringLiteral("Right"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("fc on cpu:0"), [](const UiMapFile& now) {
    return now.valueOf(QStringLiteral("chip.fc")) == QStringLiteral("cpu:0");
  }));
}

TEST_F(PlanPage, LayersAreSearchedAndARowSelectsItsChip) {
  openToy(QStringLiteral("light"), {1600, 900});
  ASSERT_TRUE(m_window.click(QStringLiteral("showLayers")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("layerTable")));
  ASSERT_TRUE(m_window.replaceText(QStringLiteral("layerSearch"), QStringLiteral("relu")));
  const UiMapFile map = m_window.map();
  const Control* table = map.find(QStringLiteral("layerTable"));
  ASSERT_NE(table, nullptr);
  m_window.clickAt({table->rect.left() + 120, table->rect.top() + 22 + 12});
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("selectionSummary"), QStringLiteral("1 block")));
}

/// One theme and size of the pictures.
struct Look {
  const char* theme;
  int width;
  int height;
};

class PlanPictures : public PlanPage, public testing::WithParamInterface<Look> {
 protected:
  [[nodiscard]] static QString theme() { return QString::fromLatin1(GetParam().theme); }
  [[nodiscard]] static QSize size() { return {GetParam().width, GetParam().height}; }
  void keepState(const char* state) { keep(QString::fromLatin1(state), theme(), size()); }
};

TEST_P(PlanPictures, OfAPlanItsLayersAndAPlanThatCannotRun) {
  openToy(theme(), size());
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("splitSize")));
  keepState("estimate");
  m_window.key(QStringLiteral("ctrl+l"));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("layerTable")));
  keepState("layers");
  m_window.key(QStringLiteral("ctrl+t"));
  ASSERT_NO_FATAL_FAILURE(addImagined(QStringLiteral("8 GiB")));
  const UiMapFile map = m_window.map();
  const QPoint chip = map.find(QStringLiteral("chip.net2"))->rect.center();
  const QRect lane = map.find(QStringLiteral("lane.sim:0"))->rect;
  m_window.press(chip, {chip.x(), lane.center().y()});
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("hint"), QStringLiteral("Moving")));
  // In addition to the cost of the drop.
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("planNow"), QStringLiteral("Current")));
  keepPicture(m_window.picture(),
              QStringLiteral("plan-drag-%1-%2").arg(theme()).arg(size().width()));
  m_window.release();
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("planProblem"), QStringLiteral("imagined")));
  keepState("impossible");
}

TEST_P(PlanPictures, OfARunThatGoesAndIsCanceled) {
  const QString file = writeLongToy(m_window.folder());
  ASSERT_TRUE(m_window.open({.file = file, .size = size(), .theme = theme()}));
  ASSERT_TRUE(m_window.click(QStringLiteral("run")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("a run"), [](const UiMapFile& seen) {
    return seen.isEnabled(QStringLiteral("cancel"));
  }));
  keepState("running");
  ASSERT_TRUE(m_window.click(QStringLiteral("cancel")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("runAgain")));
  keepState("canceled");
}

INSTANTIATE_TEST_SUITE_P(Looks, PlanPictures,
                         testing::Values(Look{"light", 1024, 700}, Look{"light", 1600, 900},
                                         Look{"dark", 1024, 700}, Look{"dark", 1600, 900}));

}  // namespace
}  // namespace stagelane::gui
