#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>

#include "engine/base/goes_on.h"
#include "profiler/formats/nsight.h"
#include "profiler/formats/raw_trace.h"
#include "profiler/formats/sqlite_rows.h"
#include "profiler/formats/trace_formats.h"

namespace stagelane::formats {
namespace {

using namespace detail;

/// Process and thread share a number: the thread is its last 24 bits.
constexpr unsigned kThreadBits = 24;
constexpr std::int64_t kThreadMask = (std::int64_t{1} << kThreadBits) - 1;
/// Correlations of a second process start here.
constexpr std::uint64_t kFurtherCorrelations = std::uint64_t{1} << 31;

template <std::size_t N>
std::string_view named(const std::array<std::string_view, N>& names, std::int64_t number,
                       std::string_view otherwise) {
  const bool known = number >= 0 && static_cast<std::uint64_t>(number) < N;
  return known ? names[static_cast<std::size_t>(number)] : otherwise;
}

/// Kineto's names, so that the same definitions apply. @source CUPTI's enumerations
std::string copyName(std::int64_t kind, std::int64_t from, std::int64_t to) {
  static constexpr std::array<std::string_view, 11> kKinds = {
      "Unknown", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA", "AtoD", "DtoA", "DtoD", "HtoH", "PtoP"};
  static constexpr std::array<std::string_view, 7> kMemories = {
      "Pageable", "Pinned", "Device", "Array", "Managed", "Device Static", "Managed Static"};
  return "Memcpy " + std::string(named(kKinds, kind, "Unknown")) + " (" +
         std::string(named(kMemories, from, "Unknown")) + " -> " +
         std::string(named(kMemories, to, "Unknown")) + ")";
}

std::string_view syncName(std::int64_t type) {
  static constexpr std::array<std::string_view, 5> kTypes = {
      "Sync", "Event Sync", "Stream Wait Event", "Stream Sync", "Context Sync"};
  return named(kTypes, type, "Sync");
}

/// "cudaLaunchKernel_v7000" without the version of the interface.
std::string_view withoutVersion(std::string_view name) {
  const std::size_t mark = name.rfind("_v");
  const bool versioned = mark != std::string_view::npos && mark + 2 < name.size() &&
                         name.find_first_not_of("0123456789", mark + 2) == std::string_view::npos;
  return versioned ? name.substr(0, mark) : name;
}

class NsightReader {
 public:
  NsightReader(SqliteFile& file, RawTrace& raw) : m_file(file), m_raw(raw) {}

  /// Whether there was a table of an export. Stops early if `progress` is canceled.
  bool read(ReadProgress* progress) {
    m_progress = progress;
    readStrings();
    readNames();
    makeStreams();
    readRuntime();
    readRanges();
    readKernels();
    readCopies();
    readMemsets();
    readSyncs();
    return m_found;
  }

 private:
  /// The columns of every table of activities, then additional ones.
  static std::vector<std::string> activity(std::initializer_list<const char*> more) {
    std::vector<std::string> columns = {"start",    "end",           "deviceId",
                                        "streamId", "correlationId", "globalPid"};
    columns.insert(columns.end(), more.begin(), more.end());
    return columns;
  }
  static constexpr int kFurther = 6;

  [[nodiscard]] bool canceled() const { return m_progress != nullptr && m_progress->cancel; }

  /// Calls `take` for each row; counts rejected rows, and the unreadable rest of a table.
  template <class Take>
  void eachRow(const std::string& table, const std::vector<std::string>& columns, Take take) {
    SqliteRows rows(m_file, table, columns);
    while (!canceled() && rows.next()) {
      if (!take(rows)) {
        m_raw.lose(1, table + ", row " + std::to_string(rows.rows()) +
                          ": a value is missing, has the wrong type or is out of range");
      }
    }
    m_found |= rows.exists() && table != "StringIds";
    if (!rows.problem().empty()) {
      m_raw.lose(1, table + " is unreadable after row " + std::to_string(rows.rows()) + ": " +
                        rows.problem());
    }
  }

  void readStrings() {
    eachRow("StringIds", {"id", "value"}, [this](const SqliteRows& row) {
      const auto id = row.integer(0);
      const auto value = row.text(1);
      if (id && value) m_strings[*id] = m_raw.texts().id(*value);
      return id && value;
    });
  }

  [[nodiscard]] std::optional<std::uint32_t> string(std::optional<std::int64_t> id) const {
    const auto found = id ? m_strings.find(*id) : m_strings.end();
    return found == m_strings.end() ? std::nullopt : std::optional(found->second);
  }

  void readNames() {
    eachRow("PROCESSES", {"globalPid", "name"}, [this](const SqliteRows& row) {
      const auto process = row.integer(0);
      const auto name = row.text(1);
      if (process && name) m_processNames[*process >> kThreadBits] = *name;
      return process.has_value();
    });
    eachRow("ThreadNames", {"globalTid", "nameId"}, [this](const SqliteRows& row) {
      const auto thread = row.integer(0);
      if (const auto name = string(row.integer(1)); thread && name) m_threadNames[*thread] = *name;
      return thread.has_value();
    });
    eachRow("TARGET_INFO_GPU", {"id", "name"}, [this](const SqliteRows& row) {
      const auto id = row.integer(0);
      const auto name = row.text(1);
      if (id && name) m_raw.setMetadata("gpu " + std::to_string(*id), std::string(*name));
      return id.has_value();
    });
    m_found = false;  // names alone are not a trace
  }

  /// Creates devices and streams in the order of their numbers, not of the rows.
  void makeStreams() {
    std::set<std::pair<std::int64_t, std::int64_t>> streams;
    for (const char* table : {"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY",
                              "CUPTI_ACTIVITY_KIND_MEMSET"}) {
      SqliteRows rows(m_file, table, {"deviceId", "streamId"});
      while (!canceled() && rows.next()) {
        const auto device = rows.integer(0);
        const auto stream = rows.integer(1);
        if (device && *device >= 0 && stream) streams.emplace(*device, *stream);
      }
    }
    for (const auto& [device, stream] : streams) static_cast<void>(streamTrack(device, stream));
  }

  std::uint64_t track(const std::string& key, const std::string& name, std::uint64_t parent) {
    const auto [place, isNew] = m_tracks.try_emplace(key, m_tracks.size() + 1);
    if (isNew) {
      RawTrack& made = m_raw.track(place->second);
      made.name = name;
      made.parent = parent;
    }
    return place->second;
  }

  std::uint64_t deviceTrack(std::int64_t device) {
    const std::string name = "cuda:" + std::to_string(device);
    return track(name, name, 0);
  }

  std::uint64_t streamTrack(std::int64_t device, std::int64_t stream) {
    const auto [place, isNew] = m_streams.try_emplace({device, stream}, 0);
    if (isNew) {
      const std::string name = "stream " + std::to_string(stream);
      place->second =
          track("cuda:" + std::to_string(device) + " " + name, name, deviceTrack(device));
    }
    return place->second;
  }

  std::uint64_t threadTrack(std::int64_t globalTid) {
    const auto known = m_threads.find(globalTid);
    if (known != m_threads.end()) return known->second;
    const std::int64_t process = globalTid >> kThreadBits;
    const auto name = m_processNames.find(process);
    const std::string pid = std::to_string(process & kThreadMask);
    const std::uint64_t parent =
        track("process " + std::to_string(process),
              name == m_processNames.end() ? "process " + pid : name->second + " " + pid, 0);
    const std::string tid = std::to_string(globalTid & kThreadMask);
    const auto threadName = m_threadNames.find(globalTid);
    const std::uint64_t made = track(
        "thread " + std::to_string(globalTid),
        "thread " + tid +
            (threadName == m_threadNames.end() ? "" : " " + m_raw.texts().text(threadName->second)),
        parent);
    m_threads.emplace(globalTid, made);
    return made;
  }

  /// Correlations are unique only within a process, but must be unique in a trace. Older exports
  /// have no process for GPU rows: use the only process, if there is one.
  std::uint64_t correlationOf(std::optional<std::int64_t> global,
                              std::optional<std::int64_t> correlation) {
    constexpr std::int64_t kUnknownProcess = -1;
    if (global) m_processes.insert(*global >> kThreadBits);
    if (!correlation || *correlation <= 0) return 0;
    const std::int64_t only = m_processes.size() == 1 ? *m_processes.begin() : kUnknownProcess;
    const std::int64_t process = global ? *global >> kThreadBits : only;
    if (!m_firstProcess) m_firstProcess = process;
    const auto number = static_cast<std::uint64_t>(*correlation);
    if (process == *m_firstProcess && number < kFurtherCorrelations) return number;
    const std::uint64_t next = kFurtherCorrelations + m_correlations.size();
    return m_correlations.try_emplace({process, *correlation}, next).first->second;
  }

  /// Times of a row: columns 0 and 1.
  static bool readTimes(const SqliteRows& row, RawSlice& slice) {
    const auto startNs = row.integer(0);
    const auto endNs = row.integer(1);
    if (!startNs || !endNs || *endNs < *startNs || *startNs < -trace::kLargestTimeNs ||
        *endNs > trace::kLargestTimeNs) {
      return false;
    }
    slice.startNs = *startNs;
    slice.endNs = *endNs;
    return true;
  }

  /// The common columns 0 to 5 of kernels, copies and memsets.
  bool readActivity(const SqliteRows& row, RawSlice& slice) {
    const auto device = row.integer(2);
    const auto stream = row.integer(3);
    if (!readTimes(row, slice) || !device || *device < 0 || !stream) return false;
    slice.track = streamTrack(*device, *stream);
    slice.arguments.correlation = correlationOf(row.integer(5), row.integer(4));
    return true;
  }

  void readKernels() {
    const std::uint32_t category = m_raw.texts().id("kernel");
    const auto columns = activity({"demangledName", "shortName", "mangledName"});
    eachRow("CUPTI_ACTIVITY_KIND_KERNEL", columns, [&](const SqliteRows& row) {
      RawSlice slice;
      slice.category = category;
      if (!readActivity(row, slice)) return false;
      for (int column = kFurther; column < kFurther + 3 && slice.name == 0; ++column) {
        slice.name = string(row.integer(column)).value_or(0);
      }
      m_raw.complete(slice);
      return true;
    });
  }

  void readCopies() {
    const std::uint32_t category = m_raw.texts().id("gpu_memcpy");
    const auto columns =
        activity({"bytes", "copyKind", "srcKind", "dstKind", "srcDeviceId", "dstDeviceId"});
    eachRow("CUPTI_ACTIVITY_KIND_MEMCPY", columns, [&](const SqliteRows& row) {
      RawSlice slice;
      slice.category = category;
      if (!readActivity(row, slice)) return false;
      constexpr std::int64_t kUnknown = -1;
      slice.name = m_raw.texts().id(copyName(row.integer(kFurther + 1).value_or(kUnknown),
                                             row.integer(kFurther + 2).value_or(kUnknown),
                                             row.integer(kFurther + 3).value_or(kUnknown)));
      slice.arguments.bytes = std::max<std::int64_t>(0, row.integer(kFurther).value_or(0));
      const auto source = row.integer(kFurther + 4);
      const auto target = row.integer(kFurther + 5);
      if (source && target && *source != *target && *source >= 0 && *target >= 0) {
        const std::int64_t own = row.integer(2).value_or(0);
        slice.arguments.peer =
            m_raw.texts().id("cuda:" + std::to_string(*source == own ? *target : *source));
      }
      m_raw.complete(slice);
      return true;
    });
  }

  void readMemsets() {
    const std::uint32_t category = m_raw.texts().id("gpu_memset");
    const std::uint32_t name = m_raw.texts().id("Memset (Device)");
    eachRow("CUPTI_ACTIVITY_KIND_MEMSET", activity({"bytes"}), [&](const SqliteRows& row) {
      RawSlice slice;
      slice.category = category;
      slice.name = name;
      if (!readActivity(row, slice)) return false;
      slice.arguments.bytes = std::max<std::int64_t>(0, row.integer(kFurther).value_or(0));
      m_raw.complete(slice);
      return true;
    });
  }

  /// On a separate track, because they overlap kernels of the stream.
  void readSyncs() {
    const std::uint32_t category = m_raw.texts().id("cuda_sync");
    eachRow("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", activity({"syncType"}),
            [&](const SqliteRows& row) {
              RawSlice slice;
              slice.category = category;
              const auto device = row.integer(2);
              if (!readTimes(row, slice) || !device || *device < 0) return false;
              slice.name = m_raw.texts().id(syncName(row.integer(kFurther).value_or(0)));
              slice.track =
                  track("sync " + std::to_string(*device), "synchronization", deviceTrack(*device));
              slice.arguments.correlation = correlationOf(row.integer(5), row.integer(4));
              m_raw.complete(slice);
              return true;
            });
  }

  void readRuntime() {
    const std::uint32_t category = m_raw.texts().id("cuda_runtime");
    eachRow("CUPTI_ACTIVITY_KIND_RUNTIME", {"start", "end", "globalTid", "correlationId", "nameId"},
            [&](const SqliteRows& row) {
              RawSlice slice;
              slice.category = category;
              const auto thread = row.integer(2);
              if (!readTimes(row, slice) || !thread) return false;
              const std::uint32_t name = string(row.integer(4)).value_or(0);
              slice.name = m_raw.texts().id(std::string(withoutVersion(m_raw.texts().text(name))));
              slice.track = threadTrack(*thread);
              slice.arguments.correlation = correlationOf(*thread, row.integer(3));
              m_raw.complete(slice);
              return true;
            });
  }

  /// NVTX: marks, push/pop ranges and start/end ranges.
  void readRanges() {
    constexpr std::int64_t kMark = 34;
    constexpr std::int64_t kPushPop = 59;
    constexpr std::int64_t kStartEnd = 60;
    const std::uint32_t category = m_raw.texts().id("user_annotation");
    eachRow("NVTX_EVENTS", {"start", "end", "globalTid", "eventType", "text", "textId"},
            [&](const SqliteRows& row) {
              const std::int64_t type = row.integer(3).value_or(0);
              if (type != kMark && type != kPushPop && type != kStartEnd) {
                return true;  // names of domains, threads and others
              }
              RawSlice slice;
              slice.category = category;
              const auto thread = row.integer(2);
              const auto startNs = row.integer(0);
              const bool instant =
                  type == kMark && startNs && std::abs(*startNs) <= trace::kLargestTimeNs;
              if ((!instant && !readTimes(row, slice)) || !thread) return false;
              if (instant) slice.startNs = slice.endNs = *startNs;
              const auto text = row.text(4);
              slice.name = text ? m_raw.texts().id(*text) : string(row.integer(5)).value_or(0);
              slice.track = type == kStartEnd ? rangeTrack(*thread) : threadTrack(*thread);
              m_raw.complete(slice);
              return true;
            });
  }

  /// A track for ranges that need not nest.
  std::uint64_t rangeTrack(std::int64_t globalTid) {
    const std::uint64_t thread = threadTrack(globalTid);
    return track("ranges " + std::to_string(globalTid), "ranges", thread);
  }

  SqliteFile& m_file;
  RawTrace& m_raw;
  ReadProgress* m_progress = nullptr;
  std::unordered_map<std::int64_t, std::uint32_t> m_strings;
  std::unordered_map<std::int64_t, std::string> m_processNames;
  std::unordered_map<std::int64_t, std::uint32_t> m_threadNames;
  std::unordered_map<std::string, std::uint64_t> m_tracks;
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t> m_streams;
  std::unordered_map<std::int64_t, std::uint64_t> m_threads;
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t> m_correlations;
  std::set<std::int64_t> m_processes;  ///< of the rows so far
  std::optional<std::int64_t> m_firstProcess;
  bool m_found = false;
};

Result<ReadTrace> readFrom(Result<SqliteFile> file, const std::string& source,
                           ReadProgress* progress) {
  STAGELANE_CHECK(file);
  RawTrace raw;
  const bool found = NsightReader(*file, raw).read(progress);
  if (progress != nullptr && progress->cancel) return canceledError(source);
  if (!found || (raw.empty() && raw.report().lost > 0)) {
    const std::string why =
        raw.report().lost > 0 ? raw.report().firstProblem : "it has none of the export's tables";
    return fail(ErrorCode::Invalid,
                "Cannot read the SQLite database as an Nsight Systems export: " + why,
                source + ", byte 0", "Export the report again: nsys export --type sqlite REPORT");
  }
  return std::move(raw).finish();
}

}  // namespace

Result<ReadTrace> readNsight(const std::filesystem::path& path, ReadProgress* progress) {
  return readFrom(SqliteFile::open(path), path.string(), progress);
}

Result<ReadTrace> parseNsight(std::string_view bytes, const std::string& source) {
  return readFrom(SqliteFile::open(bytes, source), source, nullptr);
}

TraceFormat nsightFormat() {
  return {.name = "nsight",
          .title = "Nsight",
          .endings = {".sqlite", ".db"},
          .begins =
              [](std::string_view beginning) {
                constexpr std::string_view kMagic = "SQLite format 3";
                return beginning.substr(0, kMagic.size()) == kMagic;
              },
          // An Nsight Systems report has no arguments for a conversion to keep.
          .read = [](const std::filesystem::path& path, ReadProgress* progress,
                     Keep) { return readNsight(path, progress); },
          .parse = [](std::string_view bytes, const std::string& source,
                      Keep) { return parseNsight(bytes, source); }};
}

}  // namespace stagelane::formats
