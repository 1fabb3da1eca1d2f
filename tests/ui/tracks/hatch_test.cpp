#include <gtest/gtest.h>

#include <QBuffer>
#include <QImage>
#include <QSvgGenerator>
#include <set>

#include "ui/tracks/timeline_painter.h"

namespace stagelane::ui {
namespace {

constexpr std::array kCauses{analysis::Cause::Warmup,       analysis::Cause::Starved,
                             analysis::Cause::TransferWait, analysis::Cause::Host,
                             analysis::Cause::Drain,        analysis::Cause::Tail,
                             analysis::Cause::Unattributed};

/// The hatch of a cause in black, so that only its shape matters.
QByteArray formOf(analysis::Cause cause) {
  Theme theme = lightTheme();
  theme.cause = {Qt::black, Qt::black, Qt::black, Qt::black, Qt::black, Qt::black, Qt::black};
  QImage image(64, 64, QImage::Format_Grayscale8);
  image.fill(Qt::white);
  QPainter painter(&image);
  paintHatch(painter, QRectF(0, 0, 64, 64), theme, cause);
  painter.end();
  return QByteArray(reinterpret_cast<const char*>(image.constBits()), image.sizeInBytes());
}

TEST(Hatches, DifferInFormNotOnlyInColour) {
  std::set<QByteArray> forms;
  for (const analysis::Cause cause : kCauses) forms.insert(formOf(cause));
  EXPECT_EQ(forms.size(), kCauses.size());
}

TEST(Hatches, StayInsideTheirRectangle) {
  for (const analysis::Cause cause : kCauses) {
    QImage image(80, 80, QImage::Format_ARGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    paintHatch(painter, QRectF(20, 20, 37, 23), lightTheme(), cause);
    painter.end();
    for (int y = 0; y < image.height(); ++y) {
      for (int x = 0; x < image.width(); ++x) {
        // A line along the edge is half a pen wide outside.
        if (QRect(18, 18, 41, 27).contains(x, y)) continue;
        ASSERT_EQ(image.pixel(x, y), qRgb(255, 255, 255)) << x << "," << y;
      }
    }
  }
}

TEST(Hatches, AreLinesInSvg) {
  for (const analysis::Cause cause : kCauses) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(QSize(100, 100));
    QPainter painter(&generator);
    paintHatch(painter, QRectF(0, 0, 100, 100), lightTheme(), cause);
    painter.end();
    EXPECT_FALSE(buffer.data().contains("<image"));
  }
}

TEST(Hatches, SurviveNoSpaceAtAll) {
  QImage image(8, 8, QImage::Format_ARGB32);
  QPainter painter(&image);
  for (const analysis::Cause cause : kCauses) paintHatch(painter, QRectF(), lightTheme(), cause);
  SUCCEED();
}

}  // namespace
}  // namespace stagelane::ui
