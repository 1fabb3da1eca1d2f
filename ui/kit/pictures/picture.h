#pragma once

/// Pictures as files: the same painting as PNG, SVG or PDF. Text stays text in SVG and PDF, with
/// the fonts embedded; nothing vector becomes raster as long as the painting keeps to lines,
/// rectangles and text. Works with no display.

#include <QImage>
#include <QPainter>
#include <QSizeF>
#include <QString>
#include <functional>

#include "engine/base/result.h"

namespace stagelane::ui {

enum class PaintMode { Screen, Vector };

enum class PictureFormat { Png, Svg, Pdf };

/// By the suffix of the path. @errors Invalid, with the suffixes that are understood
[[nodiscard]] Result<PictureFormat> pictureFormatOf(const QString& path);

struct PictureSpec {
  QString path;
  double widthMm = 160.0;
  double heightMm = 100.0;
  int dpi = 300;  ///< PNG only
  QString title{};

  /// Size in logical pixels of 1/96 inch: what the painting is laid out for.
  [[nodiscard]] QSizeF logicalSize() const;
};

/// Whether there can be such a picture. @errors Invalid (suffix, or a size that no picture has)
[[nodiscard]] Status checkPicture(const PictureSpec& spec);

/// A painting that is done and not yet in a file: what is left needs no window.
struct PaintedPicture {
  QImage image;         ///< PNG
  QByteArray document;  ///< SVG and PDF
};
/// The painting alone. @errors as checkPicture
[[nodiscard]] Result<PaintedPicture> paintPicture(
    const PictureSpec& spec, const std::function<void(QPainter&, QSizeF, PaintMode)>& paint);
/// Packs and writes it. @errors CannotWrite @thread any, blocks
[[nodiscard]] Status savePicture(const PictureSpec& spec, const PaintedPicture& picture);

/// The painting as an image without a file, for previews and the clipboard: `scale` pixels a
/// logical one, below 1 too. @pre `size` has an area
[[nodiscard]] QImage paintedImage(QSizeF size, double scale,
                                  const std::function<void(QPainter&, QSizeF, PaintMode)>& paint);

/// Paints into the file; the painter's units are logical pixels, the origin the top left corner.
/// @errors CannotWrite, Invalid (suffix, or a size that no picture has)
[[nodiscard]] Status writePicture(const PictureSpec& spec,
                                  const std::function<void(QPainter&, QSizeF, PaintMode)>& paint);

}  // namespace stagelane::ui
