#pragma once

/// JSON objects as text: checks and minifies them, and splits them into unchanged members. Internal
/// to profiler/formats.

#include <simdjson.h>

#include <string>
#include <string_view>
#include <vector>

namespace stagelane::formats::detail {

class JsonMinifier {
 public:
  /// The members of an object without its braces; false if it is not a valid object. The view is
  /// valid until the next call.
  [[nodiscard]] bool members(std::string_view object, std::string_view& out);
  /// The same for a value of any kind.
  [[nodiscard]] bool value(std::string_view value, std::string_view& out);

 private:
  [[nodiscard]] bool isJson(std::string_view text);

  simdjson::dom::parser m_parser;
  std::string m_text;
};

struct JsonMember {
  std::string_view key;    ///< unchanged, without the quotes
  std::string_view value;  ///< unchanged
};
/// @pre `members` are minified and of a valid object
[[nodiscard]] std::vector<JsonMember> splitMembers(std::string_view members);

}  // namespace stagelane::formats::detail
