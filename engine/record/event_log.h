#pragma once

/// The lines of events.jsonl: reads complete lines, and appends a line so that a kill leaves at
/// worst a damaged last line. Private to engine/record.

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/record/open_run.h"

namespace stagelane::record {

struct EventLog {
  std::vector<Json> events;     ///< complete lines, in order; damaged ones are skipped
  TimeNs lastNs = 0;            ///< the latest `t_ns`
  bool endsInsideLine = false;  ///< the file does not end with a newline
};
/// Returns the lines so far if `progress` cancels.
[[nodiscard]] EventLog parseEventLog(const std::string& text, OpenProgress* progress = nullptr);

/// Whether a running EventWriter holds the file. @thread any, does not block
[[nodiscard]] bool isBeingWritten(const std::filesystem::path& events);

/// One line as written, including the newline.
[[nodiscard]] std::string eventLine(const std::string& event, TimeNs atNs, const Json& members);

/// Writes all of `text` to a file descriptor. @errors CannotWrite naming `what`
[[nodiscard]] Status writeFully(int descriptor, const std::string& text, const std::string& what);

}  // namespace stagelane::record
