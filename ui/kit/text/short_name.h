#pragma once

/// Names of events, experiments and variants as the window shows them: people may write anything
/// into a file.

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

/// As one line: a line break in a name would make two of a button, a row or a field. One that is
/// written from right to left is set apart, so that figures and brackets beside it keep their
/// order.
[[nodiscard]] inline QString shownName(const QString& name) {
  constexpr QChar kFromLeft(0x2066), kEnd(0x2069);
  const QString line = name.left(kMostNameLetters).simplified();
  return line.isRightToLeft() ? kFromLeft + line + kEnd : line;
}
[[nodiscard]] inline QString shownName(std::string_view name) { return shownName(shortName(name)); }

/// On a button or in a menu, where a lone "&" would underline the letter after it.
[[nodiscard]] inline QString buttonName(const QString& name) {
  return shownName(name).replace(QChar(u'&'), QStringLiteral("&&"));
}

}  // namespace stagelane::ui
