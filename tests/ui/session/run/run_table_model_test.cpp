#include "ui/session/run/run_table_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QSignalSpy>

namespace stagelane::ui {
namespace {

workspace::RunEntry entry(int number, const std::string& name, const std::string& status) {
  workspace::RunEntry made;
  made.number = number;
  made.folder = "/w/runs/" + std::to_string(number);
  made.name = name;
  made.status = status;
  made.startedAt = "2026-11-21T10:3" + std::to_string(number % 10) + ":00";
  made.devices = "cpu:0,cpu:1";
  if (status == "done") made.best = {"pipe", 1.5, 0.1 * number, 0.001, 10, 2, 0.02};
  return made;
}

RunListPtr threeRuns() {
  return std::make_shared<const RunList>(
      RunList{entry(3, "C", "failed"), entry(2, "A", "done"), entry(1, "B", "done")});
}

QStringList names(const RunTableModel& model) {
  QStringList list;
  for (int row = 0; row < model.rowCount(); ++row) {
    list << model.index(row, RunTableModel::Name).data().toString();
  }
  return list;
}

TEST(RunTableModelTest, KeepsTheRulesOfItemModels) {
  RunTableModel model;
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.setRuns(threeRuns());
  model.setSearch(QStringLiteral("nothing like it"));
  EXPECT_EQ(model.rowCount(), 0);
  model.setSearch({});
  model.sort(RunTableModel::Name, Qt::AscendingOrder);
  model.setRuns(nullptr);
  EXPECT_EQ(model.rowCount(), 0);
}

TEST(RunTableModelTest, ShowsANameWithLineBreaksInOneLine) {
  RunTableModel model;
  RunList runs{entry(1, "two\nlines", "done")};
  runs[0].best.name = "pipe\nline";
  model.setRuns(std::make_shared<const RunList>(runs));
  EXPECT_EQ(names(model), QStringList{QStringLiteral("two lines")});
  EXPECT_EQ(model.index(0, RunTableModel::Best).data().toString(), QStringLiteral("pipe line"));
}

TEST(RunTableModelTest, ARunThatWasLeftOnAHostSaysSoUntilItIsTakenUp) {
  RunTableModel model;
  model.setRuns(
      std::make_shared<const RunList>(RunList{entry(2, "A", "running"), entry(1, "B", "running")}));
  const QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
  model.setLeft({{QStringLiteral("/w/runs/2"), QStringLiteral("box")}});
  EXPECT_EQ(changes.size(), 1);
  const QModelIndex state = model.index(0, RunTableModel::State);
  const QString other = model.index(1, RunTableModel::State).data().toString();
  EXPECT_EQ(state.data().toString().toStdString(), "left on box");
  EXPECT_TRUE(state.data(Qt::ToolTipRole).toString().contains(QStringLiteral("box")));
  EXPECT_FALSE(other.contains(QStringLiteral("box")));
  model.setLeft({});
  EXPECT_EQ(state.data().toString(), other);
}

TEST(RunTableModelTest, ARunWhoseFolderCannotBeReadIsMarkedAndGrey) {
  RunTableModel model;
  RunList runs{entry(2, "A", "done"), entry(1, "B", "done")};
  runs[0].unreadable = "events.jsonl: Permission denied";
  model.setRuns(std::make_shared<const RunList>(runs));
  const auto tone = [&](int row, int column) {
    return static_cast<RunTone>(model.index(row, column).data(RunTableModel::kToneRole).toInt());
  };
  const QModelIndex state = model.index(0, RunTableModel::State);
  EXPECT_EQ(state.data().toString().toStdString(), "cannot be read");
  EXPECT_TRUE(
      state.data(Qt::ToolTipRole).toString().startsWith(QStringLiteral("events.jsonl: Perm")));
  EXPECT_EQ(tone(0, RunTableModel::State), RunTone::Bad);
  EXPECT_EQ(tone(0, RunTableModel::Name), RunTone::Muted);
  EXPECT_EQ(tone(1, RunTableModel::Name), RunTone::Plain);
}

TEST(RunTableModelTest, SortsByValuesAndKeepsTheNewestFirstAmongEquals) {
  RunTableModel model;
  model.setRuns(threeRuns());
  EXPECT_EQ(names(model).join(QString()), QStringLiteral("CAB"));
  model.sort(RunTableModel::Name, Qt::AscendingOrder);
  EXPECT_EQ(names(model).join(QString()), QStringLiteral("ABC"));
  model.sort(RunTableModel::Time, Qt::AscendingOrder);
  EXPECT_EQ(names(model).join(QString()), QStringLiteral("BAC")) << "what was not measured is last";
  model.sort(RunTableModel::Devices, Qt::DescendingOrder);
  EXPECT_EQ(names(model).join(QString()), QStringLiteral("CAB"));
}

TEST(RunTableModelTest, CountsWhatTheSearchFindsOfEachKind) {
  RunTableModel model;
  model.setRuns(threeRuns());
  model.setKind(RunKind::Failed);
  EXPECT_EQ(names(model).join(QString()), QStringLiteral("C"));
  EXPECT_EQ(model.counts()[static_cast<std::size_t>(RunKind::Done)], 2);
  model.setSearch(QStringLiteral("status:done"));
  EXPECT_EQ(model.rowCount(), 0);
  EXPECT_EQ(model.counts()[static_cast<std::size_t>(RunKind::Failed)], 0);
}

/// Runs n … 1 as a list returns them.
RunListPtr runsOf(const std::vector<int>& numbers) {
  RunList runs;
  for (const int number : numbers) {
    runs.push_back(entry(number, "R" + std::to_string(number), "done"));
  }
  return std::make_shared<const RunList>(std::move(runs));
}

TEST(RunTableModelTest, NewFiguresOfTheSameRunsAreNoNewRows) {
  RunTableModel model;
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.setRuns(threeRuns());
  const QSignalSpy reset(&model, &RunTableModel::modelReset);
  const QSignalSpy changed(&model, &RunTableModel::dataChanged);
  RunList later = *threeRuns();
  later[0].status = "done";
  model.setRuns(std::make_shared<const RunList>(later));
  EXPECT_EQ(reset.count(), 0);
  EXPECT_EQ(changed.count(), 1);
  EXPECT_EQ(model.index(0, RunTableModel::State).data().toString(), QStringLiteral("done"));
  EXPECT_EQ(model.counts()[static_cast<std::size_t>(RunKind::Done)], 3);
  model.setRuns(runsOf({4, 3, 2, 1}));
  EXPECT_EQ(reset.count(), 1);
}

TEST(RunTableModelTest, TheRunBehindOneThatIsGoneTakesItsPlace) {
  const auto folder = [](int number) { return QStringLiteral("/w/runs/%1").arg(number); };
  RunTableModel model;
  model.setRuns(runsOf({5, 4, 3, 2, 1}));
  model.setRuns(runsOf({5, 2, 1}));
  EXPECT_EQ(model.successorOf(folder(4)), folder(2)) << "3 went with it";
  model.setRuns(runsOf({5, 2}));
  EXPECT_EQ(model.successorOf(folder(1)), folder(2)) << "there is none behind the last";
  model.setRuns(runsOf({}));
  EXPECT_EQ(model.successorOf(folder(2)), QString());
  model.setRuns(runsOf({5, 4, 3}));
  model.setSearch(QStringLiteral("R3"));
  EXPECT_EQ(model.successorOf(folder(5)), QString()) << "a search begins at its first find";
}

TEST(RunTableModelTest, TicksStayWhileHiddenAndGoWithTheirRun) {
  RunTableModel model;
  model.setRuns(threeRuns());
  QSignalSpy changed(&model, &RunTableModel::checkedChanged);
  EXPECT_TRUE(
      model.setData(model.index(1, RunTableModel::Checked), Qt::Checked, Qt::CheckStateRole));
  model.setSearch(QStringLiteral("status:failed"));
  EXPECT_EQ(model.checked().size(), 1);
  model.setRuns(std::make_shared<const RunList>(RunList{entry(3, "C", "failed")}));
  EXPECT_TRUE(model.checked().isEmpty());
  EXPECT_EQ(changed.count(), 2);
  EXPECT_FALSE(model.setData(model.index(0, RunTableModel::Name), 1, Qt::EditRole));
}

TEST(RunTableModelTest, CallsTheBaseTheBaseAndOneRepeatOne) {
  RunTableModel model;
  workspace::RunEntry run = entry(1, "A", "done");
  run.devices = "cpu:0,cpu:1";
  run.best.id = "single-all-cores";
  run.best.name = "single, all cores";
  run.best.meanS = 0.5;
  run.best.speedup = 1.0;
  run.best.repeats = 1;
  model.setRuns(std::make_shared<const RunList>(RunList{run}));
  const auto said = [&](int column) {
    return model.data(model.index(0, column), Qt::DisplayRole).toString().toStdString();
  };
  EXPECT_EQ(said(RunTableModel::Speedup), "base");
  EXPECT_EQ(said(RunTableModel::Best), "single, all cores") << "its name, not its id";
  EXPECT_EQ(said(RunTableModel::Time), "500 ms, n = 1");
}

TEST(RunTableModelTest, SaysStatesInThreeWords) {
  workspace::RunEntry run = entry(1, "A", "failed");
  run.reason = "something else entirely went wrong";
  for (const auto& [kind, text] : {std::pair{FailureKind::Killed, "failed, killed"},
                                   std::pair{FailureKind::ReaderGone, "failed, program closed"},
                                   std::pair{FailureKind::Stalled, "failed, stalled"},
                                   std::pair{FailureKind::OutOfMemory, "failed, out of memory"}}) {
    run.failure = Failure{kind};
    EXPECT_EQ(stateText(run).toStdString(), text);
  }
  run.failure = Failure{FailureKind::EngineFailure};
  EXPECT_EQ(stateText(run).toStdString(), "failed, something else entirely");
  run.reason.clear();
  EXPECT_EQ(stateText(run).toStdString(), "failed");
  run = entry(1, "A", "canceled");
  run.repeatsDone = 3;
  run.repeatsAsked = 10;
  EXPECT_EQ(stateText(run).toStdString(), "canceled, 3 of 10");
  run = entry(1, "A", "done");
  run.noisy = true;
  run.best.stdS = 0.0059;
  EXPECT_EQ(stateText(run).toStdString(), "noisy, spread 5.9 %");
}

TEST(RunTableModelTest, WritesTimesWithTheirSpreadInOneUnit) {
  EXPECT_EQ(spreadText(3.61, 0.02).toStdString(), "3.61 ± 0.02 s");
  EXPECT_EQ(spreadText(0.328, 0.0015).toStdString(), "328.0 ± 1.5 ms");
  EXPECT_EQ(spreadText(0.000176, 0.000023).toStdString(), "176 ± 23 µs");
  EXPECT_EQ(spreadText(1.0, 0.0).toStdString(), "1.00 ± 0.00 s");
  EXPECT_EQ(repeatsText(0.328, 0.0015, 2).toStdString(), "328.0 ± 1.5 ms");
  EXPECT_EQ(repeatsText(0.328, 0.0, 1).toStdString(), "328 ms, one repeat");
  EXPECT_EQ(startedText("2026-11-21T10:31:00", 2026).toStdString(), "21 Nov 10:31");
  EXPECT_EQ(startedText("2025-11-21T10:31:00", 2026).toStdString(), "21 Nov 2025 10:31");
  EXPECT_EQ(startedText("", 2026).toStdString(), "–");
}

TEST(RunTableModelTest, HoldsTenThousandRuns) {
  RunList many;
  for (int i = 0; i < 10000; ++i) {
    many.push_back(
        entry(i + 1, "Run of many " + std::to_string(i), i % 3 == 0 ? "failed" : "done"));
  }
  RunTableModel model;
  model.setRuns(std::make_shared<const RunList>(std::move(many)));
  model.setSearch(QStringLiteral("many status:failed"));
  EXPECT_EQ(model.rowCount(), 3334);
  model.sort(RunTableModel::Name, Qt::AscendingOrder);
  EXPECT_EQ(model.entry(0).name, "Run of many 0");
}

}  // namespace
}  // namespace stagelane::ui
