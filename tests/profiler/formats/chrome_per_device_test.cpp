// One file per device, as HTA reads it: the events that count as work of the GPU, and their times.

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "engine/base/files.h"
#include "engine/base/json.h"
#include "engine/trace/trace_builder.h"
#include "profiler/formats/chrome.h"
#include "tests/profiler/formats/sample_trace.h"

namespace stagelane::formats {
namespace {

using test::TemporaryFolder;
using trace::Category;
using trace::TraceBuilder;
using trace::TrackKind;

/// The X rows of the first device's file.
Json rowsOf(const trace::Trace& trace) {
  const TemporaryFolder folder;
  const Status written = writeChromeOfDevice(trace, deviceFiles(trace).at(0), folder / "r.json");
  EXPECT_TRUE(written);
  Json document = Json::parse(readFile(folder / "r.json").value_or("{}"));
  Json rows = Json::array();
  for (Json& event : document["traceEvents"]) {
    if (event["ph"] == "X") rows.push_back(std::move(event));
  }
  return rows;
}

/// "category stream" by name.
std::map<std::string, std::string> placesIn(const Json& rows) {
  std::map<std::string, std::string> places;
  for (const Json& row : rows) {
    places[row["name"]] = row["cat"].get<std::string>() + " " + row["args"]["stream"].dump();
  }
  return places;
}

/// As the engine records a step: the batch is copied, then the actions; no GPU work.
struct OwnRun {
  TraceBuilder builder;
  std::int32_t device = builder.device("cpu:0");
  std::uint16_t compute = builder.track(device, TrackKind::Compute, "compute");
  std::uint16_t copy = builder.track(device, TrackKind::Copy, "copy");

  OwnRun() {
    builder.add({1000, 400, "inputs", Category::Copy, copy, {}, {}, 0, 4096});
    builder.add({2400, 3000, "F0", Category::Forward, compute, StageId{0}, MicroBatchId{0}});
    builder.add(
        {5400, 300, "SEND_F0", Category::SendForward, copy, StageId{0}, MicroBatchId{0}, 1});
    builder.add({5400, 2200, "B0", Category::Backward, compute, StageId{0}, MicroBatchId{0}});
    builder.add({7600, 1, "all-reduce", Category::Reduce, copy, StageId{0}, {}});
  }
};

TEST(PerDevice, ActionsAndCopiesStandForTheGpuWhereThereAreNoKernels) {
  OwnRun run;
  const auto places = placesIn(rowsOf(*std::move(run.builder).build()));
  const std::map<std::string, std::string> expected = {{"Memcpy inputs", "gpu_memcpy 1"},
                                                       {"F0", "kernel 0"},
                                                       {"Memcpy SEND_F0", "gpu_memcpy 1"},
                                                       {"B0", "kernel 0"},
                                                       {"ncclDevKernel_all-reduce", "kernel 2"}};
  EXPECT_EQ(places, expected);
}

TEST(PerDevice, RanksThatAnotherExportLeftAreNotMixedWithThese) {
  OwnRun run;
  const trace::TracePtr trace = std::move(run.builder).build();
  const test::TemporaryFolder folder;
  ASSERT_TRUE(writeFileAtomically(folder / "rank0.json", "{}"));
  ASSERT_TRUE(writeFileAtomically(folder / "rank.json", "{}"));
  ASSERT_TRUE(writeFileAtomically(folder / "rank1b.json", "{}"));
  EXPECT_TRUE(writeChromePerDevice(*trace, folder.path())) << "its own are written anew";
  for (const char* other : {"rank1.json", "rank12.json.gz"}) {
    ASSERT_TRUE(writeFileAtomically(folder / other, "{}"));
    const Status written = writeChromePerDevice(*trace, folder.path());
    ASSERT_FALSE(written) << other;
    EXPECT_EQ(written.error().code, ErrorCode::CannotWrite);
    EXPECT_NE(written.error().message.find(other), std::string::npos) << written.error().message;
    std::filesystem::remove(folder / other);
  }
}

TEST(PerDevice, OnlyTimedStepsStandForTheGpu) {
  OwnRun run;
  run.builder.add({90'000, 50, "F0 in depth", Category::Forward, run.compute, StageId{0}, {}});
  run.builder.addStep({0, 0, 2400, 7601, false});
  run.builder.addStep({1, 0, 90'000, 90'050, true});
  const auto places = placesIn(rowsOf(*std::move(run.builder).build()));
  EXPECT_EQ(places.at("inputs"), "user_annotation -1");
  EXPECT_EQ(places.at("F0 in depth"), "user_annotation -1");
  EXPECT_EQ(places.at("F0"), "kernel 0");
  EXPECT_EQ(places.at("ncclDevKernel_all-reduce"), "kernel 2");
}

TEST(PerDevice, ActionsAndTheirCopiesAnnotateWhereThereAreKernels) {
  OwnRun run;
  const std::uint16_t stream = run.builder.track(run.device, TrackKind::Kernels, "stream 7");
  run.builder.add({2500, 2000, "gemm", Category::Kernel, stream, {}, {}});
  run.builder.add({4500, 100, "Memcpy DtoH", Category::Copy, stream, {}, {}});
  const auto places = placesIn(rowsOf(*std::move(run.builder).build()));
  const std::map<std::string, std::string> expected = {
      {"inputs", "user_annotation -1"},     {"F0", "user_annotation -1"},
      {"SEND_F0", "user_annotation -1"},    {"B0", "user_annotation -1"},
      {"all-reduce", "user_annotation -1"}, {"gemm", "kernel 7"},
      {"Memcpy DtoH", "gpu_memcpy 7"}};
  EXPECT_EQ(places, expected);
}

TEST(PerDevice, TimesThatStandInAreWholeMicrosecondsAndStillTouch) {
  OwnRun run;
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> times;
  for (const Json& row : rowsOf(*std::move(run.builder).build())) {
    EXPECT_TRUE(row["ts"].is_number_integer() && row["dur"].is_number_integer()) << row.dump();
    times[row["name"]] = {row["ts"],
                          row["ts"].get<std::int64_t>() + row["dur"].get<std::int64_t>()};
  }
  EXPECT_EQ(times.at("F0"), std::pair(std::int64_t{2}, std::int64_t{5}));
  EXPECT_EQ(times.at("B0"), std::pair(std::int64_t{5}, std::int64_t{8}));
  EXPECT_EQ(times.at("Memcpy SEND_F0"), std::pair(std::int64_t{5}, std::int64_t{6}));
  EXPECT_EQ(times.at("Memcpy inputs"), std::pair(std::int64_t{1}, std::int64_t{1}));
}

TEST(PerDevice, RoundedAsHtaDoesNoKernelEndsBeforeItBegins) {
  TraceBuilder builder;
  const std::uint16_t stream = builder.track(builder.device("cuda:0"), TrackKind::Kernels, "s 7");
  for (TimeNs startNs = -3000; startNs < 3000; startNs += 130) {
    for (const TimeNs durationNs : {0, 1, 400, 999, 1000, 1500}) {
      builder.add({startNs, durationNs, "k", Category::Kernel, stream, {}, {}});
    }
  }
  for (const Json& row : rowsOf(*std::move(builder).build())) {
    const double startUs = row["ts"];
    const double endUs = startUs + row["dur"].get<double>();
    EXPECT_LE(std::ceil(startUs - 1e-6), std::floor(endUs + 1e-6)) << row.dump();
  }
}

}  // namespace
}  // namespace stagelane::formats
