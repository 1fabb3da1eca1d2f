#pragma once

/// The local events.jsonl of a run on another host: takes the bytes of the remote one in order, and
/// finds the events in them. Its size is the offset from which the remote file is read on, so no
/// other state can disagree with it.

#include <QByteArray>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::app {

class EventMirror {
 public:
  /// Opens the file, or creates it. While it is open, other programs see that the run is followed.
  /// @errors CannotWrite: it is a link, or another program follows the run
  [[nodiscard]] static Result<std::unique_ptr<EventMirror>> open(
      const std::filesystem::path& folder);
  ~EventMirror();
  EventMirror(const EventMirror&) = delete;
  EventMirror& operator=(const EventMirror&) = delete;

  /// The number of bytes so far.
  [[nodiscard]] std::int64_t size() const { return m_size; }
  /// Appends bytes. @returns the events whose lines they complete @errors CannotWrite: nothing was
  /// taken that is not in the file
  [[nodiscard]] Result<std::vector<Json>> take(const QByteArray& bytes);

 private:
  explicit EventMirror(int descriptor) : m_descriptor(descriptor) {}
  [[nodiscard]] Status readEnd(const std::filesystem::path& file);

  int m_descriptor;
  std::int64_t m_size = 0;
  QByteArray m_partialLine;
  std::filesystem::path m_file;
};

}  // namespace stagelane::app
