#pragma once

/// Interns texts as numbers, looked up by view without creating a string each time; for importers
/// of millions of events.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace stagelane::trace {

class TextNumbers {
 public:
  TextNumbers() = default;
  TextNumbers(const TextNumbers&) = delete;
  TextNumbers& operator=(const TextNumbers&) = delete;

  /// The number of a text, counted from 0 in the order of first use.
  [[nodiscard]] std::uint32_t number(std::string_view text) {
    const auto known = m_numbers.find(text);
    if (known != m_numbers.end()) return known->second;
    const auto next = static_cast<std::uint32_t>(m_texts.size());
    const auto added = m_numbers.emplace(std::string(text), next).first;
    m_texts.push_back(&added->first);  // nodes of the map do not move
    return next;
  }
  [[nodiscard]] const std::string& text(std::uint32_t number) const { return *m_texts[number]; }
  [[nodiscard]] std::size_t size() const { return m_texts.size(); }
  /// All texts by number.
  [[nodiscard]] std::vector<std::string> texts() const {
    std::vector<std::string> all;
    all.reserve(m_texts.size());
    for (const std::string* const text : m_texts) all.push_back(*text);
    return all;
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> m_numbers;
  std::vector<const std::string*> m_texts;
};

}  // namespace stagelane::trace
