#include "engine/base/json.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/files.h"
#include "engine/base/find.h"
#include "engine/base/text.h"

namespace stagelane {
namespace {

/// Rejects an object with a duplicate key, which nlohmann would silently overwrite, and nesting so
/// deep that freeing it would overflow the stack.
class StrictParse {
 public:
  bool operator()(int depth, Json::parse_event_t event, Json& value) {
    if (depth > kMaxDepth) m_problem = "nested deeper than 200 levels";
    switch (event) {
      case Json::parse_event_t::object_start: m_keys.emplace_back(); break;
      case Json::parse_event_t::object_end:
        if (!m_keys.empty()) m_keys.pop_back();
        break;
      case Json::parse_event_t::key: {
        const std::string& key = value.get_ref<const std::string&>();
        if (!m_keys.empty() && !m_keys.back().insert(key).second && m_problem.empty()) {
          m_problem = "the key \"" + key + "\" appears twice in one object";
        }
        break;
      }
      default: break;
    }
    return true;
  }
  [[nodiscard]] const std::string& problem() const { return m_problem; }

 private:
  static constexpr int kMaxDepth = 200;
  std::vector<std::set<std::string>> m_keys;
  std::string m_problem;
};

/// Deepest nesting of brackets outside strings; guards the recursive parts of the JSON library.
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

std::string typeName(const Json& value) {
  if (value.is_number_integer()) return "an integer";
  if (value.is_number()) return "a number";
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
  if (bracketDepth(text) > 200) {
    return fail(ErrorCode::Invalid, "JSON nested deeper than 200 levels", std::string(source));
  }
  StrictParse strict;
  try {
    Json document = Json::parse(text.begin(), text.end(), std::ref(strict));
    if (!strict.problem().empty()) {
      return fail(ErrorCode::Invalid, strict.problem(), std::string(source), "Keep one of them");
    }
    return document;
  } catch (const nlohmann::json::parse_error& problem) {
    std::string what = problem.what();
    if (const auto bracket = what.find("] "); bracket != std::string::npos) {
      what = what.substr(bracket + 2);
    }
    return fail(ErrorCode::Invalid, "malformed JSON: " + what,
                std::string(source) + ", byte " + std::to_string(problem.byte),
                "Fix the file at that position");
  } catch (const std::exception& problem) {
    return fail(ErrorCode::Invalid, std::string("malformed JSON: ") + problem.what(),
                std::string(source));
  }
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
  if (!object.is_object()) problem("", "expected an object, found " + typeName(object));
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
    problem(key, "expected a string, found " + typeName(*value));
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
    problem(key, "expected an integer, found " + typeName(*value));
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
    problem(key, "expected a number, found " + typeName(*value));
  } else if (!fallback) {
    problem(key, "\"" + key + "\" is missing");
  }
  return fallback.value_or(0.0);
}

bool ObjectReader::boolean(const std::string& key, std::optional<bool> fallback) {
  const Json* value = raw(key);
  if (value != nullptr && value->is_boolean()) return value->get<bool>();
  if (value != nullptr) {
    problem(key, "expected true or false, found " + typeName(*value));
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
  std::vector<std::int64_t> answer;
  const bool isList = value->is_array();
  bool good = isList;
  for (std::size_t i = 0; isList && i < value->size(); ++i) {
    const Json& item = (*value)[i];
    if (item.is_number_integer()) {
      answer.push_back(item.get<std::int64_t>());
    } else {
      good = false;
    }
  }
  if (!good) problem(key, "expected a list of integers");
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
