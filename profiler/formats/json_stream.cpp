#include "profiler/formats/json_stream.h"

#include <algorithm>
#include <cstring>

namespace stagelane::formats::detail {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr std::size_t kWindow = std::size_t{256} << 10;
/// Reading stops at a value longer than this.
constexpr std::size_t kLargestWindow = std::size_t{1} << 30;
constexpr std::size_t kPadding = 64;

bool isSpace(char character) {
  return character == ' ' || character == '\n' || character == '\r' || character == '\t';
}

}  // namespace

JsonStream::JsonStream(ByteSource& source) : m_source(source), m_window(kWindow + kPadding) {}

/// Drops the bytes before `m_place` and reads more. False at the end of the file.
bool JsonStream::more() {
  if (m_place > 0) {
    std::memmove(m_window.data(), m_window.data() + m_place, m_filled - m_place);
    m_base += m_place;
    m_filled -= m_place;
    m_place = 0;
  }
  std::size_t room = m_window.size() - kPadding - m_filled;
  if (room == 0) {
    if (m_filled >= kLargestWindow) return false;
    m_window.resize(2 * m_filled + kPadding);
    room = m_filled;
  }
  const std::size_t got = m_source.read(m_window.data() + m_filled, room);
  m_filled += got;
  std::fill_n(m_window.begin() + static_cast<std::ptrdiff_t>(m_filled), kPadding, ' ');
  return got > 0;
}

/// Moves to the next character that is not white space or a comma; false at the end of the file.
bool JsonStream::skipSpace() {
  while (true) {
    while (m_place < m_filled && (isSpace(m_window[m_place]) || m_window[m_place] == ',')) {
      ++m_place;
    }
    if (m_place < m_filled) return true;
    if (!more()) return false;
  }
}

void JsonStream::skipByteOrderMark() {
  if (!more()) return;
  const std::string_view begin(m_window.data(), std::min(m_filled, kByteOrderMark.size()));
  m_place = begin == kByteOrderMark ? begin.size() : 0;
}

/// The value at `m_place`, which moves after it. Empty if the file ends inside it.
std::optional<std::string_view> JsonStream::value() {
  while (true) {
    const std::string_view text(m_window.data(), m_filled);
    const std::size_t end = skipJsonValue(text, m_place);
    // A number at the window's end may continue after it.
    if (end != kNone) {
      const std::string_view found = text.substr(m_place, end - m_place);
      m_place = end;
      return found;
    }
    if (!more()) {
      m_cut = true;
      return std::nullopt;
    }
  }
}

std::optional<JsonStream::Member> JsonStream::member() {
  if (!m_started) {
    m_started = true;
    skipByteOrderMark();
    if (!skipSpace() || (m_window[m_place] != '{' && m_window[m_place] != '[')) return std::nullopt;
    m_bare = m_window[m_place] == '[';
    m_state = m_bare ? State::Array : State::Object;
    ++m_place;
    if (m_bare) return Member{"traceEvents", {}, true};
  }
  if (m_state != State::Object || !skipSpace()) {
    m_cut |= m_state == State::Object;
    return std::nullopt;
  }
  if (m_window[m_place] != '"') return std::nullopt;
  // Search from the key, so that key and value stay in one window.
  while (true) {
    const std::string_view text(m_window.data(), m_filled);
    const std::size_t keyEnd = skipJsonValue(text, m_place);
    std::size_t place = keyEnd;
    while (place < text.size() && (isSpace(text[place]) || text[place] == ':')) ++place;
    if (keyEnd != kNone && place < text.size()) {
      const std::string_view key = text.substr(m_place + 1, keyEnd - m_place - 2);
      if (key == "traceEvents" && text[place] == '[') {
        m_place = place + 1;
        m_state = State::Array;
        return Member{"traceEvents", {}, true};
      }
      const std::size_t end = skipJsonValue(text, place);
      if (end == place) return std::nullopt;
      if (end != kNone) {
        const std::string_view found = text.substr(place, end - place);
        m_place = end;
        return Member{key, found, false};
      }
    }
    if (!more()) {
      m_cut = true;
      return std::nullopt;
    }
  }
}

std::optional<std::string_view> JsonStream::event() {
  if (m_state != State::Array) return std::nullopt;
  if (!skipSpace()) {
    m_cut = !m_bare;  // a bare array may lack its closing bracket
    return std::nullopt;
  }
  if (m_window[m_place] == ']') {
    ++m_place;
    m_state = m_bare ? State::Nothing : State::Object;
    return std::nullopt;
  }
  const char first = m_window[m_place];
  if (first == '}' || first == ':') {
    ++m_place;
    return std::string_view();
  }
  return value();
}

}  // namespace stagelane::formats::detail
