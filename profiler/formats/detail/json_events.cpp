#include "profiler/formats/detail/json_events.h"

namespace stagelane::formats::detail {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

bool isSpace(char character) {
  return character == ' ' || character == '\n' || character == '\r' || character == '\t';
}

}  // namespace

JsonEvents::JsonEvents(std::string_view text) : m_text(text) { findArray(); }

std::size_t JsonEvents::skipSpace(std::size_t place) const {
  while (place < m_text.size() && (isSpace(m_text[place]) || m_text[place] == ',')) {
    ++place;
  }
  return place;
}

/// Behind the string that begins at `place`, kNone when it does not end.
std::size_t JsonEvents::skipString(std::size_t place) const {
  ++place;
  while (place < m_text.size()) {
    place = m_text.find_first_of("\"\\", place);
    if (place == kNone) {
      return kNone;
    }
    if (m_text[place] == '"') {
      return place + 1;
    }
    place += 2;
  }
  return kNone;
}

/// Behind the value that begins at `place`; brackets are counted, not matched.
std::size_t JsonEvents::skipValue(std::size_t place) const {
  std::size_t depth = 0;
  while (place < m_text.size()) {
    const char character = m_text[place];
    if (character == '"') {
      place = skipString(place);
      if (place == kNone || depth == 0) {
        return place;
      }
      continue;
    }
    if (character == '{' || character == '[') {
      ++depth;
    } else if (character == '}' || character == ']') {
      if (depth <= 1) {
        return depth == 0 ? place : place + 1;
      }
      --depth;
    } else if (depth == 0 && (character == ',' || isSpace(character))) {
      return place;
    }
    ++place;
  }
  return kNone;
}

void JsonEvents::findArray() {
  std::size_t place = skipSpace(0);
  if (place < m_text.size() && m_text[place] == '[') {
    m_place = place + 1;
    m_found = true;
    return;
  }
  if (place >= m_text.size() || m_text[place] != '{') {
    return;
  }
  place = skipSpace(place + 1);
  while (place < m_text.size() && m_text[place] == '"') {
    const std::size_t end = skipString(place);
    if (end == kNone) {
      return;
    }
    const std::string_view key = m_text.substr(place, end - place);
    place = skipSpace(end);
    if (place >= m_text.size() || m_text[place] != ':') {
      return;
    }
    place = skipSpace(place + 1);
    if (key == "\"traceEvents\"" && place < m_text.size() && m_text[place] == '[') {
      m_place = place + 1;
      m_found = true;
      return;
    }
    const std::size_t after = skipValue(place);
    if (after == kNone || after == place) {
      return;
    }
    place = skipSpace(after);
  }
}

std::optional<std::string_view> JsonEvents::next() {
  m_place = skipSpace(m_place);
  if (!m_found || m_place >= m_text.size()) {
    m_cut = m_found;
    return std::nullopt;
  }
  if (m_text[m_place] == ']') {
    return std::nullopt;
  }
  const std::size_t end = skipValue(m_place);
  if (end == kNone) {
    m_cut = true;
    return std::nullopt;
  }
  if (end == m_place) {  // a stray closing bracket
    ++m_place;
    return std::string_view();
  }
  const std::string_view object = m_text.substr(m_place, end - m_place);
  m_place = end;
  return object;
}

}  // namespace stagelane::formats::detail
