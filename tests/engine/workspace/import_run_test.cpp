#include "engine/workspace/import_run.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include "engine/base/files.h"
#include "engine/record/event_writer.h"
#include "engine/record/run_record.h"
#include "engine/workspace/run_labels.h"
#include "tests/support/temporary_folder.h"

namespace stagelane::workspace {
namespace {

namespace fs = std::filesystem;

class ImportRunTest : public testing::Test {
 protected:
  [[nodiscard]] fs::path writeRun(const fs::path& folder) const {
    fs::create_directories(folder / "traces");
    auto writer = record::EventWriter::open({folder}, false);
    EXPECT_TRUE(writer);
    record::RunResult plan;
    plan.name = "Copied";
    EXPECT_TRUE((*writer)->write("started", record::startedMembers(plan)));
    EXPECT_TRUE((*writer)->write("finished", Json::object()));
    std::ofstream(folder / "traces/a.pftrace") << "trace";
    EXPECT_TRUE(writeLabels(folder, {true, {"kept"}, ""}));
    return folder;
  }

  [[nodiscard]] std::size_t foldersOfRuns() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(m_workspace / "runs"), fs::directory_iterator()));
  }

  test::TemporaryFolder m_temporary;
  fs::path m_workspace = m_temporary / "workspace";
};

TEST_F(ImportRunTest, CopiesEverythingWithItsLabels) {
  const fs::path source = writeRun(m_temporary / "stick/20260101-000000-toy");
  const auto imported = importRun(m_workspace, source);
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(*imported, m_workspace / "runs/20260101-000000-toy");
  EXPECT_TRUE(fs::exists(*imported / "traces/a.pftrace"));
  EXPECT_EQ(readLabels(*imported).tags, std::vector<std::string>{"kept"});
  const auto run = record::openRun(*imported);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->name, "Copied");
  EXPECT_TRUE(fs::exists(source / "events.jsonl"));
  EXPECT_EQ(foldersOfRuns(), 1u);
}

TEST_F(ImportRunTest, SaysHowFarItIsAndStoppedLeavesNothingBehind) {
  const fs::path source = writeRun(m_temporary / "stick/toy");
  std::vector<Bytes> told;
  Bytes all = 0;
  const auto whole = importRun(m_workspace, source, [&](Bytes done, Bytes of) {
    told.push_back(done);
    all = of;
    return true;
  });
  ASSERT_TRUE(whole);
  ASSERT_GE(told.size(), 3U) << "events, labels and a trace";
  EXPECT_EQ(told.front(), 0);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_LT(told.back(), all);

  std::size_t files = 0;
  const auto stopped = importRun(m_workspace, source, [&](Bytes, Bytes) { return ++files < 2; });
  ASSERT_TRUE(stopped) << "to stop is no error";
  EXPECT_TRUE(stopped->empty());
  EXPECT_EQ(foldersOfRuns(), 1u) << "the first copy alone";
}

TEST_F(ImportRunTest, CanBeStoppedInsideALargeFile) {
  constexpr Bytes kMebibyte = 1 << 20;
  const fs::path source = writeRun(m_temporary / "stick/toy");
  const fs::path large = source / "traces/large.pftrace";
  std::string bytes(3 * kMebibyte + 5, 'a');
  bytes[2 * kMebibyte] = 'b';
  std::ofstream(large) << bytes;
  fs::permissions(large, fs::perms::owner_read | fs::perms::owner_write);
  Bytes last = 0;
  Bytes all = 0;
  const auto whole = importRun(m_workspace, source, [&](Bytes done, Bytes of) {
    EXPECT_LE(done - last, kMebibyte) << "it could not be stopped for so long";
    last = done;
    all = of;
    return true;
  });
  ASSERT_TRUE(whole);
  EXPECT_LE(all - last, kMebibyte);
  EXPECT_EQ(*readFile(*whole / "traces/large.pftrace"), bytes);
  EXPECT_EQ(fs::status(*whole / "traces/large.pftrace").permissions(),
            fs::status(large).permissions());

  const auto stopped =
      importRun(m_workspace, source, [&](Bytes done, Bytes) { return done < 2 * kMebibyte; });
  ASSERT_TRUE(stopped);
  EXPECT_TRUE(stopped->empty());
  EXPECT_EQ(foldersOfRuns(), 1U);
}

TEST_F(ImportRunTest, RemovesWhatAKilledProgramLeftOfItsImport) {
  const pid_t dead = ::fork();
  if (dead == 0) ::_exit(0);
  ASSERT_EQ(::waitpid(dead, nullptr, 0), dead);
  const fs::path left = m_workspace / "runs" / (".importing-" + std::to_string(dead) + "-toy");
  const fs::path underWay =
      m_workspace / "runs" / (".importing-" + std::to_string(::getppid()) + "-toy");
  fs::create_directories(left / "traces");
  fs::create_directories(underWay);
  ASSERT_TRUE(importRun(m_workspace, writeRun(m_temporary / "stick/toy")));
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(underWay)) << "another program is copying";
}

TEST_F(ImportRunTest, ATakenNameGetsASuffix) {
  const fs::path source = writeRun(m_temporary / "stick/toy");
  ASSERT_TRUE(importRun(m_workspace, source));
  const auto second = importRun(m_workspace, source);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->filename(), "toy-2");
}

TEST_F(ImportRunTest, ARunOfTheWorkspaceStaysWhereItIs) {
  const fs::path own = writeRun(m_workspace / "runs/toy");
  const auto imported = importRun(m_workspace, own / "");
  ASSERT_TRUE(imported);
  EXPECT_EQ(*imported, own);
  EXPECT_EQ(foldersOfRuns(), 1u);
}

TEST_F(ImportRunTest, LinksAreNotFollowed) {
  const fs::path source = writeRun(m_temporary / "stick/toy");
  fs::create_symlink("/etc/passwd", source / "link");
  const auto imported = importRun(m_workspace, source);
  ASSERT_TRUE(imported);
  EXPECT_FALSE(fs::exists(*imported / "link"));
}

TEST_F(ImportRunTest, WhatIsNoRunFolderIsRefused) {
  fs::create_directories(m_temporary / "pictures");
  const auto imported = importRun(m_workspace, m_temporary / "pictures");
  ASSERT_FALSE(imported);
  EXPECT_EQ(imported.error().code, ErrorCode::Invalid);
  EXPECT_FALSE(fs::exists(m_workspace / "runs"));
}

TEST_F(ImportRunTest, AFolderAroundTheWorkspaceIsRefused) {
  const fs::path around = writeRun(m_temporary / "around");
  const auto imported = importRun(around / "workspace", around);
  ASSERT_FALSE(imported);
  EXPECT_EQ(imported.error().code, ErrorCode::Invalid);
}

}  // namespace
}  // namespace stagelane::workspace
