#include "engine/workspace/run_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <atomic>
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include "engine/base/files.h"
#include "engine/record/event_writer.h"
#include "engine/workspace/index_trouble.h"
#include "tests/support/measured_run.h"
#include "tests/support/temporary_folder.h"

namespace stagelane::workspace {
namespace {

namespace fs = std::filesystem;

class RunIndexTest : public testing::Test {
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
    variant.seconds = {1.0 / speedup};
    variant.devices.resize(2);
    record::fillStatistics(variant);
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

  /// The later one is number 1.
  static void writeTwoRuns(const fs::path& workspace) {
    writeRun(workspace / "runs/20260101-000000-a", "A", 1.5);
    writeRun(workspace / "runs/20260201-000000-b", "B", 2.5);
    ASSERT_TRUE((*RunIndex::open(workspace))->put(workspace / "runs/20260201-000000-b"));
    ASSERT_TRUE((*RunIndex::open(workspace))->refresh());
  }
  /// Exactly these runs, once each, in this workspace and with their numbers.
  void expectTwoRuns(RunIndex& index, const fs::path& workspace) const {
    const auto entries = listed(index);
    EXPECT_EQ(entries.size(), 2u);
    for (const RunEntry& entry : entries) {
      EXPECT_EQ(fs::path(entry.folder).parent_path(), workspace / "runs");
      EXPECT_EQ(entry.number, entry.name == "B" ? 1 : 2) << entry.name;
    }
  }

  test::TemporaryFolder m_temporary{test::parentInMemory()};
  const fs::path& m_root = m_temporary.path();
};

TEST_F(RunIndexTest, TheIndexListsRunsNewestFirstWithTheirBestVariant) {
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
  EXPECT_EQ(entries[1].best.id, "pipe");
  EXPECT_DOUBLE_EQ(entries[1].best.speedup, 1.5);
  EXPECT_EQ(entries[1].best.devices, 2);
  EXPECT_EQ(entries[1].variants, 1);
}

TEST_F(RunIndexTest, PuttingAFolderTwiceKeepsOneEntry) {
  writeRun(m_root / "runs/a", "A", 1.5);
  auto index = RunIndex::open(m_root);
  ASSERT_TRUE((*index)->put(m_root / "runs/a"));
  ASSERT_TRUE((*index)->put(m_root / "runs/a/"));
  EXPECT_EQ(listed(**index).size(), 1u);
}

TEST_F(RunIndexTest, AFolderThatIsNoRunIsRefused) {
  auto index = RunIndex::open(m_root);
  const Status put = (*index)->put(m_root / "absent");
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code, ErrorCode::Invalid);
}

TEST_F(RunIndexTest, RebuildFindsTheRunsOfTheFoldersAndForgetsLostOnes) {
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

TEST_F(RunIndexTest, RefreshSeesNewChangedAndLostRuns) {
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

TEST_F(RunIndexTest, ACopiedWorkspaceListsItsOwnRunsOnceWithTheirNumbers) {
  const fs::path first = m_root / "first", second = m_root / "second";
  writeTwoRuns(first);
  fs::copy(first, second, fs::copy_options::recursive);
  auto index = RunIndex::open(second);
  ASSERT_TRUE((*index)->refresh());
  expectTwoRuns(**index, second);
  ASSERT_TRUE((*index)->rebuild());
  expectTwoRuns(**index, second);
  // The original run is unchanged.
  const auto original = listed(**RunIndex::open(first));
  ASSERT_EQ(original.size(), 2u);
  EXPECT_EQ(fs::path(original[0].folder).parent_path(), first / "runs");
}

TEST_F(RunIndexTest, ACopiedWorkspaceOfAnOlderFormListsItsOwnRunsOnceToo) {
  const fs::path first = m_root / "first", second = m_root / "second";
  writeTwoRuns(first);
  fs::copy(first, second, fs::copy_options::recursive);
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open((second / "stagelane.db").c_str(), &database), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(database, "PRAGMA user_version=1", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(database);
  auto index = RunIndex::open(second);
  ASSERT_TRUE((*index)->refresh());
  expectTwoRuns(**index, second);
}

TEST_F(RunIndexTest, AMovedWorkspaceKeepsTheNumbersOfItsRuns) {
  const fs::path first = m_root / "first", second = m_root / "second";
  writeTwoRuns(first);
  fs::rename(first, second);
  auto index = RunIndex::open(second);
  ASSERT_TRUE((*index)->refresh());
  expectTwoRuns(**index, second);
}

TEST_F(RunIndexTest, ARunElsewhereThatHasTheNameOfAnotherHereStays) {
  const fs::path here = m_root / "here", there = m_root / "there";
  writeRun(there / "runs/20260101-000000-a", "A", 1.5);
  writeRun(here / "runs/20260101-000000-a", "A", 2.5);
  auto index = RunIndex::open(here);
  ASSERT_TRUE((*index)->put(there / "runs/20260101-000000-a"));
  ASSERT_TRUE((*index)->refresh());
  EXPECT_EQ(listed(**index).size(), 2u);
  ASSERT_TRUE((*index)->rebuild());
  EXPECT_EQ(listed(**index).size(), 2u);
}

TEST_F(RunIndexTest, ADamagedDatabaseIsMadeAgainFromTheFolders) {
  writeRun(m_root / "runs/a", "A", 1.5);
  std::ofstream(m_root / "stagelane.db") << std::string(8192, '#');
  auto index = RunIndex::open(m_root);
  ASSERT_TRUE(index) << index.error().message;
  EXPECT_EQ(listed(**index).size(), 1u);
}

TEST_F(RunIndexTest, APartlyDamagedDatabaseIsMendedByItself) {
  for (int i = 0; i < 40; ++i) {
    writeRun(m_root / "runs" / ("run-" + std::to_string(100 + i)), "Run", 1.5);
  }
  {
    auto index = RunIndex::open(m_root);
    ASSERT_TRUE((*index)->refresh());
  }
  // Every fifth byte after the first page: SQLite opens such a file without an error.
  const fs::path database = m_root / "stagelane.db";
  std::fstream file(database, std::ios::in | std::ios::out | std::ios::binary);
  const auto size = static_cast<std::streamoff>(fs::file_size(database));
  ASSERT_GT(size, 8192) << "the log is in the file once it is closed";
  for (std::streamoff at = 4096; at < size; at += 5) {
    file.seekp(at);
    file.put(static_cast<char>(at * 7));
  }
  file.close();
  for (const bool rebuild : {true, false}) {
    auto index = RunIndex::open(m_root);
    ASSERT_TRUE(index) << index.error().message;
    const Status read = rebuild ? (*index)->rebuild() : (*index)->refresh();
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_FALSE((*index)->problem());
    EXPECT_EQ(listed(**index).size(), 40U);
    std::set<int> given;
    for (const RunEntry& entry : listed(**index)) given.insert(entry.number);
    EXPECT_EQ(given.size(), 40U) << "each has a number of its own";
  }
  EXPECT_EQ(std::system(("python3 -c \"import sqlite3,sys; "
                         "sys.exit(sqlite3.connect(sys.argv[1]).execute('PRAGMA integrity_check')"
                         ".fetchone()[0] != 'ok')\" " +
                         database.string())
                            .c_str()),
            0)
      << "the file on the disk is a sound one again";
}

TEST_F(RunIndexTest, AnEntryThatIsNoJsonIsReadAgainFromItsFolder) {
  writeRun(m_root / "runs/a", "A", 1.5);
  writeRun(m_root / "runs/b", "B", 1.5);
  {
    auto index = RunIndex::open(m_root);
    ASSERT_TRUE((*index)->put(m_root / "runs/b"));
    ASSERT_TRUE((*index)->refresh());
  }
  ASSERT_EQ(std::system(("python3 -c \"import sqlite3,sys; d=sqlite3.connect(sys.argv[1]); "
                         "d.execute('UPDATE runs SET entry=substr(entry,3)'); d.commit()\" " +
                         (m_root / "stagelane.db").string())
                            .c_str()),
            0);
  auto index = RunIndex::open(m_root);
  ASSERT_TRUE((*index)->refresh());
  std::map<std::string, int> numbers;
  for (const RunEntry& entry : listed(**index)) numbers[entry.name] = entry.number;
  EXPECT_EQ(numbers, (std::map<std::string, int>{{"A", 2}, {"B", 1}})) << "as they were";
}

TEST_F(RunIndexTest, WhereNoDatabaseCanBeKeptTheRunsAreReadFromTheirFolders) {
  writeRun(m_root / "runs/20260101-000000-a", "A", 1.5);
  writeRun(m_root / "runs/20260102-000000-b", "B", 1.5);
  fs::create_directories(m_root / "stagelane.db/inside");
  auto index = RunIndex::open(m_root);
  ASSERT_TRUE(index) << index.error().message;
  ASSERT_TRUE((*index)->problem());
  EXPECT_THAT((*index)->problem()->message, testing::HasSubstr("a folder has the name"));
  EXPECT_THAT((*index)->problem()->hint, testing::HasSubstr("move it away"));
  ASSERT_TRUE((*index)->refresh());
  const auto entries = listed(**index);
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].name, "B");
  EXPECT_EQ(entries[0].number, 2);
  EXPECT_TRUE(fs::exists(m_root / "stagelane.db/inside")) << "what is not ours stays";
}

TEST_F(RunIndexTest, WhatTheAdviceIsDependsOnWhatIsWrong) {
  const fs::path database = m_root / "stagelane.db";
  EXPECT_EQ(troubleOf(SQLITE_CORRUPT_INDEX), IndexTrouble::Damage);
  EXPECT_EQ(troubleOf(SQLITE_NOTADB), IndexTrouble::Damage);
  EXPECT_EQ(troubleOf(SQLITE_ERROR), IndexTrouble::Damage) << "such as a table that is gone";
  EXPECT_EQ(troubleOf(SQLITE_IOERR_SHMSIZE), IndexTrouble::Unkept);
  EXPECT_EQ(troubleOf(SQLITE_FULL), IndexTrouble::Unkept);
  EXPECT_EQ(troubleOf(SQLITE_READONLY_DIRECTORY), IndexTrouble::Unkept);
  EXPECT_EQ(troubleOf(SQLITE_CANTOPEN), IndexTrouble::Unkept);
  EXPECT_EQ(troubleOf(SQLITE_BUSY_RECOVERY), IndexTrouble::Busy);
  EXPECT_THAT(indexError(database, IndexTrouble::Busy, "").hint, testing::HasSubstr("try again"));
  EXPECT_THAT(indexError("/proc/stagelane.db", IndexTrouble::Unkept, "").hint,
              testing::AnyOf(testing::HasSubstr("make the folder writable"),
                             testing::HasSubstr("free some space")))
      << "/proc takes no files and has no space";
  EXPECT_THAT(indexError(database, IndexTrouble::Unkept, "odd words").message,
              testing::HasSubstr("odd words"));
}

TEST_F(RunIndexTest, FoldersInWhichNothingWasSaidYetAreNamed) {
  writeRun(m_root / "runs/a", "A", 1.5);
  fs::create_directories(m_root / "runs/empty");
  fs::create_directories(m_root / "runs/.importing-1-b");
  fs::create_directories(m_root / "runs/early");
  std::ofstream(m_root / "runs/early/experiment.json") << R"({"name": "Early"})";
  EXPECT_THAT(foldersToBegin(m_root),
              testing::UnorderedElementsAre(m_root / "runs/empty", m_root / "runs/early"));
  EXPECT_TRUE(foldersToBegin(m_root / "absent").empty());
}

TEST_F(RunIndexTest, AFolderOfRubbishIsNotEntered) {
  const fs::path folder = m_root / "runs/rubbish";
  fs::create_directories(folder);
  std::ofstream(folder / "events.jsonl") << std::string(5000, '\x9c') << "\n{}\n[1]\n";
  std::ofstream(folder / "result.json") << "{}";
  auto index = RunIndex::open(m_root);
  ASSERT_TRUE((*index)->refresh());
  EXPECT_TRUE(listed(**index).empty());
  const Status put = (*index)->put(folder);
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code, ErrorCode::Invalid);
}

TEST_F(RunIndexTest, TwoProgramsMayHaveTheIndexOpenAtOnce) {
  writeRun(m_root / "runs/a", "A", 1.5);
  auto first = RunIndex::open(m_root);
  auto second = RunIndex::open(m_root);
  ASSERT_TRUE(first);
  ASSERT_TRUE(second);
  ASSERT_TRUE((*first)->put(m_root / "runs/a"));
  EXPECT_EQ(listed(**second).size(), 1u);
}

TEST_F(RunIndexTest, ProgramsThatOpenWriteAndCloseTheIndexAtOnceWaitForEachOther) {
  constexpr int kPrograms = 4;
  constexpr int kTimes = 25;
  for (int i = 0; i < kPrograms; ++i) {
    writeRun(m_root / "runs" / std::to_string(i), "Run " + std::to_string(i), 1.0);
  }
  std::atomic<bool> begin{false};
  std::vector<std::string> problems(kPrograms);
  std::vector<std::thread> programs;
  for (int i = 0; i < kPrograms; ++i) {
    programs.emplace_back([&, i] {
      const auto keep = [&problem = problems[static_cast<std::size_t>(i)]](const Status& done) {
        problem = done ? problem : done.error().message;
      };
      while (!begin) std::this_thread::yield();
      for (int time = 0; time < kTimes; ++time) {
        auto index = RunIndex::open(m_root);
        keep(index ? Status{} : tl::make_unexpected(index.error()));
        if (index) {
          keep((*index)->put(m_root / "runs" / std::to_string(i)));
          keep((*index)->refresh());
          keep(time % 5 == 0 ? (*index)->rebuild() : Status{});
          keep((*index)->list().map([](const auto&) {}));
        }
      }
    });
  }
  begin = true;
  for (std::thread& program : programs) program.join();
  EXPECT_THAT(problems, testing::Each(""));
  auto index = RunIndex::open(m_root);
  std::set<int> numbers;
  for (const RunEntry& entry : listed(**index)) numbers.insert(entry.number);
  EXPECT_EQ(numbers, (std::set<int>{1, 2, 3, 4})) << "each has a number of its own";
}

TEST_F(RunIndexTest, ARunKeepsItsNumberThroughChangesAndARebuild) {
  writeRun(m_root / "runs/20260101-000000-a", "A", 1.5);
  auto index = RunIndex::open(m_root);
  ASSERT_TRUE((*index)->refresh());
  writeRun(m_root / "runs/20250101-000000-b", "B", 1.5);
  ASSERT_TRUE((*index)->refresh());
  ASSERT_TRUE((*index)->rebuild());
  const auto entries = listed(**index);
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].number, 1);
  EXPECT_EQ(entries[1].number, 2);
}

TEST_F(RunIndexTest, ARunThatComesBackFromTheTrashIsCalledAsBefore) {
  for (const char* name : {"a", "b", "c"}) writeRun(m_root / "runs" / name, name, 1.5);
  auto index = RunIndex::open(m_root);
  ASSERT_TRUE((*index)->refresh());
  fs::rename(m_root / "runs/c", m_root / "trashed");
  ASSERT_TRUE((*index)->refresh());
  writeRun(m_root / "runs/d", "d", 1.5);
  ASSERT_TRUE((*index)->refresh());
  fs::rename(m_root / "trashed", m_root / "runs/c");
  index = RunIndex::open(m_root);
  ASSERT_TRUE((*index)->refresh());
  std::map<std::string, int> numbers;
  for (const RunEntry& entry : listed(**index)) numbers[entry.name] = entry.number;
  EXPECT_EQ(numbers, (std::map<std::string, int>{{"a", 1}, {"b", 2}, {"c", 3}, {"d", 4}}));
}

TEST_F(RunIndexTest, LabelsComeFromTheFolderAndSurviveALostIndex) {
  const fs::path folder = m_root / "runs/a";
  writeRun(folder, "A", 1.5);
  ASSERT_TRUE(writeLabels(folder, {true, {"paper", "slow"}, "look at \"stage 1\""}));
  {
    auto index = RunIndex::open(m_root);
    ASSERT_TRUE((*index)->refresh());
  }
  for (const char* file : {"stagelane.db", "stagelane.db-wal", "stagelane.db-shm"}) {
    fs::remove(m_root / file);
  }
  auto index = RunIndex::open(m_root);
  ASSERT_TRUE((*index)->refresh());
  const auto entries = listed(**index);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_TRUE(entries[0].labels.favourite);
  EXPECT_EQ(entries[0].labels.tags, (std::vector<std::string>{"paper", "slow"}));
  EXPECT_EQ(entries[0].labels.note, "look at \"stage 1\"");
}

TEST_F(RunIndexTest, RefreshSeesLabelsThatAnotherProgramWrote) {
  writeRun(m_root / "runs/a", "A", 1.5);
  auto index = RunIndex::open(m_root);
  ASSERT_TRUE((*index)->refresh());
  ASSERT_TRUE(writeLabels(m_root / "runs/a", {false, {"new"}, ""}));
  ASSERT_TRUE((*index)->refresh());
  EXPECT_EQ(listed(**index)[0].labels.tags, std::vector<std::string>{"new"});
}

TEST_F(RunIndexTest, ARunThatCannotBeReadKeepsItsLineWithWhatWasKnown) {
  const fs::path folder = m_root / "runs/a";
  writeRun(folder, "A", 1.5);
  writeRun(m_root / "runs/b", "B", 1.1);
  auto index = RunIndex::open(m_root);
  ASSERT_TRUE((*index)->refresh());
  EXPECT_TRUE((*index)->unreadable().empty());
  // A link to itself fails for every user; permissions do not apply to root.
  fs::rename(folder / "events.jsonl", folder / "events.away");
  fs::create_symlink("events.jsonl", folder / "events.jsonl");
  const auto expectKept = [&] {
    const auto entries = listed(**index);
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries[1].name, "A");
    EXPECT_EQ(entries[1].number, 1);
    EXPECT_DOUBLE_EQ(entries[1].best.speedup, 1.5);
    EXPECT_EQ(entries[0].unreadable, "");
    EXPECT_EQ(entries[1].unreadable, "events.jsonl: Too many levels of symbolic links");
    EXPECT_EQ(toJson(entries[1])["unreadable"], entries[1].unreadable);
    EXPECT_EQ((*index)->unreadable(),
              (UnreadableFolders{{folder.string(), entries[1].unreadable}}));
  };
  ASSERT_TRUE((*index)->refresh());
  expectKept();
  ASSERT_TRUE((*index)->rebuild());
  expectKept();
  fs::rename(folder / "events.away", folder / "events.jsonl");
  ASSERT_TRUE((*index)->refresh());
  EXPECT_TRUE((*index)->unreadable().empty());
  EXPECT_EQ(listed(**index)[1].unreadable, "");
  fs::remove_all(folder);
  ASSERT_TRUE((*index)->refresh());
  EXPECT_EQ(listed(**index).size(), 1U);
}

TEST_F(RunIndexTest, AFolderThatNeverCouldBeReadIsCounted) {
  fs::create_directories(m_root / "runs/a");
  fs::create_symlink("events.jsonl", m_root / "runs/a/events.jsonl");
  auto index = RunIndex::open(m_root);
  ASSERT_TRUE((*index)->refresh());
  EXPECT_TRUE(listed(**index).empty());
  EXPECT_EQ((*index)->unreadable().size(), 1U);
  EXPECT_TRUE(foldersToBegin(m_root).empty()) << "nothing is to be waited for";
}

TEST_F(RunIndexTest, ARunWhoseFilesAreDamagedKeepsItsLineToo) {
  const fs::path folder = m_root / "runs/a";
  writeRun(folder, "A", 1.5);
  auto index = RunIndex::open(m_root);
  ASSERT_TRUE((*index)->refresh());
  fs::remove(folder / "events.jsonl");
  ASSERT_TRUE(writeFileAtomically(folder / "result.json", "no JSON"));
  for (const bool rebuild : {false, true}) {
    ASSERT_TRUE(rebuild ? (*index)->rebuild() : (*index)->refresh());
    ASSERT_EQ(listed(**index).size(), 1U);
    EXPECT_EQ(listed(**index)[0].name, "A");
    EXPECT_NE(listed(**index)[0].unreadable, "");
  }
}

TEST_F(RunIndexTest, WhereTheFolderOfRunsCannotBeReadThatIsSaid) {
  fs::create_symlink("runs", m_root / "runs");
  auto index = RunIndex::open(m_root);
  ASSERT_TRUE((*index)->refresh());
  EXPECT_EQ((*index)->unreadable(),
            (UnreadableFolders{{(m_root / "runs").string(), "Too many levels of symbolic links"}}));
}

TEST_F(RunIndexTest, AStoppedRebuildLeavesTheIndexAsItWas) {
  writeRun(m_root / "runs/a", "A", 1.5);
  writeRun(m_root / "runs/b", "B", 1.5);
  auto index = RunIndex::open(m_root);
  ASSERT_TRUE((*index)->refresh());
  std::size_t calls = 0;
  ASSERT_TRUE((*index)->rebuild([&](std::size_t, std::size_t of) {
    EXPECT_EQ(of, 2u);
    ++calls;
    return false;
  }));
  EXPECT_EQ(calls, 1u);
  EXPECT_EQ(listed(**index).size(), 2u);
}

TEST_F(RunIndexTest, AForgottenRunComesBackWithTheNextRefresh) {
  writeRun(m_root / "runs/a", "A", 1.5);
  auto index = RunIndex::open(m_root);
  ASSERT_TRUE((*index)->refresh());
  ASSERT_TRUE((*index)->forget(m_root / "runs/a"));
  EXPECT_TRUE(listed(**index).empty());
  ASSERT_TRUE((*index)->refresh());
  EXPECT_EQ(listed(**index).size(), 1u);
}

TEST_F(RunIndexTest, ARunThatIsBeingCopiedIsNotListed) {
  writeRun(m_root / "runs/.importing-1-a", "A", 1.5);
  auto index = RunIndex::open(m_root);
  ASSERT_TRUE((*index)->refresh());
  EXPECT_TRUE(listed(**index).empty());
}

TEST_F(RunIndexTest, AnIndexOfAnOlderFormIsMadeAgain) {
  writeRun(m_root / "runs/a", "A", 1.5);
  {
    auto index = RunIndex::open(m_root);
    ASSERT_TRUE((*index)->refresh());
  }
  // A version number that this program does not know, as an older program would write it.
  const std::string command =
      "python3 -c \"import sqlite3,sys; d=sqlite3.connect(sys.argv[1]); "
      "d.execute('PRAGMA user_version=1'); d.commit()\" " +
      (m_root / "stagelane.db").string();
  ASSERT_EQ(std::system(command.c_str()), 0);
  auto index = RunIndex::open(m_root);
  ASSERT_TRUE(index);
  ASSERT_TRUE((*index)->refresh());
  EXPECT_EQ(listed(**index).size(), 1u);
}

TEST_F(RunIndexTest, TheBestVariantIsTheOneOfTheSmallestMedianAsItsSpeedUpSays) {
  const fs::path folder = m_root / "runs/a";
  fs::create_directories(folder);
  auto writer = record::EventWriter::open({folder}, false);
  ASSERT_TRUE(writer);
  record::RunResult plan;
  for (const char* id : {"slow", "spiky", "fast"}) {
    record::VariantResult variant;
    variant.id = id;
    plan.variants.push_back(variant);
  }
  ASSERT_TRUE((*writer)->write("started", record::startedMembers(plan)));
  for (record::VariantResult& variant : plan.variants) {
    variant.status = record::RunStatus::Done;
    variant.seconds = variant.id == "slow"    ? std::vector<double>{2.0, 2.0, 2.0}
                      : variant.id == "spiky" ? std::vector<double>{0.5, 0.5, 9.0}
                                              : std::vector<double>{1.0, 1.0, 1.0};
    record::fillStatistics(variant);
    variant.speedup = 2.0 / variant.medianS;  // of medians: "spiky" has the highest
    ASSERT_TRUE((*writer)->write("variant_done", record::variantDoneMembers(variant)));
  }
  ASSERT_TRUE((*writer)->write("finished", Json::object()));
  auto index = RunIndex::open(m_root);
  ASSERT_TRUE((*index)->put(folder));
  EXPECT_EQ(listed(**index)[0].best.id, "spiky");
  EXPECT_DOUBLE_EQ(listed(**index)[0].best.speedup, 4.0);
}

TEST_F(RunIndexTest, TheBestVariantIsNotOneThatWasCutShort) {
  test::writeCanceledRun(m_root / "runs" / "20261121-160000-cut");
  auto index = RunIndex::open(m_root);
  ASSERT_TRUE((*index)->refresh());
  EXPECT_EQ(listed(**index)[0].best.id, "whole");
}

}  // namespace
}  // namespace stagelane::workspace
