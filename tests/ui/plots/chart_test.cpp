#include "ui/plots/chart.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <set>

#include "tests/ui/plots/sample_run.h"
#include "ui/models/formatting.h"

namespace stagelane::ui {
namespace {

constexpr std::array kKinds{ChartKind::Time, ChartKind::Idle, ChartKind::Speedup, ChartKind::Split,
                            ChartKind::Memory};

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QByteArray exported(ChartKind kind, const QString& suffix, int dpi = 300) {
  QTemporaryDir folder;
  PictureSpec spec{.path = folder.filePath(QStringLiteral("chart.") + suffix), .dpi = dpi};
  const Status status = exportChart(kind, sample::fullRun(), {}, spec, lightTheme());
  EXPECT_TRUE(status.has_value()) << (status ? "" : describe(status.error()));
  return contentOf(spec.path);
}

TEST(Charts, KnowTheirKindsByWord) {
  for (const ChartKind kind : kKinds) {
    EXPECT_EQ(chartKindFromWord(std::string(chartKindWord(kind))).value(), kind);
  }
  const auto unknown = chartKindFromWord("pie");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().code, ErrorCode::Invalid);
}

TEST(Charts, KeepTextAsTextAndNothingAsRasterInSvg) {
  for (const ChartKind kind : kKinds) {
    const QByteArray svg = exported(kind, QStringLiteral("svg"));
    EXPECT_EQ(svg.count("<image"), 0) << chartKindWord(kind);
    EXPECT_GT(svg.count("<text"), 5) << chartKindWord(kind);
    EXPECT_TRUE(svg.contains("Noto Sans")) << chartKindWord(kind);
  }
}

TEST(Charts, WriteFontsAtTheSameSizeWhateverTheDotsPerInch) {
  EXPECT_TRUE(exported(ChartKind::Time, QStringLiteral("svg")).contains("font-size=\"11\""));
}

TEST(Charts, EmbedTheirFontInPdf) {
  const QByteArray pdf = exported(ChartKind::Time, QStringLiteral("pdf"));
  EXPECT_TRUE(pdf.startsWith("%PDF"));
  EXPECT_TRUE(pdf.contains("/FontFile2"));
}

TEST(Charts, HaveTheAskedSizeInMillimetresInPng) {
  for (const int dpi : {96, 150, 300}) {
    const QImage image = QImage::fromData(exported(ChartKind::Time, QStringLiteral("png"), dpi));
    EXPECT_NEAR(image.width(), 160.0 / 25.4 * dpi, 1.0);
    EXPECT_NEAR(image.height(), 100.0 / 25.4 * dpi, 1.0);
    EXPECT_NEAR(image.dotsPerMeterX() * 0.0254, dpi, 0.1);
  }
}

TEST(Charts, LookTheSameAtEveryDotsPerInch) {
  const QImage small = QImage::fromData(exported(ChartKind::Time, QStringLiteral("png"), 96));
  const QImage large = QImage::fromData(exported(ChartKind::Time, QStringLiteral("png"), 288))
                           .scaled(small.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
  std::int64_t difference = 0;
  for (int y = 0; y < small.height(); ++y) {
    for (int x = 0; x < small.width(); ++x) {
      difference += std::abs(qGray(small.pixel(x, y)) - qGray(large.pixel(x, y)));
    }
  }
  const double mean = static_cast<double>(difference) / (small.width() * small.height());
  EXPECT_LT(mean, 6.0);  // antialiasing only; a shifted or scaled picture differs by far more
}

TEST(Charts, GiveEveryVariantItsSlotAlsoWhenItFailed) {
  const record::RunResult run = sample::fullRun();
  for (const ChartKind kind :
       {ChartKind::Time, ChartKind::Speedup, ChartKind::Memory, ChartKind::Idle}) {
    const ChartDrawing drawing =
        drawChart(kind, run, {}, QSizeF(900, 400), lightTheme(), PaintMode::Screen);
    std::set<QString> shown;
    for (const ChartMark& mark : drawing.marks) {
      shown.insert(mark.variantId);
      EXPECT_TRUE(QRectF(0, 0, 900, 400).contains(mark.rect)) << mark.text.toStdString();
    }
    EXPECT_EQ(shown.size(), run.variants.size()) << chartKindWord(kind);
  }
}

TEST(Charts, SayOneRepeatInsteadOfASpread) {
  const ChartDrawing drawing = drawChart(ChartKind::Time, sample::fullRun(), {}, QSizeF(900, 400),
                                         lightTheme(), PaintMode::Screen);
  for (const ChartMark& mark : drawing.marks) {
    EXPECT_EQ(mark.text.contains(QStringLiteral("one repeat")),
              mark.variantId == QStringLiteral("once"));
  }
}

TEST(Charts, DrawAnyRunWithoutCrashing) {
  record::RunResult empty;
  record::RunResult zero = sample::fullRun();
  for (auto& variant : zero.variants) {
    for (double& seconds : variant.seconds) seconds = 0.0;
    record::fillStatistics(variant);
    for (auto& device : variant.devices) {
      device.busyNs = 0;
      device.idle.clear();
      device.peakBytes = 0;
    }
  }
  for (const record::RunResult& run : {empty, zero, sample::sweepRun(30), sample::fullRun()}) {
    for (const ChartKind kind : kKinds) {
      for (const QSizeF size : {QSizeF(40, 30), QSizeF(3000, 900)}) {
        for (const auto style : {ChartStyle::Stagelane, ChartStyle::Tutorial}) {
          const ChartDrawing drawing = drawChart(kind, run, {.style = style, .singleRepeats = true},
                                                 size, darkTheme(), PaintMode::Vector);
          EXPECT_FALSE(drawing.picture.isNull() && chartHasData(kind, run));
        }
      }
    }
  }
  EXPECT_FALSE(chartHasData(ChartKind::Time, empty));
}

TEST(Charts, NeverShrinkABarBelowTwentyFourPixels) {
  const record::RunResult run = sample::sweepRun(30);
  const double width = leastChartWidth(ChartKind::Time, run);
  const ChartDrawing drawing =
      drawChart(ChartKind::Time, run, {}, QSizeF(width, 300), lightTheme(), PaintMode::Screen);
  for (const ChartMark& mark : drawing.marks) EXPECT_GE(mark.rect.width(), 24.0);
}

TEST(Charts, WriteTidyTablesWithUnits) {
  const record::RunResult run = sample::fullRun();
  for (const ChartKind kind : kKinds) {
    const std::string csv = chartCsv(kind, run);
    EXPECT_EQ(csv.rfind("variant,repeat,device,", 0), 0U) << csv.substr(0, 60);
    const QStringList lines = qstring(csv).split(QChar(u'\n'), Qt::SkipEmptyParts);
    EXPECT_GT(lines.size(), 1);
    for (const QString& line : lines) {
      EXPECT_EQ(line.count(QChar(u',')), lines.front().count(QChar(u','))) << line.toStdString();
    }
  }
  const QStringList rows =
      qstring(chartCsv(ChartKind::Time, run)).split(QChar(u'\n'), Qt::SkipEmptyParts);
  EXPECT_EQ(rows.size(), 1 + 6 * 10 + 1);  // six variants of ten repeats, one of one
  EXPECT_EQ(rows.front(), QStringLiteral("variant,repeat,device,time_s"));
}

TEST(Charts, RefuseWhatCannotBeWritten) {
  PictureSpec spec{.path = QStringLiteral("/tmp/chart.gif")};
  const Status suffix = exportChart(ChartKind::Time, sample::fullRun(), {}, spec, lightTheme());
  ASSERT_FALSE(suffix.has_value());
  EXPECT_EQ(suffix.error().code, ErrorCode::Invalid);
  spec.path = QStringLiteral("/nowhere/at/all/chart.png");
  const Status folder = exportChart(ChartKind::Time, sample::fullRun(), {}, spec, lightTheme());
  ASSERT_FALSE(folder.has_value());
  EXPECT_EQ(folder.error().code, ErrorCode::CannotWrite);
  spec.path = QStringLiteral("/tmp/chart.png");
  spec.widthMm = 1e9;
  EXPECT_FALSE(exportChart(ChartKind::Time, sample::fullRun(), {}, spec, lightTheme()).has_value());
  EXPECT_FALSE(exportChart(ChartKind::Time, {}, {}, spec, lightTheme()).has_value());
}

}  // namespace
}  // namespace stagelane::ui
