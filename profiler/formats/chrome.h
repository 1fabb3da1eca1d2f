#pragma once

/// Chrome trace events as JSON, the format that most tools write (Kineto among them). Export keeps
/// every nanosecond (µs with three decimals); import takes what another program wrote as far as
/// docs/reference/formats.md describes it, event by event, so that a broken or cut file gives its
/// readable part.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/trace/trace.h"
#include "profiler/formats/column_cache.h"
#include "profiler/formats/perfetto.h"
#include "profiler/formats/read_progress.h"

namespace stagelane::formats {

/// Packed where the name ends in `.gz` or `.zst`. `details` may be null. @errors CannotWrite
[[nodiscard]] Status writeChrome(const trace::Trace& trace, const std::filesystem::path& path,
                                 const EventDetails* details = nullptr);

/// A device with work of its own, and the number that its file has in HTA: N of `cuda:N`, else its
/// place among such devices.
struct DeviceFile {
  std::int32_t device = -1;  ///< index into Trace::devices()
  std::int32_t rank = -1;
};
[[nodiscard]] std::vector<DeviceFile> deviceFiles(const trace::Trace& trace);
/// One device as HTA reads a GPU (docs/reference/formats.md). @errors CannotWrite
[[nodiscard]] Status writeChromeOfDevice(const trace::Trace& trace, const DeviceFile& device,
                                         const std::filesystem::path& path);
/// `rankN.json` for each, in a folder that is made. @errors CannotWrite, Invalid without devices
[[nodiscard]] Status writeChromePerDevice(const trace::Trace& trace,
                                          const std::filesystem::path& folder);

/// From memory; `source` is named in errors. @errors Invalid when nothing is readable, with the
/// byte offset
[[nodiscard]] Result<ReadTrace> parseChrome(std::string_view bytes, const std::string& source,
                                            Keep keep = Keep::Trace);

/// The first bytes of a file, unpacked where it is packed: enough to tell what it is.
/// @errors Invalid
[[nodiscard]] Result<std::string> readBeginning(const std::filesystem::path& path,
                                                std::size_t most = 4096);
/// The place of the `{` or `[` with which these bytes of a JSON document begin, behind white space
/// and a byte order mark; nothing for anything else.
[[nodiscard]] std::optional<std::size_t> startOfJson(std::string_view beginning);

/// The bytes of a file, unpacked where it is packed. @errors Invalid
[[nodiscard]] Result<std::string> readUnpacked(const std::filesystem::path& path);

/// Any format that this version reads, told by the first bytes; gzip and zstd are unpacked.
/// `progress` may be null; a cancellation ends with the error "canceled". Files of at least
/// `smallestCached` bytes are opened from their column cache, or get one.
/// @errors Invalid @thread any; blocks
[[nodiscard]] Result<ReadTrace> readTrace(const std::filesystem::path& path,
                                          ReadProgress* progress = nullptr,
                                          std::uint64_t smallestCached = kSmallestCachedBytes);
/// The same with details, and past the column cache, which has none. @errors Invalid
[[nodiscard]] Result<ReadTrace> readTraceWithDetails(const std::filesystem::path& path);

}  // namespace stagelane::formats
