// One file per GPU for HTA: the GPU's rows with a stream, the host's rows, and nothing that HTA
// would count as GPU work.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>
#include <system_error>

#include "profiler/formats/category_words.h"
#include "profiler/formats/chrome.h"
#include "profiler/formats/json_text.h"
#include "profiler/formats/output_file.h"
#include "profiler/formats/perfetto_lanes.h"

namespace stagelane::formats {
namespace {

using namespace detail;
using trace::Category;
using trace::EventView;
using trace::Trace;

bool isStreamRow(Category category) {
  return category == Category::Kernel || category == Category::Copy;
}

/// The kinds of work on a device of the trace.
struct DeviceUse {
  bool kernels = false;
  bool copies = false;
  bool actions = false;
  [[nodiscard]] bool any() const { return kernels || copies || actions; }
};

/// A copy that the engine records on the host around the transfer of a batch. With kernels, it only
/// duplicates the rows of the streams.
bool isOfEngine(const EventView& view, const trace::Track& track) {
  return track.kind == trace::TrackKind::Copy && view.categoryWord == trace::word(Category::Copy);
}

std::vector<DeviceUse> usesOf(const Trace& trace) {
  std::vector<DeviceUse> uses(trace.devices().size());
  for (std::size_t track = 0; track < trace.tracks().size(); ++track) {
    const std::int32_t device = trace.tracks()[track].device;
    if (device < 0) continue;
    DeviceUse& use = uses[static_cast<std::size_t>(device)];
    const auto [first, last] = trace.rangeOfTrack(track);
    for (std::size_t event = first; event < last; ++event) {
      const Category category = trace.categories()[event];
      use.kernels |= category == Category::Kernel;
      use.copies |= category == Category::Copy;
      use.actions |= trace::actionKindOf(category).has_value();
    }
  }
  return uses;
}

/// N of "cuda:N" or "HOST/cuda:N", else empty.
std::optional<std::int32_t> gpuNumber(std::string_view name) {
  if (const std::size_t host = name.find("/cuda:"); host != std::string_view::npos) {
    name.remove_prefix(host + 1);
  }
  constexpr std::string_view kGpu = "cuda:";
  std::int32_t number = 0;
  const char* const end = name.data() + name.size();
  if (name.compare(0, kGpu.size(), kGpu) != 0 || name.size() == kGpu.size()) return std::nullopt;
  const auto read = std::from_chars(name.data() + kGpu.size(), end, number);
  return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

constexpr TimeNs kNsPerUs = 1000;

TimeNs wholeUsBelow(TimeNs timeNs) {
  const TimeNs rest = timeNs % kNsPerUs;
  return timeNs - (rest < 0 ? rest + kNsPerUs : rest);
}

/// `ts` and `dur` of a row as text.
struct RowTimes {
  std::string ts, dur;
};

/// Rounds times to the nearest microsecond, so that adjacent rows stay adjacent. In a file with
/// only integers, HTA does not round, which would shorten rows by up to 2 µs.
RowTimes wholeMicros(TimeNs startNs, TimeNs endNs) {
  const TimeNs startUs = wholeUsBelow(startNs + kNsPerUs / 2) / kNsPerUs;
  const TimeNs endUs = wholeUsBelow(endNs + kNsPerUs / 2) / kNsPerUs;
  return {std::to_string(startUs), std::to_string(endUs - startUs)};
}

/// A row within one microsecond starts at its beginning. Otherwise HTA, which rounds starts up and
/// ends down, would get −1 µs and raise an AssertionError.
RowTimes exactMicros(TimeNs startNs, TimeNs endNs, bool onStream) {
  const TimeNs roundedUp = wholeUsBelow(startNs + kNsPerUs - 1);
  const TimeNs from = onStream && roundedUp > wholeUsBelow(endNs) ? wholeUsBelow(startNs) : startNs;
  return {micros(from), micros(endNs - from)};
}

/// The row of one event for HTA.
struct Row {
  std::string name;
  std::string category;
  std::int64_t stream = -1;  ///< -1 for a row of the host
  bool keepsCorrelation = true;
};

class DeviceEncoder {
 public:
  DeviceEncoder(const Trace& trace, const std::vector<DeviceUse>& uses, const DeviceFile& device,
                OutputFile& file)
      : m_trace(trace), m_uses(uses), m_device(device), m_file(file) {}

  void run() {
    // HTA's search for "rank": needs the space after it.
    m_file.write(fmt::format(
        R"({{"schemaVersion":1,"distributedInfo":{{"backend":"","rank": {},"world_size":1}},)"
        R"("displayTimeUnit":"ns","traceEvents":[)"
        "\n",
        m_device.rank));
    // A row without a duration comes first, because HTA uses the first row for a missing launch.
    m_file.write(
        fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"tid":0,"args":{{"name":{}}}}})",
                    m_device.rank, jsonText(name())));
    for (std::size_t event = 0; event < m_trace.size(); ++event) write(event);
    m_file.write("\n]}\n");
  }

 private:
  [[nodiscard]] const std::string& name() const {
    return m_trace.devices()[static_cast<std::size_t>(m_device.device)];
  }

  [[nodiscard]] const DeviceUse& useOfDevice() const {
    return m_uses[static_cast<std::size_t>(m_device.device)];
  }

  void write(std::size_t index) {
    const EventView view = m_trace.event(index);
    const trace::Track& track = m_trace.tracks()[view.track];
    const bool own = track.device == m_device.device;
    if (!own && !isOfHost(view, track, index)) return;
    const Row row = own ? ownRow(view, track) : Row{std::string(view.name), wordOf(view), -1, true};
    JsonMembers arguments;
    if (row.stream >= 0) {
      arguments.put("device", std::to_string(m_device.rank));
      arguments.put("context", "1");
    }
    arguments.put("stream", std::to_string(row.stream));
    if (view.correlation != 0 && row.keepsCorrelation) {
      arguments.put("correlation", std::to_string(view.correlation));
    }
    if (const trace::Transfer* const transfer = m_trace.transferOf(index)) {
      arguments.put("bytes", std::to_string(transfer->bytes));
    }
    const RowTimes times = useOfDevice().kernels
                               ? exactMicros(view.startNs, view.endNs(), row.stream >= 0)
                               : wholeMicros(view.startNs, view.endNs());
    const std::int64_t tid = row.stream >= 0 ? row.stream : view.track;
    m_file.write(fmt::format(
        ",\n"
        R"({{"ph":"X","cat":{},"name":{},"pid":{},"tid":{},"ts":{},"dur":{},"args":{}}})",
        jsonText(row.category), jsonText(row.name), own ? m_device.rank : kHostPid, tid, times.ts,
        times.dur, arguments.object()));
  }

  static std::string wordOf(const EventView& view) {
    return view.category == Category::Operator ? "cpu_op" : std::string(view.categoryWord);
  }

  /// Writes rows of the host, except launches on other devices.
  [[nodiscard]] bool isOfHost(const EventView& view, const trace::Track& track,
                              std::size_t index) const {
    if (track.device >= 0) {
      const DeviceUse& use = m_uses[static_cast<std::size_t>(track.device)];
      if (use.any()) return false;
    }
    const auto launches = m_trace.flowsFrom(index);
    if (launches.empty() || view.correlation == 0) return true;
    for (const trace::Flow& flow : launches) {
      if (m_trace.tracks()[m_trace.event(flow.to).track].device == m_device.device) return true;
    }
    return false;
  }

  [[nodiscard]] Row ownRow(const EventView& view, const trace::Track& track) const {
    Row row{std::string(view.name), wordOf(view), -1, true};
    if (isOfEngine(view, track)) {
      standIn(view, std::nullopt, row);
    } else if (isStreamRow(view.category)) {
      const bool memset = view.name.substr(0, 6) == "Memset";
      row.stream = streamOf(track, view.track);
      row.category = view.category == Category::Kernel ? "kernel"
                     : memset                          ? "gpu_memset"
                                                       : "gpu_memcpy";
    } else if (view.category == Category::Sync) {
      row.keepsCorrelation = false;  // else HTA treats it as a launch
    } else if (const auto kind = trace::actionKindOf(view.category)) {
      standIn(view, kind, row);
    }
    return row;
  }

  /// Without kernels, in a timed step, actions and copies outside actions represent the GPU's work;
  /// else they are annotations.
  void standIn(const EventView& view, std::optional<ActionKind> kind, Row& row) const {
    row.keepsCorrelation = false;  // else HTA treats it as a launch
    if (useOfDevice().kernels || !isTimed(view.startNs)) {
      row.category = "user_annotation";
    } else if (kind == ActionKind::Reduce) {
      row.name = "ncclDevKernel_" + row.name;
      row.category = "kernel";
      row.stream = kCollectiveStream;
    } else if (!kind || isTransfer(*kind)) {
      row.name = "Memcpy " + row.name;
      row.category = "gpu_memcpy";
      row.stream = kCopyStream;
    } else {
      row.category = "kernel";
      row.stream = kComputeStream;
    }
  }

  /// True in a timed step, and everywhere if there are no steps.
  [[nodiscard]] bool isTimed(TimeNs timeNs) const {
    if (m_trace.steps().empty()) return true;
    const trace::Step* const step = stepAt(m_trace, timeNs);
    return step != nullptr && !step->extra && timeNs <= step->endNs;
  }

  /// For devices without kernels.
  static constexpr std::int64_t kComputeStream = 0;
  static constexpr std::int64_t kCopyStream = 1;
  static constexpr std::int64_t kCollectiveStream = 2;
  static constexpr std::int32_t kHostPid = 1'000'000;

  const Trace& m_trace;
  const std::vector<DeviceUse>& m_uses;
  const DeviceFile& m_device;
  OutputFile& m_file;
};

std::string nameOf(const DeviceFile& device) {
  return "rank" + std::to_string(device.rank) + ".json";
}

bool isNameOfRank(const std::string& name) {
  const std::string_view stem = std::string_view(name).substr(0, name.find('.'));
  return stem.size() > 4 && stem.substr(0, 4) == "rank" &&
         stem.find_first_not_of("0123456789", 4) == std::string_view::npos &&
         (name.size() == stem.size() || name.compare(stem.size(), 5, ".json") == 0);
}

/// Rejects files of an earlier export, because HTA reads all files of a folder as one trace.
Status checkAlone(const std::filesystem::path& folder, const std::vector<DeviceFile>& files) {
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
    const std::string name = entry.path().filename().string();
    const bool written = std::any_of(files.begin(), files.end(), [&name](const DeviceFile& device) {
      return nameOf(device) == name;
    });
    if (!written && isNameOfRank(name)) {
      return fail(
          ErrorCode::CannotWrite,
          "the folder has " + name + " of another trace, which HTA would read as part of this one",
          folder.string(), "Remove it, or choose another folder");
    }
  }
  return {};
}

}  // namespace

std::vector<DeviceFile> deviceFiles(const Trace& trace) {
  const std::vector<DeviceUse> uses = usesOf(trace);
  std::vector<DeviceFile> files;
  std::set<std::int32_t> numbers;
  for (std::size_t device = 0; device < uses.size(); ++device) {
    if (uses[device].any()) {
      files.push_back({static_cast<std::int32_t>(device), -1});
      if (const auto number = gpuNumber(trace.devices()[device])) {
        numbers.insert(*number);
        files.back().rank = *number;
      }
    }
  }
  if (numbers.size() != files.size()) {
    for (std::size_t file = 0; file < files.size(); ++file) {
      files[file].rank = static_cast<std::int32_t>(file);
    }
  }
  return files;
}

Status writeChromeOfDevice(const Trace& trace, const DeviceFile& device,
                           const std::filesystem::path& path) {
  Result<OutputFile> file = OutputFile::create(path);
  STAGELANE_CHECK(file);
  DeviceEncoder(trace, usesOf(trace), device, *file).run();
  return file->commit();
}

Status writeChromePerDevice(const Trace& trace, const std::filesystem::path& folder) {
  const std::vector<DeviceFile> files = deviceFiles(trace);
  if (files.empty()) {
    return fail(ErrorCode::Invalid, "no device of the trace has kernels, copies or actions",
                folder.string(), "convert the whole trace: remove --per-device");
  }
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) {
    return fail(ErrorCode::CannotWrite, "cannot create the folder: " + failed.message(),
                folder.string(), "Choose another folder");
  }
  STAGELANE_CHECK(checkAlone(folder, files));
  for (const DeviceFile& device : files) {
    STAGELANE_CHECK(writeChromeOfDevice(trace, device, folder / nameOf(device)));
  }
  return {};
}

}  // namespace stagelane::formats
