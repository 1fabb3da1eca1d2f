#pragma once

/// Writes pieces of JSON for Chrome traces. Internal to profiler/formats.

#include <string>
#include <string_view>

#include "engine/base/ids.h"
#include "engine/trace/trace.h"

namespace stagelane::formats::detail {

/// Nanoseconds as microseconds with three decimals, exactly.
[[nodiscard]] std::string micros(TimeNs timeNs);

/// A JSON string with quotes; invalid UTF-8 becomes replacement characters.
[[nodiscard]] std::string jsonText(std::string_view text);

/// The number at the end of a kernel track's name ("stream 7"), else `otherwise`.
[[nodiscard]] std::uint32_t streamOf(const trace::Track& track, std::uint32_t otherwise);

/// Collects `"key":value` pairs of one object.
class JsonMembers {
 public:
  void put(std::string_view key, std::string_view value) {
    m_text += m_text.empty() ? "\"" : ",\"";
    m_text += key;
    m_text += "\":";
    m_text += value;
  }
  /// Adds pairs unchanged.
  void putAll(std::string_view members) {
    m_text += m_text.empty() || members.empty() ? "" : ",";
    m_text += members;
  }
  [[nodiscard]] bool empty() const { return m_text.empty(); }
  [[nodiscard]] const std::string& members() const { return m_text; }
  [[nodiscard]] std::string object() const { return '{' + m_text + '}'; }

 private:
  std::string m_text;
};

}  // namespace stagelane::formats::detail
