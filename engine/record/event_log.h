#pragma once

/// events.jsonl as lines: reading what is whole, and appending one line so that a kill leaves
/// either the old file or the old file and a damaged last line. Private to engine/record.

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/record/open_run.h"

namespace stagelane::record {

struct EventLog {
  std::vector<Json> events;     ///< whole lines, in order; damaged ones are left out
  TimeNs lastNs = 0;            ///< the latest `t_ns`
  bool endsInsideLine = false;  ///< the file's last byte is no line end
};
/// Where `progress` says cancel, the lines so far.
[[nodiscard]] EventLog parseEventLog(const std::string& text, OpenProgress* progress = nullptr);

/// Whether a living EventWriter holds the file. @thread any, does not block
[[nodiscard]] bool isBeingWritten(const std::filesystem::path& events);

/// One line as it is written, line end included.
[[nodiscard]] std::string eventLine(const std::string& event, TimeNs atNs, const Json& members);

/// Writes all of `text` to a file descriptor. @errors CannotWrite naming `what`
[[nodiscard]] Status writeFully(int descriptor, const std::string& text, const std::string& what);

}  // namespace stagelane::record
