#include "engine/workspace/workspace.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <regex>

#include "engine/record/run_record.h"
#include "tests/support/temporary_folder.h"

namespace stagelane::workspace {
namespace {

namespace fs = std::filesystem;

class WorkspaceTest : public testing::Test {
 protected:
  // A finished run of one variant that was `speedup` times as fast as the base.
  static void writeRun(const fs::path& folder, const std::string& name, double speedup) {
    fs::create_directories(folder);
    auto writer = record::EventWriter::open({folder}, false);
    ASSERT_TRUE(writer);
    record::RunResult plan;
    plan.name = name;
    plan.devices = {"cpu:0", "cpu:1"};
    record::VariantResult variant;
    variant.id = "pipe";
    variant.status = record::RunStatus::Done;
    variant.speedup = speedup;
    plan.variants = {variant};
    ASSERT_TRUE((*writer)->write("started", record::startedMembers(plan)));
    ASSERT_TRUE((*writer)->write("variant_done", record::variantDoneMembers(variant)));
    ASSERT_TRUE((*writer)->write("finished", Json::object()));
  }

  [[nodiscard]] std::vector<RunEntry> listed(RunIndex& index) const {
    auto entries = index.list();
    EXPECT_TRUE(entries);
    return entries ? *entries : std::vector<RunEntry>{};
  }

  test::TemporaryFolder m_temporary;
  const fs::path& m_root = m_temporary.path();
};

TEST_F(WorkspaceTest, RootFollowsTheEnvironmentInTheOrderOfTheContract) {
  ::setenv("STAGELANE_WORKSPACE", "/w", 1);
  ::setenv("XDG_DATA_HOME", "/data", 1);
  ::setenv("HOME", "/home/me", 1);
  EXPECT_EQ(workspaceRoot(), "/w");
  ::unsetenv("STAGELANE_WORKSPACE");
  EXPECT_EQ(workspaceRoot(), "/data/stagelane");
  ::setenv("XDG_DATA_HOME", "", 1);
  EXPECT_EQ(workspaceRoot(), "/home/me/.local/share/stagelane");
}

TEST_F(WorkspaceTest, ARunFolderIsNamedByTimeAndSlugAndIsEmpty) {
  const auto folder = newRunFolder(m_root, "ResNet-50, tutorial");
  ASSERT_TRUE(folder);
  EXPECT_EQ(folder->parent_path(), m_root / "runs");
  EXPECT_TRUE(std::regex_match(folder->filename().string(),
                               std::regex(R"(\d{8}-\d{6}-resnet-50-tutorial)")));
  EXPECT_TRUE(fs::is_empty(*folder));
}

TEST_F(WorkspaceTest, RunsOfOneSecondGetFoldersOfTheirOwn) {
  std::set<std::string> names;
  for (int i = 0; i < 20; ++i) {
    const auto folder = newRunFolder(m_root, "toy");
    ASSERT_TRUE(folder);
    EXPECT_TRUE(names.insert(folder->string()).second);
  }
}

TEST_F(WorkspaceTest, AVeryLongNameStillGivesAFolder) {
  EXPECT_TRUE(newRunFolder(m_root, std::string(5000, 'x')));
  EXPECT_TRUE(newRunFolder(m_root, ""));
}

TEST_F(WorkspaceTest, AWorkspaceThatCannotBeMadeIsAnErrorWithAWayOut) {
  std::ofstream(m_root / "file") << "x";
  const auto folder = newRunFolder(m_root / "file", "toy");
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().code, ErrorCode::CannotWrite);
  EXPECT_NE(folder.error().hint.find("STAGELANE_WORKSPACE"), std::string::npos);
  const auto lock = RunLock::take(m_root / "file", "x");
  ASSERT_FALSE(lock);
  EXPECT_EQ(lock.error().code, ErrorCode::CannotWrite);
}

TEST_F(WorkspaceTest, TheSecondRunIsRefusedAndToldWhoHoldsTheLock) {
  auto first = RunLock::take(m_root, "run in /runs/a");
  ASSERT_TRUE(first) << first.error().message;
  const auto second = RunLock::take(m_root, "run in /runs/b");
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::CannotWrite);
  EXPECT_NE(second.error().message.find(std::to_string(::getpid())), std::string::npos);
  EXPECT_NE(second.error().message.find("/runs/a"), std::string::npos);
  first->reset();
  EXPECT_TRUE(RunLock::take(m_root, "run in /runs/b"));
}

TEST_F(WorkspaceTest, AKilledProcessLeavesNoLockBehind) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto lock = RunLock::take(m_root, "child");
    const char answer = lock ? '1' : '0';
    static_cast<void>(::write(ready[1], &answer, 1) == 1);
    for (;;) {
      ::pause();
    }
  }
  char answer = '0';
  ASSERT_EQ(::read(ready[0], &answer, 1), 1);
  EXPECT_EQ(answer, '1');
  EXPECT_FALSE(RunLock::take(m_root, "parent"));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(RunLock::take(m_root, "parent"));
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(WorkspaceTest, TheIndexListsRunsNewestFirstWithTheirBestVariant) {
  writeRun(m_root / "runs/20260101-000000-a", "A", 1.5);
  writeRun(m_root / "runs/20270101-000000-b", "B", 0.9);
  auto index = RunIndex::open(m_root);
  ASSERT_TRUE(index) << index.error().message;
  ASSERT_TRUE((*index)->put(m_root / "runs/20260101-000000-a"));
  ASSERT_TRUE((*index)->put(m_root / "runs/20270101-000000-b"));
  const auto entries = listed(**index);
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].name, "B");
  EXPECT_EQ(entries[1].name, "A");
  EXPECT_EQ(entries[1].startedAt, "2026-01-01T00:00:00");
  EXPECT_EQ(entries[1].status, "done");
  EXPECT_EQ(entries[1].devices, "cpu:0,cpu:1");
  EXPECT_EQ(entries[1].bestVariant, "pipe");
  EXPECT_DOUBLE_EQ(entries[1].bestSpeedup, 1.5);
  EXPECT_EQ(entries[1].variants, 1);
}

TEST_F(WorkspaceTest, PuttingAFolderTwiceKeepsOneEntry) {
  writeRun(m_root / "runs/a", "A", 1.5);
  auto index = RunIndex::open(m_root);
  ASSERT_TRUE((*index)->put(m_root / "runs/a"));
  ASSERT_TRUE((*index)->put(m_root / "runs/a/"));
  EXPECT_EQ(listed(**index).size(), 1u);
}

TEST_F(WorkspaceTest, AFolderThatIsNoRunIsRefused) {
  auto index = RunIndex::open(m_root);
  const Status put = (*index)->put(m_root / "absent");
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code, ErrorCode::Invalid);
}

TEST_F(WorkspaceTest, RebuildFindsTheRunsOfTheFoldersAndForgetsLostOnes) {
  writeRun(m_root / "runs/a", "A", 1.5);
  writeRun(m_root / "elsewhere/b", "B", 1.1);
  auto index = RunIndex::open(m_root);
  ASSERT_TRUE((*index)->put(m_root / "elsewhere/b"));
  ASSERT_TRUE((*index)->rebuild());
  EXPECT_EQ(listed(**index).size(), 2u);
  fs::remove_all(m_root / "elsewhere/b");
  ASSERT_TRUE((*index)->rebuild());
  ASSERT_EQ(listed(**index).size(), 1u);
  EXPECT_EQ(listed(**index)[0].name, "A");
}

TEST_F(WorkspaceTest, RefreshSeesNewChangedAndLostRuns) {
  writeRun(m_root / "runs/a", "A", 1.5);
  auto index = RunIndex::open(m_root);
  ASSERT_TRUE((*index)->refresh());
  ASSERT_EQ(listed(**index).size(), 1u);
  {
    fs::create_directories(m_root / "runs/b");
    auto writer = record::EventWriter::open({m_root / "runs/b"}, false);
    record::RunResult plan;
    plan.name = "B";
    ASSERT_TRUE((*writer)->write("started", record::startedMembers(plan)));
    ASSERT_TRUE((*index)->refresh());
    EXPECT_EQ(listed(**index).size(), 2u);
    ASSERT_TRUE((*writer)->write("canceled", Json::object()));
  }
  fs::remove_all(m_root / "runs/a");
  ASSERT_TRUE((*index)->refresh());
  ASSERT_EQ(listed(**index).size(), 1u);
  EXPECT_EQ(listed(**index)[0].status, "canceled");
}

TEST_F(WorkspaceTest, ADamagedDatabaseIsMadeAgainFromTheFolders) {
  writeRun(m_root / "runs/a", "A", 1.5);
  std::ofstream(m_root / "stagelane.db") << std::string(8192, '#');
  auto index = RunIndex::open(m_root);
  ASSERT_TRUE(index) << index.error().message;
  EXPECT_EQ(listed(**index).size(), 1u);
}

TEST_F(WorkspaceTest, TwoProgramsMayHaveTheIndexOpenAtOnce) {
  writeRun(m_root / "runs/a", "A", 1.5);
  auto first = RunIndex::open(m_root);
  auto second = RunIndex::open(m_root);
  ASSERT_TRUE(first);
  ASSERT_TRUE(second);
  ASSERT_TRUE((*first)->put(m_root / "runs/a"));
  EXPECT_EQ(listed(**second).size(), 1u);
}

}  // namespace
}  // namespace stagelane::workspace
