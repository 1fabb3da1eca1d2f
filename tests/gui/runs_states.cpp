#include "tests/gui/runs_states.h"

#include <QDir>
#include <QFile>

#include "tests/gui/experiments.h"
#include "tests/gui/history.h"

namespace stagelane::gui {

void RunsStates::forgetAll() {
  m_window.close();
  QDir(path(QStringLiteral("workspace"))).removeRecursively();
  QDir().mkpath(path(QStringLiteral("workspace")));
}

void RunsStates::keepShot(const QString& state, const Look& look) {
  RunsWindow::keepShot(state, look.theme, look.size.width());
}

void RunsStates::expectEmpty(const Look& look) {
  forgetAll();
  ASSERT_TRUE(openPage(look.size, look.theme));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runsMessage"), QStringLiteral("No runs yet")));
  EXPECT_TRUE(m_window.map().isEnabled(QStringLiteral("runsMessageButton")));
  keepShot(QStringLiteral("empty"), look);
}

void RunsStates::expectLoading(const Look& look) {
  constexpr int kFolders = 4000;
  forgetAll();
  for (int i = 0; i < kFolders; ++i) {
    const QString folder =
        QDir(runs()).filePath(QStringLiteral("20260101-%1-many").arg(i, 6, 10, QChar(u'0')));
    QDir().mkpath(folder);
    QFile file(folder + QStringLiteral("/result.json"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(R"({"stagelane":"1","name":"Many","status":"done","timing":"steady","folder":"",)"
               R"("devices":["cpu:0"],"variants":[]})");
  }
  ASSERT_TRUE(
      m_window.open({.file = QStringLiteral("toy"), .size = look.size, .theme = look.theme}));
  ASSERT_TRUE(m_window.click(QStringLiteral("rail.runs")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runsWorkText"), QStringLiteral(" of 4000")));
  keepShot(QStringLiteral("loading"), look);
  ASSERT_TRUE(m_window.click(QStringLiteral("runsWorkStop")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the end of reading"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("runsWork")) == nullptr;
  }));
}

void RunsStates::expectFailed(const Look& look) {
  forgetAll();
  ASSERT_TRUE(openHistory(look.size, look.theme));
  ASSERT_TRUE(m_window.click(QStringLiteral("run.4")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runFacts"), QStringLiteral("Out of memory")));
  keepShot(QStringLiteral("failed"), look);
}

void RunsStates::expectCanceled(const Look& look) {
  forgetAll();
  ASSERT_TRUE(openHistory(look.size, look.theme));
  ASSERT_TRUE(m_window.click(QStringLiteral("run.5")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runTitle"), QStringLiteral("Run 5")));
  ASSERT_TRUE(waitForState(5, QStringLiteral("canceled")));
  keepShot(QStringLiteral("canceled"), look);
}

void RunsStates::expectUnreadable(const Look& look) {
  forgetAll();
  const QString database = path(QStringLiteral("workspace/stagelane.db"));
  writePastRuns(runs());
  QDir().mkpath(database + QStringLiteral("/in-the-way"));
  ASSERT_TRUE(openPage(look.size, look.theme));
  ASSERT_TRUE(waitForRuns({1, 2, 3, 4, 5}));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("banner.index"), QStringLiteral("Move it away")));
  keepShot(QStringLiteral("unreadable"), look);
  const QRect button = m_window.map().find(QStringLiteral("keepIndex"))->rect;
  QDir(database).removeRecursively();
  // The page may notice the repair by itself, so the button may be gone before the click.
  m_window.clickAt(button.center());
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("an index again"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("keepIndex")) == nullptr;
  }));
  ASSERT_TRUE(waitForRuns({1, 2, 3, 4, 5}));
}

void RunsStates::expectNoEngine(const Look& look) {
  forgetAll();
  const QByteArray engine = qgetenv("STAGELANE_ENGINE");
  qputenv("STAGELANE_ENGINE", path(QStringLiteral("no-such-engine")).toUtf8());
  const bool shown = openHistory(look.size, look.theme);
  if (engine.isEmpty()) {
    qunsetenv("STAGELANE_ENGINE");
  } else {
    qputenv("STAGELANE_ENGINE", engine);
  }
  ASSERT_TRUE(shown);
  ASSERT_TRUE(m_window.click(QStringLiteral("run.1")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("banner"), QStringLiteral("engine not found")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("rerun")));
  EXPECT_FALSE(m_window.map().isEnabled(QStringLiteral("rerun")));
  EXPECT_TRUE(m_window.map().isEnabled(QStringLiteral("openInTimeline")));
  keepShot(QStringLiteral("no-engine"), look);
}

void RunsStates::expectRunning(const Look& look) {
  forgetAll();
  ASSERT_TRUE(m_window.open({.file = writeLongToy(path(QStringLiteral("."))),
                             .page = QStringLiteral("runs"),
                             .size = look.size,
                             .theme = look.theme}));
  ASSERT_TRUE(m_window.click(QStringLiteral("run")));
  ASSERT_TRUE(waitForState(1, QStringLiteral("running")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runMessage"), QStringLiteral("repeat"), 120000));
  ASSERT_TRUE(m_window.click(QStringLiteral("run.1")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runTitle"), QStringLiteral("Run 1")));
  keepShot(QStringLiteral("running"), look);
  ASSERT_TRUE(m_window.click(QStringLiteral("cancel")));
  ASSERT_TRUE(waitForState(1, QStringLiteral("canceled")));
}

}  // namespace stagelane::gui
