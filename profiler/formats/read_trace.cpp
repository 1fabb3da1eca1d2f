#include <algorithm>
#include <optional>

#include "profiler/formats/byte_source.h"
#include "profiler/formats/chrome.h"
#include "profiler/formats/column_cache.h"
#include "profiler/formats/trace_formats.h"

namespace stagelane::formats {
namespace {

using namespace detail;

/// Bytes to recognize a format by.
constexpr std::uint64_t kLookedAt = 4096;
constexpr std::string_view kWhiteSpace = " \t\r\n";

bool startsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

std::string_view withoutMark(std::string_view text) {
  return startsWith(text, kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text;
}

Error unknownFile(std::string_view beginning, const std::filesystem::path& path) {
  const std::size_t blanks = std::min(beginning.find_first_not_of(kWhiteSpace), beginning.size());
  std::string what = "Not a recognized trace file";
  if (beginning.empty()) {
    what = "The file is empty";
  } else if (blanks == beginning.size()) {
    what = beginning.size() < kLookedAt ? "The file contains only white space"
                                        : "The file starts with too much white space";
  }
  return {ErrorCode::Invalid, what, path.string() + ", byte " + std::to_string(blanks),
          "Open one of: " + readFormatsText()};
}

}  // namespace

Result<std::string> readBeginning(const std::filesystem::path& path, std::size_t most) {
  STAGELANE_TRY(source, openFile(path, nullptr));
  std::string bytes = readAll(**source, most);
  if (bytes.empty() && !(*source)->problem().empty()) {
    return fail(ErrorCode::Invalid, "cannot unpack the file: " + (*source)->problem(),
                path.string());
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
  STAGELANE_TRY(source, openFile(path, nullptr));
  Unpacked unpacked = unpackAll(**source, mostInMemory());
  if (!unpacked.problem.empty()) {
    return fail(ErrorCode::Invalid, "cannot unpack the file: " + unpacked.problem, path.string());
  }
  return std::move(unpacked.bytes);
}

namespace {

/// Possible formats of a file, those with an unambiguous start first.
std::vector<const TraceFormat*> formatsOf(std::string_view beginning) {
  std::vector<const TraceFormat*> found;
  for (const bool weak : {false, true}) {
    for (const TraceFormat& format : traceFormats()) {
      if (format.begins != nullptr && format.weakBeginning == weak && format.begins(beginning)) {
        found.push_back(&format);
      }
    }
  }
  return found;
}

Result<ReadTrace> readUncached(const std::filesystem::path& path, ReadProgress* progress,
                               Keep keep = Keep::Trace) {
  STAGELANE_TRY(beginning, readBeginning(path));
  // Check before unpacking the rest, because a small packed file can be huge.
  const std::vector<const TraceFormat*> formats = formatsOf(*beginning);
  if (formats.empty()) return tl::make_unexpected(unknownFile(*beginning, path));
  Result<ReadTrace> first = formats.front()->read(path, progress, keep);
  for (std::size_t i = 1; i < formats.size() && !first; ++i) {
    if (progress != nullptr && progress->cancel) break;
    if (Result<ReadTrace> other = formats[i]->read(path, progress, keep)) return other;
  }
  return first;
}

}  // namespace

Result<ReadTrace> readTrace(const std::filesystem::path& path, ReadProgress* progress,
                            std::uint64_t smallestCached) {
  const std::optional<CacheKey> key = cacheKeyOf(path);
  if (!key || key->bytes < smallestCached) return readUncached(path, progress);
  if (std::optional<ReadTrace> cached = readCache(path)) {
    if (progress != nullptr) {
      progress->total = key->bytes;
      progress->done = key->bytes;
    }
    return std::move(*cached);
  }
  Result<ReadTrace> read = readUncached(path, progress);
  // A file that is still being written has changed: do not cache it.
  if (read && cacheKeyOf(path) == key) static_cast<void>(writeCache(path, *key, *read).has_value());
  return read;
}

Result<ReadTrace> readTraceWithDetails(const std::filesystem::path& path) {
  return readUncached(path, nullptr, Keep::Details);
}

}  // namespace stagelane::formats
