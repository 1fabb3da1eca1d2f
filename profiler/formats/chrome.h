#pragma once

/// Chrome trace events as JSON, the format that most tools write (Kineto among them). Export is
/// exact to the nanosecond (µs with three decimals). Import reads event by event what
/// docs/reference/formats.md describes, so that the readable part of a damaged or truncated file
/// remains.

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

/// Packed if the name ends in `.gz` or `.zst`. `details` may be null. @errors CannotWrite
[[nodiscard]] Status writeChrome(const trace::Trace& trace, const std::filesystem::path& path,
                                 const EventDetails* details = nullptr);

/// A device with work, and its rank in HTA: N of `cuda:N`, else its index among such devices.
struct DeviceFile {
  std::int32_t device = -1;  ///< index into Trace::devices()
  std::int32_t rank = -1;
};
[[nodiscard]] std::vector<DeviceFile> deviceFiles(const trace::Trace& trace);
/// Writes one device like a GPU for HTA (docs/reference/formats.md). @errors CannotWrite
[[nodiscard]] Status writeChromeOfDevice(const trace::Trace& trace, const DeviceFile& device,
                                         const std::filesystem::path& path);
/// Writes `rankN.json` for each device to a folder, creating it. @errors CannotWrite, Invalid
/// without devices
[[nodiscard]] Status writeChromePerDevice(const trace::Trace& trace,
                                          const std::filesystem::path& folder);

/// Reads from memory; `source` is named in errors. @errors Invalid if nothing is readable, with the
/// byte offset
[[nodiscard]] Result<ReadTrace> parseChrome(std::string_view bytes, const std::string& source,
                                            Keep keep = Keep::Trace);

/// The first (unpacked) bytes of a file, enough to recognize the format.
/// @errors Invalid
[[nodiscard]] Result<std::string> readBeginning(const std::filesystem::path& path,
                                                std::size_t most = 4096);
/// Position of the `{` or `[` at the start of a JSON document, after white space and a byte order
/// mark; empty for other bytes.
[[nodiscard]] std::optional<std::size_t> startOfJson(std::string_view beginning);

/// The bytes of a file, unpacked. @errors Invalid
[[nodiscard]] Result<std::string> readUnpacked(const std::filesystem::path& path);

/// Reads any supported format, recognized by the first bytes; unpacks gzip and zstd. `progress` may
/// be null; a cancellation returns `canceledError`. Files of at least `smallestCached` bytes
/// use a column cache, which is created if missing.
/// @errors Invalid @thread any; blocks
[[nodiscard]] Result<ReadTrace> readTrace(const std::filesystem::path& path,
                                          ReadProgress* progress = nullptr,
                                          std::uint64_t smallestCached = kSmallestCachedBytes);
/// The same with details, bypassing the column cache, which has none. @errors Invalid
[[nodiscard]] Result<ReadTrace> readTraceWithDetails(const std::filesystem::path& path);

}  // namespace stagelane::formats
