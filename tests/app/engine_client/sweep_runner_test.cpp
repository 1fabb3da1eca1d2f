#include "app/engine_client/sweep_runner.h"

#include <gtest/gtest.h>

#include <QTemporaryDir>
#include <QTest>
#include <optional>

#include "engine/workspace/workspace.h"
#include "tests/app/fake_engine.h"
#include "tests/app/toy_document.h"

namespace stagelane::app {
namespace {

class SweepRunnerTest : public testing::Test {
 protected:
  void SetUp() override {
    qputenv("STAGELANE_WORKSPACE", m_folder.path().toUtf8());
    Json document = toy();
    document["variants"][0]["schedule"] = "auto";
    const std::vector<plan::SweepJob> jobs{{"", document}};
    const auto made = workspace::createSweep(workspace::workspaceRoot(), "t", jobs);
    ASSERT_TRUE(made);
    m_sweep = *made;
    QObject::connect(&m_runner, &SweepRunner::finished, &m_runner,
                     [this](const std::optional<Error>& error) {
                       m_ended = true;
                       EXPECT_FALSE(error) << describe(*error);
                     });
  }
  void TearDown() override { qunsetenv("STAGELANE_WORKSPACE"); }

  QTemporaryDir m_folder;
  workspace::Sweep m_sweep;
  SweepRunner m_runner;
  bool m_ended = false;
};

TEST_F(SweepRunnerTest, HandsTheEngineAPlanWithAnOrderForEachAuto) {
  const fakes::FakeEngine engine(std::string(fakes::kKeepInput) + fakes::kStarted +
                                 fakes::kFinished);
  ASSERT_TRUE(m_runner.start(m_sweep));
  ASSERT_TRUE(QTest::qWaitFor([this] { return m_ended; }, 300'000));
  const std::filesystem::path run = m_runner.sweep().tasks.front().run;
  const auto handed = readJsonFile((run / "handed.json").string());
  ASSERT_TRUE(handed) << "the engine was started without --plan";
  EXPECT_FALSE(handed->at("variants").at("p").value("order", "").empty());
  const auto kept = readJsonFile((m_sweep.folder / "1.plan.json").string());
  ASSERT_TRUE(kept);
  EXPECT_EQ(*kept, *handed);
}

TEST_F(SweepRunnerTest, FailsATaskThatCannotBeReadWithoutAnEngine) {
  std::ofstream(m_sweep.folder / "1.json") << R"({"name": "t", "variants": 3})";
  const fakes::FakeEngine engine(std::string(fakes::kKeepInput) + fakes::kStarted +
                                 fakes::kFinished);
  ASSERT_TRUE(m_runner.start(m_sweep));
  ASSERT_TRUE(QTest::qWaitFor([this] { return m_ended; }, 300'000));
  const auto stored = workspace::readSweep(m_sweep.folder);
  ASSERT_TRUE(stored);
  const workspace::SweepTask& task = stored->tasks.front();
  EXPECT_FALSE(task.problem.empty());
  EXPECT_EQ(task.exitCode, static_cast<int>(ErrorCode::Invalid));
  EXPECT_TRUE(task.run.empty()) << "its engine was started";
  EXPECT_EQ(workspace::progressOf(task).state, workspace::TaskState::Failed);
}

TEST_F(SweepRunnerTest, PausesAtOnceWhileItSearchesForThePlanOfATask) {
  const fakes::FakeEngine engine("exit 1");
  ASSERT_TRUE(m_runner.start(m_sweep));
  m_runner.pause();
  EXPECT_TRUE(m_ended);
  EXPECT_FALSE(m_runner.running());
  QTest::qWait(100);
  EXPECT_TRUE(m_runner.sweep().tasks.front().run.empty()) << "its engine was started";
  EXPECT_TRUE(workspace::nextTask(m_runner.sweep())) << "it can be resumed";
}

}  // namespace
}  // namespace stagelane::app
