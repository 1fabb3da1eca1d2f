#pragma once

/// Perfetto's debug annotations as JSON, for conversions. Internal to profiler/formats.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "profiler/formats/json_members.h"
#include "profiler/formats/raw_trace.h"

namespace stagelane::formats::detail {

/// Interned texts of a writer, as texts of the pool.
using Texts = std::unordered_map<std::uint64_t, std::uint32_t>;
/// 0, the empty text, if it is unknown.
[[nodiscard]] std::uint32_t lookUp(const Texts& texts, std::uint64_t iid);

class AnnotationJson {
 public:
  /// With the interned names and strings of the writer.
  AnnotationJson(TextPool& texts, JsonMinifier& minifier, const Texts& names, const Texts& strings)
      : m_texts(texts), m_minifier(minifier), m_names(names), m_strings(strings) {}

  /// The value of an annotation, or "". Truncates deep trees.
  /// @throws protozero::exception on malformed bytes
  [[nodiscard]] std::string of(std::string_view annotation) { return valueOf(annotation, 0); }

 private:
  [[nodiscard]] std::string valueOf(std::string_view annotation, int depth);
  [[nodiscard]] const std::string& nameOf(std::string_view annotation);

  TextPool& m_texts;
  JsonMinifier& m_minifier;
  const Texts& m_names;
  const Texts& m_strings;
};

}  // namespace stagelane::formats::detail
