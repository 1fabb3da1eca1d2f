#include "profiler/formats/json_members.h"

#include <algorithm>

#include "engine/base/json.h"
#include "profiler/formats/json_stream.h"

namespace stagelane::formats::detail {

bool JsonMinifier::value(std::string_view value, std::string_view& out) {
  if (!isJson(value)) return false;
  m_text.resize(value.size() + simdjson::SIMDJSON_PADDING);
  std::size_t length = 0;
  if (simdjson::minify(value.data(), value.size(), m_text.data(), length) != simdjson::SUCCESS) {
    return false;
  }
  out = std::string_view(m_text).substr(0, length);
  return true;
}

bool JsonMinifier::isJson(std::string_view text) {
  // simdjson does not accept null pointers, and both parsers would end a lone number at a zero
  // byte.
  if (text.empty() || text.find('\0') != std::string_view::npos) return false;
  simdjson::dom::element element;
  // simdjson rejects numbers of more than 64 bits.
  return m_parser.parse(text.data(), text.size()).get(element) == simdjson::SUCCESS ||
         Json::accept(text);
}

bool JsonMinifier::members(std::string_view object, std::string_view& out) {
  if (!value(object, out) || out.size() < 2 || out.front() != '{') return false;
  out = out.substr(1, out.size() - 2);
  return true;
}

std::vector<JsonMember> splitMembers(std::string_view members) {
  std::vector<JsonMember> split;
  std::size_t place = 0;
  while (place < members.size()) {
    const std::size_t keyEnd = skipJsonValue(members, place);
    if (keyEnd < place + 2 || keyEnd >= members.size()) break;
    const std::size_t begin = keyEnd + 1;
    const std::size_t end = std::min(skipJsonValue(members, begin), members.size());
    split.push_back(
        {members.substr(place + 1, keyEnd - place - 2), members.substr(begin, end - begin)});
    place = end + 1;
  }
  return split;
}

}  // namespace stagelane::formats::detail
