#pragma once

/// The columns of a trace in a file beside the one that it was read from, so that a large trace
/// opens at once the next time. Never the truth: a cache that is stale, damaged or of another
/// version is ignored, and one that cannot be written is not missed. docs/reference/formats.md has
/// its form.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "engine/base/result.h"
#include "profiler/formats/perfetto.h"
#include "profiler/formats/read_progress.h"

namespace stagelane::formats {

/// Files below this are read as fast as a cache would be.
inline constexpr std::uint64_t kSmallestCachedBytes = std::uint64_t{32} << 20;

/// What tells one state of a file from another.
struct CacheKey {
  std::uint64_t bytes = 0;
  std::int64_t modifiedNs = 0;
  std::uint64_t endsHash = 0;  ///< of the first and the last 64 KiB
  friend bool operator==(const CacheKey&, const CacheKey&) = default;
};
/// Nothing for what is no readable file.
[[nodiscard]] std::optional<CacheKey> cacheKeyOf(const std::filesystem::path& path);

/// `NAME.stagelane-cache` beside the file, and the place in the user's cache folder for files in
/// folders that cannot be written.
[[nodiscard]] std::filesystem::path cacheBeside(const std::filesystem::path& path);
[[nodiscard]] std::filesystem::path cacheOfUser(const std::filesystem::path& path);

/// Whichever cache fits the file as it is now.
[[nodiscard]] std::optional<ReadTrace> readCache(const std::filesystem::path& path);
/// A cache from memory; nothing when it is of another key, another version, or damaged.
[[nodiscard]] std::optional<ReadTrace> parseCache(std::string_view bytes, const CacheKey& key);

/// Writes a cache for the state `key` of the file. Beside it, else in the user's cache folder.
/// @errors CannotWrite, which callers that only want speed pass over
[[nodiscard]] Status writeCache(const std::filesystem::path& path, const CacheKey& key,
                                const ReadTrace& read);

}  // namespace stagelane::formats
