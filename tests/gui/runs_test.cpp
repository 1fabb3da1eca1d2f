// The Runs page: finding, labeling, comparing, deleting, importing.

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "tests/gui/experiments.h"
#include "tests/gui/history.h"
#include "tests/gui/runs_window.h"

namespace stagelane::gui {
namespace {

class RunsPageTest : public RunsWindow {
 protected:
  [[nodiscard]] int topOf(int number) const {
    const UiMapFile map = m_window.map();
    const Control* row = map.find(QStringLiteral("run.%1").arg(number));
    return row == nullptr ? -1 : row->rect.top();
  }

  [[nodiscard]] QJsonObject labelsOf(const QString& run) const {
    return readJson(QDir(runs()).filePath(run + QStringLiteral("/labels.json")));
  }
};

TEST_F(RunsPageTest, WithoutRunsSaysWhatToDoAndARunThatEndsAppears) {
  ASSERT_TRUE(openPage());
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runsMessage"), QStringLiteral("No runs yet")));
  keepShot(QStringLiteral("empty"), QStringLiteral("light"), 1280);
  ASSERT_TRUE(m_window.click(QStringLiteral("runsMessageButton")));
  ASSERT_TRUE(m_window.waitFor(
      QStringLiteral("the run, done"),
      [](const UiMapFile& map) {
        const QString state = map.valueOf(QStringLiteral("run.1"));
        return state == QStringLiteral("done") || state.startsWith(QStringLiteral("noisy"));
      },
      120000));
  EXPECT_EQ(m_window.map().textOf(QStringLiteral("run.1")).toStdString(), "Toy model");
}

TEST_F(RunsPageTest, TheSearchAndTheStatusNarrowTheTableDown) {
  ASSERT_TRUE(openHistory());
  EXPECT_EQ(m_window.map().textOf(QStringLiteral("runs.kind.failed")).toStdString(), "Failed 1");
  ASSERT_TRUE(m_window.click(QStringLiteral("runs.kind.failed")));
  ASSERT_TRUE(waitForRuns({4}));
  EXPECT_EQ(m_window.map().valueOf(QStringLiteral("run.4")).toStdString(), "failed, out of memory");
  ASSERT_TRUE(m_window.click(QStringLiteral("runs.kind.all")));
  m_window.key(QStringLiteral("ctrl+f"));
  m_window.type(QStringLiteral("tower -status:failed"));
  ASSERT_TRUE(waitForRuns({3, 5}));
  ASSERT_TRUE(m_window.replaceText(QStringLiteral("runsSearch"), QStringLiteral("no such words")));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("nothingFound"), QStringLiteral("No runs match.")));
  keepShot(QStringLiteral("nothing-found"), QStringLiteral("light"), 1280);
}

TEST_F(RunsPageTest, WordsThatFindNothingSayWhyAndTokensGoByAClick) {
  ASSERT_TRUE(openHistory());
  m_window.key(QStringLiteral("ctrl+f"));
  m_window.type(QStringLiteral("tower status:foo"));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("nothingFound"), QStringLiteral("Unknown status foo")));
  ASSERT_TRUE(m_window.click(QStringLiteral("searchToken.0")));
  ASSERT_TRUE(waitForRuns({3, 4, 5}));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runsSearch"), QStringLiteral("tower")));
}

TEST_F(RunsPageTest, AClickOnAHeaderSorts) {
  ASSERT_TRUE(openHistory());
  EXPECT_LT(topOf(5), topOf(1));
  ASSERT_TRUE(m_window.click(QStringLiteral("runs.sort.Started")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the oldest first"),
                               [&](const UiMapFile&) { return topOf(1) < topOf(5); }));
  ASSERT_TRUE(m_window.click(QStringLiteral("runs.sort.Time")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the fastest first"),
                               [&](const UiMapFile&) { return topOf(3) < topOf(1); }));
}

TEST_F(RunsPageTest, StarTagsAndNoteAreKeptInTheRunFolderAndSurviveTheIndex) {
  ASSERT_TRUE(openHistory());
  ASSERT_TRUE(m_window.click(QStringLiteral("run.1")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runTitle"), QStringLiteral("Run 1")));
  m_window.key(QStringLiteral("f"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the star"), [](const UiMapFile& map) {
    return map.valueOf(QStringLiteral("run.1.favourite")) == QStringLiteral("true");
  }));
  m_window.key(QStringLiteral("t"));
  m_window.type(QStringLiteral("paper, slow"));
  m_window.key(QStringLiteral("Return"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the tags on the disk"), [&](const UiMapFile&) {
    return labelsOf(QStringLiteral("20261119-104400-toy"))[QStringLiteral("tags")]
               .toArray()
               .size() == 2;
  }));
  ASSERT_TRUE(m_window.click(QStringLiteral("runNote")));
  m_window.type(QStringLiteral("the fan was loud"));
  ASSERT_TRUE(m_window.click(QStringLiteral("run.2")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the note on the disk"), [&](const UiMapFile&) {
    return labelsOf(QStringLiteral("20261119-104400-toy"))[QStringLiteral("note")].toString() ==
           QStringLiteral("the fan was loud");
  }));
  EXPECT_TRUE(m_window.map().valueOf(QStringLiteral("runNote")).isEmpty());
  m_window.close();
  for (const char* suffix : {"", "-wal", "-shm"}) {
    QFile::remove(path(QStringLiteral("workspace/stagelane.db") + QString::fromLatin1(suffix)));
  }
  ASSERT_TRUE(openPage());
  ASSERT_TRUE(waitForRuns({1, 2, 3, 4, 5}));
  ASSERT_TRUE(m_window.replaceText(QStringLiteral("runsSearch"),
                                   QStringLiteral("tag:paper is:favorite \"fan was\"")));
  ASSERT_TRUE(waitForRuns({1}));
}

TEST_F(RunsPageTest, TwoTickedRunsAreComparedWithTheirSignificance) {
  ASSERT_TRUE(openHistory({1600, 900}));
  EXPECT_FALSE(m_window.map().isEnabled(QStringLiteral("compare")));
  ASSERT_TRUE(m_window.click(QStringLiteral("run.1.check")));
  ASSERT_TRUE(m_window.click(QStringLiteral("run.2.check")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("compareSentence"),
                                   QStringLiteral("Run 1 is 100 ms per repeat faster than run 2")));
  const UiMapFile map = m_window.map();
  EXPECT_TRUE(map.textOf(QStringLiteral("compareSentence")).contains(QStringLiteral("beyond")));
  EXPECT_TRUE(map.textOf(QStringLiteral("change.Time per repeat.1"))
                  .startsWith(QStringLiteral("+33.3 %, p")))
      << map.textOf(QStringLiteral("change.Time per repeat.1")).toStdString();
  EXPECT_TRUE(map.textOf(QStringLiteral("setting.batch size.1")) == QStringLiteral("40"));
  keepShot(QStringLiteral("compare"), QStringLiteral("light"), 1600);
  ASSERT_TRUE(m_window.click(QStringLiteral("run.3.check")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("compareSentence"), QStringLiteral("Run 3 is")));
  const UiMapFile three = m_window.map();
  const auto* last = three.find(QStringLiteral("setting.experiment.2"));
  const auto* first = three.find(QStringLiteral("setting.batch size.2"));
  ASSERT_TRUE(last != nullptr && first != nullptr);
  EXPECT_LT(last->rect.bottom(), three.find(QStringLiteral("compareNote"))->rect.top());
  EXPECT_GE(last->rect.height(), first->rect.height()) << "the last row is not cut";
  keepShot(QStringLiteral("compare-three"), QStringLiteral("light"), 1600);
  ASSERT_TRUE(m_window.click(QStringLiteral("compareClose")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("no panel"), [](const UiMapFile& seen) {
    return seen.find(QStringLiteral("comparePanel")) == nullptr;
  }));
}

TEST_F(RunsPageTest, ADeletedRunGoesToTheTrashAndComesBack) {
  ASSERT_TRUE(openHistory());
  const QString folder = runs() + QStringLiteral("/20261121-093000-tower");
  ASSERT_TRUE(m_window.click(QStringLiteral("run.4")));
  m_window.key(QStringLiteral("Delete"));
  ASSERT_TRUE(waitForRuns({1, 2, 3, 5}));
  EXPECT_FALSE(QFileInfo::exists(folder));
  ASSERT_TRUE(m_window.click(QStringLiteral("restoreRuns")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the run again"), [&](const UiMapFile&) {
    return QFileInfo::exists(folder + QStringLiteral("/events.jsonl"));
  }));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("five rows"), [](const UiMapFile& map) {
    return std::count_if(map.controls.begin(), map.controls.end(), [](const Control& control) {
             return control.role == QStringLiteral("row");
           }) == 5;
  }));
}

TEST_F(RunsPageTest, CtrlZBringsADeletedRunBackBeforeItUndoesTheExperiment) {
  ASSERT_TRUE(openHistory());
  m_window.key(QStringLiteral("ctrl+1"));
  ASSERT_TRUE(m_window.enter(QStringLiteral("repeats"), QStringLiteral("7")));
  const auto edited = [](const UiMapFile& map) { return map.isEnabled(QStringLiteral("undo")); };
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("an edit"), edited));
  m_window.key(QStringLiteral("ctrl+4"));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("run.4")));
  ASSERT_TRUE(m_window.click(QStringLiteral("run.4")));
  m_window.key(QStringLiteral("Delete"));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("restoreRuns")));
  ASSERT_TRUE(waitForRuns({1, 2, 3, 5}));
  m_window.key(QStringLiteral("ctrl+z"));
  const QString events = runs() + QStringLiteral("/20261121-093000-tower/events.jsonl");
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the run again"), [&](const UiMapFile& map) {
    return QFileInfo::exists(events) && map.find(QStringLiteral("restoreRuns")) == nullptr;
  }));
  EXPECT_TRUE(edited(m_window.map())) << "the experiment is as it was";
  m_window.key(QStringLiteral("ctrl+z"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the experiment undone"),
                               [&](const UiMapFile& map) { return !edited(map); }));
}

TEST_F(RunsPageTest, TheVariantThatIsComparedIsChosen) {
  ASSERT_TRUE(openHistory({1600, 900}));
  ASSERT_TRUE(m_window.click(QStringLiteral("run.1.check")));
  ASSERT_TRUE(m_window.click(QStringLiteral("run.2.check")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("compareSentence"), QStringLiteral("100 ms")));
  ASSERT_TRUE(m_window.choose(QStringLiteral("compareVariant"), QStringLiteral("single")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("compareSentence"), QStringLiteral("150 ms")));
}

TEST_F(RunsPageTest, AFolderThatIsCopiedIntoTheWorkspaceShowsItself) {
  ASSERT_TRUE(openHistory());
  writePastRun(runs(), {.folder = QStringLiteral("20261122-100000-late"),
                        .name = QStringLiteral("Came later")});
  ASSERT_TRUE(waitForRuns({1, 2, 3, 4, 5, 6}));
}

TEST_F(RunsPageTest, DuplicateMakesANewUnsavedExperimentAndOpenShowsTheRun) {
  ASSERT_TRUE(openHistory());
  ASSERT_TRUE(m_window.click(QStringLiteral("run.2")));
  ASSERT_TRUE(m_window.click(QStringLiteral("openInCharts")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the charts"), [](const UiMapFile& map) {
    return map.page == QStringLiteral("charts") &&
           map.find(QStringLiteral("bar.time.pipeline")) != nullptr;
  }));
  EXPECT_TRUE(m_window.map()
                  .textOf(QStringLiteral("experimentMenu"))
                  .startsWith(QStringLiteral("Toy, larger batch")));
  m_window.key(QStringLiteral("ctrl+4"));
  ASSERT_TRUE(waitForRuns({1, 2, 3, 4, 5}));
  ASSERT_TRUE(m_window.click(QStringLiteral("run.1")));
  m_window.key(QStringLiteral("d"));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("experimentMenu"),
                                   QStringLiteral("Toy, first try (copy) ●")));
  EXPECT_EQ(m_window.map().page.toStdString(), "plan");
}

TEST_F(RunsPageTest, AHistoryOfThousandsIsFoundSortedAndScrolled) {
  for (int i = 0; i < 1000; ++i) {
    const QString folder =
        QDir(runs()).filePath(QStringLiteral("20260101-%1-many").arg(i, 6, 10, QChar(u'0')));
    QDir().mkpath(folder);
    QFile file(folder + QStringLiteral("/result.json"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(QStringLiteral(R"({"stagelane":"1","name":"Many %1","status":"done","timing":)"
                              R"("steady","folder":"","devices":["cpu:0"],"variants":[]})")
                   .arg(i)
                   .toUtf8());
  }
  ASSERT_TRUE(openPage());
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("runs.kind.all"), QStringLiteral("All 1000"), 60000));
  ASSERT_TRUE(m_window.replaceText(QStringLiteral("runsSearch"), QStringLiteral("\"Many 234\"")));
  ASSERT_TRUE(waitForRuns({235}));
}

TEST_F(RunsPageTest, KeepsItsPictures) {
  for (const QString& theme : {QStringLiteral("light"), QStringLiteral("dark")}) {
    for (const QSize size : {QSize(1024, 700), QSize(1600, 900)}) {
      ASSERT_TRUE(openHistory(size, theme));
      ASSERT_TRUE(m_window.click(QStringLiteral("run.1")));
      ASSERT_TRUE(m_window.waitForText(QStringLiteral("runTitle"), QStringLiteral("Run 1")));
      keepShot(QStringLiteral("list"), theme, size.width());
      ASSERT_TRUE(m_window.click(QStringLiteral("run.1.check")));
      ASSERT_TRUE(m_window.click(QStringLiteral("run.2.check")));
      ASSERT_TRUE(
          m_window.waitForText(QStringLiteral("compareSentence"), QStringLiteral("100 ms")));
      keepShot(QStringLiteral("compare"), theme, size.width());
      m_window.close();
      QDir(runs()).removeRecursively();
    }
  }
}

}  // namespace
}  // namespace stagelane::gui
