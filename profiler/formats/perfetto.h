#pragma once

/// Perfetto TrackEvents (protobuf), the native trace format: opens in ui.perfetto.dev too. The
/// writer appends whole packets, so a file that is cut short stays readable; the reader keeps what
/// is readable and says what was lost.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/trace/trace.h"
#include "profiler/formats/event_details.h"

namespace stagelane::formats {

/// A trace as one Perfetto file (temporary + rename), packed where the name ends in `.gz` or
/// `.zst`. `details` may be null.
/// @errors CannotWrite
[[nodiscard]] Status writePerfetto(const trace::Trace& trace, const std::filesystem::path& path,
                                   const EventDetails* details = nullptr);

/// Adds a trace to the end of a file, or makes it, while what it is about goes on: a reader sees
/// one trace with the events of all parts, and a kill loses the part being written at most. Not
/// packed.
/// @errors CannotWrite; the parts before stay
[[nodiscard]] Status appendPerfetto(const trace::Trace& trace, const std::filesystem::path& path);

struct ReadReport {
  std::uint64_t lost = 0;    ///< packets or events that could not be read
  std::string firstProblem;  ///< with the byte offset, "" when none
};
struct ReadTrace {
  trace::TracePtr trace;
  ReadReport report;
  /// Only where they were asked for.
  std::shared_ptr<const EventDetails> details = nullptr;
};
/// Whether a reader also keeps what only a conversion needs (event_details.h).
enum class Keep : std::uint8_t { Trace, Details };
/// @errors Invalid when nothing is readable, with the byte offset
[[nodiscard]] Result<ReadTrace> readPerfetto(const std::filesystem::path& path);
/// The same from memory; `source` is named in errors.
[[nodiscard]] Result<ReadTrace> parsePerfetto(std::string_view bytes, const std::string& source,
                                              Keep keep = Keep::Trace);

/// `start_ns,duration_ns,device,track,category,name,stage,micro_batch,correlation`.
[[nodiscard]] std::string toCsv(const trace::Trace& trace);
/// Packed where the name ends in `.gz` or `.zst`. @errors CannotWrite
[[nodiscard]] Status writeCsv(const trace::Trace& trace, const std::filesystem::path& path);

/// Asked every few thousand events; false ends the writing.
using KeepWriting = std::function<bool(std::size_t events, std::size_t of)>;
/// @returns false when it was canceled: no file is left behind. @errors CannotWrite @thread any
[[nodiscard]] Result<bool> writeCsv(const trace::Trace& trace, const std::filesystem::path& path,
                                    const KeepWriting& keepWriting);

}  // namespace stagelane::formats
