#include "profiler/formats/column_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "profiler/formats/byte_source.h"
#include "profiler/formats/cache_bytes.h"
#include "profiler/formats/output_file.h"

namespace stagelane::formats {
namespace {

using namespace detail;
namespace fs = std::filesystem;

constexpr std::string_view kMagic = "Stagelane cache\n";
/// Change it with the file format, and when an importer reads other data.
constexpr std::uint64_t kVersion = 3;
/// Also detects a different byte order.
constexpr std::uint64_t kByteOrder = 0x0102030405060708ULL;
constexpr std::uint64_t kShortestText = sizeof(std::uint64_t);

static_assert(sizeof(trace::Flow) == 8 && sizeof(trace::Transfer) == 16);

void putTexts(CacheWriter& out, const std::vector<std::string>& texts) {
  out.value<std::uint64_t>(texts.size());
  for (const std::string& text : texts) out.text(text);
}

/// All small values, with one checksum.
std::vector<char> tablesOf(const ReadReport& report, const trace::TraceData& data) {
  std::vector<char> tables;
  CacheWriter out([&tables](std::string_view bytes) {
    tables.insert(tables.end(), bytes.begin(), bytes.end());
  });
  out.value(report.lost);
  out.text(report.firstProblem);
  out.value(data.rangeNs.first);
  out.value(data.rangeNs.second);
  out.value(data.dropped);
  out.value<std::uint64_t>(data.predicted ? 1 : 0);
  putTexts(out, data.names);
  putTexts(out, data.categoryWords);
  putTexts(out, data.devices);
  out.value<std::uint64_t>(data.tracks.size());
  for (const trace::Track& track : data.tracks) {
    out.text(track.name);
    out.value(static_cast<std::uint64_t>(track.kind));
    out.value<std::int64_t>(track.parent);
    out.value<std::int64_t>(track.device);
  }
  out.value<std::uint64_t>(data.steps.size());
  for (const trace::Step& step : data.steps) {
    out.value<std::int64_t>(step.repeat);
    out.value<std::int64_t>(step.step);
    out.value(step.startNs);
    out.value(step.endNs);
    out.value<std::uint64_t>(step.extra ? 1 : 0);
  }
  out.value<std::uint64_t>(data.counters.size());
  for (const trace::CounterSeries& series : data.counters) {
    out.value<std::uint64_t>(series.track);
    out.text(series.unit);
    out.column(series.timesNs);
    out.column(series.values);
  }
  out.value<std::uint64_t>(data.metadata.size());
  for (const auto& [key, value] : data.metadata) {
    out.text(key);
    out.text(value);
  }
  return tables;
}

void putColumns(CacheWriter& out, const trace::TraceData& data) {
  out.column(data.startNs);
  out.column(data.durationNs);
  out.column(data.name);
  out.column(data.correlation);
  out.column(data.microBatch);
  out.column(data.track);
  out.column(data.stage);
  out.column(data.category);
  out.column(data.categoryWord);
  out.column(data.trackBegin);
  out.column(data.transfers);
  out.column(data.flows);
  out.column(data.flowsByTarget);
}

void takeTexts(CacheReader& in, std::vector<std::string>& texts) {
  for (std::uint64_t left = in.count(kShortestText); left > 0 && in.good(); --left) {
    texts.push_back(in.text());
  }
}

void takeTracks(CacheReader& in, trace::TraceData& data) {
  constexpr std::uint64_t kShortest = 4 * sizeof(std::uint64_t);
  for (std::uint64_t left = in.count(kShortest); left > 0 && in.good(); --left) {
    trace::Track track;
    track.name = in.text();
    track.kind = static_cast<trace::TrackKind>(in.value<std::uint64_t>());
    track.parent = static_cast<std::int32_t>(in.value<std::int64_t>());
    track.device = static_cast<std::int32_t>(in.value<std::int64_t>());
    data.tracks.push_back(std::move(track));
  }
}

void takeSteps(CacheReader& in, trace::TraceData& data) {
  constexpr std::uint64_t kShortest = 5 * sizeof(std::uint64_t);
  for (std::uint64_t left = in.count(kShortest); left > 0 && in.good(); --left) {
    trace::Step step;
    step.repeat = static_cast<std::int32_t>(in.value<std::int64_t>());
    step.step = static_cast<std::int32_t>(in.value<std::int64_t>());
    step.startNs = in.value<TimeNs>();
    step.endNs = in.value<TimeNs>();
    step.extra = in.value<std::uint64_t>() != 0;
    data.steps.push_back(step);
  }
}

bool takeTables(const std::vector<char>& tables, ReadReport& report, trace::TraceData& data) {
  const auto source = memorySource({tables.data(), tables.size()});
  CacheReader in(*source, tables.size());
  report.lost = in.value<std::uint64_t>();
  report.firstProblem = in.text();
  data.rangeNs.first = in.value<TimeNs>();
  data.rangeNs.second = in.value<TimeNs>();
  data.dropped = in.value<std::uint64_t>();
  data.predicted = in.value<std::uint64_t>() != 0;
  takeTexts(in, data.names);
  takeTexts(in, data.categoryWords);
  takeTexts(in, data.devices);
  takeTracks(in, data);
  takeSteps(in, data);
  constexpr std::uint64_t kShortestSeries = 6 * sizeof(std::uint64_t);
  for (std::uint64_t left = in.count(kShortestSeries); left > 0 && in.good(); --left) {
    trace::CounterSeries series;
    series.track = static_cast<std::uint16_t>(in.value<std::uint64_t>());
    series.unit = in.text();
    in.column(series.timesNs);
    in.column(series.values);
    data.counters.push_back(std::move(series));
  }
  for (std::uint64_t left = in.count(2 * kShortestText); left > 0 && in.good(); --left) {
    std::string key = in.text();
    data.metadata[std::move(key)] = in.text();
  }
  return in.atEnd();
}

void takeColumns(CacheReader& in, trace::TraceData& data) {
  in.column(data.startNs);
  in.column(data.durationNs);
  in.column(data.name);
  in.column(data.correlation);
  in.column(data.microBatch);
  in.column(data.track);
  in.column(data.stage);
  in.column(data.category);
  in.column(data.categoryWord);
  in.column(data.trackBegin);
  in.column(data.transfers);
  in.column(data.flows);
  in.column(data.flowsByTarget);
}

std::optional<ReadTrace> take(ByteSource& source, std::uint64_t bytes, const CacheKey& key) {
  std::string magic(kMagic.size(), '\0');
  if (bytes < magic.size() || source.read(magic.data(), magic.size()) != magic.size() ||
      magic != kMagic) {
    return std::nullopt;
  }
  CacheReader in(source, bytes - magic.size());
  if (in.value<std::uint64_t>() != kByteOrder || in.value<std::uint64_t>() != kVersion) {
    return std::nullopt;
  }
  CacheKey found;
  found.bytes = in.value<std::uint64_t>();
  found.modifiedNs = in.value<std::int64_t>();
  found.endsHash = in.value<std::uint64_t>();
  if (!in.good() || !(found == key)) return std::nullopt;
  ReadTrace read;
  trace::TraceData data;
  std::vector<char> tables;
  in.column(tables);
  if (!in.good() || !takeTables(tables, read.report, data)) return std::nullopt;
  takeColumns(in, data);
  if (!in.atEnd() || !trace::isConsistent(data)) return std::nullopt;
  read.trace = std::make_shared<const trace::Trace>(std::move(data));
  return read;
}

std::optional<ReadTrace> readCacheFile(const fs::path& path, const CacheKey& key) {
  std::error_code failed;
  const std::uint64_t bytes = fs::file_size(path, failed);
  if (failed) return std::nullopt;
  const auto source = openFile(path, nullptr);
  return source ? take(**source, bytes, key) : std::nullopt;
}

/// Whether a cache next to the file stays in its folder: neither the cache nor the folder is a
/// link.
bool staysBeside(const fs::path& path) {
  std::error_code ignored;
  return !fs::is_symlink(cacheBeside(path), ignored) &&
         !fs::is_symlink(path.parent_path(), ignored);
}

/// Has the read permissions of the trace file.
unsigned modeLike(const fs::path& path) {
  constexpr unsigned kReadAndWrite = 0666;
  constexpr unsigned kOwner = 0600;
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? (status.st_mode & kReadAndWrite) | kOwner : kOwner;
}

Status writeCacheFile(const fs::path& place, const fs::path& path, const CacheKey& key,
                      const ReadTrace& read) {
  Result<OutputFile> file = OutputFile::create(place, Links::Replace);
  STAGELANE_CHECK(file);
  const trace::TraceData& data = read.trace->data();
  file->write(kMagic);
  CacheWriter out([&file](std::string_view bytes) { file->write(bytes); });
  out.value(kByteOrder);
  out.value(kVersion);
  out.value(key.bytes);
  out.value(key.modifiedNs);
  out.value(key.endsHash);
  out.column(tablesOf(read.report, data));
  putColumns(out, data);
  // Not synced: the checksums detect damage by a power cut.
  return file->commit(Sync::No, modeLike(path));
}

}  // namespace

std::optional<CacheKey> cacheKeyOf(const fs::path& path) {
  constexpr std::size_t kEnd = std::size_t{64} << 10;
  constexpr std::int64_t kNsPerSecond = 1'000'000'000;
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return std::nullopt;
  std::optional<CacheKey> key;
  struct stat status {};
  if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
    std::string ends(2 * kEnd, '\0');
    const off_t last = std::max<off_t>(0, status.st_size - static_cast<off_t>(kEnd));
    static_cast<void>(::pread(descriptor, ends.data(), kEnd, 0) < 0);
    static_cast<void>(::pread(descriptor, ends.data() + kEnd, kEnd, last) < 0);
    key = CacheKey{static_cast<std::uint64_t>(status.st_size),
                   std::int64_t{status.st_mtim.tv_sec} * kNsPerSecond + status.st_mtim.tv_nsec,
                   checksum(ends)};
  }
  ::close(descriptor);
  return key;
}

fs::path cacheBeside(const fs::path& path) { return path.string() + ".stagelane-cache"; }

fs::path cacheOfUser(const fs::path& path) {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  const char* const home = std::getenv("HOME");
  fs::path folder;
  if (cache != nullptr && *cache == '/') {
    folder = cache;
  } else if (home != nullptr && *home == '/') {
    folder = fs::path(home) / ".cache";
  } else {
    return {};
  }
  std::error_code failed;
  const fs::path whole = fs::absolute(path, failed).lexically_normal();
  return folder / "stagelane" / "traces" /
         (std::to_string(checksum(whole.string())) + "-" + cacheBeside(path).filename().string());
}

std::optional<ReadTrace> readCache(const fs::path& path) {
  const std::optional<CacheKey> key = cacheKeyOf(path);
  if (!key) return std::nullopt;
  std::optional<ReadTrace> read = readCacheFile(cacheBeside(path), *key);
  const fs::path ofUser = cacheOfUser(path);
  return read || ofUser.empty() ? std::move(read) : readCacheFile(ofUser, *key);
}

std::optional<ReadTrace> parseCache(std::string_view bytes, const CacheKey& key) {
  const auto source = memorySource(bytes);
  return take(*source, bytes.size(), key);
}

Status writeCache(const fs::path& path, const CacheKey& key, const ReadTrace& read) {
  const Status beside = staysBeside(path) ? writeCacheFile(cacheBeside(path), path, key, read)
                                          : Status(detail::cannotWrite(cacheBeside(path), ELOOP));
  const fs::path ofUser = cacheOfUser(path);
  if (beside || ofUser.empty()) return beside;
  std::error_code failed;
  fs::create_directories(ofUser.parent_path(), failed);
  return failed ? beside : writeCacheFile(ofUser, path, key, read);
}

}  // namespace stagelane::formats
