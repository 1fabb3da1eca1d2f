#pragma once

/// Writes the same painting as PNG, SVG or PDF. Text in SVG and PDF stays text with embedded fonts,
/// and the output is vector if the painting uses only lines, rectangles and text. Numbers that it
/// formats are those of files (FileNumbers). Needs no display.

#include <QImage>
#include <QPainter>
#include <QSizeF>
#include <QString>
#include <functional>

#include "engine/base/result.h"

namespace stagelane::ui {

enum class PaintMode { Screen, Vector };

enum class PictureFormat { Png, Svg, Pdf };

/// By the suffix of the path. @errors Invalid, with the supported suffixes
[[nodiscard]] Result<PictureFormat> pictureFormatOf(const QString& path);

struct PictureSpec {
  QString path;
  double widthMm = 160.0;
  double heightMm = 100.0;
  int dpi = 300;  ///< PNG only
  QString title{};

  /// Size in logical pixels of 1/96 inch, for the layout.
  [[nodiscard]] QSizeF logicalSize() const;
};

/// Checks suffix and size. @errors Invalid
[[nodiscard]] Status checkPicture(const PictureSpec& spec);

/// A finished painting that is not yet in a file; the rest needs no window.
struct PaintedPicture {
  QImage image;         ///< PNG
  QByteArray document;  ///< SVG and PDF
};
/// Only paints. @errors as checkPicture
[[nodiscard]] Result<PaintedPicture> paintPicture(
    const PictureSpec& spec, const std::function<void(QPainter&, QSizeF, PaintMode)>& paint);
/// Encodes and writes it. @errors CannotWrite @thread any, blocks
[[nodiscard]] Status savePicture(const PictureSpec& spec, const PaintedPicture& picture);

/// The painting as an image, for previews and the clipboard: `scale` pixels per logical pixel, may
/// be below 1. @pre `size` has an area
[[nodiscard]] QImage paintedImage(QSizeF size, double scale,
                                  const std::function<void(QPainter&, QSizeF, PaintMode)>& paint);

/// Paints into the file; the painter's units are logical pixels, the origin the top left corner.
/// @errors CannotWrite, Invalid (suffix or size)
[[nodiscard]] Status writePicture(const PictureSpec& spec,
                                  const std::function<void(QPainter&, QSizeF, PaintMode)>& paint);

}  // namespace stagelane::ui
