#include "engine/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "engine/base/apportion.h"

namespace stagelane {
namespace {

/// A slug becomes part of a file name, which file systems limit to 255 bytes.
constexpr std::size_t kLongestSlug = 100;

/// Three significant digits, never in exponent form.
std::string significant(double value) {
  const double magnitude = std::abs(value);
  const int decimals = magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : 2;
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value);
  return buffer.data();
}

std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      const std::size_t substitution = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({row[j - 1] + 1, above + 1, substitution});
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace

std::string slug(std::string_view name) {
  std::string answer;
  for (const char raw : name) {
    const char c = (raw >= 'A' && raw <= 'Z') ? static_cast<char>(raw - 'A' + 'a') : raw;
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (plain) {
      answer += c;
    } else if (!answer.empty() && answer.back() != '-') {
      answer += '-';
    }
  }
  if (answer.size() > kLongestSlug) answer.resize(kLongestSlug);
  while (!answer.empty() && answer.back() == '-') answer.pop_back();
  return answer.empty() ? "variant" : answer;
}

std::string uniqueSlug(std::string_view name, std::set<std::string>& taken) {
  const std::string base = slug(name);
  std::string candidate = base;
  for (int number = 2; !taken.insert(candidate).second; ++number) {
    candidate = base + "-" + std::to_string(number);
  }
  return candidate;
}

std::string humanBytes(Bytes bytes) {
  static constexpr std::array<const char*, 6> kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (std::abs(value) >= 1024.0 && unit + 1 < kUnits.size()) {
    value /= 1024.0;
    ++unit;
  }
  std::array<char, 64> buffer{};
  const bool whole = unit == 0 || std::abs(value) >= 99.95;
  std::snprintf(buffer.data(), buffer.size(), whole ? "%.0f %s" : "%.1f %s", value, kUnits[unit]);
  return buffer.data();
}

std::string humanTime(double nanoseconds) {
  const double magnitude = std::abs(nanoseconds);
  if (magnitude < 999.5) {
    std::array<char, 64> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.0f ns", nanoseconds);
    return buffer.data();
  }
  if (magnitude < 999.5e3) return significant(nanoseconds / 1e3) + " µs";
  if (magnitude < 999.5e6) return significant(nanoseconds / 1e6) + " ms";
  return significant(nanoseconds / 1e9) + " s";
}

std::string humanPercent(double share) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f %%", 100.0 * share);
  return text.data();
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

Result<Bytes> parseBytes(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, double>, 10> kUnits{{{"KiB", 0x1p10},
                                                                               {"MiB", 0x1p20},
                                                                               {"GiB", 0x1p30},
                                                                               {"TiB", 0x1p40},
                                                                               {"kB", 1e3},
                                                                               {"KB", 1e3},
                                                                               {"MB", 1e6},
                                                                               {"GB", 1e9},
                                                                               {"TB", 1e12},
                                                                               {"B", 1.0}}};
  const auto bad = [&] {
    return fail(ErrorCode::Invalid, "\"" + std::string(text) + "\" is not a size", {},
                "Use a number and a unit, such as \"8GiB\", \"500MB\" or \"1024\"");
  };
  double number = 0.0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc{} || !std::isfinite(number) || number < 0.0) return bad();
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  double factor = unit.empty() ? 1.0 : 0.0;
  for (const auto& entry : kUnits) {
    if (entry.first == unit) factor = entry.second;
  }
  const double bytes = number * factor;
  if (factor == 0.0 || bytes >= 0x1p62) return bad();
  return static_cast<Bytes>(std::llround(bytes));
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t bestDistance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = editDistance(word, candidate);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  }
  return best;
}

std::vector<double> roundedPercentages(const std::vector<TimeNs>& parts, int decimals) {
  const double scale = std::pow(10.0, decimals);
  std::vector<double> answer;
  for (const std::int64_t units : apportioned(parts, std::llround(100.0 * scale))) {
    answer.push_back(static_cast<double>(units) / scale);
  }
  return answer;
}

}  // namespace stagelane
