#include "ui/session/run/run_history.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

#include "tests/support/measured_run.h"
#include "tests/support/temporary_folder.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

constexpr int kPatienceMs = 60'000;

class RunHistoryTest : public testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path folder(const std::string& name) const {
    return m_root.path() / "runs" / name;
  }
  /// Waits for the end of the history's requests.
  void settle() {
    QSignalSpy worked(&m_history, &RunHistory::workChanged);
    while (m_history.busy()) ASSERT_TRUE(worked.wait(kPatienceMs));
  }

  test::TemporaryFolder m_root;
  RunHistory m_history{m_root.path()};
};

TEST_F(RunHistoryTest, TellsOnceOfWhatItReads) {
  test::writeMeasuredRun(folder("20261119-104400-toy"), "Toy", {0.3, 0.31});
  const QSignalSpy changed(&m_history, &RunHistory::changed);
  m_history.reload();
  settle();
  EXPECT_EQ(changed.count(), 1);
  ASSERT_TRUE(m_history.runs());
  EXPECT_EQ(m_history.runs()->size(), 1U);
}

TEST_F(RunHistoryTest, SaysNothingWhereAReadingFindsWhatWasKnown) {
  test::writeMeasuredRun(folder("20261119-104400-toy"), "Toy", {0.3, 0.31});
  m_history.reload();
  settle();
  const RunListPtr known = m_history.runs();
  const QSignalSpy changed(&m_history, &RunHistory::changed);
  m_history.reload();
  settle();
  EXPECT_EQ(changed.count(), 0);
  EXPECT_EQ(m_history.runs(), known) << "the list that was handed out stays the list";

  test::writeMeasuredRun(folder("20261120-104400-toy"), "Toy", {0.2, 0.21});
  m_history.reload();
  settle();
  EXPECT_EQ(changed.count(), 1);
  EXPECT_EQ(m_history.runs()->size(), 2U);
}

TEST_F(RunHistoryTest, AnImportedRunIsInTheListWhenItIsTold) {
  const test::TemporaryFolder elsewhere;
  test::writeMeasuredRun(elsewhere.path() / "20261119-104400-toy", "Toy", {0.3, 0.31});
  bool listed = false;
  int told = 0;
  QObject::connect(&m_history, &RunHistory::imported, &m_history, [&](const QString& folder) {
    ++told;
    listed = m_history.run(folder) != nullptr;
  });
  m_history.import(qstring((elsewhere.path() / "20261119-104400-toy").string()));
  settle();
  EXPECT_EQ(told, 1);
  EXPECT_TRUE(listed);
}

TEST_F(RunHistoryTest, AChangedLabelIsAChangeOfTheList) {
  const std::filesystem::path one = folder("20261119-104400-toy");
  test::writeMeasuredRun(one, "Toy", {0.3, 0.31});
  m_history.reload();
  settle();
  const QSignalSpy changed(&m_history, &RunHistory::changed);
  m_history.editLabels(qstring(one.string()), {.note = "kept"});
  settle();
  EXPECT_EQ(changed.count(), 1);
  EXPECT_EQ(m_history.runs()->front().labels.note, "kept");
}

TEST_F(RunHistoryTest, ANoteAndAStarAtOnceAreBothKept) {
  const std::filesystem::path one = folder("20261119-104400-toy");
  test::writeMeasuredRun(one, "Toy", {0.3, 0.31});
  m_history.reload();
  settle();
  m_history.editLabels(qstring(one.string()), {.note = "the fan was loud"});
  m_history.editLabels(qstring(one.string()), {.toggleFavourite = true});
  settle();
  EXPECT_EQ(workspace::readLabels(one), (workspace::RunLabels{true, {}, "the fan was loud"}));
}

TEST_F(RunHistoryTest, WhatAnotherWindowWroteStays) {
  const std::filesystem::path one = folder("20261119-104400-toy");
  test::writeMeasuredRun(one, "Toy", {0.3, 0.31});
  m_history.reload();
  settle();
  ASSERT_TRUE(workspace::writeLabels(one, {false, {"theirs"}, "from the other window"}));
  m_history.editLabels(qstring(one.string()), {.toggleFavourite = true});
  settle();
  EXPECT_EQ(workspace::readLabels(one),
            (workspace::RunLabels{true, {"theirs"}, "from the other window"}));
}

TEST_F(RunHistoryTest, ARunThatCannotBeReadStaysAndIsCounted) {
  const std::filesystem::path one = folder("20261119-104400-toy");
  test::writeMeasuredRun(one, "Toy", {0.3, 0.31});
  m_history.reload();
  settle();
  EXPECT_FALSE(statusText(m_history).contains(QStringLiteral("cannot be read")));
  std::filesystem::remove(one / "events.jsonl");
  std::filesystem::create_symlink("events.jsonl", one / "events.jsonl");
  m_history.reload();
  settle();
  ASSERT_EQ(m_history.runs()->size(), 1U);
  EXPECT_EQ(m_history.runs()->front().name, "Toy");
  EXPECT_TRUE(statusText(m_history).startsWith(QStringLiteral("1 run · ")));
  EXPECT_TRUE(statusText(m_history).endsWith(QStringLiteral(" · 1 run folder cannot be read")))
      << statusText(m_history).toStdString();
  EXPECT_FALSE(m_history.runs()->front().unreadable.empty());
}

TEST_F(RunHistoryTest, AReadingBehindAStoppedImportDoesNotLetItGoOn) {
  const std::filesystem::path source = m_root.path() / "stick/copied";
  test::writeMeasuredRun(source, "Copied", {0.2, 0.21});
  const QSignalSpy stopped(&m_history, &RunHistory::stopped);
  const QSignalSpy imported(&m_history, &RunHistory::imported);
  m_history.import(qstring(source.string()));
  m_history.stop();
  m_history.rebuild();
  settle();
  EXPECT_EQ(stopped.count(), 1);
  EXPECT_EQ(imported.count(), 0);
}

TEST_F(RunHistoryTest, TheEndOfAReadingDoesNotHideTheImportBehindIt) {
  test::writeMeasuredRun(folder("20261119-104400-toy"), "Toy", {0.3, 0.31});
  const std::filesystem::path source = m_root.path() / "stick/copied";
  test::writeMeasuredRun(source, "Copied", {0.2, 0.21});
  std::vector<bool> shown;
  QObject::connect(&m_history, &RunHistory::changed, &m_history,
                   [&] { shown.push_back(m_history.work().has_value()); });
  m_history.reload();
  m_history.import(qstring(source.string()));
  settle();
  ASSERT_EQ(shown.size(), 2U) << "the run that was there, and the copy";
  EXPECT_TRUE(shown[0]) << "its Stop";
  EXPECT_FALSE(shown[1]);
}

TEST_F(RunHistoryTest, EachUndoBringsBackWhatOneDeleteTook) {
  const QByteArray home = qgetenv("XDG_DATA_HOME");
  qputenv("XDG_DATA_HOME", QByteArray::fromStdString((m_root.path() / "home").string()));
  const std::filesystem::path one = folder("20261119-104400-toy");
  const std::filesystem::path two = folder("20261120-104400-toy");
  test::writeMeasuredRun(one, "Toy", {0.3, 0.31});
  test::writeMeasuredRun(two, "Toy", {0.2, 0.21});
  m_history.reload();
  settle();
  const QSignalSpy failed(&m_history, &RunHistory::failed);
  m_history.trash({qstring(one.string())});
  m_history.trash({qstring(two.string())});
  m_history.trash({qstring(two.string())});
  settle();
  ASSERT_TRUE(m_history.runs()->empty());
  m_history.restore();
  settle();
  EXPECT_EQ(m_history.run(qstring(one.string())), nullptr);
  EXPECT_NE(m_history.run(qstring(two.string())), nullptr);
  EXPECT_EQ(m_history.restorable(), 1);
  m_history.restore();
  settle();
  EXPECT_NE(m_history.run(qstring(one.string())), nullptr);
  EXPECT_EQ(m_history.restorable(), 0);
  EXPECT_EQ(failed.count(), 0) << "a key that was pressed twice is no problem to tell of";
  home.isNull() ? qunsetenv("XDG_DATA_HOME") : qputenv("XDG_DATA_HOME", home);
}

TEST_F(RunHistoryTest, ManyCallsBeforeAReadingBeginsAreOneReading) {
  test::writeMeasuredRun(folder("20261119-104400-toy"), "Toy", {0.3, 0.31});
  m_history.reload();
  settle();
  // Each read reports its end once.
  const QSignalSpy readings(&m_history, &RunHistory::workChanged);
  for (int call = 0; call < 50; ++call) m_history.reload();
  settle();
  EXPECT_GE(readings.count(), 1);
  EXPECT_LT(readings.count(), 10);
}

}  // namespace
}  // namespace stagelane::ui
