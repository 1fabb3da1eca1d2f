#include "engine/model/python_text.h"

#include <array>
#include <charconv>

namespace stagelane::model::detail {

std::string pythonFloat(double value) {
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::scientific)
                       .ptr;
  std::string scientific(buffer.data(), end);
  const std::size_t mark = scientific.find('e');
  if (mark == std::string::npos) return scientific;
  const int exponent = std::stoi(scientific.substr(mark + 1));
  if (exponent < -4 || exponent >= 16) return scientific;
  const auto fixedEnd =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed)
          .ptr;
  std::string fixed(buffer.data(), fixedEnd);
  if (fixed.find('.') == std::string::npos) fixed += ".0";
  return fixed;
}

std::string withThousands(std::int64_t value) {
  const std::string digits = std::to_string(value);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const std::size_t left = digits.size() - i;
    if (!text.empty() && text != "-" && left % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string alignRight(const std::string& text, std::size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

}  // namespace stagelane::model::detail
