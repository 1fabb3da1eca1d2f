#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <sstream>
#include <thread>

#include "engine/base/files.h"
#include "engine/record/event_log.h"
#include "engine/record/event_writer.h"
#include "engine/record/run_record.h"
#include "tests/engine/record/run_samples.h"

namespace stagelane::record {
namespace {

using samples::contentOf;
using samples::TemporaryFolder;
using samples::writeText;

// A whole run of two variants, two repeats each, in turns.
void writeRun(const RunFolder& folder, bool withEnd) {
  auto writer = EventWriter::open(folder, false);
  ASSERT_TRUE(writer) << writer.error().message;
  ASSERT_TRUE((*writer)->write("started", startedMembers(samples::plannedRun())));
  for (int repeat = 1; repeat <= 2; ++repeat) {
    for (const char* id : {"single", "pipe-s5"}) {
      ASSERT_TRUE((*writer)->write(
          "measurement", {{"variant", id}, {"repeat", repeat}, {"seconds", 0.5 * repeat}}));
    }
  }
  if (withEnd) {
    for (const char* id : {"single", "pipe-s5"}) {
      VariantResult done = samples::planned(id);
      done.status = RunStatus::Done;
      done.seconds = {0.5, 1.0};
      fillStatistics(done);
      ASSERT_TRUE((*writer)->write("variant_done", variantDoneMembers(done)));
    }
    ASSERT_TRUE((*writer)->write("finished", Json::object()));
  }
}

std::size_t secondsIn(const RunResult& run) {
  std::size_t count = 0;
  for (const VariantResult& variant : run.variants) count += variant.seconds.size();
  return count;
}

TEST(RunFolder, AFinishedRunReadsAsItsOwnResultFile) {
  const TemporaryFolder temporary;
  const RunFolder folder{temporary.path()};
  writeRun(folder, true);
  const auto stored = readJsonFile(folder.result().string());
  ASSERT_TRUE(stored);
  const auto run = openRun(folder.root);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->status, RunStatus::Done);
  EXPECT_EQ(toJson(*run), *stored);
  EXPECT_EQ(run->folder, folder.root.string());
}

TEST(RunFolder, ResultJsonIsRebuiltFromTheEventsByteForByte) {
  const TemporaryFolder temporary;
  const RunFolder folder{temporary.path()};
  writeRun(folder, true);
  const std::string before = contentOf(folder.result());
  std::filesystem::remove(folder.result());
  ASSERT_TRUE(openRun(folder.root));
  EXPECT_EQ(contentOf(folder.result()), before);
}

TEST(RunFolder, CutAtEveryByteTheRunKeepsEveryWholeMeasurementAndIsNeverDone) {
  const TemporaryFolder temporary;
  const RunFolder folder{temporary.path()};
  writeRun(folder, true);
  const std::string whole = contentOf(folder.events());
  std::size_t previous = 0;
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const std::string cut = whole.substr(0, length);
    writeText(folder.events(), cut);
    std::filesystem::remove(folder.result());
    const auto run = openRun(folder.root, Rewrite::Always);
    ASSERT_TRUE(run) << length;
    // If only the last line end is missing, the last event is complete.
    const bool complete = length + 1 == whole.size();
    EXPECT_EQ(run->status, complete ? RunStatus::Done : RunStatus::Failed) << length;
    EXPECT_GE(secondsIn(*run), previous) << length;
    previous = secondsIn(*run);
    const auto stored = readJsonFile(folder.result().string());
    ASSERT_TRUE(stored) << length;
    EXPECT_EQ(toJson(*run), *stored) << length;
  }
  EXPECT_EQ(previous, 4u);
}

TEST(RunFolder, ARunWithoutEndIsFailedAndItsStaleResultFileIsRewritten) {
  const TemporaryFolder temporary;
  const RunFolder folder{temporary.path()};
  writeRun(folder, false);
  EXPECT_NE(contentOf(folder.result()).find("\"running\""), std::string::npos);
  const auto run = openRun(folder.root);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->status, RunStatus::Failed);
  EXPECT_EQ(secondsIn(*run), 4u);
  EXPECT_EQ(contentOf(folder.result()).find("\"running\""), std::string::npos);
}

TEST(RunFolder, ADamagedResultFileIsReplaced) {
  const TemporaryFolder temporary;
  const RunFolder folder{temporary.path()};
  writeRun(folder, true);
  const std::string before = contentOf(folder.result());
  writeText(folder.result(), "{\"stagelane\": 1, \"na");
  ASSERT_TRUE(openRun(folder.root));
  EXPECT_EQ(contentOf(folder.result()), before);
}

TEST(RunFolder, WhileAWriterIsAtWorkTheRunReadsAsRunningAndNothingIsWritten) {
  const TemporaryFolder temporary;
  const RunFolder folder{temporary.path()};
  auto writer = EventWriter::open(folder, false);
  ASSERT_TRUE(writer);
  ASSERT_TRUE((*writer)->write("started", startedMembers(samples::plannedRun())));
  std::filesystem::remove(folder.result());
  const auto alive = openRun(folder.root);
  ASSERT_TRUE(alive);
  EXPECT_EQ(alive->status, RunStatus::Running);
  EXPECT_FALSE(std::filesystem::exists(folder.result()));
  writer->reset();
  EXPECT_EQ(openRun(folder.root)->status, RunStatus::Failed);
}

TEST(RunFolder, ACopiedFolderReadsTheSameUnderItsNewPath) {
  const TemporaryFolder temporary;
  const RunFolder folder{temporary.path() / "a"};
  std::filesystem::create_directory(folder.root);
  writeRun(folder, true);
  const auto original = openRun(folder.root);
  std::filesystem::rename(folder.root, temporary.path() / "b");
  auto moved = openRun(temporary.path() / "b/");
  ASSERT_TRUE(moved);
  EXPECT_EQ(moved->folder, (temporary.path() / "b").string());
  moved->folder = original->folder;
  EXPECT_EQ(toJson(*moved), toJson(*original));
}

TEST(RunFolder, ACopyWithAStaleResultFileIsOnlyRead) {
  const TemporaryFolder temporary;
  const RunFolder folder{temporary.path() / "a"};
  std::filesystem::create_directory(folder.root);
  writeRun(folder, false);
  const RunFolder copy{temporary.path() / "b"};
  std::filesystem::copy(folder.root, copy.root);
  const std::string stale = contentOf(copy.result());
  const auto run = openRun(copy.root);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->status, RunStatus::Failed);
  EXPECT_EQ(contentOf(copy.result()), stale);
  std::filesystem::remove(copy.result());
  ASSERT_TRUE(openRun(copy.root));
  EXPECT_FALSE(std::filesystem::exists(copy.result()));
  ASSERT_TRUE(openRun(copy.root, Rewrite::Always));
  EXPECT_TRUE(std::filesystem::exists(copy.result()));
  // A link in the workspace to a folder elsewhere is not the workspace's folder.
  std::filesystem::remove(copy.result());
  std::filesystem::create_symlink(copy.root, temporary.path() / "link");
  ASSERT_TRUE(openRun(temporary.path() / "link", Rewrite::Always));
  EXPECT_FALSE(std::filesystem::exists(copy.result()));
}

TEST(RunFolder, EventsOfOlderVersionsDoNotSayWhereTheResultFileDoes) {
  const TemporaryFolder temporary;
  const RunFolder folder{temporary.path()};
  writeText(folder.events(),
            R"({"event":"started","t_ns":0,"run":{"name":"old"},"variants":[],"devices":[]})"
            "\n");
  writeText(folder.result(), R"({"stagelane":1,"folder":"/elsewhere","status":"running"})");
  ASSERT_TRUE(openRun(folder.root));
  EXPECT_NE(contentOf(folder.result()).find("/elsewhere"), std::string::npos);
  writeText(folder.result(),
            R"({"stagelane":1,"folder":")" + folder.root.string() + R"(","status":"running"})");
  ASSERT_TRUE(openRun(folder.root));
  EXPECT_NE(contentOf(folder.result()).find("\"failed\""), std::string::npos);
}

TEST(RunFolder, AResultFileThatIsALinkIsReplacedAndItsTargetKept) {
  const TemporaryFolder temporary;
  const RunFolder folder{temporary.path() / "run"};
  std::filesystem::create_directory(folder.root);
  writeRun(folder, false);
  const std::filesystem::path target = temporary.path() / "precious";
  for (const bool close : {false, true}) {
    writeText(target, "precious");
    std::filesystem::remove(folder.result());
    std::filesystem::create_symlink(target, folder.result());
    ASSERT_TRUE(close ? closeAsCanceled(folder.root) : openRun(folder.root));
    EXPECT_EQ(contentOf(target), "precious");
    EXPECT_FALSE(std::filesystem::is_symlink(folder.result()));
    EXPECT_TRUE(readJsonFile(folder.result().string()));
  }
}

TEST(RunFolder, NothingIsAppendedThroughALink) {
  const TemporaryFolder temporary;
  const RunFolder folder{temporary.path() / "run"};
  std::filesystem::create_directory(folder.root);
  std::filesystem::create_directory(folder.traces());
  writeRun(folder, false);
  EXPECT_TRUE(requireNoLinks(folder));
  const std::filesystem::path outside = temporary.path() / "outside";
  for (const std::filesystem::path& place :
       {folder.events(), folder.log(), folder.traces(), folder.trace("pipe-s5")}) {
    std::error_code ignored;
    std::filesystem::rename(place, outside, ignored);
    if (ignored) writeText(outside, "outside");
    const auto before = std::filesystem::is_directory(outside) ? "" : contentOf(outside);
    std::filesystem::create_symlink(outside, place);
    const Status refused = requireNoLinks(folder);
    ASSERT_FALSE(refused) << place;
    EXPECT_EQ(refused.error().code, ErrorCode::CannotWrite);
    EXPECT_EQ(refused.error().context, place.string());
    const auto resumed = EventWriter::resume(folder, false);
    ASSERT_FALSE(resumed) << place;
    EXPECT_EQ(resumed.error().code, ErrorCode::CannotWrite);
    if (place == folder.events()) {
      EXPECT_FALSE(closeAsCanceled(folder.root));
    }
    if (!std::filesystem::is_directory(outside)) {
      EXPECT_EQ(contentOf(outside), before) << place;
    }
    std::filesystem::remove(place);
    std::filesystem::rename(outside, place);
    if (place == folder.log()) std::filesystem::remove(place);
  }
}

TEST(RunFolder, WithoutEventsTheResultFileAloneIsRead) {
  const TemporaryFolder temporary;
  const RunFolder folder{temporary.path()};
  writeRun(folder, true);
  std::filesystem::remove(folder.events());
  const auto run = openRun(folder.root);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->status, RunStatus::Done);
}

TEST(RunFolder, AFolderThatIsNoRunIsAnErrorThatSaysWhatToName) {
  const TemporaryFolder temporary;
  for (const auto& path : {temporary.path(), temporary.path() / "absent"}) {
    const auto run = openRun(path);
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().code, ErrorCode::Invalid);
    EXPECT_EQ(run.error().context, path.string());
    EXPECT_FALSE(run.error().hint.empty());
  }
}

TEST(RunFolder, KilledBeforeTheFirstEventTheRunStillHasItsName) {
  const TemporaryFolder temporary;
  const RunFolder folder{temporary.path()};
  writeText(folder.experiment(), R"({"name": "Early"})");
  const auto run = openRun(folder.root);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->name, "Early");
  EXPECT_EQ(run->status, RunStatus::Failed);
}

TEST(RunFolder, AFolderThatIsAboutToBeginIsLeftAlone) {
  const TemporaryFolder temporary;
  const RunFolder folder{temporary.path()};
  writeText(folder.experiment(), R"({"name": "Early"})");
  ASSERT_TRUE(openRun(folder.root));
  EXPECT_FALSE(std::filesystem::exists(folder.result()));
}

TEST(RunFolder, RubbishThatIsCalledEventsIsNoRun) {
  const TemporaryFolder temporary;
  const RunFolder folder{temporary.path()};
  writeText(folder.events(), std::string(5000, '\x9c') + "\n{}\n");
  writeText(folder.result(), "{}");
  const auto run = openRun(folder.root);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::Invalid);
  EXPECT_EQ(contentOf(folder.result()), "{}") << "it is left as it was";
}

TEST(RunFolder, ClosingAddsTheReasonOnceEvenAfterADamagedLine) {
  const TemporaryFolder temporary;
  const RunFolder folder{temporary.path()};
  writeRun(folder, false);
  writeText(folder.events(), contentOf(folder.events()) + "{\"event\":\"measurem");
  const Error killed{
      ErrorCode::EngineFailure, "the engine was killed by SIGKILL", "", "", {FailureKind::Killed}};
  const auto closed = closeAsFailed(folder.root, killed);
  ASSERT_TRUE(closed);
  EXPECT_EQ(closed->status, RunStatus::Failed);
  EXPECT_EQ(closed->reason, killed.message);
  ASSERT_TRUE(closed->failure);
  EXPECT_EQ(closed->failure->kind, FailureKind::Killed);
  EXPECT_EQ(secondsIn(*closed), 4u);
  const std::string events = contentOf(folder.events());
  ASSERT_TRUE(closeAsCanceled(folder.root));
  EXPECT_EQ(contentOf(folder.events()), events);
  EXPECT_EQ(openRun(folder.root)->status, RunStatus::Failed);
}

TEST(RunFolder, ClosingACanceledRunSaysCanceled) {
  const TemporaryFolder temporary;
  const RunFolder folder{temporary.path()};
  writeRun(folder, false);
  const auto closed = closeAsCanceled(folder.root);
  ASSERT_TRUE(closed);
  EXPECT_EQ(closed->status, RunStatus::Canceled);
  EXPECT_NE(contentOf(folder.result()).find("\"canceled\""), std::string::npos);
}

TEST(EventWriter, EveryLineIsOneObjectWithItsNameAndARisingTime) {
  const TemporaryFolder temporary;
  const RunFolder folder{temporary.path()};
  writeRun(folder, true);
  std::istringstream lines(contentOf(folder.events()));
  std::int64_t last = 0;
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const Json event = Json::parse(line);
    EXPECT_TRUE(event.at("event").is_string());
    EXPECT_GE(event.at("t_ns").get<std::int64_t>(), last);
    last = event.at("t_ns").get<std::int64_t>();
  }
  EXPECT_EQ(count, 8);
}

TEST(EventWriter, AFolderThatAlreadyHasEventsIsRefused) {
  const TemporaryFolder temporary;
  writeText(temporary.path() / "events.jsonl", "");
  const auto writer = EventWriter::open({temporary.path()}, false);
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().code, ErrorCode::CannotWrite);
}

TEST(EventWriter, AFolderThatDoesNotExistIsAnErrorNamingTheFile) {
  const TemporaryFolder temporary;
  const auto writer = EventWriter::open({temporary.path() / "absent"}, false);
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().code, ErrorCode::CannotWrite);
  EXPECT_NE(writer.error().context.find("absent"), std::string::npos);
}

TEST(EventWriter, LinesOfManyThreadsStayWhole) {
  const TemporaryFolder temporary;
  const RunFolder folder{temporary.path()};
  auto writer = EventWriter::open(folder, false);
  ASSERT_TRUE(writer);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE((*writer)->write("progress", {{"variant", std::string(200, 'x')}}));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::istringstream lines(contentOf(folder.events()));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_TRUE(Json::accept(line));
  EXPECT_EQ(count, 400);
}

TEST(EventWriter, TextThatIsNotUtf8DoesNotStopTheRun) {
  const TemporaryFolder temporary;
  auto writer = EventWriter::open({temporary.path()}, false);
  ASSERT_TRUE(writer);
  EXPECT_TRUE((*writer)->write("warning", {{"code", "path"}, {"message", "\xff\xfe"}}));
}

TEST(EventLog, AReaderThatHasEndedIsToldInSentences) {
  ignoreWriteSignals();
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ::close(ends[0]);
  const Status told = writeFully(ends[1], "line\n", "standard output");
  ::close(ends[1]);
  ASSERT_FALSE(told);
  EXPECT_EQ(told.error().failure.kind, FailureKind::ReaderGone);
  EXPECT_EQ(describe(told.error()),
            "the program that reads the run's output was closed. Earlier data is kept");
}

// Writes until the file-size limit; the exit status is the error's code, 0 for none.
[[noreturn]] void writeUntilTheDiskIsFull(const RunFolder& folder) {
  ignoreWriteSignals();
  const rlimit limit{2000, 2000};
  setrlimit(RLIMIT_FSIZE, &limit);
  auto writer = EventWriter::open(folder, false);
  Status status;
  for (int i = 0; status && i < 1000; ++i) {
    status = (*writer)->write("measurement", {{"variant", "single"}, {"seconds", 1.0}});
  }
  _exit(status ? 0 : static_cast<int>(status.error().code));
}

// In a separate process, because the limit would also apply to all later tests.
TEST(EventWriterDeathTest, AFullDiskIsAnErrorAndWhatWasWrittenIsKept) {
  testing::FLAGS_gtest_death_test_style = "fast";
  const TemporaryFolder temporary;
  const RunFolder folder{temporary.path()};
  EXPECT_EXIT(writeUntilTheDiskIsFull(folder), testing::ExitedWithCode(8), "");
  const auto run = openRun(folder.root);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->status, RunStatus::Failed);
  EXPECT_GT(secondsIn(*run), 10u);
}

TEST(RunFolder, ARunThatGoesOnKeepsWhatWasMeasuredAndItsTimeGoesOn) {
  const TemporaryFolder temporary;
  const RunFolder folder{temporary.path()};
  writeRun(folder, false);
  ASSERT_TRUE(closeAsCanceled(folder.root));
  // A last line that a kill cut short must not damage the lines after it.
  writeText(folder.events(), contentOf(folder.events()) + R"({"event":"meas)");
  {
    auto writer = EventWriter::resume(folder, false);
    ASSERT_TRUE(writer) << writer.error().message;
    EXPECT_EQ(secondsIn((*writer)->soFar()), 4U);
    ASSERT_TRUE((*writer)->write("resumed", Json::object()));
    EXPECT_EQ(openRun(folder.root)->status, RunStatus::Running);
    ASSERT_TRUE(
        (*writer)->write("measurement", {{"variant", "single"}, {"repeat", 3}, {"seconds", 2.0}}));
    ASSERT_TRUE((*writer)->write("finished", Json::object()));
  }
  const auto run = openRun(folder.root);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->status, RunStatus::Done);
  EXPECT_EQ(secondsIn(*run), 5U);
  TimeNs lastNs = 0;
  std::istringstream lines(contentOf(folder.events()));
  for (std::string line; std::getline(lines, line);) {
    if (const auto event = parseJson(line, "test")) {
      EXPECT_GE(event->at("t_ns").get<TimeNs>(), lastNs) << line;
      lastNs = event->at("t_ns").get<TimeNs>();
    }
  }
}

TEST(RunFolder, ARunThatIsUnderWayIsNotGoneOnWith) {
  const TemporaryFolder temporary;
  const RunFolder folder{temporary.path()};
  auto writer = EventWriter::open(folder, false);
  ASSERT_TRUE(writer);
  const auto second = EventWriter::resume(folder, false);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::CannotWrite);
  EXPECT_EQ(EventWriter::resume({temporary.path() / "absent"}, false).error().code,
            ErrorCode::Invalid);
}

}  // namespace
}  // namespace stagelane::record
