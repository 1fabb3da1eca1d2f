#include "engine/run/ranks/rank_processes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/engine/run/ranks/child_role.h"
#include "tests/engine/run/ranks/rank_threads.h"

namespace stagelane::run {
namespace {

using ::testing::HasSubstr;

RankCommand shell(int rank, const std::string& script) {
  RankCommand command;
  command.rank = rank;
  command.arguments = {"/bin/sh", "-c", script};
  return command;
}

std::string contentsOf(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string temporary(const std::string& name) {
  return ::testing::TempDir() + "stagelane-ranks-" + std::to_string(::getpid()) + "-" + name;
}

/// A parent that starts a follower, tells its process id, and waits to be killed.
const ChildRole kParent("start a follower", [] {
  RankProcesses processes;
  if (!processes.start(shell(1, "exec sleep 300"))) return 1;
  // The thread that started it must not matter.
  std::ofstream(std::getenv("PID_FILE")) << processes.running().front() << std::endl;
  ::pause();
  return 0;
});

TEST(RankProcesses, TellHowEachProcessEnded) {
  RankProcesses processes;
  ASSERT_TRUE(processes.start(shell(1, "exit 3")));
  ASSERT_TRUE(processes.start(shell(2, "kill -9 $$")));
  ASSERT_TRUE(processes.wait(20 * kSecondNs));
  for (const RankEnd& end : processes.ended()) {
    EXPECT_EQ(end.exitCode, end.rank == 1 ? 3 : 0);
    EXPECT_EQ(end.signal, end.rank == 1 ? 0 : SIGKILL);
  }
  EXPECT_EQ(processes.ended().size(), 2U);
}

TEST(RankProcesses, GetTheirVariablesAndFiles) {
  RankProcesses processes;
  RankCommand command = shell(1, "echo $RANK $HOME; echo wrong >&2");
  command.variables = {"RANK=1", "HOME=/here"};
  command.outputPath = temporary("out");
  command.errorPath = temporary("err");
  ASSERT_TRUE(processes.start(command));
  ASSERT_TRUE(processes.wait(20 * kSecondNs));
  EXPECT_EQ(contentsOf(command.outputPath), "1 /here\n");
  EXPECT_EQ(contentsOf(command.errorPath), "wrong\n");
  std::filesystem::remove(command.outputPath);
  std::filesystem::remove(command.errorPath);
}

TEST(RankProcesses, AProgramThatDoesNotExistIsAnError) {
  RankProcesses processes;
  RankCommand command;
  command.rank = 4;
  command.arguments = {"/no/such/program"};
  const Status started = processes.start(command);
  ASSERT_FALSE(started);
  EXPECT_THAT(started.error().message, HasSubstr("rank 4"));
  EXPECT_THAT(started.error().message, HasSubstr("No such file"));
  EXPECT_TRUE(processes.running().empty());
}

TEST(RankProcesses, AFileThatCannotBeCreatedIsAnError) {
  RankProcesses processes;
  RankCommand command = shell(1, "exit 0");
  command.outputPath = "/no/such/folder/out";
  const Status started = processes.start(command);
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ErrorCode::CannotWrite);
}

TEST(RankProcesses, OutliveTheThreadThatStartedThem) {
  RankProcesses processes;
  std::thread([&] { ASSERT_TRUE(processes.start(shell(1, "sleep 300"))); }).join();
  EXPECT_FALSE(processes.wait(200 * kMillisecondNs));
}

TEST(RankProcesses, AreTerminatedAndThenKilled) {
  RankProcesses processes;
  ASSERT_TRUE(processes.start(shell(1, "sleep 300")));
  const std::string ready = temporary("ready");
  ASSERT_TRUE(processes.start(
      shell(2, "trap '' TERM; touch " + ready + "; while true; do sleep 0.1; done")));
  for (int i = 0; i < 1000 && !std::filesystem::exists(ready); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  processes.terminate(300 * kMillisecondNs);
  ASSERT_EQ(processes.ended().size(), 2U);
  for (const RankEnd& end : processes.ended()) {
    EXPECT_EQ(end.signal, end.rank == 1 ? SIGTERM : SIGKILL);
  }
  std::filesystem::remove(ready);
}

TEST(RankProcesses, AStopEndsAWait) {
  RankProcesses processes;
  ASSERT_TRUE(processes.start(shell(1, "sleep 300")));
  EXPECT_FALSE(processes.wait(60 * kSecondNs, [] { return true; }));
}

TEST(RankProcesses, EndWithAParentThatIsKilled) {
  const std::string file = temporary("pid");
  Child parent("start a follower", {"PID_FILE=" + file});
  pid_t follower = 0;
  for (int i = 0; i < 2000 && follower == 0; ++i) {
    std::istringstream(contentsOf(file)) >> follower;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ASSERT_GT(follower, 0);
  EXPECT_EQ(::kill(follower, 0), 0);
  parent.signal(SIGKILL);
  parent.wait();
  const auto runs = [&] {
    const std::string state = contentsOf("/proc/" + std::to_string(follower) + "/stat");
    return !state.empty() && state.find(") Z ") == std::string::npos;
  };
  for (int i = 0; i < 1000 && runs(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_FALSE(runs());
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace stagelane::run
