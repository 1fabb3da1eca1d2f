#include "ui/runs/compare/runs_compare.h"

#include <gtest/gtest.h>
#include <filesystem>

#include <QLabel>
#include <QPointer>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>
#include <vector>

#include "engine/trace/trace_builder.h"
#include "profiler/formats/perfetto.h"
#include "tests/support/measured_run.h"
#include "tests/support/temporary_folder.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

class RunsCompareTest : public testing::Test {
 protected:
  void SetUp() override {
    test::writeMeasuredRun(m_root.path() / "a", "A", {0.30, 0.31, 0.32});
    test::writeMeasuredRun(m_root.path() / "b", "B", {0.20, 0.21, 0.22});
  }
  [[nodiscard]] std::vector<RunToLoad> runs() const {
    return {{qstring((m_root.path() / "a").string()), QStringLiteral("run 1"), "done", 3},
            {qstring((m_root.path() / "b").string()), QStringLiteral("run 2"), "done", 3}};
  }
  void settle() {
    ASSERT_TRUE(QTest::qWaitFor([this] { return !m_compare.busy(); }, 60'000));
  }
  /// The rows are created again for each comparison.
  [[nodiscard]] QPointer<QWidget> rows() const {
    return m_compare.findChild<QWidget*>(QStringLiteral("compareRows"));
  }

  test::TemporaryFolder m_root;
  Session m_session;
  RunsCompare m_compare{&m_session};
};

TEST_F(RunsCompareTest, TheSameRunsAreNotReadAgain) {
  m_compare.setRuns(runs());
  settle();
  const QPointer<QWidget> shown = rows();
  ASSERT_FALSE(shown.isNull());
  m_compare.setRuns(runs());
  EXPECT_FALSE(m_compare.busy());
  settle();
  EXPECT_FALSE(shown.isNull()) << "what is looked at stays, with its place and tooltips";
}

/// A step of one forward on each of two workers; the second takes `forwardNs`.
void writeTrace(const std::filesystem::path& folder, TimeNs forwardNs) {
  trace::TraceBuilder builder;
  trace::TraceBuilder::NewEvent event;
  event.name = "F0";
  event.category = trace::Category::Forward;
  event.microBatch = MicroBatchId{0};
  for (int stage = 0; stage < 2; ++stage) {
    const std::int32_t device = builder.device("cpu:" + std::to_string(stage));
    event.track = builder.track(device, trace::TrackKind::Compute, "compute");
    event.stage = StageId{stage};
    event.startNs = stage * 10'000;
    event.durationNs = stage == 0 ? 10'000 : forwardNs;
    builder.add(event);
  }
  builder.addStep({.repeat = 0, .step = 0, .startNs = 0, .endNs = 10'000 + forwardNs});
  const record::RunFolder run{folder};
  std::filesystem::create_directories(run.trace("pipe").parent_path());
  ASSERT_TRUE(formats::writePerfetto(*std::move(builder).build(), run.trace("pipe").string()));
}

TEST_F(RunsCompareTest, SaysWhatOfTheStepGotSlowerAndWhere) {
  writeTrace(m_root.path() / "a", 10'000);
  m_compare.setRuns(runs());
  settle();
  EXPECT_EQ(m_compare.findChild<QLabel*>(QStringLiteral("deltaSentence.1")), nullptr)
      << "a run without a trace has no step";
  writeTrace(m_root.path() / "b", 30'000);
  std::vector<RunToLoad> further = runs();
  further[1].repeats = 4;
  m_compare.setRuns(further);
  settle();
  const auto* sentence = m_compare.findChild<QLabel*>(QStringLiteral("deltaSentence.1"));
  ASSERT_NE(sentence, nullptr);
  EXPECT_TRUE(sentence->text().startsWith(QStringLiteral("The step of run 2 is 100.0 % slower")))
      << sentence->text().toStdString();
  const auto textOf = [this](const char* name) {
    const auto* label = m_compare.findChild<QLabel*>(QString::fromLatin1(name));
    return label == nullptr ? QString() : label->text();
  };
  EXPECT_EQ(textOf("actionDelta.F0 of stage 1"), QStringLiteral("+20.0 µs"));
  EXPECT_EQ(textOf("groupDelta.F of stage 1"), QStringLiteral("+20.0 µs"));
  EXPECT_EQ(textOf("causeDelta.cpu:1 forward"), QStringLiteral("+20.0 µs"));
  EXPECT_EQ(textOf("causeDelta.cpu:0 tail"), QString());
  EXPECT_EQ(textOf("deltaNote"), QStringLiteral("2 actions in both"));
}

TEST_F(RunsCompareTest, OfManyRunsOnlyTheTablesAreWiderThanThePanel) {
  std::vector<RunToLoad> many;
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    const std::filesystem::path folder = m_root.path() / name;
    if (many.size() > 1) test::writeMeasuredRun(folder, name, {0.3, 0.3, 0.3});
    const std::string experiment =
        std::string(R"({"name": "a name that needs some room, )") + name + R"(", "repeat": 3})";
    ASSERT_TRUE(writeFileAtomically(record::RunFolder{folder}.experiment(), experiment));
    many.push_back({qstring(folder.string()), qstring(name), "done", 3});
  }
  m_compare.resize(280, 500);
  m_compare.setVisible(true);
  m_compare.setRuns(many);
  settle();
  const auto* panel = m_compare.findChild<QScrollArea*>(QStringLiteral("compareScroll"));
  ASSERT_TRUE(QTest::qWaitFor([this] { return rows() != nullptr; }, 10'000));
  QCoreApplication::sendPostedEvents();
  EXPECT_EQ(panel->horizontalScrollBar()->maximum(), 0) << "the sentence wraps in the panel";
  bool sideways = false;
  for (const auto* table : rows()->findChildren<QScrollArea*>()) {
    sideways = sideways || table->horizontalScrollBar()->maximum() > 0;
    EXPECT_EQ(table->verticalScrollBar()->maximum(), 0) << "its rows are all in sight";
  }
  EXPECT_TRUE(sideways);
}

TEST_F(RunsCompareTest, OfTwoAndOfThreeRunsOfOneRepeatAllColumnsAreInSight) {
  std::vector<RunToLoad> few;
  for (const char* name : {"c", "d", "e"}) {
    test::writeMeasuredRun(m_root.path() / name, name, {few.empty() ? 0.0011 : 0.0003});
    few.push_back({qstring((m_root.path() / name).string()), qstring(name), "done", 1});
  }
  // The width of the details in a window of 1024 pixels.
  m_compare.resize(408, 500);
  m_compare.setVisible(true);
  for (const std::size_t count : {2U, 3U}) {
    m_compare.setRuns({few.begin(), few.begin() + static_cast<std::ptrdiff_t>(count)});
    settle();
    ASSERT_TRUE(QTest::qWaitFor([this] { return rows() != nullptr; }, 10'000));
    QCoreApplication::sendPostedEvents();
    const auto* one = m_compare.findChild<QLabel*>(QStringLiteral("figure.Time per repeat.0"));
    ASSERT_NE(one, nullptr);
    ASSERT_TRUE(one->text().contains(QStringLiteral("one repeat"))) << one->text().toStdString();
    for (const auto* table : rows()->findChildren<QScrollArea*>()) {
      EXPECT_EQ(table->horizontalScrollBar()->maximum(), 0) << count << " runs";
      EXPECT_EQ(table->verticalScrollBar()->maximum(), 0) << count << " runs";
    }
  }
}

TEST_F(RunsCompareTest, ARunThatHasMoreRepeatsIsReadAgain) {
  m_compare.setRuns(runs());
  settle();
  const QPointer<QWidget> shown = rows();
  ASSERT_FALSE(shown.isNull());
  std::vector<RunToLoad> further = runs();
  further[1].repeats = 4;
  m_compare.setRuns(further);
  settle();
  EXPECT_TRUE(shown.isNull());
  EXPECT_FALSE(rows().isNull());
}

}  // namespace
}  // namespace stagelane::ui
