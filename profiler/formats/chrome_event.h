#pragma once

/// One event of a Chrome trace, as in its JSON object. Internal to profiler/formats.

#include <simdjson.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "profiler/formats/raw_trace.h"

namespace stagelane::formats::detail {

/// Texts are in the pool of the trace.
struct ChromeEvent {
  char phase = 0;
  bool hasTime = false;
  bool badTime = false;    ///< `ts` or `dur` is not a time
  bool enclosing = false;  ///< a flow's `bp` is "e"
  TimeNs ts = 0;
  TimeNs dur = 0;
  std::uint32_t name = 0;
  std::uint32_t category = 0;
  std::uint32_t pid = 0;
  std::uint32_t tid = 0;
  std::uint32_t id = 0;  ///< of flows and async events
  RawArguments arguments;
  std::string_view argumentText;  ///< `args` unchanged, if requested
  char scope = 0;                 ///< `s` of an instant
  std::uint32_t argName = 0;      ///< args.name of M events
  std::uint32_t argKind = 0;      ///< args.stagelane_kind, Stagelane's own
  std::uint32_t argUnit = 0;      ///< args.unit of counters, Stagelane's own
  bool predicted = false;
  std::int64_t dropped = 0;
  std::vector<std::pair<std::uint32_t, double>> values;   ///< numbers of args, C events
  std::vector<std::uint64_t> flowsOut, flowsIn;           ///< Stagelane's own
  std::vector<std::pair<std::string, std::string>> meta;  ///< Stagelane's own

  /// Resets the event but keeps the memory of its lists.
  void clear();
};

class ChromeEventParser {
 public:
  /// @param keepsText whether to keep `argumentText` and `scope`
  ChromeEventParser(TextPool& texts, bool keepsText) : m_texts(texts), m_keepsText(keepsText) {}

  /// False if the object is malformed. @pre 64 bytes are readable after it
  [[nodiscard]] bool parse(std::string_view object, ChromeEvent& event);

 private:
  using Value = simdjson::ondemand::value;
  void readFields(ChromeEvent& event);
  void readField(std::string_view key, Value value, ChromeEvent& event);
  void readArguments(Value value, ChromeEvent& event);
  void readValue(std::uint32_t series, std::string_view token, ChromeEvent& event);
  [[nodiscard]] std::uint32_t seriesOf(simdjson::ondemand::field& field, std::string_view key);
  void readText(std::string_view key, std::uint32_t text, ChromeEvent& event);
  void takeNumber(std::string_view key, std::int64_t number, ChromeEvent& event);
  void readNumber(std::string_view key, std::string_view token, ChromeEvent& event);
  void readMeta(Value value, ChromeEvent& event);
  [[nodiscard]] std::uint32_t textOf(Value value);
  [[nodiscard]] std::string_view stringOf(Value value);
  static void readFlows(Value value, std::vector<std::uint64_t>& flows);

  TextPool& m_texts;
  simdjson::ondemand::parser m_parser;
  simdjson::ondemand::document m_document;
  bool m_valuesLeftOut = false;
  bool m_keepsText = false;
};

}  // namespace stagelane::formats::detail
