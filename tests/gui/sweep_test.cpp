// A sweep is started, paused and resumed, and restored after the window was killed.

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QSet>
#include <QThread>
#include <csignal>

#include "tests/gui/experiments.h"
#include "tests/gui/window_test.h"
#include "tests/support/paths.h"

namespace stagelane::gui {
namespace {

class SweepTest : public WindowTest {
 protected:
  /// The toy, with repeats that take long enough to act between them.
  [[nodiscard]] QString writeToy(int repeats) {
    QJsonObject toy =
        readJson(QString::fromStdString(checkout::root() + "/resources/presets/toy.json"));
    toy[QStringLiteral("name")] = QStringLiteral("Swept toy");
    toy[QStringLiteral("repeat")] = repeats;
    toy[QStringLiteral("baseline_sweep")] = false;
    QJsonObject data = toy[QStringLiteral("data")].toObject();
    data[QStringLiteral("batches")] = 40;
    toy[QStringLiteral("data")] = data;
    QFile file(path(QStringLiteral("toy.json")));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(QJsonDocument(toy).toJson());
    return file.fileName();
  }

  [[nodiscard]] bool open(const QString& file) {
    return m_window.open({.file = file, .page = QStringLiteral("runs"), .size = {1280, 800}});
  }

  /// Opens the dialog and waits until the window manager has placed it.
  [[nodiscard]] bool openDialog() {
    m_window.key(QStringLiteral("ctrl+F5"));
    QRect before;
    return m_window.waitFor(QStringLiteral("the dialog at rest"), [&](const UiMapFile& map) {
      const Control* field = map.find(QStringLiteral("sweepSplits"));
      const QRect now = field == nullptr ? QRect() : field->rect;
      const bool rests = now.isValid() && now == before;
      before = now;
      QThread::msleep(100);
      return rests;
    });
  }

  [[nodiscard]] bool fill(const QString& field, const QString& text) {
    return m_window.replaceText(field, text) && m_window.waitForText(field, text);
  }

  [[nodiscard]] bool startSweep() {
    return openDialog() && fill(QStringLiteral("sweepSplits"), QStringLiteral("5, 10")) &&
           fill(QStringLiteral("sweepSchedules"), QStringLiteral("gpipe, 1f1b")) &&
           fill(QStringLiteral("sweepBatches"), QStringLiteral("20, 40")) &&
           m_window.waitForText(QStringLiteral("sweepCount"),
                                QStringLiteral("8 points in 2 runs")) &&
           m_window.click(QStringLiteral("sweepStart"));
  }

  [[nodiscard]] bool waitForState(const QString& state) {
    return m_window.waitForText(QStringLiteral("sweepTitle"),
                                QStringLiteral("Swept toy: %1").arg(state), 120000);
  }

  [[nodiscard]] bool waitForPoints(int count) {
    return m_window.waitFor(
        QStringLiteral("measured points"),
        [&](const UiMapFile& map) {
          return map.namesThatBegin(QStringLiteral("sweepPoint.")).size() >= count;
        },
        120000);
  }

  /// Seconds of every measured repeat, by run, variant and repeat; a repeat that was measured twice
  /// fails the test.
  [[nodiscard]] QHash<QString, double> measured() const {
    QHash<QString, double> seconds;
    for (const QString& folder : m_window.runFolders()) {
      QFile file(folder + QStringLiteral("/events.jsonl"));
      if (!file.open(QIODevice::ReadOnly)) continue;
      for (const QByteArray& line : file.readAll().split('\n')) {
        const QJsonObject event = QJsonDocument::fromJson(line).object();
        if (event[QStringLiteral("event")] == QStringLiteral("measurement")) {
          const QString key = QStringLiteral("%1 %2 %3")
                                  .arg(folder, event[QStringLiteral("variant")].toString())
                                  .arg(event[QStringLiteral("repeat")].toInt());
          EXPECT_FALSE(seconds.contains(key)) << key.toStdString();
          seconds.insert(key, event[QStringLiteral("seconds")].toDouble());
        }
      }
    }
    return seconds;
  }

  void expectAllKept(const QHash<QString, double>& before) {
    const QHash<QString, double> now = measured();
    for (auto it = before.begin(); it != before.end(); ++it) {
      EXPECT_EQ(now.value(it.key(), -1.0), it.value()) << it.key().toStdString();
    }
  }
};

TEST_F(SweepTest, IsPausedAndGoesOnWithoutMeasuringAnythingAgain) {
  ASSERT_TRUE(open(writeToy(5)));
  ASSERT_TRUE(startSweep());
  ASSERT_TRUE(waitForState(QStringLiteral("running")));
  ASSERT_TRUE(waitForPoints(4));
  keepPicture(m_window.picture(), QStringLiteral("runs-sweep-running-light-1280"));
  EXPECT_FALSE(m_window.map().isEnabled(QStringLiteral("run")));
  ASSERT_TRUE(m_window.click(QStringLiteral("sweepPause")));
  ASSERT_TRUE(waitForState(QStringLiteral("paused")));
  const QHash<QString, double> before = measured();
  EXPECT_FALSE(before.isEmpty());
  ASSERT_TRUE(m_window.click(QStringLiteral("sweepGoOn")));
  ASSERT_TRUE(waitForState(QStringLiteral("done")));
  ASSERT_TRUE(waitForPoints(8));
  expectAllKept(before);
  EXPECT_EQ(m_window.runFolders().size(), 2);
  keepPicture(m_window.picture(), QStringLiteral("runs-sweep-done-light-1280"));
  ASSERT_TRUE(m_window.click(QStringLiteral("sweepHide")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("no sweep"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("sweepPanel")) == nullptr;
  }));
  // Its runs belong to it, also after a restart.
  m_window.close();
  ASSERT_TRUE(open(path(QStringLiteral("toy.json"))));
  ASSERT_TRUE(m_window.click(QStringLiteral("run.1")));
  ASSERT_TRUE(m_window.click(QStringLiteral("showSweep")));
  ASSERT_TRUE(waitForState(QStringLiteral("done")));
  ASSERT_TRUE(waitForPoints(8));
  EXPECT_TRUE(m_window.map()
                  .textOf(QStringLiteral("sweepText"))
                  .startsWith(QStringLiteral("8 of 8 points measured, ")));
}

TEST_F(SweepTest, ComesBackAfterTheWindowWasKilledAndGoesOn) {
  const QString file = writeToy(5);
  ASSERT_TRUE(open(file));
  ASSERT_TRUE(startSweep());
  ASSERT_TRUE(waitForPoints(2));
  const QHash<QString, double> before = measured();
  EXPECT_FALSE(before.isEmpty());
  m_window.kill();
  ASSERT_TRUE(m_window.open({.file = file, .page = QStringLiteral("plan"), .size = {1280, 800}}));
  ASSERT_TRUE(m_window.click(QStringLiteral("offerSweep")));
  ASSERT_TRUE(waitForState(QStringLiteral("interrupted")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("Resume"), [](const UiMapFile& map) {
    return map.isEnabled(QStringLiteral("sweepGoOn"));
  }));
  ASSERT_TRUE(m_window.click(QStringLiteral("sweepGoOn")));
  ASSERT_TRUE(waitForState(QStringLiteral("done")));
  expectAllKept(before);
  for (const QString& folder : m_window.runFolders()) {
    const QJsonObject result = readJson(folder + QStringLiteral("/result.json"));
    EXPECT_EQ(result[QStringLiteral("status")].toString().toStdString(), "done");
  }
  EXPECT_EQ(m_window.runFolders().size(), 2);
}

TEST_F(SweepTest, FiveKindsOfValuesAreCombinedAndEachPointIsPredictedAndMeasured) {
  ASSERT_TRUE(open(writeToy(2)));
  ASSERT_TRUE(openDialog());
  ASSERT_TRUE(fill(QStringLiteral("sweepSplits"), QStringLiteral("5, 10")));
  ASSERT_TRUE(fill(QStringLiteral("sweepSchedules"), QStringLiteral("1f1b")));
  ASSERT_TRUE(fill(QStringLiteral("sweepPlacements"), QStringLiteral("optimal, balanced")));
  ASSERT_TRUE(fill(QStringLiteral("sweepRecomputes"), QStringLiteral("never, always")));
  ASSERT_TRUE(fill(QStringLiteral("sweepBatches"), QStringLiteral("20, 40")));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("sweepCount"), QStringLiteral("16 points in 2 runs")));
  keepPicture(m_window.picture(), QStringLiteral("sweep-dialog-light-1280"));
  ASSERT_TRUE(m_window.click(QStringLiteral("sweepStart")));
  ASSERT_TRUE(waitForState(QStringLiteral("done")));
  ASSERT_TRUE(waitForPoints(16));
  ASSERT_EQ(m_window.runFolders().size(), 2);
  QSet<QString> ids;
  for (const QString& folder : m_window.runFolders()) {
    for (const QJsonValue& variant :
         readJson(folder + QStringLiteral("/result.json"))[QStringLiteral("variants")].toArray()) {
      const QString id = variant[QStringLiteral("id")].toString();
      if (id.startsWith(QStringLiteral("pipeline-sweep"))) {
        ids.insert(id);
        EXPECT_EQ(variant[QStringLiteral("seconds")].toArray().size(), 2) << id.toStdString();
        EXPECT_GT(variant[QStringLiteral("predicted")][QStringLiteral("step_ns")].toDouble(), 0.0);
      }
    }
  }
  EXPECT_EQ(ids.size(), 8) << "as many as values, with each batch size";
  EXPECT_TRUE(ids.contains(QStringLiteral("pipeline-sweep-balanced-always-1f1b-s10")));
}

TEST_F(SweepTest, IsPredictedBeforeItsFirstPointAndCanceledForGood) {
  // One repeat takes long enough to be canceled.
  const QString file = writeToy(1);
  QJsonObject toy = readJson(file);
  QJsonObject data = toy[QStringLiteral("data")].toObject();
  data[QStringLiteral("batches")] = 40000;
  toy[QStringLiteral("data")] = data;
  QFile out(file);
  ASSERT_TRUE(out.open(QIODevice::WriteOnly));
  out.write(QJsonDocument(toy).toJson());
  out.close();
  ASSERT_TRUE(open(file));
  ASSERT_TRUE(openDialog());
  ASSERT_TRUE(fill(QStringLiteral("sweepSplits"), QStringLiteral("5, 10")));
  ASSERT_TRUE(fill(QStringLiteral("sweepSchedules"), QStringLiteral("gpipe, 1f1b")));
  // On its label, because the box is as wide as the dialog.
  ASSERT_TRUE(m_window.click(QStringLiteral("sweepEarlyStop"), {.modifier = {}, .acrossX = 0.1}));
  ASSERT_TRUE(m_window.click(QStringLiteral("sweepStart")));
  ASSERT_TRUE(m_window.waitFor(
      QStringLiteral("the predicted curve"),
      [](const UiMapFile& map) {
        return map.namesThatBegin(QStringLiteral("sweepPredicted.")).size() == 4;
      },
      120000));
  EXPECT_TRUE(m_window.map().namesThatBegin(QStringLiteral("sweepPoint.")).isEmpty());
  ASSERT_TRUE(waitForState(QStringLiteral("running")));
  ASSERT_TRUE(m_window.click(QStringLiteral("sweepCancel")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("sweepKeep")));
  ASSERT_TRUE(m_window.click(QStringLiteral("sweepKeep")));
  ASSERT_TRUE(waitForState(QStringLiteral("running")));
  ASSERT_TRUE(m_window.click(QStringLiteral("sweepCancel")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("sweepCancelForGood")));
  ASSERT_TRUE(m_window.click(QStringLiteral("sweepCancelForGood")));
  ASSERT_TRUE(waitForState(QStringLiteral("canceled")));
  EXPECT_EQ(m_window.map().find(QStringLiteral("sweepGoOn")), nullptr);
  EXPECT_EQ(m_window.map().find(QStringLiteral("sweepCancel")), nullptr);
  // The selected options are in the queued sweep.
  const QDir sweeps(path(QStringLiteral("workspace/sweeps")));
  const QStringList made = sweeps.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
  ASSERT_EQ(made.size(), 1);
  bool stopsEarly = false;
  for (const QString& task :
       QDir(sweeps.filePath(made.front())).entryList({QStringLiteral("*.json")})) {
    const QJsonObject json = readJson(sweeps.filePath(made.front()) + QChar(u'/') + task);
    stopsEarly = stopsEarly || json[QStringLiteral("early_stop")].toBool();
  }
  EXPECT_TRUE(stopsEarly);
}

TEST_F(SweepTest, APointOpensItsStepByAClickAndByKeysAndTheCurveIsExported) {
  ASSERT_TRUE(open(writeToy(1)));
  ASSERT_TRUE(openDialog());
  ASSERT_TRUE(fill(QStringLiteral("sweepSplits"), QStringLiteral("5, 10")));
  ASSERT_TRUE(m_window.click(QStringLiteral("sweepStart")));
  ASSERT_TRUE(waitForState(QStringLiteral("done")));
  ASSERT_TRUE(waitForPoints(2));
  ASSERT_TRUE(m_window.click(QStringLiteral("export")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("exportPath")));
  const QString table = path(QStringLiteral("points.csv"));
  ASSERT_TRUE(m_window.replaceText(QStringLiteral("exportPath"), table));
  ASSERT_TRUE(m_window.click(QStringLiteral("exportSave")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("hint"), QStringLiteral("Wrote ") + table));
  QFile written(table);
  ASSERT_TRUE(written.open(QIODevice::ReadOnly));
  EXPECT_GE(written.readAll().count('\n'), 3) << "a head and two points at least";

  const auto shows = [this](const QString& member) {
    return m_window.waitFor(
               QStringLiteral("the Timeline"),
               [](const UiMapFile& map) { return map.page == QStringLiteral("timeline"); }) &&
           m_window.click(QStringLiteral("rail.plan")) &&
           m_window.waitFor(member, [&](const UiMapFile& map) {
             const Control* shown = map.find(QStringLiteral("sweepMember"));
             return shown != nullptr && shown->value.endsWith(member);
           });
  };
  const QStringList points = m_window.map().namesThatBegin(QStringLiteral("sweepPoint."));
  ASSERT_TRUE(m_window.click(points.last()));
  ASSERT_TRUE(shows(QStringLiteral("s10")));
  ASSERT_TRUE(m_window.click(QStringLiteral("rail.runs")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("sweepHide")));
  // The curve is behind its buttons in the tab order.
  ASSERT_TRUE(m_window.click(QStringLiteral("runsSearch")));
  for (int tab = 0; tab < 40; ++tab) {
    if (m_window.map().textOf(QStringLiteral("hint")).startsWith(QStringLiteral("Sweep:"))) break;
    m_window.key(QStringLiteral("shift+Tab"));
    QThread::msleep(120);
  }
  m_window.key(QStringLiteral("Home"));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("hint"), QStringLiteral("Enter opens it")));
  m_window.key(QStringLiteral("Return"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the Timeline"), [](const UiMapFile& map) {
    return map.page == QStringLiteral("timeline");
  }));
}

TEST_F(SweepTest, WhatCannotBeSweptIsSaidAtItsFieldBeforeItStarts) {
  ASSERT_TRUE(open(writeToy(3)));
  ASSERT_TRUE(openDialog());
  const auto refuses = [this](const QString& field, const QString& text, const QString& why) {
    return fill(field, text) && m_window.waitForText(field + QStringLiteral("Problem"), why) &&
           !m_window.map().isEnabled(QStringLiteral("sweepStart"));
  };
  const auto takes = [this](const QString& field, const QString& text, const QString& size) {
    return fill(field, text) && m_window.waitForText(QStringLiteral("sweepCount"), size) &&
           m_window.map().isEnabled(QStringLiteral("sweepStart"));
  };
  const QString splits = QStringLiteral("sweepSplits");
  const QString schedules = QStringLiteral("sweepSchedules");
  // With keys only: the first list has the focus, and the next is one Tab away.
  ASSERT_TRUE(m_window.waitForFocus(splits));
  m_window.type(QStringLiteral("5, none"));
  m_window.key(QStringLiteral("Tab"));
  m_window.type(QStringLiteral("gpipe, gpipe"));
  ASSERT_TRUE(m_window.waitForText(splits + QStringLiteral("Problem"),
                                   QStringLiteral("expected an integer ≥ 1")));
  ASSERT_TRUE(m_window.waitForText(schedules + QStringLiteral("Problem"),
                                   QStringLiteral("gpipe appears twice")));
  ASSERT_TRUE(fill(schedules, QStringLiteral("gpipe")));
  EXPECT_TRUE(refuses(splits, QStringLiteral("5, 5"), QStringLiteral("5 appears twice")));
  EXPECT_TRUE(refuses(splits, QStringLiteral("5, 500"),
                      QStringLiteral("500 is larger than the batch (20). Use 1 to 20")));
  keepPicture(m_window.picture(), QStringLiteral("sweep-dialog-refused-light-1280"));
  EXPECT_TRUE(takes(splits, QStringLiteral("5, 10"), QStringLiteral("2 points in 1 run")));
  EXPECT_TRUE(refuses(schedules, QStringLiteral("gpipe,,1f1b"), QStringLiteral("is missing")));
  EXPECT_TRUE(refuses(schedules, QStringLiteral("gpipe, no such"),
                      QStringLiteral("Unknown schedule \"no such\"")));
  EXPECT_TRUE(takes(schedules, QStringLiteral("gpipe, 1f1b"), QStringLiteral("4 points in 1 run")));
  EXPECT_EQ(m_window.map().find(splits + QStringLiteral("Problem")), nullptr);
  // Enter before the check is done: refused then, and no input is lost.
  EXPECT_TRUE(m_window.replaceText(schedules, QStringLiteral("gpipe, none such")));
  m_window.key(QStringLiteral("Return"));
  ASSERT_TRUE(m_window.waitForText(schedules + QStringLiteral("Problem"),
                                   QStringLiteral("Unknown schedule \"none such\"")));
  EXPECT_EQ(m_window.map().textOf(splits), QStringLiteral("5, 10"));
  ASSERT_TRUE(m_window.click(QStringLiteral("sweepDialogCancel")));
}

TEST_F(SweepTest, WhatTheVariantListsItselfCountsInTheDialog) {
  const QString file = writeToy(1);
  QJsonObject toy = readJson(file);
  QJsonArray variants = toy[QStringLiteral("variants")].toArray();
  for (QJsonValueRef value : variants) {
    QJsonObject variant = value.toObject();
    if (variant[QStringLiteral("strategy")] == QStringLiteral("pipeline")) {
      variant[QStringLiteral("split_size")] = QJsonArray{5, 10, 20};
      value = variant;
    }
  }
  toy[QStringLiteral("variants")] = variants;
  QFile out(file);
  ASSERT_TRUE(out.open(QIODevice::WriteOnly));
  out.write(QJsonDocument(toy).toJson());
  out.close();
  ASSERT_TRUE(open(file));
  ASSERT_TRUE(openDialog());
  ASSERT_TRUE(fill(QStringLiteral("sweepSchedules"), QStringLiteral("gpipe, 1f1b")));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("sweepCount"), QStringLiteral("6 points in 1 run")));
  // Presses Enter right after typing.
  m_window.key(QStringLiteral("Return"));
  ASSERT_TRUE(waitForState(QStringLiteral("done")));
  ASSERT_TRUE(waitForPoints(6));
  EXPECT_TRUE(m_window.map()
                  .textOf(QStringLiteral("sweepText"))
                  .startsWith(QStringLiteral("6 of 6 points measured, ")));
}

TEST_F(SweepTest, WhatWasTypedComesBackWhenTheSweepCouldNotStart) {
  const QString file = writeToy(1);
  // The path of the folder for sweeps is a file.
  ASSERT_TRUE(QDir().mkpath(path(QStringLiteral("workspace"))));
  QFile inTheWay(path(QStringLiteral("workspace/sweeps")));
  ASSERT_TRUE(inTheWay.open(QIODevice::WriteOnly));
  inTheWay.close();
  ASSERT_TRUE(open(file));
  ASSERT_TRUE(openDialog());
  ASSERT_TRUE(fill(QStringLiteral("sweepSplits"), QStringLiteral("4, 5, 10")));
  ASSERT_TRUE(fill(QStringLiteral("sweepBatches"), QStringLiteral("20")));
  ASSERT_TRUE(m_window.click(QStringLiteral("sweepStart")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runMessage"),
                                   QStringLiteral("The sweep could not start")));
  ASSERT_TRUE(openDialog());
  EXPECT_EQ(m_window.map().textOf(QStringLiteral("sweepSplits")), QStringLiteral("4, 5, 10"));
  EXPECT_EQ(m_window.map().textOf(QStringLiteral("sweepBatches")), QStringLiteral("20"));
  ASSERT_TRUE(inTheWay.remove());
  ASSERT_TRUE(m_window.click(QStringLiteral("sweepStart")));
  ASSERT_TRUE(waitForState(QStringLiteral("done")));
  // It has started, so the next dialog is empty.
  ASSERT_TRUE(openDialog());
  EXPECT_EQ(m_window.map().valueOf(QStringLiteral("sweepSplits")), QString());
  ASSERT_TRUE(m_window.click(QStringLiteral("sweepDialogCancel")));
}

TEST_F(SweepTest, SaysHowLongItStillTakesWhileItMeasures) {
  // So many repeats that no machine ends them before the check.
  ASSERT_TRUE(open(writeToy(5000)));
  ASSERT_TRUE(openDialog());
  ASSERT_TRUE(fill(QStringLiteral("sweepSplits"), QStringLiteral("5, 10")));
  ASSERT_TRUE(m_window.click(QStringLiteral("sweepStart")));
  const auto left = [](const QString& text) { return text.contains(QStringLiteral(" left")); };
  const auto saysSo = [&](const UiMapFile& map) {
    return left(map.textOf(QStringLiteral("sweepText"))) &&
           left(map.textOf(QStringLiteral("timeLeft")));
  };
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("time left"), saysSo, 120000));
  ASSERT_TRUE(m_window.click(QStringLiteral("sweepPause")));
  ASSERT_TRUE(waitForState(QStringLiteral("paused")));
  EXPECT_FALSE(left(m_window.map().textOf(QStringLiteral("sweepText"))));
  EXPECT_EQ(m_window.map().find(QStringLiteral("timeLeft")), nullptr);
  ASSERT_TRUE(m_window.click(QStringLiteral("sweepGoOn")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("time left again"), saysSo, 120000));
  ASSERT_TRUE(m_window.click(QStringLiteral("sweepPause")));
  ASSERT_TRUE(waitForState(QStringLiteral("paused")));
}

}  // namespace
}  // namespace stagelane::gui
