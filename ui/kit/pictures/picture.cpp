#include "ui/kit/pictures/picture.h"

#include <QBuffer>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <algorithm>
#include <cmath>

#include "engine/base/files.h"
#include "ui/kit/pictures/svg_fonts.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/translation.h"

namespace stagelane::ui {
namespace {

constexpr double kLogicalDpi = 96.0;
constexpr double kMmPerInch = 25.4;
constexpr double kMostPixels = 32000.0;
constexpr double kLeastMm = 5.0, kMostMm = 2000.0;
constexpr int kLeastDpi = 20, kMostDpi = 1200;

using Paint = std::function<void(QPainter&, QSizeF, PaintMode)>;

int dotsPerMeter(double dpi) { return static_cast<int>(std::lround(dpi / kMmPerInch * 1000.0)); }

QImage png(const PictureSpec& spec, const Paint& paint) {
  const QSizeF size = spec.logicalSize();
  const double scale = spec.dpi / kLogicalDpi;
  QImage image((size * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(scale);
  // Fonts are in points: their size must not depend on the screen that Qt found.
  image.setDotsPerMeterX(dotsPerMeter(kLogicalDpi));
  image.setDotsPerMeterY(dotsPerMeter(kLogicalDpi));
  image.fill(Qt::transparent);
  QPainter painter(&image);
  paint(painter, size, PaintMode::Screen);
  painter.end();
  image.setDotsPerMeterX(dotsPerMeter(spec.dpi));
  image.setDotsPerMeterY(dotsPerMeter(spec.dpi));
  return image;
}

QByteArray packed(const QImage& image) {
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  return buffer.data();
}

QByteArray svg(const PictureSpec& spec, const Paint& paint) {
  const QSizeF size = spec.logicalSize();
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setResolution(static_cast<int>(kLogicalDpi));
  generator.setSize(size.toSize());
  generator.setViewBox(QRectF(QPointF(0, 0), size));
  // QSvgGenerator does not escape the title.
  generator.setTitle(spec.title.toHtmlEscaped());
  generator.setDescription(u"Made by Stagelane"_s);
  QPainter painter(&generator);
  paint(painter, size, PaintMode::Vector);
  painter.end();
  return buffer.data();
}

QByteArray pdf(const PictureSpec& spec, const Paint& paint) {
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setPageSize(QPageSize(QSizeF(spec.widthMm, spec.heightMm), QPageSize::Millimeter));
  writer.setPageMargins(QMarginsF(0, 0, 0, 0));
  writer.setTitle(spec.title);
  writer.setCreator(u"Stagelane"_s);
  writer.setResolution(static_cast<int>(kLogicalDpi));
  QPainter painter(&writer);
  paint(painter, spec.logicalSize(), PaintMode::Vector);
  painter.end();
  return buffer.data();
}

}  // namespace

QImage paintedImage(QSizeF size, double scale, const Paint& paint) {
  const FileNumbers numbers;
  QImage image((size * scale).toSize().expandedTo(QSize(1, 1)),
               QImage::Format_ARGB32_Premultiplied);
  image.setDotsPerMeterX(dotsPerMeter(kLogicalDpi));
  image.setDotsPerMeterY(dotsPerMeter(kLogicalDpi));
  image.fill(Qt::white);
  QPainter painter(&image);
  // Not through the device pixel ratio: Qt treats values below 1 as 1.
  painter.scale(scale, scale);
  paint(painter, size, PaintMode::Screen);
  painter.end();
  return image;
}

Result<PictureFormat> pictureFormatOf(const QString& path) {
  if (path.endsWith(u".png"_s, Qt::CaseInsensitive)) return PictureFormat::Png;
  if (path.endsWith(u".svg"_s, Qt::CaseInsensitive)) return PictureFormat::Svg;
  if (path.endsWith(u".pdf"_s, Qt::CaseInsensitive)) return PictureFormat::Pdf;
  return refused(QObject::tr("unknown picture format"),
                 QObject::tr("Use a file name that ends in .png, .svg or .pdf"), utf8(path));
}

QSizeF PictureSpec::logicalSize() const {
  return QSizeF(widthMm, heightMm) * (kLogicalDpi / kMmPerInch);
}

Status checkPicture(const PictureSpec& spec) {
  STAGELANE_TRY(format, pictureFormatOf(spec.path));
  const QSizeF size = spec.logicalSize();
  const bool png = *format == PictureFormat::Png;
  if (!(spec.widthMm >= kLeastMm && spec.heightMm >= kLeastMm && spec.widthMm <= kMostMm &&
        spec.heightMm <= kMostMm && (!png || (spec.dpi >= kLeastDpi && spec.dpi <= kMostDpi)))) {
    return refused(QObject::tr("the picture size is out of range"),
                   QObject::tr("Use 5 to 2000 mm and 20 to 1200 dots per inch"), utf8(spec.path));
  }
  const double longest =
      std::max(size.width(), size.height()) * (png ? spec.dpi / kLogicalDpi : 1.0);
  if (longest > kMostPixels) {
    return refused(
        QObject::tr("the picture is too large"),
        QObject::tr("Reduce the size or the dots per inch: the maximum is 32 000 pixels"),
        utf8(spec.path));
  }
  return {};
}

Result<PaintedPicture> paintPicture(const PictureSpec& spec, const Paint& paint) {
  STAGELANE_CHECK(checkPicture(spec));
  const FileNumbers numbers;
  PaintedPicture picture;
  switch (*pictureFormatOf(spec.path)) {
    case PictureFormat::Png: picture.image = png(spec, paint); break;
    case PictureFormat::Svg: picture.document = svg(spec, paint); break;
    case PictureFormat::Pdf: picture.document = pdf(spec, paint); break;
  }
  return picture;
}

Status savePicture(const PictureSpec& spec, const PaintedPicture& picture) {
  STAGELANE_TRY(format, pictureFormatOf(spec.path));
  const QByteArray bytes = *format == PictureFormat::Png   ? packed(picture.image)
                           : *format == PictureFormat::Svg ? withEmbeddedFonts(picture.document)
                                                           : picture.document;
  return writeFileAtomically(
      utf8(spec.path), std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

Status writePicture(const PictureSpec& spec, const Paint& paint) {
  const auto painted = paintPicture(spec, paint);
  return painted ? savePicture(spec, *painted) : tl::make_unexpected(painted.error());
}

}  // namespace stagelane::ui
