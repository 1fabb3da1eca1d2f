// Actions on runs: importing a copied run folder, training a run again, rebuilding the index.

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QThread>

#include "tests/gui/experiments.h"
#include "tests/gui/history.h"
#include "tests/gui/runs_window.h"

namespace stagelane::gui {
namespace {

class RunsManageTest : public RunsWindow {
 protected:
  /// A run folder outside the workspace, as it comes from another machine.
  [[nodiscard]] QString writeElsewhere() {
    return writePastRun(path(QStringLiteral("stick")),
                        {.folder = QStringLiteral("20261118-080000-borrowed"),
                         .name = QStringLiteral("From the other machine")});
  }

  /// In the dialog that asks for a folder.
  [[nodiscard]] bool chooseFolder(const QString& folder) {
    return m_window.waitForControl(QStringLiteral("fileNameEdit")) &&
           m_window.replaceText(QStringLiteral("fileNameEdit"), folder) &&
           m_window.waitForText(QStringLiteral("fileNameEdit"), folder) && confirm();
  }

  [[nodiscard]] QStringList foldersOfRuns() const {
    return QDir(runs()).entryList(QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot);
  }

 private:
  [[nodiscard]] bool confirm() {
    m_window.key(QStringLiteral("Return"));
    return m_window.waitFor(QStringLiteral("the end of the dialog"), [](const UiMapFile& map) {
      return map.find(QStringLiteral("fileNameEdit")) == nullptr;
    });
  }
};

TEST_F(RunsManageTest, ACopiedRunFolderIsImportedShownAndStaysWhereItWas) {
  const QString source = writeElsewhere();
  ASSERT_TRUE(openHistory());
  ASSERT_TRUE(m_window.click(QStringLiteral("runs.kind.failed")));
  ASSERT_TRUE(waitForRuns({4}));
  ASSERT_TRUE(m_window.click(QStringLiteral("import")));
  ASSERT_TRUE(chooseFolder(source));
  ASSERT_TRUE(waitForRuns({1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(m_window.map().textOf(QStringLiteral("run.6")).toStdString(), "From the other machine");
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runTitle"), QStringLiteral("Run 6")));
  EXPECT_TRUE(foldersOfRuns().contains(QStringLiteral("20261118-080000-borrowed")));
  EXPECT_TRUE(QFileInfo::exists(source + QStringLiteral("/events.jsonl")));
  ASSERT_TRUE(m_window.click(QStringLiteral("openInCharts")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("bar.time.pipeline")));
}

TEST_F(RunsManageTest, WhatIsNoRunFolderIsRefusedInWords) {
  QDir().mkpath(path(QStringLiteral("holiday-pictures")));
  ASSERT_TRUE(openPage());
  ASSERT_TRUE(m_window.click(QStringLiteral("import")));
  ASSERT_TRUE(chooseFolder(path(QStringLiteral("holiday-pictures"))));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("banner.history"),
                                   QStringLiteral("run folder: it has no events.jsonl")));
  EXPECT_TRUE(foldersOfRuns().isEmpty());
  ASSERT_TRUE(m_window.click(QStringLiteral("dismissHistory")));
}

TEST_F(RunsManageTest, AnImportThatTakesLongCanBeStopped) {
  constexpr int kFiles = 20000;
  const QString source = writeElsewhere();
  for (int i = 0; i < kFiles; ++i) {
    QFile file(source + QStringLiteral("/traces/%1").arg(i));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("some bytes of a trace");
  }
  ASSERT_TRUE(openPage());
  ASSERT_TRUE(m_window.click(QStringLiteral("import")));
  ASSERT_TRUE(chooseFolder(source));
  ASSERT_TRUE(m_window.click(QStringLiteral("runsWorkStop")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("hint"), QStringLiteral("Import canceled")));
  EXPECT_TRUE(foldersOfRuns().isEmpty()) << foldersOfRuns().join(QChar(u' ')).toStdString();
}

TEST_F(RunsManageTest, RunAgainTrainsTheSameOnceMore) {
  ASSERT_TRUE(openHistory());
  ASSERT_TRUE(m_window.click(QStringLiteral("run.2")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runTitle"), QStringLiteral("Run 2")));
  ASSERT_TRUE(m_window.click(QStringLiteral("rerun")));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("runMessage"), QStringLiteral("Last run: done"), 120000));
  m_window.key(QStringLiteral("ctrl+4"));
  ASSERT_TRUE(waitForRuns({1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(m_window.map().textOf(QStringLiteral("run.6")).toStdString(), "Toy, larger batch");
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runTitle"), QStringLiteral("Run 6")));
  const QString again = runs() + QChar(u'/') + foldersOfRuns().last();
  const QJsonObject trained = readJson(again + QStringLiteral("/experiment.json"));
  EXPECT_EQ(trained[QStringLiteral("data")][QStringLiteral("batch_size")].toInt(), 40);
  EXPECT_EQ(readJson(again + QStringLiteral("/result.json"))[QStringLiteral("status")]
                .toString()
                .toStdString(),
            "done");
}

TEST_F(RunsManageTest, ACanceledRunIsResumedFromTheListAndKeepsWhatItHad) {
  ASSERT_TRUE(m_window.open(
      {.file = writeLongToy(path(QStringLiteral("."))), .page = QStringLiteral("runs")}));
  ASSERT_TRUE(m_window.click(QStringLiteral("run")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runMessage"), QStringLiteral("repeat")));
  ASSERT_TRUE(m_window.click(QStringLiteral("cancel")));
  ASSERT_TRUE(waitForState(1, QStringLiteral("canceled")));
  QFile events(m_window.runFolders().value(0) + QStringLiteral("/events.jsonl"));
  ASSERT_TRUE(events.open(QIODevice::ReadOnly));
  const QByteArray before = events.readAll();
  events.close();
  ASSERT_TRUE(m_window.click(QStringLiteral("run.1")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runTitle"), QStringLiteral("Run 1")));
  m_window.key(QStringLiteral("r"));
  ASSERT_TRUE(waitForState(1, QStringLiteral("running")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runMessage"), QStringLiteral("repeat")));
  ASSERT_TRUE(m_window.click(QStringLiteral("cancel")));
  ASSERT_TRUE(waitForState(1, QStringLiteral("canceled")));
  ASSERT_TRUE(events.open(QIODevice::ReadOnly));
  const QByteArray after = events.readAll();
  EXPECT_TRUE(after.startsWith(before));
  EXPECT_TRUE(after.mid(before.size()).contains("\"event\":\"resumed\""));
  EXPECT_EQ(m_window.runFolders().size(), 1);
}

TEST_F(RunsManageTest, ARunThatCannotBeResumedSaysWhy) {
  ASSERT_TRUE(openHistory());  // with the environment of another version
  ASSERT_TRUE(m_window.click(QStringLiteral("run.5")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runTitle"), QStringLiteral("Run 5")));
  m_window.key(QStringLiteral("r"));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("banner"), QStringLiteral("different stagelane")));
}

TEST_F(RunsManageTest, ALabelThatIsSetInOneWindowIsSeenInTheOther) {
  ASSERT_TRUE(openHistory());
  WindowDriver other(m_window.folder(), QStringLiteral("other.json"));
  ASSERT_TRUE(other.open({.file = QStringLiteral("toy"), .page = QStringLiteral("runs")}));
  ASSERT_TRUE(other.click(QStringLiteral("run.3.favourite")));
  const auto starred = [](const UiMapFile& map) {
    return map.valueOf(QStringLiteral("run.3.favourite")) == QStringLiteral("true");
  };
  ASSERT_TRUE(other.waitFor(QStringLiteral("the star"), starred));
  m_window.activate();
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the star of the other window"), starred));
  ASSERT_TRUE(m_window.click(QStringLiteral("run.4.favourite")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("a second star"), [](const UiMapFile& map) {
    return map.valueOf(QStringLiteral("run.4.favourite")) == QStringLiteral("true");
  }));
  other.activate();
  ASSERT_TRUE(other.waitFor(QStringLiteral("both stars"), [&](const UiMapFile& map) {
    return starred(map) && map.valueOf(QStringLiteral("run.4.favourite")) == QStringLiteral("true");
  }));
  EXPECT_EQ(other.close().toStdString(), "");
}

TEST_F(RunsManageTest, ARunOfAnotherProgramAppearsThoughItsFolderWasEmptyAtFirst) {
  const QString folder = QStringLiteral("20261122-120000-other");
  ASSERT_TRUE(QDir().mkpath(runs() + QChar(u'/') + folder));
  ASSERT_TRUE(openHistory());
  writePastRun(runs(), {.folder = folder, .name = QStringLiteral("From a terminal")});
  ASSERT_TRUE(waitForRuns({1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(m_window.map().textOf(QStringLiteral("run.6")).toStdString(), "From a terminal");
  ASSERT_TRUE(waitForState(6, QStringLiteral("done")));
}

TEST_F(RunsManageTest, TheFirstRunOfAWorkspaceAppearsWhoeverStartedIt) {
  ASSERT_TRUE(openPage());
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runsMessage"), QStringLiteral("No runs yet")));
  writePastRun(runs(), {.folder = QStringLiteral("20261122-120000-first"),
                        .name = QStringLiteral("From a terminal")});
  ASSERT_TRUE(waitForRuns({1}));
}

TEST_F(RunsManageTest, ADamagedIndexMendsItself) {
  ASSERT_TRUE(openHistory());
  m_window.close();
  QFile file(path(QStringLiteral("workspace/stagelane.db")));
  ASSERT_TRUE(file.open(QIODevice::ReadWrite));
  for (qint64 at = 4096; at < file.size(); at += 5) {
    file.seek(at);
    file.putChar(static_cast<char>(at));
  }
  file.close();
  ASSERT_TRUE(openPage());
  ASSERT_TRUE(waitForRuns({1, 2, 3, 4, 5}));
}

TEST_F(RunsManageTest, WhereNoIndexCanBeKeptTheRunsAreStillThereAndTheAdviceIsRight) {
  const QString taken = path(QStringLiteral("workspace/stagelane.db/something"));
  ASSERT_TRUE(QDir().mkpath(taken));
  ASSERT_TRUE(openHistory());
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("banner.index"), QStringLiteral("Move it away")));
  ASSERT_TRUE(QDir(path(QStringLiteral("workspace/stagelane.db"))).removeRecursively());
  ASSERT_TRUE(m_window.click(QStringLiteral("keepIndex")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("an index again"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("keepIndex")) == nullptr;
  }));
  EXPECT_TRUE(QFileInfo(path(QStringLiteral("workspace/stagelane.db"))).isFile());
  ASSERT_TRUE(waitForRuns({1, 2, 3, 4, 5}));
}

TEST_F(RunsManageTest, TheIndexIsMadeAgainFromTheFoldersWithNumbersAndLabels) {
  ASSERT_TRUE(openHistory());
  ASSERT_TRUE(m_window.click(QStringLiteral("run.3.favourite")));
  const auto starred = [](const UiMapFile& map) {
    return map.valueOf(QStringLiteral("run.3.favourite")) == QStringLiteral("true");
  };
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the star"), starred));
  const QString database = path(QStringLiteral("workspace/stagelane.db"));
  for (const char* suffix : {"", "-wal", "-shm"}) {
    QFile::remove(database + QString::fromLatin1(suffix));
  }
  ASSERT_TRUE(chooseMore(QStringLiteral("rebuildIndexAction")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the index"),
                               [&](const UiMapFile&) { return QFileInfo(database).size() > 0; }));
  ASSERT_TRUE(waitForRuns({1, 2, 3, 4, 5}));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the star again"), starred));
}

}  // namespace
}  // namespace stagelane::gui
