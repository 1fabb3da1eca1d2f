#pragma once

/// The path and the format of an export: changing one updates the other. Accesses no file.

#include <QString>

namespace stagelane::ui {

/// `png`, `svg`, `pdf` or `csv`; empty for any other suffix, which then belongs to the name.
[[nodiscard]] QString formatOfPath(const QString& path);
/// The path with the format's suffix, appended or in place of another format's.
[[nodiscard]] QString pathWithFormat(const QString& path, const QString& format);

/// Resolves a typed path: `~` is the home folder; relative paths start at the suggested folder.
[[nodiscard]] QString absolutePath(const QString& typed, const QString& folder);

/// The beginning of a table for a preview: the whole lines that fit and the number of further ones.
[[nodiscard]] QString tablePreview(const QString& table, int lines, int columns);

}  // namespace stagelane::ui
