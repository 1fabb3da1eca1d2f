// One file a GPU, as HTA reads them: rows of the GPU with a stream, the host's rows, and nothing
// that HTA would take for work of the GPU.

#include <fmt/format.h>

#include <charconv>
#include <set>
#include <system_error>

#include "profiler/formats/chrome.h"
#include "profiler/formats/detail/category_words.h"
#include "profiler/formats/detail/json_text.h"
#include "profiler/formats/detail/output_file.h"

namespace stagelane::formats {
namespace {

using namespace detail;
using trace::Category;
using trace::EventView;
using trace::Trace;

bool isStreamRow(Category category) {
  return category == Category::Kernel || category == Category::Copy;
}

/// What runs on a device of the trace.
struct DeviceUse {
  bool streams = false;
  bool actions = false;
};

std::vector<DeviceUse> usesOf(const Trace& trace) {
  std::vector<DeviceUse> uses(trace.devices().size());
  for (std::size_t track = 0; track < trace.tracks().size(); ++track) {
    const std::int32_t device = trace.tracks()[track].device;
    if (device < 0) {
      continue;
    }
    DeviceUse& use = uses[static_cast<std::size_t>(device)];
    const auto [first, last] = trace.rangeOfTrack(track);
    for (std::size_t event = first; event < last; ++event) {
      const Category category = trace.categories()[event];
      use.streams |= isStreamRow(category);
      use.actions |= trace::actionKindOf(category).has_value();
    }
  }
  return uses;
}

/// N of "cuda:N", nothing for other names.
std::optional<std::int32_t> gpuNumber(const std::string& name) {
  constexpr std::string_view kGpu = "cuda:";
  std::int32_t number = 0;
  const char* const end = name.data() + name.size();
  if (name.compare(0, kGpu.size(), kGpu) != 0 || name.size() == kGpu.size()) {
    return std::nullopt;
  }
  const auto read = std::from_chars(name.data() + kGpu.size(), end, number);
  return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

/// The row of one event as HTA should see it.
struct Row {
  std::string name;
  std::string category;
  std::int64_t stream = -1;  ///< -1: a row of the host
  bool keepsCorrelation = true;
};

class DeviceEncoder {
 public:
  DeviceEncoder(const Trace& trace, const std::vector<DeviceUse>& uses, const DeviceFile& device,
                OutputFile& file)
      : m_trace(trace), m_uses(uses), m_device(device), m_file(file) {}

  void run() {
    // The blank behind "rank": is what HTA's own search for it needs.
    m_file.write(fmt::format(
        R"({{"schemaVersion":1,"distributedInfo":{{"backend":"","rank": {},"world_size":1}},)"
        R"("displayTimeUnit":"ns","traceEvents":[)"
        "\n",
        m_device.rank));
    // A row without a duration comes first: HTA takes the first row for a missing launch.
    m_file.write(
        fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"tid":0,"args":{{"name":{}}}}})",
                    m_device.rank, jsonText(name())));
    for (std::size_t event = 0; event < m_trace.size(); ++event) {
      write(event);
    }
    m_file.write("\n]}\n");
  }

 private:
  [[nodiscard]] const std::string& name() const {
    return m_trace.devices()[static_cast<std::size_t>(m_device.device)];
  }

  void write(std::size_t index) {
    const EventView view = m_trace.event(index);
    const trace::Track& track = m_trace.tracks()[view.track];
    const bool own = track.device == m_device.device;
    if (!own && !isOfHost(view, track, index)) {
      return;
    }
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
    const std::int64_t tid = row.stream >= 0 ? row.stream : view.track;
    m_file.write(fmt::format(
        ",\n"
        R"({{"ph":"X","cat":{},"name":{},"pid":{},"tid":{},"ts":{},"dur":{},"args":{}}})",
        jsonText(row.category), jsonText(row.name), own ? m_device.rank : kHostPid, tid,
        micros(view.startNs), micros(view.durationNs), arguments.object()));
  }

  static std::string wordOf(const EventView& view) {
    return view.category == Category::Operator ? "cpu_op" : std::string(view.categoryWord);
  }

  /// Rows of the host, but not what it launched on other devices.
  [[nodiscard]] bool isOfHost(const EventView& view, const trace::Track& track,
                              std::size_t index) const {
    if (track.device >= 0) {
      const DeviceUse& use = m_uses[static_cast<std::size_t>(track.device)];
      if (use.streams || use.actions) {
        return false;
      }
    }
    const auto launches = m_trace.flowsFrom(index);
    if (launches.empty() || view.correlation == 0) {
      return true;
    }
    for (const trace::Flow& flow : launches) {
      if (m_trace.tracks()[m_trace.event(flow.to).track].device == m_device.device) {
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] Row ownRow(const EventView& view, const trace::Track& track) const {
    const DeviceUse& use = m_uses[static_cast<std::size_t>(m_device.device)];
    Row row{std::string(view.name), wordOf(view), -1, true};
    if (isStreamRow(view.category)) {
      const bool memset = view.name.substr(0, 6) == "Memset";
      row.stream = streamOf(track, view.track);
      if (!isStreamWord(row.category) || row.category != "kernel") {
        row.category = view.category == Category::Kernel ? "kernel"
                       : memset                          ? "gpu_memset"
                                                         : "gpu_memcpy";
      }
    } else if (view.category == Category::Sync) {
      row.keepsCorrelation = false;  // else HTA takes it for a launch
    } else if (const auto kind = trace::actionKindOf(view.category)) {
      actionRow(*kind, use, row);
    }
    return row;
  }

  /// Actions stand for the GPU's work where there are no kernels, else they only annotate.
  static void actionRow(ActionKind kind, const DeviceUse& use, Row& row) {
    row.keepsCorrelation = false;
    if (use.streams) {
      row.category = "user_annotation";
    } else if (kind == ActionKind::Reduce) {
      row.name = "ncclDevKernel_" + row.name;
      row.category = "kernel";
      row.stream = 2;
    } else if (isTransfer(kind)) {
      row.name = "Memcpy " + row.name;
      row.category = "gpu_memcpy";
      row.stream = 1;
    } else {
      row.category = "kernel";
      row.stream = 0;
    }
  }

  static constexpr std::int32_t kHostPid = 1'000'000;

  const Trace& m_trace;
  const std::vector<DeviceUse>& m_uses;
  const DeviceFile& m_device;
  OutputFile& m_file;
};

}  // namespace

std::vector<DeviceFile> deviceFiles(const Trace& trace) {
  const std::vector<DeviceUse> uses = usesOf(trace);
  std::vector<DeviceFile> files;
  std::set<std::int32_t> numbers;
  for (std::size_t device = 0; device < uses.size(); ++device) {
    if (uses[device].streams || uses[device].actions) {
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
  if (!file) {
    return tl::make_unexpected(file.error());
  }
  DeviceEncoder(trace, usesOf(trace), device, *file).run();
  return file->commit();
}

Status writeChromePerDevice(const Trace& trace, const std::filesystem::path& folder) {
  const std::vector<DeviceFile> files = deviceFiles(trace);
  if (files.empty()) {
    return fail(ErrorCode::Invalid, "no device of the trace has kernels, copies or actions",
                folder.string(), "convert it whole: leave --per-device out");
  }
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) {
    return fail(ErrorCode::CannotWrite, "cannot be made: " + failed.message(), folder.string(),
                "Choose another folder");
  }
  for (const DeviceFile& device : files) {
    const Status written = writeChromeOfDevice(
        trace, device, folder / ("rank" + std::to_string(device.rank) + ".json"));
    if (!written) {
      return written;
    }
  }
  return {};
}

}  // namespace stagelane::formats
