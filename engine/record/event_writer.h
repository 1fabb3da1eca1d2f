#pragma once

/// Writes the events of a run while it goes on. Reading them back is in run_record.h.

#include <memory>
#include <string>

#include "engine/record/run_record.h"

namespace stagelane::record {

/// Appends event lines to events.jsonl and to standard output, flushes each line, and keeps
/// result.json up to date. @thread any (a mutex guards both streams)
class EventWriter {
 public:
  /// `echo`: also print to standard output. @errors CannotWrite
  [[nodiscard]] static Result<std::unique_ptr<EventWriter>> open(const RunFolder& folder,
                                                                 bool echo);
  /// Resumes in the folder of an ended run: ends a damaged last line, and continues time from the
  /// last event. Writes no event itself. @errors CannotWrite (also while another process writes
  /// there), Invalid (not a run folder)
  [[nodiscard]] static Result<std::unique_ptr<EventWriter>> resume(const RunFolder& folder,
                                                                   bool echo);
  EventWriter() = default;
  EventWriter(const EventWriter&) = delete;
  EventWriter& operator=(const EventWriter&) = delete;
  virtual ~EventWriter() = default;
  /// Adds `event` and `t_ns`; a `finished` event without `result` gets the result so far.
  /// @errors CannotWrite
  [[nodiscard]] virtual Status write(const std::string& event, Json members) = 0;
  /// The result of the events so far.
  [[nodiscard]] virtual RunResult soFar() const = 0;
};

}  // namespace stagelane::record
