#include <optional>

#include "profiler/formats/chrome.h"
#include "profiler/formats/column_cache.h"
#include "profiler/formats/detail/byte_source.h"
#include "profiler/formats/detail/chrome_source.h"
#include "profiler/formats/nsight.h"
#include "profiler/formats/perfetto.h"

namespace stagelane::formats {
namespace {

using namespace detail;

constexpr std::string_view kSqliteMagic = "SQLite format 3";
/// Perfetto traces are unpacked into memory, so a small packed file must not become everything.
constexpr std::uint64_t kMostInMemory = std::uint64_t{16} << 30;

bool startsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

/// The first bytes of a file, unpacked.
Result<std::string> beginningOf(const std::filesystem::path& path) {
  constexpr std::uint64_t kLookedAt = 4096;
  auto source = openFile(path, nullptr);
  if (!source) {
    return tl::make_unexpected(source.error());
  }
  std::string bytes = readAll(**source, kLookedAt);
  if (bytes.empty() && !(*source)->problem().empty()) {
    return fail(ErrorCode::Invalid, "cannot be unpacked: " + (*source)->problem(), path.string());
  }
  return bytes;
}

Result<ReadTrace> canceled(const std::filesystem::path& path) {
  return fail(ErrorCode::Invalid, "canceled", path.string());
}

Result<ReadTrace> readPerfettoFile(const std::filesystem::path& path, ReadProgress* progress) {
  auto source = openFile(path, progress);
  if (!source) {
    return tl::make_unexpected(source.error());
  }
  const std::string bytes = readAll(**source, kMostInMemory);
  if (progress != nullptr && progress->cancel) {
    return canceled(path);
  }
  return parsePerfetto(bytes, path.string());
}

Result<ReadTrace> readChromeFile(const std::filesystem::path& path, ReadProgress* progress) {
  auto source = openFile(path, progress);
  if (!source) {
    return tl::make_unexpected(source.error());
  }
  auto read = readChromeSource(**source, path.string());
  return progress != nullptr && progress->cancel ? canceled(path) : std::move(read);
}

}  // namespace

Result<std::string> readUnpacked(const std::filesystem::path& path) {
  auto source = openFile(path, nullptr);
  if (!source) {
    return tl::make_unexpected(source.error());
  }
  std::string bytes = readAll(**source, kMostInMemory);
  if (bytes.empty() && !(*source)->problem().empty()) {
    return fail(ErrorCode::Invalid, "cannot be unpacked: " + (*source)->problem(), path.string());
  }
  return bytes;
}

namespace {

Result<ReadTrace> readUncached(const std::filesystem::path& path, ReadProgress* progress) {
  const Result<std::string> beginning = beginningOf(path);
  if (!beginning) {
    return tl::make_unexpected(beginning.error());
  }
  if (startsWith(*beginning, kSqliteMagic)) {
    return readNsight(path, progress);
  }
  const std::size_t first = beginning->find_first_not_of(" \t\r\n");
  if (first != std::string::npos && ((*beginning)[first] == '{' || (*beginning)[first] == '[')) {
    // A perfetto file begins with a line feed too, its tag; a length of '{' or '[' is possible.
    Result<ReadTrace> chrome = readChromeFile(path, progress);
    if (chrome || first == 0 || (progress != nullptr && progress->cancel)) {
      return chrome;
    }
  }
  return readPerfettoFile(path, progress);
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

}  // namespace stagelane::formats
