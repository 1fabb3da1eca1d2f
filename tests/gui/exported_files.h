#pragma once

/// Checks exported files with independent programs and parsers, and fails the test if the content
/// of a file does not match its format.

#include <QSizeF>
#include <QString>
#include <QStringList>

namespace stagelane::gui {

/// Width and height follow from millimeters and dots per inch, and the picture is not empty.
void expectPng(const QString& path, QSizeF millimetres, int dpi);
/// Well-formed, no raster image, and text as text: @p words occur in it.
void expectSvg(const QString& path, const QStringList& words);
/// A PDF with a page of that size, whose fonts are all embedded and whose text contains @p words.
/// Checks that need poppler's tools are skipped, with a note, if these are not installed.
void expectPdf(const QString& path, QSizeF millimetres, const QStringList& words);
/// The header begins as said and every row has as many cells as it. @returns the rows' first cells
QStringList expectCsv(const QString& path, const QString& headerBegin);

}  // namespace stagelane::gui
