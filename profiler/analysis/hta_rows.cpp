#include "profiler/analysis/hta_rows.h"

#include <simdjson.h>

#include <cctype>
#include <charconv>
#include <cmath>

namespace stagelane::analysis::detail {
namespace {

namespace ondemand = simdjson::ondemand;
using ondemand::json_type;

/// Columns and types of a data frame of the events.
struct Columns {
  bool start = false;
  bool duration = false;
  bool category = false;
  bool arguments = false;
  bool startIsFloat = false;  ///< has a real number or a missing value
};

/// One member as pandas reads it.
enum class Cell : std::uint8_t { Absent, Number, Text };

struct RawRow {
  HtaRow row;
  double durationUs = 0.0;
  Cell start = Cell::Absent;
  Cell duration = Cell::Absent;
  Cell category = Cell::Absent;
  Cell name = Cell::Absent;
  bool textCorrelation = false;
  bool argumentDevice = false;
};

/// Python's int() of a string: optional white space around, one sign, digits.
std::int64_t streamOf(std::string_view text) {
  const auto isBlank = [](char character) { return character == ' ' || character == '\t'; };
  while (!text.empty() && isBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && isBlank(text.back())) text.remove_suffix(1);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  std::int64_t value = -1;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc{} && read.ptr == text.data() + text.size() ? value : -1;
}

std::int64_t truncated(double value) {
  constexpr double kLargest = 9e18;
  return std::abs(value) < kLargest ? static_cast<std::int64_t>(value) : -1;
}

/// HTA parses "ProfilerStep", white space, "#", white space, digits.
bool isStepWithoutNumber(std::string_view name) {
  constexpr std::string_view kStep = "ProfilerStep";
  static constexpr std::string_view kBlanks = " \t\n\r\f\v\x1c\x1d\x1e\x1f";
  if (name.substr(0, kStep.size()) != kStep) return false;
  name.remove_prefix(kStep.size());
  const auto skipBlanks = [&name] {
    name.remove_prefix(std::min(name.find_first_not_of(kBlanks), name.size()));
  };
  skipBlanks();
  if (name.empty() || name.front() != '#') return true;
  name.remove_prefix(1);
  skipBlanks();
  return name.empty() || name.front() < '0' || name.front() > '9';
}

class RowReader {
 public:
  explicit RowReader(HtaTable& table) : m_table(table) { textId(""); }

  /// @throws simdjson::simdjson_error
  void read(ondemand::document& document) {
    if (document.type() != json_type::object) {
      refuse("AttributeError", "the file is not a JSON object");
      return;
    }
    bool found = false;
    for (ondemand::field field : document.get_object()) {
      if (field.unescaped_key().value() == "traceEvents") {
        found = true;
        m_table.rows.clear();
        readEvents(field.value());
      }
    }
    if (!found) refuse("AttributeError", "the file has no traceEvents");
    finish();
  }

 private:
  void refuse(const char* type, std::string message) {
    if (!m_table.refused) m_table.refused = HtaException{type, std::move(message)};
  }

  std::uint32_t textId(std::string_view text) {
    const auto [place, isNew] =
        m_texts.try_emplace(std::string(text), static_cast<std::uint32_t>(m_table.texts.size()));
    if (isNew) m_table.texts.emplace_back(text);
    return place->second;
  }

  void readEvents(ondemand::value value) {
    if (value.type() != json_type::array) return;
    std::uint32_t index = 0;
    for (auto element : value.get_array()) {
      ondemand::value event = element.value();
      if (event.type() != json_type::object) {
        refuse("TypeError", "entry " + std::to_string(index) + " of traceEvents is not an object");
        return;
      }
      RawRow raw;
      raw.row.index = index++;
      for (ondemand::field field : event.get_object()) {
        const std::string_view key = field.unescaped_key();
        readMember(key, field.value(), raw);
      }
      keep(raw);
    }
  }

  /// A number, or the kind of another value.
  static Cell number(ondemand::value value, double& into) {
    switch (value.type().value()) {
      case json_type::number: into = value.get_double(); return Cell::Number;
      case json_type::boolean: into = value.get_bool() ? 1.0 : 0.0; return Cell::Number;
      case json_type::null: return Cell::Absent;
      default: return Cell::Text;
    }
  }

  Cell text(ondemand::value value, std::uint32_t& into) {
    switch (value.type().value()) {
      case json_type::string: into = textId(value.get_string()); return Cell::Text;
      case json_type::null: return Cell::Absent;
      default: return Cell::Number;
    }
  }

  void readMember(std::string_view key, ondemand::value value, RawRow& raw) {
    if (key == "ts") {
      m_columns.start = true;
      const bool real = value.type() == json_type::number &&
                        value.get_number_type() == ondemand::number_type::floating_point_number;
      m_columns.startIsFloat |= real;
      raw.start = number(value, raw.row.startUs);
    } else if (key == "dur") {
      m_columns.duration = true;
      raw.duration = number(value, raw.durationUs);
    } else if (key == "cat") {
      m_columns.category = true;
      raw.category = text(value, raw.row.category);
    } else if (key == "name") {
      raw.name = text(value, raw.row.name);
    } else if (key == "pid" && !raw.argumentDevice) {
      raw.row.device = deviceText(value);
    } else if (key == "args") {
      m_columns.arguments = true;
      if (value.type() == json_type::object) {
        for (ondemand::field field : value.get_object()) {
          const std::string_view name = field.unescaped_key();
          readArgument(name, field.value(), raw);
        }
      }
    }
  }

  std::uint32_t deviceText(ondemand::value value) {
    if (value.type() == json_type::string) return textId(value.get_string());
    std::string_view token = value.raw_json_token();
    while (!token.empty() && std::isspace(static_cast<unsigned char>(token.back())) != 0) {
      token.remove_suffix(1);
    }
    return textId(token);
  }

  void readArgument(std::string_view name, ondemand::value value, RawRow& raw) {
    if (name == "stream") {
      double real = -1.0;
      raw.row.stream = value.type() == json_type::string     ? streamOf(value.get_string())
                       : number(value, real) == Cell::Number ? truncated(real)
                                                             : -1;
    } else if (name == "correlation") {
      raw.textCorrelation = number(value, raw.row.correlation) == Cell::Text;
    } else if (name == "device") {
      raw.argumentDevice = true;
      raw.row.device = deviceText(value);
    }
  }

  /// HTA's dropna and checks that depend on one event.
  void keep(RawRow& raw) {
    m_columns.startIsFloat |= raw.start == Cell::Absent;
    if (raw.start == Cell::Text || raw.duration == Cell::Text) {
      refuse("TypeError",
             "ts or dur of entry " + std::to_string(raw.row.index) + " is not a number");
    }
    const bool kept = raw.start == Cell::Number && raw.duration == Cell::Number &&
                      raw.category != Cell::Absent && m_table.texts[raw.row.category] != "Trace";
    if (!kept) return;
    m_nameMissing |= raw.name == Cell::Absent;
    m_noText |= raw.name == Cell::Number || raw.category == Cell::Number;
    m_textCorrelation |= raw.textCorrelation;
    raw.row.endUs = raw.row.startUs + raw.durationUs;
    m_table.rows.push_back(raw.row);
  }

  void finish() {
    if (!m_columns.start) refuse("KeyError", "no event has a ts");
    if (!m_columns.duration || !m_columns.category) {
      refuse("KeyError", "no event has a dur, or no event has a cat");
    }
    if (!m_columns.arguments) refuse("KeyError", "no event has args, so there are no streams");
    if (m_table.rows.empty()) refuse("AttributeError", "no event has a ts, a dur and a cat");
    if (m_noText) refuse("ValueError", "a name or a cat is not a string");
    if (m_nameMissing) refuse("TypeError", "an event with a duration has no name");
    if (m_textCorrelation) refuse("TypeError", "a correlation is a string");
    if (m_columns.startIsFloat) {
      for (HtaRow& row : m_table.rows) {
        row.startUs = std::ceil(row.startUs);
        row.endUs = std::floor(row.endUs);
      }
    }
    for (const HtaRow& row : m_table.rows) checkStep(m_table.texts[row.name]);
  }

  void checkStep(const std::string& name) {
    if (isStepWithoutNumber(name)) {
      refuse("AttributeError", "\"" + name + "\" is not a ProfilerStep# with a number");
    }
  }

  HtaTable& m_table;
  std::unordered_map<std::string, std::uint32_t> m_texts;
  Columns m_columns;
  bool m_nameMissing = false;
  bool m_noText = false;
  bool m_textCorrelation = false;
};

bool startsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

HtaKind htaKindOf(std::string_view name) {
  // The dot of HTA's patterns does not match a line feed.
  const std::string_view line = name.substr(0, name.find('\n'));
  if (startsWith(line, "nccl") && contains(line.substr(4), "Kernel")) return HtaKind::Communication;
  if (startsWith(line, "Memcpy") || startsWith(line, "Memset") || startsWith(line, "dma")) {
    return HtaKind::Memory;
  }
  return contains(line, "Memcpy") || contains(line, "Sync") ? HtaKind::Other : HtaKind::Computation;
}

HtaTable readHtaRows(std::string& bytes) {
  HtaTable table;
  bytes.reserve(bytes.size() + simdjson::SIMDJSON_PADDING);
  try {
    ondemand::parser parser(bytes.size() + simdjson::SIMDJSON_PADDING);
    ondemand::document document = parser.iterate(bytes.data(), bytes.size(), bytes.capacity());
    RowReader(table).read(document);
  } catch (const simdjson::simdjson_error& problem) {
    table.rows.clear();
    table.refused = HtaException{"JSONDecodeError", problem.what()};
  }
  return table;
}

}  // namespace stagelane::analysis::detail
