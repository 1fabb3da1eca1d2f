#pragma once

/// The file that an export writes, and its format: the one follows the other, whichever a person
/// changes. Touches no file.

#include <QString>

namespace stagelane::ui {

/// `png`, `svg`, `pdf` or `csv`; empty for any other ending, which is then part of the name.
[[nodiscard]] QString formatOfPath(const QString& path);
/// The path with the ending of the format in place of another format's, or behind the name.
[[nodiscard]] QString pathWithFormat(const QString& path, const QString& format);

/// What a person means by a path that they type: `~` is their home, and a relative one is below
/// the folder that was suggested. An empty one stays empty.
[[nodiscard]] QString absolutePath(const QString& typed, const QString& folder);

/// The beginning of a table for a preview: whole lines that fit, and how many more there are.
[[nodiscard]] QString tablePreview(const QString& table, int lines, int columns);

}  // namespace stagelane::ui
