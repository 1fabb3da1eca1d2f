#include "engine/base/json.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>
#include <vector>

#include "engine/base/files.h"
#include "engine/base/find.h"
#include "engine/base/text.h"

namespace stagelane {
namespace {

/// Builds a document from the events of the library's parser. Appends each member to its object
/// without looking for its key among those before it, as the library's own builder does: that takes
/// quadratic time. A duplicate key, which would otherwise be silently ignored, is a problem.
class DocumentBuilder {
 public:
  // The library calls the functions by these names.
  // NOLINTBEGIN(readability-identifier-naming)
  bool null() { return put(Json()); }
  bool boolean(bool value) { return put(Json(value)); }
  bool number_integer(Json::number_integer_t value) { return put(Json(value)); }
  bool number_unsigned(Json::number_unsigned_t value) { return put(Json(value)); }
  bool number_float(Json::number_float_t value, const std::string&) { return put(Json(value)); }
  bool string(std::string& value) { return put(Json(std::move(value))); }
  bool binary(Json::binary_t&) { return false; }  // not in text
  bool start_object(std::size_t) { return open(Json::object()); }
  bool end_object() { return close(); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_array() { return close(); }
  bool key(std::string& key) {
    if (!m_open.back().keys.insert(key).second && m_duplicate.empty()) {
      m_duplicate = "the key \"" + key + "\" appears twice in one object";
    }
    m_key = std::move(key);
    return true;
  }
  bool parse_error(std::size_t place, const std::string&, const Json::exception& problem) {
    m_malformed = problem.what();
    if (const auto bracket = m_malformed.find("] "); bracket != std::string::npos) {
      m_malformed = m_malformed.substr(bracket + 2);
    }
    m_place = place;
    return false;
  }
  // NOLINTEND(readability-identifier-naming)

  /// Why the text is not JSON, or "", and the byte.
  [[nodiscard]] const std::string& malformed() const { return m_malformed; }
  [[nodiscard]] std::size_t place() const { return m_place; }
  [[nodiscard]] const std::string& duplicate() const { return m_duplicate; }
  [[nodiscard]] Json take() { return std::move(m_root); }

 private:
  /// An object or list whose end is not yet read. Its address is stable, because only the innermost
  /// one grows.
  struct Open {
    Json* value = nullptr;
    std::unordered_set<std::string> keys;
  };

  Json& append(Json value) {
    if (m_open.empty()) return m_root = std::move(value);
    Json& parent = *m_open.back().value;
    if (parent.is_array()) {
      auto& items = parent.get_ref<Json::array_t&>();
      items.push_back(std::move(value));
      return items.back();
    }
    auto& members = parent.get_ref<Json::object_t&>();
    members.emplace_back(std::move(m_key), std::move(value));
    return members.back().second;
  }
  bool put(Json value) {
    append(std::move(value));
    return true;
  }
  bool open(Json value) {
    m_open.push_back({&append(std::move(value)), {}});
    return true;
  }
  bool close() {
    m_open.pop_back();
    return true;
  }

  Json m_root;
  std::vector<Open> m_open;
  std::string m_key;  ///< of the next member
  std::string m_duplicate;
  std::string m_malformed;
  std::size_t m_place = 0;
};

/// Deepest nesting of brackets outside strings; guards the recursive parts of the JSON library,
/// such as the destructor.
std::size_t bracketDepth(std::string_view text) {
  std::size_t depth = 0, deepest = 0;
  bool inString = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inString) {
      if (c == '\\') ++i;
      if (c == '"') inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '{' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

/// What stands in the place of an expected value: a scalar itself, or the kind of the rest.
std::string inWords(const Json& value) {
  if (value.is_number()) return value.dump();
  if (value.is_string()) return "the string \"" + value.get<std::string>() + "\"";
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_array()) return "a list";
  if (value.is_object()) return "an object";
  return "null";
}

}  // namespace

Result<Json> parseJson(std::string_view text, std::string_view source) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return fail(ErrorCode::Invalid, "the input is empty; expected a JSON document",
                std::string(source));
  }
  // The library would take it for the end of the text.
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    return fail(ErrorCode::Invalid, "malformed JSON: the text has a zero byte",
                std::string(source) + ", byte " + std::to_string(zero),
                "Fix the file at that position");
  }
  if (bracketDepth(text) > 200) {
    return fail(ErrorCode::Invalid, "JSON nested deeper than 200 levels", std::string(source));
  }
  DocumentBuilder builder;
  try {
    Json::sax_parse(text.begin(), text.end(), &builder);
  } catch (const std::exception& problem) {
    return fail(ErrorCode::Invalid, std::string("malformed JSON: ") + problem.what(),
                std::string(source));
  }
  if (!builder.malformed().empty()) {
    return fail(ErrorCode::Invalid, "malformed JSON: " + builder.malformed(),
                std::string(source) + ", byte " + std::to_string(builder.place()),
                "Fix the file at that position");
  }
  if (!builder.duplicate().empty()) {
    return fail(ErrorCode::Invalid, builder.duplicate(), std::string(source), "Keep one of them");
  }
  return builder.take();
}

Result<Json> readJsonFile(const std::string& path) {
  STAGELANE_TRY(text, readFile(path));
  return parseJson(*text, path);
}

std::string childPointer(std::string_view pointer, std::string_view key) {
  std::string answer(pointer);
  answer += '/';
  for (const char c : key) {
    if (c == '~') {
      answer += "~0";
    } else if (c == '/') {
      answer += "~1";
    } else {
      answer += c;
    }
  }
  return answer;
}

std::string childPointer(std::string_view pointer, std::size_t index) {
  return std::string(pointer) + "/" + std::to_string(index);
}

Status setAtPointer(Json& document, std::string_view pointer, std::string_view valueText) {
  Json value;
  try {
    value = Json::parse(valueText.begin(), valueText.end());
  } catch (const std::exception&) {
    value = std::string(valueText);
  }
  try {
    const Json::json_pointer place{std::string(pointer)};
    if (!document.contains(place)) {
      return fail(ErrorCode::Invalid, "--set: no value exists at this pointer",
                  std::string(pointer), "Use the pointer of an existing member of the experiment");
    }
    document.at(place) = std::move(value);
  } catch (const nlohmann::json::exception& problem) {
    return fail(ErrorCode::Usage, std::string("--set: not a JSON pointer: ") + problem.what(),
                std::string(pointer), "Use the form --set /variants/0/split_size=8");
  }
  return {};
}

ObjectReader::ObjectReader(const Json& object, std::string pointer)
    : m_object(object), m_pointer(std::move(pointer)) {
  if (!object.is_object()) problem("", "expected an object, found " + inWords(object));
}

bool ObjectReader::has(const std::string& key) {
  m_known.insert(key);
  return m_object.is_object() && m_object.contains(key);
}

const Json* ObjectReader::raw(const std::string& key) {
  return has(key) ? &m_object.at(key) : nullptr;
}

std::string ObjectReader::text(const std::string& key, std::optional<std::string> fallback) {
  const Json* value = raw(key);
  if (value != nullptr && value->is_string()) return value->get<std::string>();
  if (value != nullptr) {
    problem(key, "expected a string, found " + inWords(*value));
  } else if (!fallback) {
    problem(key, "\"" + key + "\" is missing");
  }
  return fallback.value_or("");
}

std::int64_t ObjectReader::integer(const std::string& key, std::optional<std::int64_t> fallback) {
  const Json* value = raw(key);
  if (value != nullptr && value->is_number_integer()) {
    const bool tooLarge = value->is_number_unsigned() &&
                          value->get<std::uint64_t>() >
                              static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (!tooLarge) return value->get<std::int64_t>();
    problem(key, "the number is too large");
  } else if (value != nullptr) {
    problem(key, "expected an integer, found " + inWords(*value));
  } else if (!fallback) {
    problem(key, "\"" + key + "\" is missing");
  }
  return fallback.value_or(0);
}

double ObjectReader::number(const std::string& key, std::optional<double> fallback) {
  const Json* value = raw(key);
  if (value != nullptr && value->is_number()) {
    const double answer = value->get<double>();
    if (std::isfinite(answer)) return answer;
    problem(key, "the number is not finite");
  } else if (value != nullptr) {
    problem(key, "expected a number, found " + inWords(*value));
  } else if (!fallback) {
    problem(key, "\"" + key + "\" is missing");
  }
  return fallback.value_or(0.0);
}

bool ObjectReader::boolean(const std::string& key, std::optional<bool> fallback) {
  const Json* value = raw(key);
  if (value != nullptr && value->is_boolean()) return value->get<bool>();
  if (value != nullptr) {
    problem(key, "expected true or false, found " + inWords(*value));
  } else if (!fallback) {
    problem(key, "\"" + key + "\" is missing");
  }
  return fallback.value_or(false);
}

std::vector<std::int64_t> ObjectReader::integers(
    const std::string& key, std::optional<std::vector<std::int64_t>> fallback) {
  const Json* value = raw(key);
  if (value == nullptr) {
    if (!fallback) problem(key, "\"" + key + "\" is missing");
    return fallback.value_or(std::vector<std::int64_t>{});
  }
  if (!value->is_array()) {
    problem(key, "expected a list of integers, found " + inWords(*value));
    return {};
  }
  std::vector<std::int64_t> answer;
  for (const Json& item : *value) {
    if (item.is_number_integer()) {
      answer.push_back(item.get<std::int64_t>());
    } else {
      problem(key, "expected a list of integers, found " + inWords(item) + " in it");
    }
  }
  return answer;
}

std::string ObjectReader::oneOf(const std::string& key,
                                std::initializer_list<std::string_view> words,
                                std::optional<std::string> fallback) {
  const bool present = has(key);
  const std::string value = text(key, std::move(fallback));
  if (!present || m_error) return value;
  if (contains(words, std::string_view(value))) return value;
  std::string list;
  for (const std::string_view candidate : words) {
    list += (list.empty() ? "" : ", ") + std::string(candidate);
  }
  problem(key, "\"" + value + "\" is not a valid value", "Use one of: " + list);
  return value;
}

void ObjectReader::problem(const std::string& key, std::string message, std::string hint) {
  if (m_error) return;
  m_error = Error{ErrorCode::Invalid, std::move(message), pointerOf(key), std::move(hint)};
}

std::string ObjectReader::pointerOf(const std::string& key) const {
  if (!key.empty()) return childPointer(m_pointer, key);
  return m_pointer.empty() ? "/" : m_pointer;
}

Status ObjectReader::finish() {
  if (m_error) return tl::make_unexpected(*m_error);
  for (const auto& member : m_object.items()) {
    if (m_known.count(member.key()) != 0) continue;
    const std::vector<std::string> known(m_known.begin(), m_known.end());
    const std::string similar = nearest(member.key(), known);
    const std::string list = joined(known);
    return fail(ErrorCode::Invalid, "unknown key \"" + member.key() + "\"", pointerOf(member.key()),
                similar.empty() ? "Known keys: " + list
                                : "Did you mean \"" + similar + "\"? Known keys: " + list);
  }
  return {};
}

}  // namespace stagelane
