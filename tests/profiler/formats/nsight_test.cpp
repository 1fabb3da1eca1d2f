#include "profiler/formats/nsight.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <random>

#include "engine/base/files.h"
#include "profiler/formats/chrome.h"
#include "tests/profiler/formats/sample_trace.h"

namespace stagelane::formats {
namespace {

using test::TemporaryFolder;
using trace::Category;

/// A database made by these statements.
void write(const std::filesystem::path& path, const std::string& statements) {
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
  char* problem = nullptr;
  ASSERT_EQ(sqlite3_exec(handle, statements.c_str(), nullptr, nullptr, &problem), SQLITE_OK)
      << problem;
  sqlite3_close(handle);
}

/// Process 77, thread 78: (77 << 24) + 78.
const char* const kExport = R"(
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES (1,'gemm'),(2,'void gemm<float>()'),(3,'cudaLaunchKernel_v7000'),
  (4,'cudaMemcpyAsync_v3020'),(5,'main thread'),(6,'forward');
CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);
INSERT INTO PROCESSES VALUES (77 << 24, 77, 'python');
CREATE TABLE ThreadNames (nameId INTEGER, priority INTEGER, globalTid INTEGER);
INSERT INTO ThreadNames VALUES (5, 0, (77 << 24) + 78);
CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT);
INSERT INTO TARGET_INFO_GPU VALUES (0, 'H200');
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, eventClass INTEGER,
  globalTid INTEGER, correlationId INTEGER, nameId INTEGER, returnValue INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (100, 130, 0, (77 << 24) + 78, 11, 3, 0),
  (140, 150, 0, (77 << 24) + 78, 12, 4, 0);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER,
  contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER,
  demangledName INTEGER, shortName INTEGER, gridX INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (300, 400, 1, 1, 7, 99, 77 << 24, 2, 1, 8),
  (200, 250, 0, 1, 7, 11, 77 << 24, 2, 1, 8);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER,
  contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, bytes INTEGER,
  copyKind INTEGER, srcKind INTEGER, dstKind INTEGER, srcDeviceId INTEGER, dstDeviceId INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (260, 290, 0, 1, 9, 12, 77 << 24, 4096, 10, 2, 2, 0, 1);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER, end INTEGER, deviceId INTEGER,
  streamId INTEGER, correlationId INTEGER, value INTEGER, bytes INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (10, 12, 0, 7, 0, 0, 64);
CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER, end INTEGER, deviceId INTEGER,
  streamId INTEGER, correlationId INTEGER, globalPid INTEGER, syncType INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (200, 290, 0, 4294967295, 0, 77 << 24, 4);
CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, textId INTEGER,
  globalTid INTEGER);
INSERT INTO NVTX_EVENTS VALUES (90, 500, 59, 'step 1', NULL, (77 << 24) + 78),
  (95, NULL, 34, NULL, 6, (77 << 24) + 78), (90, 120, 60, 'range', NULL, (77 << 24) + 78),
  (0, NULL, 75, 'a domain', NULL, NULL);
)";

trace::EventView find(const trace::Trace& trace, std::string_view name) {
  for (std::size_t index = 0; index < trace.size(); ++index) {
    if (trace.event(index).name == name) return trace.event(index);
  }
  ADD_FAILURE() << "no event " << name;
  return {};
}

TEST(Nsight, ReadsDevicesStreamsThreadsAndFlows) {
  const TemporaryFolder folder;
  write(folder / "r.sqlite", kExport);
  const Result<ReadTrace> read = readTrace(folder / "r.sqlite");
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(read->report.lost, 0U) << read->report.firstProblem;
  const trace::Trace& trace = *read->trace;
  EXPECT_EQ(trace.devices(), (std::vector<std::string>{"cuda:0", "cuda:1", "python 77"}));
  EXPECT_EQ(trace.size(), 10U);

  const trace::EventView kernel = find(trace, "void gemm<float>()");
  EXPECT_EQ(kernel.startNs, 200);
  EXPECT_EQ(kernel.durationNs, 50);
  EXPECT_EQ(kernel.category, Category::Kernel);
  EXPECT_EQ(trace.tracks()[kernel.track].name, "stream 7");
  EXPECT_EQ(trace.tracks()[kernel.track].kind, trace::TrackKind::Kernels);
  EXPECT_EQ(kernel.correlation, 11U);

  const trace::EventView copy = find(trace, "Memcpy PtoP (Device -> Device)");
  EXPECT_EQ(copy.categoryWord, "gpu_memcpy");
  EXPECT_EQ(find(trace, "Memset (Device)").category, Category::Copy);
  EXPECT_EQ(find(trace, "Context Sync").category, Category::Sync);
  EXPECT_EQ(find(trace, "cudaLaunchKernel").categoryWord, "cuda_runtime");
  EXPECT_EQ(trace.tracks()[find(trace, "step 1").track].name, "thread 78 main thread");
  EXPECT_EQ(find(trace, "forward").durationNs, 0);
  EXPECT_EQ(trace.metadata().at("gpu 0"), "H200");

  std::string arrows;
  for (const trace::Flow& flow : trace.flows()) {
    arrows += std::string(trace.event(flow.from).name) + ">" +
              std::string(trace.event(flow.to).name) + " ";
    if (const trace::Transfer* const moved = trace.transferOf(flow.to)) {
      EXPECT_EQ(moved->bytes, 4096);
      EXPECT_EQ(trace.devices()[static_cast<std::size_t>(moved->peer)], "cuda:1");
    }
  }
  EXPECT_NE(arrows.find("cudaLaunchKernel>void gemm<float>()"), std::string::npos) << arrows;
  EXPECT_NE(arrows.find("cudaMemcpyAsync>Memcpy PtoP"), std::string::npos) << arrows;
}

TEST(Nsight, OtherVersionsLackColumnsAndTables) {
  const TemporaryFolder folder;
  write(folder / "r.sqlite",
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, "
        "streamId INTEGER);"
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 5, 0, 7)");
  const Result<ReadTrace> read = readNsight(folder / "r.sqlite");
  ASSERT_TRUE(read) << describe(read.error());
  ASSERT_EQ(read->trace->size(), 1U);
  EXPECT_EQ(read->trace->event(0).name, "");
  EXPECT_EQ(read->trace->event(0).durationNs, 4);
}

TEST(Nsight, CorrelationsOfTwoProcessesDoNotMeet) {
  const TemporaryFolder folder;
  write(folder / "r.sqlite", std::string(kExport) + R"(
    INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (900, 901, 0, 1, 7, 11, 88 << 24, 2, 1, 8);
    INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (800, 801, 0, (88 << 24) + 88, 11, 3, 0))");
  const Result<ReadTrace> read = readNsight(folder / "r.sqlite");
  ASSERT_TRUE(read);
  for (const trace::Flow& flow : read->trace->flows()) {
    EXPECT_EQ(read->trace->event(flow.from).startNs > 500,
              read->trace->event(flow.to).startNs > 500);
  }
  EXPECT_EQ(read->trace->flows().size(), 3U);
}

/// Exports of older versions have the process in the host's rows only.
std::string older(const std::string& runtime) {
  return "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER, "
         "correlationId INTEGER);"
         "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, "
         "streamId INTEGER, correlationId INTEGER);"
         "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10, 20, 0, 7, 5), (30, 40, 0, 7, 6), "
         "(50, 60, -1, 7, 6);"
         "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 2, (77 << 24) + 78, 5), " +
         runtime;
}

TEST(Nsight, RowsWithoutAProcessBelongToTheOnlyOne) {
  const TemporaryFolder folder;
  write(folder / "one.sqlite", older("(3, 4, (77 << 24) + 79, 6)"));
  write(folder / "two.sqlite", older("(3, 4, (88 << 24) + 88, 6)"));
  const Result<ReadTrace> one = readNsight(folder / "one.sqlite");
  const Result<ReadTrace> two = readNsight(folder / "two.sqlite");
  ASSERT_TRUE(one && two);
  EXPECT_EQ(one->trace->flows().size(), 2U);
  EXPECT_EQ(two->trace->flows().size(), 0U) << "nobody says whose kernels these are";
}

TEST(Nsight, ANegativeDeviceIsALostRow) {
  const TemporaryFolder folder;
  write(folder / "r.sqlite", older("(3, 4, (77 << 24) + 79, 6)"));
  const Result<ReadTrace> read = readNsight(folder / "r.sqlite");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->report.lost, 1U);
  EXPECT_EQ(read->trace->devices(), (std::vector<std::string>{"cuda:0", "process 77"}));
}

TEST(Nsight, OddValuesAreCountedAndTheRestIsKept) {
  const TemporaryFolder folder;
  write(folder / "r.sqlite", std::string(kExport) + R"(
    INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
      ('late', 5, 0, 1, 7, 1, 0, 1, 1, 1), (9, 5, 0, 1, 7, 1, 0, 1, 1, 1),
      (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
      (9223372036854775807, 9223372036854775807, 0, 1, 7, 1, 0, 1, 1, 1),
      (-9223372036854775807, 5, 0, 1, 7, 1, 0, 1, 1, 1),
      (1, 5, 9223372036854775807, 1, -9223372036854775807, 9223372036854775807,
       9223372036854775807, 9223372036854775807, 1.5, x'00');
    INSERT INTO NVTX_EVENTS VALUES (-9223372036854775807, NULL, 34, 'far', NULL, 1),
      (600, NULL, 59, 'never popped', NULL, 1);
    INSERT INTO StringIds VALUES (900, x'FF'))");
  const Result<ReadTrace> read = readNsight(folder / "r.sqlite");
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(read->report.lost, 8U) << read->report.firstProblem;
  EXPECT_NE(read->report.firstProblem.find("StringIds, row 7"), std::string::npos)
      << read->report.firstProblem;
  EXPECT_EQ(read->trace->size(), 11U);
  EXPECT_EQ(read->trace->droppedEvents(), 8U);
}

TEST(Nsight, WhatIsNoExportIsAnError) {
  const TemporaryFolder folder;
  write(folder / "other.sqlite", "CREATE TABLE t (a); INSERT INTO t VALUES (1)");
  write(folder / "views.sqlite",
        "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE c(start) AS (SELECT 1 UNION ALL "
        "SELECT start + 1 FROM c) SELECT start FROM c");
  write(folder / "names.sqlite", "CREATE TABLE StringIds (id INTEGER, value TEXT)");
  ASSERT_TRUE(
      writeFileAtomically(folder / "broken.sqlite", "SQLite format 3" + std::string(5000, '\0')));
  for (const char* name : {"other.sqlite", "views.sqlite", "names.sqlite", "broken.sqlite"}) {
    const Result<ReadTrace> read = readTrace(folder / name);
    ASSERT_FALSE(read) << name;
    EXPECT_EQ(read.error().code, ErrorCode::Invalid);
    EXPECT_NE(read.error().hint.find("nsys export"), std::string::npos);
  }
}

TEST(Nsight, NothingIsWrittenBesideTheDatabase) {
  const TemporaryFolder folder;
  write(folder / "a #1?%.sqlite", kExport);
  ASSERT_TRUE(readNsight(folder / "a #1?%.sqlite"));
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "")) {
    static_cast<void>(entry);
    ++files;
  }
  EXPECT_EQ(files, 1U);
}

TEST(Nsight, CutAndDamagedDatabasesNeverCrash) {
  const TemporaryFolder folder;
  write(folder / "r.sqlite", kExport);
  const std::string bytes = readFile(folder / "r.sqlite").value_or("");
  ASSERT_TRUE(parseNsight(bytes, "memory"));
  for (std::size_t length = 0; length < bytes.size(); length += 509) {
    static_cast<void>(parseNsight(std::string_view(bytes).substr(0, length), "cut"));
  }
  std::mt19937 random(9);
  for (int round = 0; round < 500; ++round) {
    std::string damaged = bytes;
    for (auto count = 1 + random() % 30; count > 0; --count) {
      damaged[random() % damaged.size()] = static_cast<char>(random());
    }
    static_cast<void>(parseNsight(damaged, "damaged"));
  }
}

}  // namespace
}  // namespace stagelane::formats
