#pragma once

/// The table of trace formats: what each is called, how its files end and begin, who reads and who
/// writes it. Readers, `convert`, dialogs, drops, error messages and the check of the desktop's
/// file types use it. A row stands beside its reader or writer.

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
  std::string_view title;  ///< for people: "Perfetto trace"
  /// With their dot, the usual one first; a packed file ends in `.gz` or `.zst` after it.
  std::vector<std::string_view> endings;
  std::string_view mime{};  ///< the type by which a desktop opens it; empty where it has none
  /// Whether a file may be of the format, by its first unpacked bytes; null: it is not read.
  bool (*begins)(std::string_view beginning) = nullptr;
  /// Other formats can begin like this: it is tried after them.
  bool weakBeginning = false;
  /// `progress` may be null. A cancellation ends with the error "canceled".
  Result<ReadTrace> (*read)(const std::filesystem::path& path, ReadProgress* progress,
                            Keep keep) = nullptr;
  /// The same from memory; `source` is named in errors.
  Result<ReadTrace> (*parse)(std::string_view bytes, const std::string& source,
                             Keep keep) = nullptr;
  /// `details` may be null; null: it is not written.
  Status (*write)(const trace::Trace& trace, const std::filesystem::path& path,
                  const EventDetails* details) = nullptr;
  bool writesDetails = false;
};

[[nodiscard]] const std::vector<TraceFormat>& traceFormats();
/// Null for an unknown name.
[[nodiscard]] const TraceFormat* formatNamed(std::string_view name);
/// The format that is written to a file of this name; null where its ending is of none.
[[nodiscard]] const TraceFormat* writtenFormatOf(std::filesystem::path name);
/// Names of the formats that are written, as `--to` takes them.
[[nodiscard]] std::vector<std::string> writtenFormatNames();
/// Endings of the formats that are read, with those of packed files.
[[nodiscard]] std::vector<std::string> readEndings();
/// "Perfetto .pftrace, Chrome .json, Nsight .sqlite; .gz, .zst": for help and messages.
[[nodiscard]] std::string readFormatsText();

/// The rows, and the order in which they are tried and named.
[[nodiscard]] TraceFormat perfettoFormat();
[[nodiscard]] TraceFormat chromeFormat();
[[nodiscard]] TraceFormat nsightFormat();
[[nodiscard]] TraceFormat csvFormat();
inline constexpr std::array kFormatRows{&perfettoFormat, &chromeFormat, &nsightFormat, &csvFormat};

}  // namespace stagelane::formats
