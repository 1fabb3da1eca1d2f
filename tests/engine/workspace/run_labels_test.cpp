#include "engine/workspace/run_labels.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>
#include <thread>

#include "tests/support/temporary_folder.h"

namespace stagelane::workspace {
namespace {

using Tags = std::vector<std::string>;

TEST(RunLabelsTest, AreReadAsTheyWereWritten) {
  const test::TemporaryFolder folder;
  const RunLabels labels{true, {"paper", "two words"}, "a note\nof two lines, \"quoted\""};
  ASSERT_TRUE(writeLabels(folder.path(), labels));
  EXPECT_EQ(readLabels(folder.path()), labels);
}

TEST(RunLabelsTest, AFolderWithoutThemHasNone) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(readLabels(folder.path()), RunLabels{});
}

TEST(RunLabelsTest, ADamagedFileHasNone) {
  const test::TemporaryFolder folder;
  std::ofstream(labelsFile(folder.path())) << R"({"tags": ["a)";
  EXPECT_EQ(readLabels(folder.path()), RunLabels{});
}

TEST(RunLabelsTest, WhatHasTheWrongFormIsLeftOut) {
  const test::TemporaryFolder folder;
  std::ofstream(labelsFile(folder.path()))
      << R"({"favourite": 3, "tags": ["a", 4, " a ", "", "b"], "note": [1]})";
  EXPECT_EQ(readLabels(folder.path()), (RunLabels{false, {"a", "b"}, ""}));
  std::ofstream(labelsFile(folder.path())) << "[]";
  EXPECT_EQ(readLabels(folder.path()), RunLabels{});
}

TEST(RunLabelsTest, AFolderThatCannotBeWrittenIsAnError) {
  const Status written = writeLabels("/proc/no-such-folder", {true, {}, ""});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::CannotWrite);
}

/// Whether many edits of one member all survive while another process edits another member.
bool allStay(const std::filesystem::path& folder,
             const std::function<LabelEdit(const std::string&)>& edit,
             const std::function<bool(const RunLabels&, const std::string&)>& isThere) {
  for (int i = 0; i < 300; ++i) {
    const std::string text = "word " + std::to_string(i);
    if (!editLabels(folder, edit(text)) || !isThere(readLabels(folder), text)) return false;
  }
  return true;
}

bool allNotesStay(const std::filesystem::path& folder) {
  return allStay(
      folder, [](const std::string& text) { return LabelEdit{.note = text}; },
      [](const RunLabels& labels, const std::string& text) { return labels.note == text; });
}

bool allTagsStay(const std::filesystem::path& folder) {
  return allStay(
      folder, [](const std::string& text) { return LabelEdit{.tags = Tags{text}}; },
      [](const RunLabels& labels, const std::string& text) { return labels.tags == Tags{text}; });
}

TEST(RunLabelsTest, TwoProcessesThatEditAtOnceLoseNothing) {
  const test::TemporaryFolder folder;
  const pid_t child = ::fork();
  if (child == 0) ::_exit(allTagsStay(folder.path()) ? 0 : 1);
  EXPECT_TRUE(allNotesStay(folder.path()));
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(RunLabelsTest, TwoThreadsThatEditAtOnceLoseNothing) {
  const test::TemporaryFolder folder;
  bool tagsStayed = false;
  std::thread other([&] { tagsStayed = allTagsStay(folder.path()); });
  EXPECT_TRUE(allNotesStay(folder.path()));
  other.join();
  EXPECT_TRUE(tagsStayed);
}

TEST(RunLabelsTest, AKilledProcessHoldsNobodyUpAndOneThatStoppedIsNamed) {
  const test::TemporaryFolder folder;
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const int held = ::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY);
    const char answer = ::flock(held, LOCK_EX) == 0 ? '1' : '0';
    static_cast<void>(::write(ready[1], &answer, 1) == 1);
    for (;;) ::pause();
  }
  char answer = '0';
  ASSERT_EQ(::read(ready[0], &answer, 1), 1);
  EXPECT_EQ(answer, '1');
  const Status refused = editLabels(folder.path(), {.note = "too early"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::CannotWrite);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(editLabels(folder.path(), {.note = "free"}));
  EXPECT_EQ(readLabels(folder.path()).note, "free");
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST(RunLabelsTest, AnEditLeavesWhatItDoesNotName) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(writeLabels(folder.path(), {true, {"paper"}, "loud"}));
  ASSERT_TRUE(editLabels(folder.path(), {.note = "quiet"}));
  EXPECT_EQ(readLabels(folder.path()), (RunLabels{true, {"paper"}, "quiet"}));
  ASSERT_TRUE(editLabels(folder.path(), {.toggleFavourite = true, .tags = Tags{}}));
  EXPECT_EQ(readLabels(folder.path()), (RunLabels{false, {}, "quiet"}));
  ASSERT_TRUE(editLabels(folder.path(), {.toggleFavourite = true}));
  EXPECT_EQ(readLabels(folder.path()), (RunLabels{true, {}, "quiet"}));
}

TEST(RunLabelsTest, TagsAreWhatStandsBetweenCommas) {
  EXPECT_EQ(tagsFromText(" slow,for the paper ,, slow ,\t"), (Tags{"slow", "for the paper"}));
  EXPECT_EQ(tagsFromText(""), Tags{});
  EXPECT_EQ(tagsFromText("one"), Tags{"one"});
}

}  // namespace
}  // namespace stagelane::workspace
