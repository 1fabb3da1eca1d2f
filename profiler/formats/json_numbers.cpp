#include "profiler/formats/json_numbers.h"

#include <charconv>
#include <cmath>

#include "engine/trace/trace.h"

namespace stagelane::formats::detail {
namespace {

constexpr std::int64_t kNsPerUs = 1000;

bool isDigit(char character) { return character >= '0' && character <= '9'; }

/// Up to three decimals as ns, rounded by the fourth. Empty if other characters follow.
std::optional<std::int64_t> decimals(std::string_view text) {
  std::int64_t value = 0;
  for (std::size_t place = 0; place < 3; ++place) {
    const bool there = place < text.size();
    if (there && !isDigit(text[place])) return std::nullopt;
    value = value * 10 + (there ? text[place] - '0' : 0);
  }
  for (std::size_t place = 3; place < text.size(); ++place) {
    if (!isDigit(text[place])) return std::nullopt;
  }
  return value + (text.size() > 3 && text[3] >= '5' ? 1 : 0);
}

std::optional<TimeNs> byDouble(std::string_view token) {
  double value = 0.0;
  const auto read = std::from_chars(token.data(), token.data() + token.size(), value);
  const double nanos = value * static_cast<double>(kNsPerUs);
  if (read.ec != std::errc() || read.ptr != token.data() + token.size() ||
      !(std::abs(nanos) < static_cast<double>(trace::kLargestTimeNs))) {
    return std::nullopt;
  }
  return static_cast<TimeNs>(std::llround(nanos));
}

}  // namespace

std::string_view trimmed(std::string_view token) {
  while (!token.empty() && (token.back() == ' ' || token.back() == '\n' || token.back() == '\r' ||
                            token.back() == '\t')) {
    token.remove_suffix(1);
  }
  return token;
}

std::string_view unquoted(std::string_view token) {
  const bool quoted = token.size() >= 2 && token.front() == '"' && token.back() == '"';
  return quoted ? token.substr(1, token.size() - 2) : token;
}

std::optional<std::int64_t> wholeNumber(std::string_view text) {
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return whole ? std::optional(value) : std::nullopt;
}

std::optional<TimeNs> nanoseconds(std::string_view token) {
  token = unquoted(trimmed(token));
  const std::size_t point = std::min(token.find('.'), token.size());
  std::int64_t whole = 0;
  const auto read = std::from_chars(token.data(), token.data() + point, whole);
  const std::optional<std::int64_t> rest =
      read.ec == std::errc() && read.ptr == token.data() + point
          ? decimals(token.substr(std::min(point + 1, token.size())))
          : std::nullopt;
  constexpr std::int64_t kMostUs = trace::kLargestTimeNs / kNsPerUs;
  if (rest && whole < kMostUs && whole > -kMostUs) {
    return whole * kNsPerUs + (token.front() == '-' ? -*rest : *rest);
  }
  return byDouble(token);
}

}  // namespace stagelane::formats::detail
