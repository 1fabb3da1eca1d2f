#pragma once

/// Perfetto TrackEvents (protobuf), the native trace format, which ui.perfetto.dev also opens. The
/// writer appends whole packets, so a truncated file stays readable; the reader keeps what is
/// readable and reports what was lost.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/trace/trace.h"
#include "profiler/formats/event_details.h"
#include "profiler/formats/read_progress.h"

namespace stagelane::formats {

/// Writes a trace as one Perfetto file (temporary + rename), packed if the name ends in `.gz` or
/// `.zst`. `details` may be null.
/// @errors CannotWrite
[[nodiscard]] Status writePerfetto(const trace::Trace& trace, const std::filesystem::path& path,
                                   const EventDetails* details = nullptr);

/// Appends a part of a trace to a file, creating it if necessary. Readers get one trace with the
/// events of all parts; a kill loses at most the part being written. Not packed.
/// @errors CannotWrite (also if the path is a link); earlier parts remain
[[nodiscard]] Status appendPerfetto(const trace::Trace& trace, const std::filesystem::path& path);

struct ReadReport {
  std::uint64_t lost = 0;    ///< unreadable packets or events
  std::string firstProblem;  ///< with the byte offset, or ""
};
struct ReadTrace {
  trace::TracePtr trace;
  ReadReport report;
  /// Only if requested.
  std::shared_ptr<const EventDetails> details = nullptr;
};
/// Whether a reader also keeps details for a conversion (event_details.h).
enum class Keep : std::uint8_t { Trace, Details };
/// Reads a file, packed or not. What exceeds the memory limit is not read and is reported as lost.
/// @param progress may be null; a cancellation returns `canceledError`
/// @param most limit in bytes; none: a share of the free memory
/// @errors Invalid if nothing is readable, with the byte offset
[[nodiscard]] Result<ReadTrace> readPerfetto(const std::filesystem::path& path,
                                             ReadProgress* progress = nullptr,
                                             Keep keep = Keep::Trace,
                                             std::optional<std::uint64_t> most = std::nullopt);
/// The same from memory, without a limit; `source` is named in errors.
[[nodiscard]] Result<ReadTrace> parsePerfetto(std::string_view bytes, const std::string& source,
                                              Keep keep = Keep::Trace);

/// Limits the memory of `parsePerfettoWithin`.
struct ParseMemory {
  /// Limit of the bytes that are still to be read together with what is made of the others.
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  /// Called from time to time: the bytes before `place` are no longer read. May be empty.
  std::function<void(std::size_t place)> forget = {};
};
/// As `parsePerfetto`. Stops before the limit is exceeded; the rest counts as one lost record.
[[nodiscard]] Result<ReadTrace> parsePerfettoWithin(const ParseMemory& memory,
                                                    std::string_view bytes,
                                                    const std::string& source,
                                                    Keep keep = Keep::Trace);

/// `start_ns,duration_ns,device,track,category,name,stage,micro_batch,correlation`.
[[nodiscard]] std::string toCsv(const trace::Trace& trace);
/// Packed if the name ends in `.gz` or `.zst`. @errors CannotWrite
[[nodiscard]] Status writeCsv(const trace::Trace& trace, const std::filesystem::path& path);

/// Called every few thousand events; false cancels writing.
using KeepWriting = std::function<bool(std::size_t events, std::size_t of)>;
/// @returns false if canceled, without leaving a file. @errors CannotWrite @thread any
[[nodiscard]] Result<bool> writeCsv(const trace::Trace& trace, const std::filesystem::path& path,
                                    const KeepWriting& keepWriting);

}  // namespace stagelane::formats
