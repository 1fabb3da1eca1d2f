// The pages of a report: where they break, and what they do not cut off.

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>

#include "tests/ui/report/report_input.h"
#include "ui/report/report.h"

namespace stagelane::ui {
namespace {

using namespace test;

TEST(ReportPages, PutsEveryBlockOnAPageAndNoneOverItsEnd) {
  ReportContents all;
  all.repeats = true;
  std::vector<ReportInput> many(5, input());
  const ReportPages pages(makeReport(many, all));
  EXPECT_GT(pages.count(), 5U);
  QImage image(ReportPages::size().toSize(), QImage::Format_RGB32);
  for (std::size_t page = 0; page < pages.count(); ++page) {
    QPainter painter(&image);
    pages.paint(painter, page, PaintMode::Vector);
    painter.end();
    for (int x = 0; x < image.width(); ++x) {
      ASSERT_EQ(image.pixel(x, image.height() - 20), qRgb(255, 255, 255)) << "page " << page;
    }
  }
}

TEST(ReportPages, WrapsTheCellsOfManyDevicesInsteadOfCuttingAllColumns) {
  record::RunResult wide = *run();
  for (record::VariantResult& each : wide.variants) {
    if (each.devices.empty()) continue;
    each.devices.assign(8, each.devices.front());
    for (record::DeviceResult& device : each.devices) device.peakBytes = Bytes{1300} << 20;
    each.devices.back().peakBytes = Bytes{1700} << 20;
  }
  wide.variants.back().reason = "does not fit: " + std::string(120, 'x') + " at its end";
  ReportInput given = input();
  given.run = std::make_shared<const record::RunResult>(std::move(wide));
  ReportContents table;
  table.charts = table.definitions = table.idle = table.gradients = false;
  const QString text = textOnPages(ReportPages(makeReport({given}, table)));
  EXPECT_FALSE(text.contains(QChar(0x2026)));
  for (const char* whole : {"1.7\u00a0GiB", "at its end"}) {
    EXPECT_TRUE(text.contains(QString::fromUtf8(whole))) << whole << " in " << text.toStdString();
  }
}

TEST(ReportPages, ATableGoesOnBelowItsHeadAndTitlesOfFiguresAreWhole) {
  record::RunResult many = *run();
  many.variants.clear();
  for (int i = 0; i < 90; ++i) many.variants.push_back(variant("v" + std::to_string(i), 2.0, 3));
  ReportInput given = input();
  given.run = std::make_shared<const record::RunResult>(std::move(many));
  ReportContents table;
  table.charts = table.definitions = table.idle = table.gradients = false;
  const QString pages = textOnPages(ReportPages(makeReport({given}, table)));
  EXPECT_GE(pages.count(QStringLiteral(">Variant<")), 2);
  ReportDocument document;
  FigureBlock figure;
  figure.title = QStringLiteral("Timeline of a variant ").repeated(8) + QStringLiteral("at last");
  figure.height = [](double) { return 5000.0; };
  figure.paint = [](QPainter&, QSizeF, PaintMode, const Theme&) {};
  document.blocks.emplace_back(figure);
  const QString title = textOnPages(ReportPages(document));
  EXPECT_TRUE(title.contains(QStringLiteral("at last<"))) << title.toStdString();
  EXPECT_FALSE(title.contains(QChar(0x2026)));
}

TEST(ReportPages, BeginsAPageForEachOfSeveralRuns) {
  const ReportPages one(makeReport({input()}, {}));
  const ReportPages two(makeReport({input(), input()}, {}));
  EXPECT_GE(two.count(), 2 * one.count()) << "a comparison, and each run from the top of a page";
}

}  // namespace
}  // namespace stagelane::ui
