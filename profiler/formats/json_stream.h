#pragma once

/// Finds the members of a JSON document's outermost object, and the objects of its `traceEvents`
/// array, without parsing them. A malformed object does not affect others, a truncated file gives
/// everything before the cut, and only a window of the file is in memory. Internal to
/// profiler/formats.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "profiler/formats/byte_source.h"

namespace stagelane::formats::detail {

class JsonStream {
 public:
  explicit JsonStream(ByteSource& source);

  struct Member {
    std::string_view key;    ///< unchanged, without the quotes
    std::string_view value;  ///< unchanged; empty for the events
    bool isEvents = false;   ///< an array; `event` returns its items
  };
  /// The next member of the outermost object; a bare array is one member, the events. Empty at the
  /// end or at invalid JSON. Views are valid until the next call.
  [[nodiscard]] std::optional<Member> member();
  /// The next object of the events' array; an empty view for an invalid item. No value at the end,
  /// also of a truncated text (see `cut`). 64 bytes are readable after it.
  [[nodiscard]] std::optional<std::string_view> event();
  /// True if the text ended inside a value, which starts at `place`.
  [[nodiscard]] bool cut() const { return m_cut; }
  [[nodiscard]] std::uint64_t place() const { return m_base + m_place; }
  [[nodiscard]] std::uint64_t offsetOf(std::string_view part) const {
    return m_base + static_cast<std::uint64_t>(part.data() - m_window.data());
  }

 private:
  enum class State : std::uint8_t { Nothing, Object, Array };

  bool more();
  void skipByteOrderMark();
  bool skipSpace();
  [[nodiscard]] std::optional<std::string_view> value();

  ByteSource& m_source;
  std::vector<char> m_window;  ///< m_filled bytes of the file, then padding
  std::size_t m_filled = 0;
  std::size_t m_place = 0;
  std::uint64_t m_base = 0;  ///< offset of the window in the file
  State m_state = State::Nothing;
  bool m_started = false;
  bool m_bare = false;
  bool m_cut = false;
};

/// The position after the value that starts at `place` of `text`; npos if it does not end. Counts
/// brackets without matching them.
[[nodiscard]] std::size_t skipJsonValue(std::string_view text, std::size_t place);

}  // namespace stagelane::formats::detail
