#pragma once

/// Looks at what an export wrote, with programs and parsers that are not ours, and fails the test
/// when a file is not what its name says.

#include <QSizeF>
#include <QString>
#include <QStringList>

namespace stagelane::gui {

/// Width and height follow from millimetres and dots per inch, and something is drawn.
void expectPng(const QString& path, QSizeF millimetres, int dpi);
/// Well-formed, no raster image, and text as text: @p words occur in it.
void expectSvg(const QString& path, const QStringList& words);
/// A PDF with a page of that size, whose fonts are all embedded and whose text holds @p words. What
/// needs poppler's tools is left out, with a note, where they are missing.
void expectPdf(const QString& path, QSizeF millimetres, const QStringList& words);
/// The header begins as said and every row has as many cells as it. @returns the rows' first cells
QStringList expectCsv(const QString& path, const QString& headerBegin);

}  // namespace stagelane::gui
