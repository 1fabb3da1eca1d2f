#pragma once

/// The table of trace formats: names, file extensions, recognition, readers and writers. Readers,
/// `convert`, dialogs, drops, error messages and the check of the desktop's file types use it. Each
/// row is defined next to its reader or writer.

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/trace/trace.h"
#include "profiler/formats/perfetto.h"
#include "profiler/formats/read_progress.h"

namespace stagelane::formats {

struct TraceFormat {
  std::string_view name;   ///< of `--to`: `perfetto`
  std::string_view title;  ///< for display: "Perfetto trace"
  /// With dot, the usual one first; packed files add `.gz` or `.zst`.
  std::vector<std::string_view> endings;
  std::string_view mime{};  ///< MIME type for the desktop; empty if there is none
  /// Whether a file may have the format, by its first unpacked bytes; null if it cannot be read.
  bool (*begins)(std::string_view beginning) = nullptr;
  /// Other formats can start the same way, so this one is tried after them.
  bool weakBeginning = false;
  /// `progress` may be null. A cancellation returns `canceledError`.
  Result<ReadTrace> (*read)(const std::filesystem::path& path, ReadProgress* progress,
                            Keep keep) = nullptr;
  /// The same from memory; `source` is named in errors.
  Result<ReadTrace> (*parse)(std::string_view bytes, const std::string& source,
                             Keep keep) = nullptr;
  /// `details` may be null. Null if the format cannot be written.
  Status (*write)(const trace::Trace& trace, const std::filesystem::path& path,
                  const EventDetails* details) = nullptr;
  bool writesDetails = false;
};

[[nodiscard]] const std::vector<TraceFormat>& traceFormats();
/// Null for an unknown name.
[[nodiscard]] const TraceFormat* formatNamed(std::string_view name);
/// The format to write to a file of this name; null if its extension is unknown.
[[nodiscard]] const TraceFormat* writtenFormatOf(std::filesystem::path name);
/// Names of formats that can be written, the values of `--to`.
[[nodiscard]] std::vector<std::string> writtenFormatNames();
/// Extensions of formats that can be read, also of packed files.
[[nodiscard]] std::vector<std::string> readEndings();
/// "Perfetto .pftrace, Chrome .json, Nsight .sqlite; .gz, .zst": for help and messages.
[[nodiscard]] std::string readFormatsText();

/// The rows, in the order of recognition and display.
[[nodiscard]] TraceFormat perfettoFormat();
[[nodiscard]] TraceFormat chromeFormat();
[[nodiscard]] TraceFormat nsightFormat();
[[nodiscard]] TraceFormat csvFormat();
inline constexpr std::array kFormatRows{&perfettoFormat, &chromeFormat, &nsightFormat, &csvFormat};

}  // namespace stagelane::formats
