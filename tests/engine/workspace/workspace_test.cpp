#include "engine/workspace/workspace.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <regex>

#include "tests/support/temporary_folder.h"

namespace stagelane::workspace {
namespace {

namespace fs = std::filesystem;

class WorkspaceTest : public testing::Test {
 protected:
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
    for (;;) ::pause();
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

}  // namespace
}  // namespace stagelane::workspace
