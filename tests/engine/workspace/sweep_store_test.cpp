#include "engine/workspace/sweep_store.h"

#include <gtest/gtest.h>

#include <fstream>

#include "engine/base/files.h"
#include "engine/record/event_writer.h"
#include "tests/support/temporary_folder.h"

namespace stagelane::workspace {
namespace {

namespace fs = std::filesystem;

class SweepStoreTest : public testing::Test {
 protected:
  [[nodiscard]] Sweep twoTasks() const {
    auto sweep = createSweep(m_root, "Toy, sweep",
                             {{"batch 20", Json{{"name", "Toy, batch 20"}}},
                              {"batch 40", Json{{"name", "Toy, batch 40"}}}});
    EXPECT_TRUE(sweep);
    return *sweep;
  }

  static void writeRun(const SweepTask& task, const std::string& ending) {
    const record::RunFolder folder{task.run};
    ASSERT_TRUE(writeFileAtomically(folder.experiment(), "{}"));
    auto writer = record::EventWriter::open(folder, false);
    ASSERT_TRUE(writer);
    record::RunResult plan;
    plan.variants.emplace_back().id = "a";
    ASSERT_TRUE((*writer)->write("started", record::startedMembers(plan)));
    if (!ending.empty()) {
      ASSERT_TRUE((*writer)->write(ending, Json::object()));
    }
  }

  test::TemporaryFolder m_temporary;
  const fs::path& m_root = m_temporary.path();
};

TEST_F(SweepStoreTest, IsReadAsItWasWritten) {
  Sweep sweep = twoTasks();
  sweep.wish = SweepWish::Paused;
  sweep.tasks[1].problem = "out of memory";
  sweep.tasks[1].exitCode = 5;
  ASSERT_TRUE(writeSweep(sweep));
  const auto read = readSweep(sweep.folder / "");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->folder, sweep.folder);
  EXPECT_EQ(read->name, "Toy, sweep");
  EXPECT_EQ(read->wish, SweepWish::Paused);
  ASSERT_EQ(read->tasks.size(), 2U);
  EXPECT_EQ(read->tasks[0].label, "batch 20");
  EXPECT_EQ(read->tasks[0].exitCode, 0);
  EXPECT_EQ(read->tasks[1].problem, "out of memory");
  EXPECT_EQ(read->tasks[1].exitCode, 5);
  EXPECT_EQ(listSweeps(m_root).size(), 1U);
}

TEST_F(SweepStoreTest, AProblemOfAnOlderVersionIsAFailureOfTheEngine) {
  const Sweep sweep = twoTasks();
  Json json = *readJsonFile((sweep.folder / "sweep.json").string());
  json["tasks"][1]["problem"] = "gone";
  json["tasks"][0].erase("exit_code");
  json["tasks"][1].erase("exit_code");
  ASSERT_TRUE(writeFileAtomically(sweep.folder / "sweep.json", json.dump()));
  const auto read = readSweep(sweep.folder);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->tasks[0].exitCode, 0);
  EXPECT_EQ(read->tasks[1].exitCode, static_cast<int>(ErrorCode::EngineFailure));
}

TEST_F(SweepStoreTest, WhatIsDoneIsWhatTheRunFoldersSay) {
  Sweep sweep = twoTasks();
  EXPECT_EQ(nextTask(sweep), std::optional<std::size_t>(0));
  ASSERT_TRUE(reserveRun(m_root, sweep, 0));
  EXPECT_EQ(readSweep(sweep.folder)->tasks[0].run, sweep.tasks[0].run);
  EXPECT_EQ(progressOf(sweep.tasks[0]).state, TaskState::Waiting) << "a folder with nothing in it";
  writeRun(sweep.tasks[0], "canceled");
  EXPECT_EQ(progressOf(sweep.tasks[0]).state, TaskState::Interrupted);
  EXPECT_EQ(nextTask(sweep), std::optional<std::size_t>(0));
  {
    auto writer = record::EventWriter::resume({sweep.tasks[0].run}, false);
    ASSERT_TRUE((*writer)->write("resumed", Json::object()));
    EXPECT_EQ(progressOf(sweep.tasks[0]).state, TaskState::Running);
    ASSERT_TRUE((*writer)->write("finished", Json::object()));
  }
  EXPECT_EQ(progressOf(sweep.tasks[0]).state, TaskState::Done);
  EXPECT_EQ(nextTask(sweep), std::optional<std::size_t>(1));
}

TEST_F(SweepStoreTest, ATaskThatCannotSucceedIsPassedOver) {
  Sweep sweep = twoTasks();
  sweep.tasks[0].problem = "does not fit";
  EXPECT_EQ(progressOf(sweep.tasks[0]).state, TaskState::Failed);
  EXPECT_EQ(nextTask(sweep), std::optional<std::size_t>(1));
  sweep.tasks[1].problem = "does not fit";
  EXPECT_EQ(nextTask(sweep), std::nullopt);
}

TEST_F(SweepStoreTest, ItsStateTellsWhatEndedItOrWhatItWaitsFor) {
  Sweep sweep = twoTasks();
  EXPECT_EQ(stateOf(sweep), SweepState::Interrupted);
  sweep.wish = SweepWish::Paused;
  EXPECT_EQ(stateOf(sweep), SweepState::Paused);
  sweep.wish = SweepWish::Canceled;
  EXPECT_EQ(stateOf(sweep), SweepState::Canceled);
  ASSERT_TRUE(reserveRun(m_root, sweep, 0));
  writeRun(sweep.tasks[0], "finished");
  sweep.tasks[1].problem = "does not fit";
  EXPECT_EQ(stateOf(sweep), SweepState::Failed);
  sweep.tasks.pop_back();
  EXPECT_EQ(stateOf(sweep), SweepState::Done);
}

TEST_F(SweepStoreTest, AFolderWithoutAReadableListIsNoSweep) {
  fs::create_directories(m_root / "sweeps/half");
  std::ofstream(m_root / "sweeps/half/sweep.json") << R"({"tasks": [)";
  EXPECT_TRUE(listSweeps(m_root).empty());
  EXPECT_EQ(readSweep(m_root / "sweeps/half").error().code, ErrorCode::Invalid);
}

}  // namespace
}  // namespace stagelane::workspace
