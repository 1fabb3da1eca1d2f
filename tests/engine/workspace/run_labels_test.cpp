#include "engine/workspace/run_labels.h"

#include <gtest/gtest.h>

#include <fstream>

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
