#include "profiler/formats/chrome_event.h"

#include <charconv>
#include <cmath>

#include "profiler/formats/json_numbers.h"

namespace stagelane::formats::detail {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::size_t kPadding = simdjson::SIMDJSON_PADDING;

/// A raw key. No key of interest contains escapes.
std::string_view keyOf(ondemand::field& field) {
  const char* const begin = field.key().raw();
  const char* end = begin;
  while (*end != '"') end += *end == '\\' ? 2 : 1;
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

void ChromeEvent::clear() {
  ChromeEvent fresh;
  fresh.values.swap(values);
  fresh.flowsOut.swap(flowsOut);
  fresh.flowsIn.swap(flowsIn);
  fresh.meta.swap(meta);
  *this = std::move(fresh);
  values.clear();
  flowsOut.clear();
  flowsIn.clear();
  meta.clear();
}

bool ChromeEventParser::parse(std::string_view object, ChromeEvent& event) {
  event.clear();
  m_valuesLeftOut = false;
  try {
    m_document = m_parser.iterate(object.data(), object.size(), object.size() + kPadding);
    readFields(event);
    if (m_valuesLeftOut && event.phase == 'C') {
      m_document.rewind();
      const char phase = event.phase;
      event.clear();
      event.phase = phase;
      readFields(event);
    }
  } catch (const simdjson::simdjson_error&) {
    return false;
  }
  return true;
}

void ChromeEventParser::readFields(ChromeEvent& event) {
  for (ondemand::field field : m_document.get_object()) {
    readField(keyOf(field), field.value(), event);
  }
}

std::string_view ChromeEventParser::stringOf(Value value) {
  const std::string_view token = trimmed(value.raw_json_token());
  if (token.size() < 2 || token.front() != '"') {
    throw simdjson::simdjson_error(simdjson::INCORRECT_TYPE);
  }
  if (token.find('\\') == std::string_view::npos) return unquoted(token);
  return value.get_string();
}

std::uint32_t ChromeEventParser::textOf(Value value) {
  const std::string_view token = trimmed(value.raw_json_token());
  return m_texts.id(!token.empty() && token.front() == '"' ? stringOf(value) : token);
}

void ChromeEventParser::readField(std::string_view key, Value value, ChromeEvent& event) {
  const auto readTime = [&event](std::string_view token, TimeNs& timeNs) {
    const std::optional<TimeNs> read = nanoseconds(token);
    timeNs = read.value_or(0);
    event.badTime |= !read;
  };
  if (key == "ph") {
    const std::string_view phase = stringOf(value);
    event.phase = phase.size() == 1 ? phase.front() : '\0';
  } else if (key == "ts") {
    event.hasTime = true;
    readTime(value.raw_json_token(), event.ts);
  } else if (key == "dur") {
    readTime(value.raw_json_token(), event.dur);
    event.badTime |= event.dur < 0;
  } else if (key == "name") {
    event.name = textOf(value);
  } else if (key == "cat") {
    event.category = m_texts.id(stringOf(value));
  } else if (key == "pid") {
    event.pid = textOf(value);
  } else if (key == "tid") {
    event.tid = textOf(value);
  } else if (key == "id") {
    event.id = textOf(value);
  } else if (key == "bp") {
    event.enclosing = stringOf(value) == "e";
  } else if (key == "args" && value.type() == ondemand::json_type::object) {
    readArguments(value, event);
  } else if (key == "flows_out" && value.type() == ondemand::json_type::array) {
    readFlows(value, event.flowsOut);
  } else if (key == "flows_in" && value.type() == ondemand::json_type::array) {
    readFlows(value, event.flowsIn);
  } else if (m_keepsText && key == "s") {
    const std::string_view scope = stringOf(value);
    event.scope = scope.size() == 1 ? scope.front() : '\0';
  }
}

void ChromeEventParser::readArguments(Value value, ChromeEvent& event) {
  ondemand::object object = value.get_object();
  if (m_keepsText) {
    event.argumentText = object.raw_json();
    object.reset();
  }
  for (ondemand::field field : object) {
    const std::string_view key = keyOf(field);
    const std::uint32_t series = event.phase == 'C' ? seriesOf(field, key) : 0;
    Value argument = field.value();
    switch (argument.type()) {
      case ondemand::json_type::string:
        readValue(series, unquoted(trimmed(argument.raw_json_token())), event);
        if (RawArguments::isKnown(key) || key == "name" || key == "stagelane_kind" ||
            key == "unit") {
          readText(key, m_texts.id(stringOf(argument)), event);
        }
        break;
      case ondemand::json_type::number:
        readValue(series, trimmed(argument.raw_json_token()), event);
        readNumber(key, trimmed(argument.raw_json_token()), event);
        break;
      case ondemand::json_type::object:
        if (key == "meta") readMeta(argument, event);
        break;
      case ondemand::json_type::array:
        if (key == "flows_out") {
          readFlows(argument, event.flowsOut);
        } else if (key == "flows_in") {
          readFlows(argument, event.flowsIn);
        }
        break;
      default: break;
    }
  }
}

std::uint32_t ChromeEventParser::seriesOf(ondemand::field& field, std::string_view key) {
  const bool escaped = key.find('\\') != std::string_view::npos;
  return m_texts.id(escaped ? std::string_view(field.unescaped_key()) : key);
}

/// One value of a counter: a number, or a string with one.
void ChromeEventParser::readValue(std::uint32_t series, std::string_view token,
                                  ChromeEvent& event) {
  m_valuesLeftOut |= event.phase == 0;
  if (event.phase != 'C') return;
  double real = 0.0;
  const char* const end = token.data() + token.size();
  const auto read = std::from_chars(token.data(), end, real);
  if (read.ec == std::errc() && read.ptr == end && std::isfinite(real)) {
    event.values.emplace_back(series, real);
  }
}

void ChromeEventParser::readMeta(Value value, ChromeEvent& event) {
  for (ondemand::field field : value.get_object()) {
    std::string key{std::string_view(field.unescaped_key())};
    event.meta.emplace_back(std::move(key), std::string(stringOf(field.value())));
  }
}

void ChromeEventParser::readFlows(Value value, std::vector<std::uint64_t>& flows) {
  for (Value number : value.get_array()) flows.push_back(number.get_uint64());
}

void ChromeEventParser::readText(std::string_view key, std::uint32_t text, ChromeEvent& event) {
  if (key == "name") {
    event.argName = text;
  } else if (key == "stagelane_kind") {
    event.argKind = text;
  } else if (key == "unit") {
    event.argUnit = text;
  } else if (const std::optional<std::int64_t> number = wholeNumber(m_texts.text(text));
             number && key != "peer" && key != "action") {
    takeNumber(key, *number, event);
  } else {
    event.arguments.take(key, std::nullopt, text);
  }
}

/// Kineto's peer device of a copy between two GPUs.
constexpr std::string_view kKinetoPeer = "toDevice";

void ChromeEventParser::readNumber(std::string_view key, std::string_view token,
                                   ChromeEvent& event) {
  const bool own = key == "predicted" || key == "dropped" || key == kKinetoPeer;
  if (!own && !RawArguments::isKnown(key)) return;
  const std::optional<std::int64_t> number = wholeNumber(token);
  if (!number) {
    event.arguments.take(key, std::nullopt, 0);
  } else if (key == "predicted") {
    event.predicted = *number != 0;
  } else if (key == "dropped") {
    event.dropped = std::max<std::int64_t>(0, *number);
  } else {
    takeNumber(key, *number, event);
  }
}

void ChromeEventParser::takeNumber(std::string_view key, std::int64_t number, ChromeEvent& event) {
  if (key == "device" || key == kKinetoPeer) {
    const std::uint32_t text = number >= 0 ? m_texts.id("cuda:" + std::to_string(number)) : 0;
    event.arguments.take(key == "device" ? key : "peer", number, text);
  } else {
    event.arguments.take(key, number, 0);
  }
}

}  // namespace stagelane::formats::detail
