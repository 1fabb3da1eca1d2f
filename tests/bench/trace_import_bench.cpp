// Import of Chrome JSON as Kineto writes it: MB/s on one core, bytes per event in memory, and the
// time that Python's json.load takes for the same file (and HTA, if STAGELANE_HTA_PYTHON or
// .venv-hta is an interpreter that has it). Opening a trace of ten million events, with and without
// its column cache.

#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <string>

#include "engine/trace/trace_builder.h"
#include "profiler/formats/chrome.h"
#include "profiler/formats/column_cache.h"
#include "tests/support/paths.h"

namespace stagelane::formats {
namespace {

namespace fs = std::filesystem;

/// One launch of Kineto's events: an operator, a runtime call, a kernel, and their flow.
std::string launchText(std::mt19937& random, std::uint64_t number, double atUs) {
  static const char* const kOperators[] = {"aten::conv2d",     "aten::convolution", "aten::add_",
                                           "aten::batch_norm", "aten::relu_",       "aten::copy_"};
  char text[2048];
  const double durationUs = 5.0 + static_cast<double>(random() % 55000) / 1000.0;
  const int length = std::snprintf(
      text, sizeof text,
      R"(  {
    "ph": "X", "cat": "cpu_op", "name": "%s", "pid": 12345, "tid": 12345,
    "ts": %.3f, "dur": %.3f,
    "args": {
      "External id": %llu,"Record function id": 0, "Sequence number": %llu, "Fwd thread id": 0, "Ev Idx": %llu
    }
  },
  {
    "ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 12345, "tid": 12345,
    "ts": %.3f, "dur": 3.250,
    "args": {
      "External id": %llu, "cbid": 211, "correlation": %llu
    }
  },
  {
    "ph": "X", "cat": "kernel", "name": "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, at::detail::Array<char*, 3> >(int, at::native::CUDAFunctor_add<float>, at::detail::Array<char*, 3>)%llu", "pid": 0, "tid": 7,
    "ts": %.3f, "dur": %.3f,
    "args": {
      "External id": %llu, "queued": 0, "device": 0, "context": 1, "stream": 7, "correlation": %llu, "registers per thread": 32, "shared memory": 0, "blocks per SM": 3.2, "warps per SM": 12.8, "grid": [424, 1, 1], "block": [128, 1, 1], "est. achieved occupancy %%": 20
    }
  },
  {
    "ph": "s", "id": %llu, "pid": 12345, "tid": 12345, "ts": %.3f,
    "cat": "ac2g", "name": "ac2g"
  },
  {
    "ph": "f", "id": %llu, "pid": 0, "tid": 7, "ts": %.3f,
    "cat": "ac2g", "name": "ac2g", "bp": "e"
  })",
      kOperators[random() % 6], atUs, durationUs, static_cast<unsigned long long>(number),
      static_cast<unsigned long long>(number), static_cast<unsigned long long>(number), atUs + 1.0,
      static_cast<unsigned long long>(number), static_cast<unsigned long long>(number),
      static_cast<unsigned long long>(random() % 60), atUs + 8.0, durationUs * 0.8,
      static_cast<unsigned long long>(number), static_cast<unsigned long long>(number),
      static_cast<unsigned long long>(number), atUs + 1.0, static_cast<unsigned long long>(number),
      atUs + 8.0);
  return std::string(text, static_cast<std::size_t>(length));
}

/// A file that is removed at the end.
class KinetoFile {
 public:
  explicit KinetoFile(std::uint64_t launches)
      : m_path(fs::temp_directory_path() / ("stagelane-bench-" + std::to_string(::getpid()) + "-" +
                                            std::to_string(launches) + ".json")) {
    std::mt19937 random(1);
    std::ofstream out(m_path, std::ios::binary);
    out << R"({"schemaVersion": 1, "distributedInfo": {"rank": 0}, "traceEvents": [)" << '\n';
    for (std::uint64_t launch = 1; launch <= launches; ++launch) {
      out << (launch == 1 ? "" : ",\n")
          << launchText(random, launch, 1629487465372.0 + 70.0 * static_cast<double>(launch));
    }
    out << "\n], \"baseTimeNanoseconds\": 1700000000000000000}\n";
  }
  ~KinetoFile() {
    std::error_code ignored;
    fs::remove(m_path, ignored);
  }
  KinetoFile(const KinetoFile&) = delete;
  KinetoFile& operator=(const KinetoFile&) = delete;
  [[nodiscard]] const fs::path& path() const { return m_path; }

 private:
  fs::path m_path;
};

constexpr std::uint64_t kLaunches = 400'000;  // 1.2 million slices, 0.5 GB

const KinetoFile& kinetoFile() {
  static const KinetoFile file(kLaunches);
  return file;
}

double peakMiB() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

double bytesAnEvent(const trace::TraceData& data) {
  const auto bytes = [](const auto& column) {
    return static_cast<double>(column.capacity() * sizeof(column[0]));
  };
  const double total = bytes(data.startNs) + bytes(data.durationNs) + bytes(data.name) +
                       bytes(data.correlation) + bytes(data.microBatch) + bytes(data.track) +
                       bytes(data.stage) + bytes(data.category) + bytes(data.categoryWord) +
                       bytes(data.transfers) + bytes(data.flows) + bytes(data.flowsByTarget);
  return total / static_cast<double>(std::max<std::size_t>(1, data.startNs.size()));
}

void chromeImport(benchmark::State& state) {
  const fs::path& path = kinetoFile().path();
  for (auto _ : state) {
    const Result<ReadTrace> read =
        readTrace(path, nullptr, std::numeric_limits<std::uint64_t>::max());
    if (!read) {
      state.SkipWithError(describe(read.error()).c_str());
      break;
    }
    state.counters["events"] = static_cast<double>(read->trace->size());
    state.counters["flows"] = static_cast<double>(read->trace->flows().size());
    state.counters["lost"] = static_cast<double>(read->report.lost);
    state.counters["bytes_an_event"] = bytesAnEvent(read->trace->data());
  }
  state.counters["peak_MiB"] = peakMiB();
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(fs::file_size(path)));
}
BENCHMARK(chromeImport)->Unit(benchmark::kMillisecond)->MinTime(3.0);

void runPython(benchmark::State& state, const std::string& python, const std::string& program) {
  const fs::path& path = kinetoFile().path();
  const std::string command =
      python + " -c '" + program + "' " + path.string() + " >/dev/null 2>&1";
  for (auto _ : state) {
    if (const int status = std::system(command.c_str()); status != 0) {  // NOLINT
      state.SkipWithError("this interpreter cannot do it");
      break;
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(fs::file_size(path)));
}

/// The whole program: an interpreter starts within some ten milliseconds.
void pythonJsonLoad(benchmark::State& state) {
  runPython(state, "python3", "import json,sys; json.load(open(sys.argv[1]))");
}
BENCHMARK(pythonJsonLoad)->Unit(benchmark::kMillisecond)->Iterations(1)->UseRealTime();

void htaLoad(benchmark::State& state) {
  // What tests/integration/hta_long.py makes.
  const fs::path made = fs::path(checkout::root()) / ".venv-hta" / "bin" / "python";
  const char* const given = std::getenv("STAGELANE_HTA_PYTHON");
  const std::string python = given != nullptr   ? given
                             : fs::exists(made) ? made.string()
                                                : "python3";
  runPython(state, python,
            "import sys; from hta.trace_analysis import TraceAnalysis; "
            "TraceAnalysis(trace_files={0: sys.argv[1]})");
}
BENCHMARK(htaLoad)->Unit(benchmark::kMillisecond)->Iterations(1)->UseRealTime();

constexpr std::size_t kManyEvents = 10'000'000;

/// Ten million kernels over 64 tracks of 8 devices.
trace::TracePtr manyEvents() {
  constexpr std::int32_t kDevices = 8;
  constexpr std::int32_t kStreams = 8;
  trace::TraceBuilder builder;
  std::vector<std::uint16_t> tracks;
  for (std::int32_t device = 0; device < kDevices; ++device) {
    for (std::int32_t stream = 0; stream < kStreams; ++stream) {
      tracks.push_back(builder.track(builder.device("cuda:" + std::to_string(device)),
                                     trace::TrackKind::Kernels,
                                     "stream " + std::to_string(stream)));
    }
  }
  std::mt19937 random(2);
  builder.reserve(kManyEvents);
  for (std::size_t number = 0; number < kManyEvents; ++number) {
    trace::TraceBuilder::NewEvent event;
    event.track = tracks[number % tracks.size()];
    event.startNs = static_cast<TimeNs>(number / tracks.size()) * 10'000;
    event.durationNs = 1'000 + static_cast<TimeNs>(random() % 8'500);
    event.category = trace::Category::Kernel;
    const std::string name = "kernel_" + std::to_string(random() % 200);
    event.name = name;
    builder.add(event);
  }
  return std::move(builder).build();
}

/// The native file of ten million events; opened once, so that its cache is there.
class NativeFile {
 public:
  NativeFile()
      : m_path(fs::temp_directory_path() /
               ("stagelane-bench-" + std::to_string(::getpid()) + ".pftrace")) {
    const trace::TracePtr trace = manyEvents();
    std::printf("bytes an event in memory: %.1f\n", bytesAnEvent(trace->data()));
    if (!writePerfetto(*trace, m_path)) std::printf("the file cannot be written\n");
  }
  ~NativeFile() {
    std::error_code ignored;
    fs::remove(m_path, ignored);
    fs::remove(cacheBeside(m_path), ignored);
  }
  NativeFile(const NativeFile&) = delete;
  NativeFile& operator=(const NativeFile&) = delete;
  [[nodiscard]] const fs::path& path() const { return m_path; }

 private:
  fs::path m_path;
};

const NativeFile& nativeFile() {
  static const NativeFile file;
  return file;
}

void openNative(benchmark::State& state) {
  const fs::path& path = nativeFile().path();
  for (auto _ : state) {
    std::error_code ignored;
    fs::remove(cacheBeside(path), ignored);
    const Result<ReadTrace> read = readTrace(path);
    state.counters["events"] = read ? static_cast<double>(read->trace->size()) : 0.0;
  }
  state.counters["file_MiB"] = static_cast<double>(fs::file_size(path)) / (1 << 20);
  state.counters["cache_MiB"] = static_cast<double>(fs::file_size(cacheBeside(path))) / (1 << 20);
  state.counters["peak_MiB"] = peakMiB();
}
BENCHMARK(openNative)->Unit(benchmark::kMillisecond)->Iterations(1)->UseRealTime();

void reopenFromCache(benchmark::State& state) {
  const fs::path& path = nativeFile().path();
  static_cast<void>(readTrace(path).has_value());  // writes the cache if it does not exist
  for (auto _ : state) {
    const Result<ReadTrace> read = readTrace(path);
    state.counters["events"] = read ? static_cast<double>(read->trace->size()) : 0.0;
  }
}
BENCHMARK(reopenFromCache)->Unit(benchmark::kMillisecond)->Iterations(5)->UseRealTime();

}  // namespace
}  // namespace stagelane::formats
