#pragma once

/// Names of events, experiments and variants in the window. Files may contain any text as a name.

#include <QString>
#include <string_view>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {

/// More letters than any place has room for. Files may contain names of megabytes, and laying one
/// out would block the window.
inline constexpr qsizetype kMostNameLetters = 500;

/// The beginning of a name; all of it up to kMostNameLetters.
[[nodiscard]] inline QString shortName(std::string_view name) {
  // A character has up to four bytes.
  constexpr std::size_t kMostBytes = 4 * static_cast<std::size_t>(kMostNameLetters);
  const std::string_view beginning = name.substr(0, kMostBytes);
  return QString::fromUtf8(beginning.data(), static_cast<qsizetype>(beginning.size()))
      .left(kMostNameLetters);
}

/// On one line: a line break in a name would split a button, row or field. Right-to-left names are
/// isolated so that numbers and brackets beside them keep their order.
[[nodiscard]] inline QString shownName(const QString& name) {
  constexpr QChar kFromLeft(0x2066), kEnd(0x2069);
  const QString line = name.left(kMostNameLetters).simplified();
  return line.isRightToLeft() ? kFromLeft + line + kEnd : line;
}
[[nodiscard]] inline QString shownName(std::string_view name) { return shownName(shortName(name)); }

/// For a button or menu, where a lone "&" would underline the next letter.
[[nodiscard]] inline QString buttonName(const QString& name) {
  return shownName(name).replace(QChar(u'&'), u"&&"_s);
}

}  // namespace stagelane::ui
