#pragma once

/// Objects of JSON as text: checked, minified, and taken apart into members that are written again
/// as they were. Internal to profiler/formats.

#include <simdjson.h>

#include <string>
#include <string_view>
#include <vector>

namespace stagelane::formats::detail {

class JsonMinifier {
 public:
  /// The members of an object without its braces; false for what is no valid object. The view holds
  /// until the next call.
  [[nodiscard]] bool members(std::string_view object, std::string_view& out);
  /// The same for a value of any kind.
  [[nodiscard]] bool value(std::string_view value, std::string_view& out);

 private:
  [[nodiscard]] bool isJson(std::string_view text);

  simdjson::dom::parser m_parser;
  std::string m_text;
};

struct JsonMember {
  std::string_view key;    ///< as it is written, without the quotes
  std::string_view value;  ///< as it is written
};
/// @pre `members` are of a valid object, minified
[[nodiscard]] std::vector<JsonMember> splitMembers(std::string_view members);

}  // namespace stagelane::formats::detail
