#include <algorithm>
#include <optional>

#include "profiler/formats/byte_source.h"
#include "profiler/formats/chrome.h"
#include "profiler/formats/chrome_source.h"
#include "profiler/formats/column_cache.h"
#include "profiler/formats/nsight.h"
#include "profiler/formats/perfetto.h"

namespace stagelane::formats {
namespace {

using namespace detail;

constexpr std::string_view kSqliteMagic = "SQLite format 3";

/// What a format is told by.
constexpr std::uint64_t kLookedAt = 4096;
constexpr std::string_view kWhiteSpace = " \t\r\n";

bool startsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

std::string_view withoutMark(std::string_view text) {
  return startsWith(text, kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text;
}

/// A file of packets: the tag of one, its length, and the tag of its first field.
bool looksLikePerfetto(std::string_view beginning) {
  constexpr char kPacketTag = 0x0A;
  constexpr unsigned kMoreFollow = 0x80U;
  constexpr unsigned kLargestWireType = 5;
  constexpr unsigned kLongestVarint = 10;
  if (beginning.size() < 2 || beginning.front() != kPacketTag ||
      beginning.find_first_not_of(kWhiteSpace) == std::string_view::npos) {
    return false;
  }
  const auto byte = [&beginning](std::size_t place) {
    return static_cast<unsigned>(static_cast<unsigned char>(beginning[place]));
  };
  std::size_t place = 1;
  while (place < beginning.size() && place <= kLongestVarint && (byte(place) & kMoreFollow) != 0) {
    ++place;
  }
  if (++place >= beginning.size() || byte(place - 1) == 0) {
    return place <= beginning.size();
  }
  const unsigned wireType = byte(place) & 7U;
  return wireType <= kLargestWireType && wireType != 3 && wireType != 4 && byte(place) >= 8U;
}

Error unknownFile(std::string_view beginning, const std::filesystem::path& path) {
  const std::size_t blanks = std::min(beginning.find_first_not_of(kWhiteSpace), beginning.size());
  std::string what =
      "This is no trace: it begins neither as JSON ({ or [), nor as a Perfetto "
      "trace, nor as an SQLite database";
  if (beginning.empty()) {
    what = "The file is empty";
  } else if (blanks == beginning.size()) {
    what = beginning.size() < kLookedAt ? "The file holds nothing but white space"
                                        : "The file begins with nothing but white space";
  }
  return {
      ErrorCode::Invalid, what, path.string() + ", byte " + std::to_string(blanks),
      "Give Chrome trace events (JSON), a Perfetto trace or an SQLite export of Nsight Systems"};
}

Result<ReadTrace> canceled(const std::filesystem::path& path) {
  return fail(ErrorCode::Invalid, "canceled", path.string());
}

/// A packed file that ended early may have been cut between two packets, where nothing else tells.
void addPackedProblem(Result<ReadTrace>& read, const std::string& problem) {
  if (problem.empty()) {
    return;
  }
  if (!read) {
    Error error = read.error();
    error.message += "; " + problem;
    read = tl::make_unexpected(std::move(error));
    return;
  }
  ReadReport& report = read->report;
  report.lost = std::max<std::uint64_t>(1, report.lost);
  report.firstProblem =
      report.firstProblem.empty() ? problem : problem + "; " + report.firstProblem;
}

Result<ReadTrace> readPerfettoFile(const std::filesystem::path& path, ReadProgress* progress,
                                   Keep keep) {
  auto source = openFile(path, progress);
  if (!source) {
    return tl::make_unexpected(source.error());
  }
  const Unpacked unpacked = unpackAll(**source, mostInMemory());
  if (progress != nullptr && progress->cancel) {
    return canceled(path);
  }
  Result<ReadTrace> read = parsePerfetto(unpacked.bytes, path.string(), keep);
  addPackedProblem(read, unpacked.problem);
  return read;
}

Result<ReadTrace> readChromeFile(const std::filesystem::path& path, ReadProgress* progress,
                                 Keep keep) {
  auto source = openFile(path, progress);
  if (!source) {
    return tl::make_unexpected(source.error());
  }
  auto read = readChromeSource(**source, path.string(), keep);
  return progress != nullptr && progress->cancel ? canceled(path) : std::move(read);
}

}  // namespace

Result<std::string> readBeginning(const std::filesystem::path& path, std::size_t most) {
  auto source = openFile(path, nullptr);
  if (!source) {
    return tl::make_unexpected(source.error());
  }
  std::string bytes = readAll(**source, most);
  if (bytes.empty() && !(*source)->problem().empty()) {
    return fail(ErrorCode::Invalid, "cannot be unpacked: " + (*source)->problem(), path.string());
  }
  return bytes;
}

std::optional<std::size_t> startOfJson(std::string_view beginning) {
  const std::string_view text = withoutMark(beginning);
  const std::size_t first = text.find_first_not_of(kWhiteSpace);
  if (first == std::string_view::npos || (text[first] != '{' && text[first] != '[')) {
    return std::nullopt;
  }
  return first + beginning.size() - text.size();
}

Result<std::string> readUnpacked(const std::filesystem::path& path) {
  auto source = openFile(path, nullptr);
  if (!source) {
    return tl::make_unexpected(source.error());
  }
  Unpacked unpacked = unpackAll(**source, mostInMemory());
  if (!unpacked.problem.empty()) {
    return fail(ErrorCode::Invalid, "cannot be unpacked: " + unpacked.problem, path.string());
  }
  return std::move(unpacked.bytes);
}

namespace {

Result<ReadTrace> readUncached(const std::filesystem::path& path, ReadProgress* progress,
                               Keep keep = Keep::Trace) {
  const Result<std::string> beginning = readBeginning(path);
  if (!beginning) {
    return tl::make_unexpected(beginning.error());
  }
  if (startsWith(*beginning, kSqliteMagic)) {
    return readNsight(path, progress);
  }
  const bool perfetto = looksLikePerfetto(*beginning);
  if (startOfJson(*beginning)) {
    // A perfetto file begins with a line feed too, its tag; a length of '{' or '[' is possible.
    Result<ReadTrace> chrome = readChromeFile(path, progress, keep);
    if (chrome || !perfetto || (progress != nullptr && progress->cancel)) {
      return chrome;
    }
    Result<ReadTrace> packets = readPerfettoFile(path, progress, keep);
    return packets ? std::move(packets) : std::move(chrome);
  }
  // Told before the rest is unpacked: a small packed file may be a very large one.
  return perfetto ? readPerfettoFile(path, progress, keep)
                  : tl::make_unexpected(unknownFile(*beginning, path));
}

}  // namespace

Result<ReadTrace> readTrace(const std::filesystem::path& path, ReadProgress* progress,
                            std::uint64_t smallestCached) {
  const std::optional<CacheKey> key = cacheKeyOf(path);
  if (!key || key->bytes < smallestCached) {
    return readUncached(path, progress);
  }
  if (std::optional<ReadTrace> cached = readCache(path)) {
    if (progress != nullptr) {
      progress->total = key->bytes;
      progress->done = key->bytes;
    }
    return std::move(*cached);
  }
  Result<ReadTrace> read = readUncached(path, progress);
  // A file that is still being written has another state by now, and no cache yet.
  if (read && cacheKeyOf(path) == key) {
    static_cast<void>(writeCache(path, *key, *read).has_value());
  }
  return read;
}

Result<ReadTrace> readTraceWithDetails(const std::filesystem::path& path) {
  return readUncached(path, nullptr, Keep::Details);
}

}  // namespace stagelane::formats
