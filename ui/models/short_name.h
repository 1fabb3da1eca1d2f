#pragma once

/// Names of events as the window shows them.

#include <QString>
#include <string_view>

namespace stagelane::ui {

/// More letters than any place has room for: a file may have names of megabytes, and to lay one out
/// would hold the window.
inline constexpr qsizetype kMostNameLetters = 500;

/// The beginning of a name, all of it where it is no longer than kMostNameLetters.
[[nodiscard]] inline QString shortName(std::string_view name) {
  // A letter has up to four bytes.
  constexpr std::size_t kMostBytes = 4 * static_cast<std::size_t>(kMostNameLetters);
  const std::string_view beginning = name.substr(0, kMostBytes);
  return QString::fromUtf8(beginning.data(), static_cast<qsizetype>(beginning.size()))
      .left(kMostNameLetters);
}

}  // namespace stagelane::ui
