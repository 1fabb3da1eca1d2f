#pragma once

/// Caches the columns of a trace in a file next to it, so that a large trace opens immediately the
/// next time. Stale or damaged caches and those of other versions are ignored; a cache that cannot
/// be written is optional, and none is written through a link. docs/reference/formats.md describes
/// the format.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "engine/base/result.h"
#include "profiler/formats/perfetto.h"
#include "profiler/formats/read_progress.h"

namespace stagelane::formats {

/// Smaller files are read as fast as a cache.
inline constexpr std::uint64_t kSmallestCachedBytes = std::uint64_t{32} << 20;

/// Identifies a state of a file.
struct CacheKey {
  std::uint64_t bytes = 0;
  std::int64_t modifiedNs = 0;
  std::uint64_t endsHash = 0;  ///< of the first and the last 64 KiB
  friend bool operator==(const CacheKey&, const CacheKey&) = default;
};
/// Empty if the file is not readable.
[[nodiscard]] std::optional<CacheKey> cacheKeyOf(const std::filesystem::path& path);

/// `NAME.stagelane-cache` next to the file, and the path in the user's cache folder for read-only
/// folders and where a link leads elsewhere.
[[nodiscard]] std::filesystem::path cacheBeside(const std::filesystem::path& path);
[[nodiscard]] std::filesystem::path cacheOfUser(const std::filesystem::path& path);

/// The cache that matches the file's current state.
[[nodiscard]] std::optional<ReadTrace> readCache(const std::filesystem::path& path);
/// A cache from memory; empty if it has another key or version, or is damaged.
[[nodiscard]] std::optional<ReadTrace> parseCache(std::string_view bytes, const CacheKey& key);

/// Writes a cache for the state `key` of the file, next to it or else in the user's cache folder.
/// @errors CannotWrite, which callers may ignore
[[nodiscard]] Status writeCache(const std::filesystem::path& path, const CacheKey& key,
                                const ReadTrace& read);

}  // namespace stagelane::formats
