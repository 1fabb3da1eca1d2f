#include "engine/record/remote_run.h"

#include <gtest/gtest.h>

#include <fstream>

#include "engine/record/run_record.h"
#include "tests/support/temporary_folder.h"

namespace stagelane::record {
namespace {

RemoteRun sample() {
  return {"box", "20261127-1", "/home/me/.cache/stagelane/runs/20261127-1", 4711, "/opt/engine",
          false, true};
}

TEST(RemoteRun, IsReadAsItWasWritten) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(writeRemoteRun(folder.path(), sample()));
  const auto run = readRemoteRun(folder.path());
  ASSERT_TRUE(run && *run);
  EXPECT_EQ((*run)->host, "box");
  EXPECT_EQ((*run)->id, "20261127-1");
  EXPECT_EQ((*run)->folder, sample().folder);
  EXPECT_EQ((*run)->pid, 4711);
  EXPECT_EQ((*run)->engine, "/opt/engine");
  EXPECT_FALSE((*run)->isOver);
  EXPECT_TRUE((*run)->isCanceled);
  EXPECT_TRUE(isRemoteRunOpen(folder.path()));
}

TEST(RemoteRun, IsNothingWithoutAFileAndAnErrorIfDamaged) {
  const test::TemporaryFolder folder;
  const auto none = readRemoteRun(folder.path());
  ASSERT_TRUE(none);
  EXPECT_FALSE(*none);
  for (const char* text : {"", "[]", "{}", "{\"host\": 5}", "null"}) {
    std::ofstream(remoteFile(folder.path())) << text;
    EXPECT_FALSE(readRemoteRun(folder.path())) << text;
    EXPECT_FALSE(isRemoteRunOpen(folder.path()));
  }
}

TEST(RemoteRun, IsReadAsRunningUntilItIsOver) {
  const test::TemporaryFolder folder;
  std::ofstream(RunFolder{folder.path()}.events())
      << R"({"event":"started","t_ns":1,"run":{"name":"T","timing":"steady"},"variants":[]})"
      << "\n";
  RemoteRun run = sample();
  ASSERT_TRUE(writeRemoteRun(folder.path(), run));
  EXPECT_EQ(openRun(folder.path())->status, RunStatus::Running);
  run.isOver = true;
  ASSERT_TRUE(writeRemoteRun(folder.path(), run));
  EXPECT_EQ(openRun(folder.path())->status, RunStatus::Failed);
}

}  // namespace
}  // namespace stagelane::record
