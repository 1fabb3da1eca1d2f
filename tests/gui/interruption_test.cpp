// Runs that are canceled, killed or refused. The window stays usable, reports it, and keeps the
// measurements.

#include <QDir>
#include <QFileInfo>
#include <csignal>

#include "tests/gui/experiments.h"
#include "tests/gui/window_test.h"
#include "tests/support/fault_clock.h"
#include "tests/support/paths.h"

namespace stagelane::gui {
namespace {

class Interruption : public WindowTest {
 protected:
  /// Starts the long toy and waits until some repeats are measured.
  [[nodiscard]] bool startLongRun() {
    return m_window.open({.file = writeLongToy(path(QStringLiteral(".")))}) &&
           m_window.click(QStringLiteral("run")) &&
           m_window.waitFor(
               QStringLiteral("the third repeat"),
               [](const UiMapFile& map) {
                 return repeatOf(map.textOf(QStringLiteral("runMessage"))) >= 3;
               },
               120000);
  }

  /// "single, repeat 3 of 20000" → 3
  [[nodiscard]] static int repeatOf(const QString& message) {
    const QString words = message.section(QStringLiteral("repeat "), 1);
    return words.section(QChar(u' '), 0, 0).toInt();
  }

  [[nodiscard]] QJsonObject result() const {
    const QStringList folders = m_window.runFolders();
    return folders.isEmpty() ? QJsonObject()
                             : readJson(folders.back() + QStringLiteral("/result.json"));
  }

  void expectMeasuredRepeatsKept() const {
    int kept = 0;
    for (const QJsonValue& variant : result()[QStringLiteral("variants")].toArray()) {
      kept += static_cast<int>(variant.toObject()[QStringLiteral("seconds")].toArray().size());
    }
    EXPECT_GE(kept, 3);
  }

  [[nodiscard]] QString banner() const { return m_window.map().textOf(QStringLiteral("banner")); }

  [[nodiscard]] static bool mayRunAgain(const UiMapFile& map) {
    return map.isEnabled(QStringLiteral("run")) && !map.isEnabled(QStringLiteral("cancel"));
  }
};

TEST_F(Interruption, AKilledEngineIsAFailedRunAndTheWindowGoesOn) {
  ASSERT_TRUE(startLongRun());
  const QList<qint64> engines = m_window.engines();
  ASSERT_EQ(engines.size(), 1);
  const stagelane::test::FaultClock clock;
  clock.strike();
  ASSERT_EQ(::kill(static_cast<pid_t>(engines.front()), SIGKILL), 0);
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("banner"), QStringLiteral("The run failed")));
  clock.expectEnded();
  EXPECT_TRUE(banner().contains(QStringLiteral("Kept"))) << banner().toStdString();
  EXPECT_EQ(banner().count(m_window.runFolders().back()), 1) << banner().toStdString();
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("Run again"), mayRunAgain));
  EXPECT_TRUE(m_window.map().isEnabled(QStringLiteral("runAgain")));
  EXPECT_NE(m_window.map().find(QStringLiteral("openLog")), nullptr);
  EXPECT_EQ(m_window.map().find(QStringLiteral("fixFailedPlan")), nullptr)
      << "a kill is no fault of the plan";
  EXPECT_EQ(result()[QStringLiteral("status")].toString().toStdString(), "failed");
  expectMeasuredRepeatsKept();

  // The window still works, and so does a run after it.
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.pipeline")));
  ASSERT_TRUE(m_window.enter(QStringLiteral("repeats"), QStringLiteral("2")));
  ASSERT_TRUE(m_window.click(QStringLiteral("runAgain")));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("runMessage"), QStringLiteral("Last run: done"), 120000));
  EXPECT_EQ(m_window.runFolders().size(), 2);
}

TEST_F(Interruption, CancelEndsTheRunAndKeepsWhatWasMeasured) {
  ASSERT_TRUE(startLongRun());
  ASSERT_TRUE(m_window.click(QStringLiteral("cancel")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("banner"), QStringLiteral("canceled")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("Run again"), mayRunAgain));
  EXPECT_TRUE(m_window.engines().isEmpty());
  EXPECT_EQ(result()[QStringLiteral("status")].toString().toStdString(), "canceled");
  expectMeasuredRepeatsKept();
  ASSERT_TRUE(m_window.click(QStringLiteral("dismiss")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("no banner"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("banner")) == nullptr;
  }));
}

TEST_F(Interruption, ARunThatGoesOnAndEndsAgainIsToldAgain) {
  ASSERT_TRUE(startLongRun());
  ASSERT_TRUE(m_window.click(QStringLiteral("cancel")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("banner"), QStringLiteral("canceled")));
  ASSERT_TRUE(m_window.click(QStringLiteral("dismiss")));
  m_window.key(QStringLiteral("ctrl+4"));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("run.1")));
  ASSERT_TRUE(m_window.click(QStringLiteral("run.1")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runTitle"), QStringLiteral("Run 1")));
  EXPECT_TRUE(banner().isEmpty()) << "put away on one page is put away on all";
  m_window.key(QStringLiteral("r"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("repeats again"), [](const UiMapFile& map) {
    return map.isEnabled(QStringLiteral("cancel")) &&
           repeatOf(map.textOf(QStringLiteral("runMessage"))) >= 3;
  }));
  ASSERT_TRUE(m_window.click(QStringLiteral("cancel")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("Run again"), mayRunAgain));
  EXPECT_EQ(m_window.runFolders().size(), 1);
  m_window.key(QStringLiteral("ctrl+1"));
  EXPECT_TRUE(m_window.waitForText(QStringLiteral("banner"), QStringLiteral("canceled")));
}

TEST_F(Interruption, WhileARunIsGoingRunIsOffAndThePlanStaysEditable) {
  ASSERT_TRUE(startLongRun());
  EXPECT_FALSE(m_window.map().isEnabled(QStringLiteral("run")));
  EXPECT_TRUE(m_window.map().isEnabled(QStringLiteral("cancel")));
  m_window.key(QStringLiteral("F5"));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("banner"), QStringLiteral("next run")));
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.pipeline")));
  ASSERT_TRUE(m_window.enter(QStringLiteral("splitSize"), QStringLiteral("4")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("an edit to undo"), [](const UiMapFile& map) {
    return map.isEnabled(QStringLiteral("undo"));
  }));
  EXPECT_EQ(m_window.engines().size(), 1) << "F5 starts no second run";
  EXPECT_EQ(m_window.runFolders().size(), 1);
  ASSERT_TRUE(m_window.click(QStringLiteral("cancel")));
  EXPECT_TRUE(m_window.waitFor(QStringLiteral("the end of the engine"),
                               [&](const UiMapFile&) { return m_window.engines().isEmpty(); }));
}

TEST_F(Interruption, StayingAtTheLastQuestionOfClosingLetsTheRunGoOn) {
  ASSERT_TRUE(startLongRun());
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.pipeline")));
  ASSERT_TRUE(m_window.enter(QStringLiteral("splitSize"), QStringLiteral("4")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("an edit to save"), [](const UiMapFile& map) {
    return map.isEnabled(QStringLiteral("undo"));
  }));
  m_window.key(QStringLiteral("ctrl+q"));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("closeAndCancel")));
  ASSERT_TRUE(m_window.click(QStringLiteral("closeAndCancel")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("discardChanges")));
  ASSERT_TRUE(m_window.click(QStringLiteral("stayHere")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("no more questions"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("stayHere")) == nullptr && !map.controls.isEmpty();
  }));
  const int reached = repeatOf(m_window.map().textOf(QStringLiteral("runMessage")));
  EXPECT_TRUE(m_window.waitFor(QStringLiteral("further repeats"), [&](const UiMapFile& map) {
    return repeatOf(map.textOf(QStringLiteral("runMessage"))) > reached;
  }));
  ASSERT_TRUE(m_window.click(QStringLiteral("cancel")));
  EXPECT_TRUE(m_window.waitFor(QStringLiteral("the end of the engine"),
                               [&](const UiMapFile&) { return m_window.engines().isEmpty(); }));
}

TEST_F(Interruption, AKilledWindowLeavesNoCalibrationBehind) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("tutorial-resnet50-quick")}));
  ASSERT_TRUE(m_window.click(QStringLiteral("calibrate")));
  ASSERT_TRUE(
      m_window.waitFor(QStringLiteral("the engine that calibrates"), [&](const UiMapFile& map) {
        return map.isEnabled(QStringLiteral("cancelCalibration")) && !m_window.engines().isEmpty();
      }));
  const QList<qint64> engines = m_window.engines();
  const stagelane::test::FaultClock clock;
  clock.strike();
  m_window.kill();
  clock.expectEnded();
  for (const qint64 engine : engines) {
    EXPECT_NE(::kill(static_cast<pid_t>(engine), 0), 0) << "it measures on, and nobody reads it";
  }
}

TEST_F(Interruption, AnotherProgramsRunInTheSameWorkspaceRefusesOursWithWords) {
  QProcess other;
  other.setProcessEnvironment(m_window.environment());
  other.start(QString::fromStdString(checkout::programs() + "/stagelane"),
              {QStringLiteral("run"), writeLongToy(path(QStringLiteral(".")))});
  ASSERT_TRUE(other.waitForStarted());
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy")}));
  const auto holdsTheLock = [&] {
    return !m_window.runFolders().isEmpty() &&
           QFileInfo::exists(m_window.runFolders().front() + QStringLiteral("/events.jsonl"));
  };
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the other run"),
                               [&](const UiMapFile&) { return holdsTheLock(); }));
  ASSERT_TRUE(m_window.click(QStringLiteral("run")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("banner"), QStringLiteral("could not start")));
  EXPECT_EQ(m_window.runFolders().size(), 1);
  other.terminate();
  EXPECT_TRUE(other.waitForFinished(60000));
  EXPECT_EQ(other.exitCode(), 130);
  ASSERT_TRUE(m_window.click(QStringLiteral("runAgain")));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("runMessage"), QStringLiteral("Last run: done"), 120000));
}

}  // namespace
}  // namespace stagelane::gui
