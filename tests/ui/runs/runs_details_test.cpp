#include "ui/runs/runs_details.h"

#include <gtest/gtest.h>
#include <filesystem>

#include <QTableView>
#include <QTest>
#include <vector>

#include "engine/base/json.h"
#include "engine/record/event_writer.h"
#include "engine/record/run_record.h"
#include "tests/support/measured_run.h"
#include "tests/support/temporary_folder.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

class RunsDetailsTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::filesystem::path folder = m_root.path() / "runs/a";
    test::writeMeasuredRun(folder, "A", {0.3, 0.31});
    m_entry.folder = folder.string();
    m_entry.labels = {false, {"first"}, "before"};
    QObject::connect(
        &m_details, &RunsDetails::labelsEdited, &m_details,
        [this](const QString&, const workspace::LabelEdit& edit) { m_edits.push_back(edit); });
    m_details.show(&m_entry);
    ASSERT_TRUE(QTest::qWaitForWindowActive(&m_details));
    ASSERT_TRUE(QTest::qWaitFor([this] { return !m_details.busy(); }, 60'000));
  }
  void type(const QString& field, const QString& text) {
    auto* widget = m_details.findChild<QWidget*>(field);
    ASSERT_NE(widget, nullptr);
    widget->setFocus();
    QTest::keyClicks(widget, text);
    QTest::keyClick(widget, Qt::Key_Escape);
  }

  test::TemporaryFolder m_root;
  Session m_session;
  workspace::RunEntry m_entry;
  RunsDetails m_details{&m_session};
  std::vector<workspace::LabelEdit> m_edits;
};

TEST_F(RunsDetailsTest, HandsOnOnlyWhatWasTyped) {
  type(QStringLiteral("runTags"), QStringLiteral(", second"));
  ASSERT_EQ(m_edits.size(), 1U);
  EXPECT_EQ(m_edits[0].tags, (std::vector<std::string>{"first", "second"}));
  EXPECT_FALSE(m_edits[0].note) << "another window may have written one meanwhile";
  EXPECT_FALSE(m_edits[0].toggleFavourite);
}

TEST_F(RunsDetailsTest, AFieldThatWasOnlyVisitedUndoesNothing) {
  auto* note = m_details.findChild<QWidget*>(QStringLiteral("runNote"));
  note->setFocus();
  ASSERT_TRUE(note->hasFocus());
  m_entry.labels.note = "from the other window";
  m_details.show(&m_entry);
  QTest::keyClick(note, Qt::Key_Escape);
  EXPECT_TRUE(m_edits.empty()) << "the old note is still in the field";
}

TEST_F(RunsDetailsTest, LabelsThatFieldsShowInAnotherFormAreNotWrittenByLookingAtThem) {
  workspace::RunEntry foreign = m_entry;
  foreign.folder = (m_root.path() / "runs/foreign").string();
  foreign.labels = {true, {"small, fast", "two\nlines"}, "of Windows\r\nwith two lines"};
  m_details.show(&foreign);
  auto* note = m_details.findChild<QWidget*>(QStringLiteral("runNote"));
  note->setFocus();
  QTest::keyClick(note, Qt::Key_Escape);
  m_details.show(&m_entry);
  EXPECT_TRUE(m_edits.empty()) << "an edit writes labels.json into the run's folder";
}

TEST_F(RunsDetailsTest, SaysInWordsHowAVariantEndedAndWhy) {
  record::VariantResult left;
  left.id = left.name = "pipe";
  left.status = record::RunStatus::NotRun;
  left.reason = "does not fit: cpu:0";
  {
    auto writer = record::EventWriter::resume({m_entry.folder}, false);
    ASSERT_TRUE(writer);
    ASSERT_TRUE((*writer)->write("variant_done", record::variantDoneMembers(left)));
    ASSERT_TRUE((*writer)->write("finished", Json::object()));
  }
  m_details.show(&m_entry);
  ASSERT_TRUE(QTest::qWaitFor([this] { return !m_details.busy(); }, 60'000));
  const auto* table = m_details.findChild<QTableView*>(QStringLiteral("runVariants"));
  const QAbstractItemModel* cells = table->model();
  EXPECT_EQ(cells->index(0, cells->columnCount() - 1).data().toString().toStdString(),
            "not run: does not fit: cpu:0");
}

TEST_F(RunsDetailsTest, WhatWasMeasuredComesBeforeWhatWasNot) {
  const std::filesystem::path folder = m_root.path() / "runs/sweep";
  std::filesystem::create_directories(folder);
  record::RunResult plan;
  plan.variants.resize(3);
  for (std::size_t i = 0; i < 3; ++i) {
    record::VariantResult& variant = plan.variants[i];
    variant.id = variant.name = std::vector<std::string>{"left", "first", "second"}[i];
  }
  {
    auto writer = record::EventWriter::open({folder}, false);
    ASSERT_TRUE(writer);
    ASSERT_TRUE((*writer)->write("started", record::startedMembers(plan)));
    for (record::VariantResult& variant : plan.variants) {
      const bool measured = variant.id != "left";
      variant.status = measured ? record::RunStatus::Done : record::RunStatus::NotRun;
      variant.included = measured;
      if (measured) variant.seconds = {0.3, 0.3};
      record::fillStatistics(variant);
      ASSERT_TRUE((*writer)->write("variant_done", record::variantDoneMembers(variant)));
    }
    ASSERT_TRUE((*writer)->write("finished", Json::object()));
  }
  workspace::RunEntry entry;
  entry.folder = folder.string();
  m_details.show(&entry);
  ASSERT_TRUE(QTest::qWaitFor([this] { return !m_details.busy(); }, 60'000));
  const QAbstractItemModel* cells =
      m_details.findChild<QTableView*>(QStringLiteral("runVariants"))->model();
  ASSERT_EQ(cells->rowCount(), 3);
  for (int row = 0; row < 3; ++row) {
    EXPECT_EQ(cells->index(row, 0).data().toString().toStdString(),
              (std::vector<std::string>{"first", "second", "left"}[static_cast<std::size_t>(row)]));
  }
}

TEST_F(RunsDetailsTest, KeepsTheFiguresInViewBesideALongName) {
  record::VariantResult named;
  named.id = "pipe";
  named.name = "a\n" + std::string(300, 'x');
  named.status = record::RunStatus::NotRun;
  {
    auto writer = record::EventWriter::resume({m_entry.folder}, false);
    ASSERT_TRUE(writer);
    ASSERT_TRUE((*writer)->write("variant_done", record::variantDoneMembers(named)));
    ASSERT_TRUE((*writer)->write("finished", Json::object()));
  }
  m_details.show(&m_entry);
  ASSERT_TRUE(QTest::qWaitFor([this] { return !m_details.busy(); }, 60'000));
  const auto* table = m_details.findChild<QTableView*>(QStringLiteral("runVariants"));
  EXPECT_LE(table->columnWidth(0), 240);
  const QString shown = table->model()->index(0, 0).data().toString();
  EXPECT_FALSE(shown.contains(QChar(u'\n'))) << shown.toStdString();
}

}  // namespace
}  // namespace stagelane::ui
