#include "engine/workspace/copied_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stagelane::workspace {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kHere = "/here/runs";

RunEntry entryOf(const std::string& folder, int number, const std::string& startedAt = "10:00") {
  RunEntry entry;
  entry.folder = folder;
  entry.number = number;
  entry.name = "toy";
  entry.startedAt = startedAt;
  entry.status = "done";
  return entry;
}

TEST(CopiedRuns, KeepTheNumberTheyHadElsewhere) {
  std::vector<IndexedRun> read{{entryOf("/here/runs/a", 0), 1}};
  const auto replaced = takeOverNumbers(read, {entryOf("/there/runs/a", 7)}, {}, kHere);
  EXPECT_THAT(replaced, ElementsAre("/there/runs/a"));
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read.front().entry.number, 7);
}

TEST(CopiedRuns, KeepTheNumberThatTheyHaveHereAlready) {
  std::vector<IndexedRun> read{{entryOf("/here/runs/a", 0), 1}};
  const KnownRuns known{{"/here/runs/a", {1, 3}}};
  EXPECT_THAT(takeOverNumbers(read, {entryOf("/there/runs/a", 7)}, known, kHere),
              ElementsAre("/there/runs/a"));
  EXPECT_EQ(read.front().entry.number, 0) << "the table knows it";
}

TEST(CopiedRuns, AreListedOnceWhereBothPlacesWereRead) {
  std::vector<IndexedRun> read{{entryOf("/here/runs/a", 0), 1},
                               {entryOf("/there/runs/a", 0), 1},
                               {entryOf("/there/runs/b", 0), 1}};
  const auto replaced =
      takeOverNumbers(read, {entryOf("/there/runs/a", 7), entryOf("/there/runs/b", 8)}, {}, kHere);
  EXPECT_THAT(replaced, ElementsAre("/there/runs/a"));
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].entry.folder, "/here/runs/a");
  EXPECT_EQ(read[1].entry.folder, "/there/runs/b") << "it is not here";
}

TEST(CopiedRuns, AreNotTakenForOthersOfTheSameFolderName) {
  std::vector<IndexedRun> read{{entryOf("/here/runs/a", 0, "11:00"), 1}};
  EXPECT_THAT(takeOverNumbers(read, {entryOf("/there/runs/a", 7)}, {}, kHere), IsEmpty());
  EXPECT_EQ(read.front().entry.number, 0);
}

TEST(CopiedRuns, AreLookedForOnlyInThisWorkspace) {
  std::vector<IndexedRun> read{{entryOf("/imported/a", 0), 1}};
  EXPECT_THAT(takeOverNumbers(read, {entryOf("/there/runs/a", 7)}, {}, kHere), IsEmpty());
}

}  // namespace
}  // namespace stagelane::workspace
