#include "ui/plots/chart.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QImage>
#include <QPainter>
#include <QTemporaryDir>
#include <set>
#include <thread>

#include "engine/plan/strategies.h"
#include "tests/ui/plots/sample_run.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// A run with data for the chart.
record::RunResult runFor(ChartKind kind) {
  return kind == ChartKind::Hogwild ? sample::hogwildRun() : sample::fullRun();
}

QByteArray exported(ChartKind kind, const QString& suffix, int dpi = 300) {
  QTemporaryDir folder;
  PictureSpec spec{.path = folder.filePath(QStringLiteral("chart.") + suffix), .dpi = dpi};
  const Status status = exportChart(kind, runFor(kind), {}, spec, lightTheme());
  EXPECT_TRUE(status.has_value()) << (status ? "" : describe(status.error()));
  return contentOf(spec.path);
}

TEST(Charts, KnowTheirKindsByWord) {
  for (const ChartKind kind : allChartKinds()) {
    EXPECT_EQ(chartKindFromWord(std::string(chartKindWord(kind))).value(), kind);
  }
  const auto unknown = chartKindFromWord("pie");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().code, ErrorCode::Invalid);
}

TEST(Charts, HaveTheirKindsInTheOrderOfTheTable) {
  EXPECT_EQ(chartKindWord(ChartKind::Time), "time");
  EXPECT_EQ(chartKindWord(ChartKind::Idle), "idle");
  EXPECT_EQ(chartKindWord(ChartKind::Prediction), "prediction");
  EXPECT_EQ(allChartKinds().size(), chartKindWords().size());
}

TEST(Charts, KeepTextAsTextAndNothingAsRasterInSvg) {
  for (const ChartKind kind : allChartKinds()) {
    const QByteArray svg = exported(kind, QStringLiteral("svg"));
    EXPECT_EQ(svg.count("<image"), 0) << chartKindWord(kind);
    EXPECT_GT(svg.count("<text"), 5) << chartKindWord(kind);
    EXPECT_TRUE(svg.contains("Noto Sans")) << chartKindWord(kind);
  }
}

TEST(Charts, SayWhileARunGoesOnWhatComesBehindIt) {
  record::RunResult run = sample::fullRun();
  run.status = record::RunStatus::Running;
  for (const ChartKind kind : {ChartKind::Idle, ChartKind::Memory, ChartKind::Prediction}) {
    EXPECT_TRUE(emptyChartText(kind, &run).startsWith(QStringLiteral("Available after the run")))
        << chartKindWord(kind);
  }
  EXPECT_EQ(emptyChartText(ChartKind::Idle, nullptr), QStringLiteral("Nothing measured yet"));
  run.status = record::RunStatus::Canceled;
  EXPECT_EQ(emptyChartText(ChartKind::Idle, &run), QStringLiteral("Nothing measured yet"));
}

TEST(Charts, WriteFontsAtTheSameSizeWhateverTheDotsPerInch) {
  EXPECT_TRUE(exported(ChartKind::Time, QStringLiteral("svg")).contains("font-size=\"11\""));
}

TEST(Charts, ArePaintedBesideTheWindowAsInIt) {
  const ChartOptions options;
  const QSizeF size(640.0, 400.0);
  for (const ChartKind kind : allChartKinds()) {
    const record::RunResult run = runFor(kind);
    const auto painting =
        layOutChartPicture({kind, run, options, size, darkTheme(), PaintMode::Screen});
    const auto paint = [&painting](QPainter& painter, QSizeF, PaintMode) { painting(painter); };
    const QImage here = paintedImage(size, 2.0, paint);
    QImage beside;
    std::thread([&] { beside = paintedImage(size, 2.0, paint); }).join();
    EXPECT_EQ(here, beside) << chartKindWord(kind);
    EXPECT_NE(here, QImage(here.size(), here.format()));
  }
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
      EXPECT_TRUE(QRectF(0, 0, 900, 400).contains(mark.rect)) << mark.name.toStdString();
      EXPECT_TRUE(QRectF(0, 0, 900, 400).contains(mark.target)) << mark.name.toStdString();
    }
    EXPECT_EQ(shown.size(), run.variants.size()) << chartKindWord(kind);
  }
}

TEST(Charts, SayOneRepeatInsteadOfASpread) {
  const ChartDrawing drawing = drawChart(ChartKind::Time, sample::fullRun(), {}, QSizeF(900, 400),
                                         lightTheme(), PaintMode::Screen);
  for (const ChartMark& mark : drawing.marks) {
    EXPECT_EQ(mark.facts.contains(QStringLiteral("one repeat")),
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
  for (const record::RunResult& run :
       {empty, zero, sample::sweepRun(30), sample::fullRun(), sample::hogwildRun()}) {
    for (const ChartKind kind : allChartKinds()) {
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

TEST(Charts, WidenNoBarInAWideCard) {
  const record::RunResult run = sample::sweepRun(2);
  for (const ChartKind kind : {ChartKind::Time, ChartKind::Speedup, ChartKind::Memory}) {
    const ChartDrawing drawing =
        drawChart(kind, run, {}, QSizeF(1200, 300), lightTheme(), PaintMode::Screen);
    ASSERT_GE(drawing.marks.size(), 2U);
    for (const ChartMark& mark : drawing.marks) EXPECT_LE(mark.rect.width(), 80.0);
    const QRectF &first = drawing.marks.front().rect, &last = drawing.marks.back().rect;
    EXPECT_GT(last.left() - first.right(), 300.0) << "they are spread over the card";
  }
  const ChartDrawing tutorial = drawChart(ChartKind::Time, run, {.style = ChartStyle::Tutorial},
                                          QSizeF(1200, 300), lightTheme(), PaintMode::Screen);
  ASSERT_FALSE(tutorial.marks.empty());
  for (const ChartMark& mark : tutorial.marks) EXPECT_LE(mark.rect.width(), 110.0);
}

TEST(Charts, TheTutorialsPictureHasABarForEachKindOfStrategy) {
  record::RunResult run = sample::sweepRun(2);
  const record::VariantResult measured = run.variants.back();
  run.variants.clear();
  std::size_t kinds = 0;
  for (const plan::StrategyRow& row : plan::strategies()) {
    if (!row.available) continue;
    record::VariantResult variant = measured;
    variant.strategy = variant.id = variant.name = row.name;
    run.variants.push_back(variant);
    ++kinds;
  }
  const ChartDrawing drawing = drawChart(ChartKind::Time, run, {.style = ChartStyle::Tutorial},
                                         QSizeF(800, 300), lightTheme(), PaintMode::Screen);
  EXPECT_EQ(drawing.marks.size(), kinds);
}

TEST(Charts, TheTutorialsBarsNeedNoRoomForEachVariant) {
  const record::RunResult run = sample::sweepRun(30);
  const ChartOptions tutorial{.style = ChartStyle::Tutorial};
  EXPECT_LE(leastChartWidth(ChartKind::Time, run, tutorial), 400.0);
  EXPECT_LE(suggestedChartMm(ChartKind::Time, run, tutorial).width(), 160.0);
  EXPECT_GT(leastChartWidth(ChartKind::Speedup, run, tutorial), 1000.0);
}

/// Six variants of so many devices each.
record::RunResult manyDevices(std::size_t count) {
  record::RunResult run = sample::sweepRun(6);
  run.variants.erase(run.variants.begin());
  run.devices.clear();
  for (std::size_t i = 0; i < count; ++i) run.devices.push_back("cpu:" + std::to_string(i));
  for (record::VariantResult& variant : run.variants) {
    variant.devices.resize(count, variant.devices.front());
    for (std::size_t i = 0; i < count; ++i) variant.devices[i].id = run.devices[i];
  }
  return run;
}

record::RunResult eightDevices() { return manyDevices(8); }

TEST(Charts, NeverShrinkADevicesBarBelowTwentyFourPixelsEither) {
  for (const record::RunResult& run : {eightDevices(), sample::sweepRun(3)}) {
    const QSizeF size(leastChartWidth(ChartKind::Memory, run), 300);
    const ChartDrawing drawing =
        drawChart(ChartKind::Memory, run, {}, size, lightTheme(), PaintMode::Screen);
    for (const ChartMark& mark : drawing.marks) EXPECT_GE(mark.rect.width(), 24.0);
  }
}

TEST(Charts, LeaveOutNumbersThatWouldLieOverEachOther) {
  record::RunResult run = eightDevices();
  for (record::VariantResult& variant : run.variants) {
    for (record::DeviceResult& device : variant.devices) device.peakBytes = Bytes{1777} << 20;
  }
  const auto numbersAt = [&](double widthMm) {
    const QTemporaryDir folder;
    const PictureSpec spec{.path = folder.filePath(QStringLiteral("chart.svg")),
                           .widthMm = widthMm};
    EXPECT_TRUE(exportChart(ChartKind::Memory, run, {}, spec, lightTheme()));
    return contentOf(spec.path).count(">1.7<");
  };
  EXPECT_EQ(numbersAt(suggestedChartMm(ChartKind::Memory, run).width()), 48);
  EXPECT_EQ(numbersAt(160.0), 0);
}

TEST(Charts, ArePartedWhereNotAllBarsHaveRoom) {
  record::RunResult many = sample::sweepRun(29);
  for (record::VariantResult& variant : many.variants) variant.name = "v";  // one line each
  const auto run = std::make_shared<const record::RunResult>(std::move(many));
  for (const ChartKind kind : {ChartKind::Time, ChartKind::Speedup, ChartKind::Memory}) {
    const QSizeF room(700, 260);
    std::size_t variants = 0;
    std::set<int> heights;
    for (const auto& part : chartParts(kind, run, room)) {
      EXPECT_LE(leastChartWidth(kind, *part), room.width());
      variants += part->variants.size();
      const ChartDrawing drawing =
          drawChart(kind, *part, {.scaleOf = run}, room, lightTheme(), PaintMode::Vector);
      ASSERT_FALSE(drawing.marks.empty());
      const ChartMark& mark = drawing.marks.front();
      const record::VariantResult& first = part->variants.front();
      const double value = kind == ChartKind::Time      ? first.meanS
                           : kind == ChartKind::Speedup ? *first.speedup
                                                        : 1.0;
      heights.insert(static_cast<int>(std::lround(100.0 * mark.rect.height() / value)));
    }
    EXPECT_EQ(variants, run->variants.size());
    // The first devices have equal peaks, and therefore bars of equal height.
    EXPECT_LE(*heights.rbegin() - *heights.begin(), 1) << chartKindWord(kind);
  }
  EXPECT_EQ(chartParts(ChartKind::Split, run, QSizeF(700, 260)).size(), 1U);
}

TEST(Charts, OfVariantsWithMoreDevicesThanHaveRoomArePartedByDevices) {
  const auto run = std::make_shared<const record::RunResult>(manyDevices(40));
  const QSizeF room(700, 600);
  for (const ChartKind kind : {ChartKind::Memory, ChartKind::Idle}) {
    std::size_t bars = 0;
    for (const auto& part : chartParts(kind, run, room)) {
      EXPECT_LE(leastChartWidth(kind, *part), room.width());
      EXPECT_LE(suggestedChartHeight(kind, *part), room.height());
      const QSizeF size(room.width(), suggestedChartHeight(kind, *part));
      const ChartDrawing drawing =
          drawChart(kind, *part, {.scaleOf = run}, size, lightTheme(), PaintMode::Vector);
      const double least = kind == ChartKind::Memory ? 24.0 : 0.0;
      for (const ChartMark& mark : drawing.marks) EXPECT_GE(mark.rect.width(), least);
      bars += drawing.marks.size();
    }
    EXPECT_EQ(bars, 6U * 40U) << chartKindWord(kind);
  }
  EXPECT_TRUE(chartParts(ChartKind::Memory, run, room)[0]->variants[0].name.ends_with(" of 3)"));
  EXPECT_EQ(chartParts(ChartKind::Time, run, room).size(), 1U);
}

TEST(Charts, OfIdleTimeArePartedWhereNotAllRowsHaveRoom) {
  const auto run = std::make_shared<const record::RunResult>(eightDevices());
  EXPECT_EQ(chartParts(ChartKind::Idle, run, QSizeF(700, 2000)).size(), 1U);
  const auto parts = chartParts(ChartKind::Idle, run, QSizeF(700, 600));
  ASSERT_EQ(parts.size(), 2U);
  for (const auto& part : parts) EXPECT_LE(suggestedChartHeight(ChartKind::Idle, *part), 600.0);
}

TEST(Charts, WriteTidyTablesWithUnits) {
  const record::RunResult run = sample::fullRun();
  for (const ChartKind kind : allChartKinds()) {
    const std::string csv = chartCsv(kind, runFor(kind));
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

ChartDrawing drawn(ChartKind kind, const record::RunResult& run, const ChartOptions& options) {
  return drawChart(kind, run, options, {900.0, 400.0}, lightTheme(), PaintMode::Screen);
}

QImage imageOf(const ChartDrawing& drawing) {
  QImage image(900, 400, QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  painter.drawPicture(0, 0, drawing.picture);
  return image;
}

TEST(Charts, ComparePredictionsOnlyWhereBothStepsAreThere) {
  const record::RunResult run = sample::fullRun();
  std::set<QString> shown;
  for (const ChartMark& mark : drawn(ChartKind::Prediction, run, {}).marks) {
    shown.insert(mark.variantId);
  }
  EXPECT_TRUE(shown.count(QStringLiteral("model-parallel")) == 1);
  EXPECT_TRUE(shown.count(QStringLiteral("gpipe-60")) == 0);
  const std::string csv = chartCsv(ChartKind::Prediction, run);
  EXPECT_EQ(
      csv.rfind("variant,repeat,device,predicted_step_ns,measured_step_ns,error_fraction,basis\n",
                0),
      0U);
  EXPECT_FALSE(chartHasData(ChartKind::Prediction, record::RunResult{}));
}

TEST(Charts, PutAPredictedPointOnTheDiagonalExactlyWhereItIsRight) {
  record::RunResult run = sample::fullRun();
  run.variants.resize(1);
  run.variants[0].predicted->stepNs = run.variants[0].stepNs;
  const QRectF rect = drawn(ChartKind::Prediction, run, {}).marks.at(0).rect;
  run.variants[0].predicted->stepNs = run.variants[0].stepNs / 2;
  const QRectF lower = drawn(ChartKind::Prediction, run, {}).marks.at(0).rect;
  EXPECT_NEAR(rect.center().x(), lower.center().x(), 1.0);
  EXPECT_GT(lower.center().y(), rect.center().y() + 50.0);
}

TEST(Charts, KeepPredictedPointsApartHoweverMuchLongerOneIs) {
  record::RunResult run = sample::fullRun();
  run.variants.resize(3);
  for (std::size_t i = 0; i < 3; ++i) {
    run.variants[i].stepNs = 1'000'000;
    run.variants[i].predicted = run.variants[0].predicted;
    run.variants[i].predicted->stepNs = 1'000'000;
  }
  run.variants[1].stepNs = 4'000'000;
  run.variants[2].stepNs = 1'000'000'000;
  run.variants[2].predicted->stepNs = 1'000'000'000;
  const std::vector<ChartMark> marks = drawn(ChartKind::Prediction, run, {}).marks;
  ASSERT_EQ(marks.size(), 3U);
  const auto place = [&](std::size_t i) { return marks[i].rect.center(); };
  EXPECT_GT(place(1).x(), place(0).x() + 50.0) << "1 ms and 4 ms beside one of a second";
  EXPECT_NEAR(place(1).y(), place(0).y(), 1.0);
  // The diagonal means equal values: both axes have the same range.
  const double slope = (place(2).y() - place(0).y()) / (place(2).x() - place(0).x());
  run.variants[1].predicted->stepNs = 4'000'000;
  const QPointF right = drawn(ChartKind::Prediction, run, {}).marks.at(1).rect.center();
  EXPECT_NEAR(right.y(), place(0).y() + slope * (right.x() - place(0).x()), 1.0);
}

TEST(Charts, DrawABudgetWhereADeviceHasOne) {
  const record::RunResult run = sample::fullRun();
  const ChartOptions limited{.budgets = {{"cpu:0", Bytes{2} << 30}}};
  EXPECT_NE(imageOf(drawn(ChartKind::Memory, run, {})),
            imageOf(drawn(ChartKind::Memory, run, limited)));
  // A value that would flatten the bars is given as text only: the bars stay as they are.
  const ChartOptions vast{.budgets = {{"cpu:0", Bytes{999} << 30}}};
  EXPECT_EQ(drawn(ChartKind::Memory, run, {}).marks.at(0).rect,
            drawn(ChartKind::Memory, run, vast).marks.at(0).rect);
}

std::vector<analysis::Cause> legendCauses(const ChartDrawing& drawing) {
  std::vector<analysis::Cause> causes;
  for (const ChartLegendMark& mark : drawing.legend) causes.push_back(mark.cause);
  return causes;
}

/// The number of pixels of the bar with exactly this color.
int pixelsOf(const ChartDrawing& drawing, const ChartMark& mark, const QColor& color) {
  const QImage image = imageOf(drawing);
  const QRect rect = mark.rect.toRect().adjusted(1, 1, -1, -1);
  int count = 0;
  for (int y = rect.top(); y <= rect.bottom(); ++y) {
    for (int x = rect.left(); x <= rect.right(); ++x) count += image.pixelColor(x, y) == color;
  }
  return count;
}

TEST(Charts, HaveALegendOfWorkAndCausesToClickAndLeaveOutWhatIsHidden) {
  using analysis::Cause;
  const record::RunResult run = sample::fullRun();
  const ChartDrawing all = drawn(ChartKind::Idle, run, {});
  // Only kinds that the run has: it has no halves of the backward.
  EXPECT_EQ(legendCauses(all),
            (std::vector{Cause::Forward, Cause::Backward, Cause::Optimizer, Cause::Warmup,
                         Cause::Starved, Cause::TransferWait, Cause::Host, Cause::Drain,
                         Cause::Tail, Cause::Unattributed}));
  for (std::size_t i = 1; i < all.legend.size(); ++i) {
    EXPECT_FALSE(all.legend[i].rect.intersects(all.legend[i - 1].rect));
  }
  for (const Cause cause : {Cause::Starved, Cause::Forward}) {
    EXPECT_NE(imageOf(all), imageOf(drawn(ChartKind::Idle, run, {.hiddenCauses = {cause}})));
  }
}

TEST(Charts, SplitBusyTimeByKindOfWorkInTheColoursOfTheTimeline) {
  const record::RunResult run = sample::fullRun();
  const ChartDrawing drawing = drawn(ChartKind::Idle, run, {});
  const ChartMark& mark = drawing.marks.at(0);
  const int forward = pixelsOf(drawing, mark, lightTheme().action.forward);
  const int backward = pixelsOf(drawing, mark, lightTheme().action.backward);
  EXPECT_GT(forward, 200);
  EXPECT_NEAR(static_cast<double>(backward) / forward, (2.0 / 3.0 - 0.02) / (1.0 / 3.0), 0.1);
  EXPECT_GT(pixelsOf(drawing, mark, lightTheme().action.optimizer), 0);
  EXPECT_EQ(mark.name, QStringLiteral("single, cpu:0"));
  EXPECT_EQ(mark.facts.at(0),
            QStringLiteral("busy 62.0 %: 20.7 forward, 40.1 backward, 1.2 optimizer"));
  EXPECT_TRUE(mark.facts.at(1).startsWith(QStringLiteral("idle 38.0 %: ")));
}

TEST(Charts, ShowWorkOfAnUnknownKindAsBusyAlone) {
  record::RunResult run = sample::fullRun();
  for (auto& variant : run.variants) {
    for (auto& device : variant.devices) device.busy.clear();
  }
  const ChartDrawing drawing = drawn(ChartKind::Idle, run, {});
  EXPECT_EQ(legendCauses(drawing).front(), analysis::Cause::Warmup);
  EXPECT_EQ(drawing.marks.at(0).facts.at(0), QStringLiteral("busy 62.0 %"));
  EXPECT_EQ(pixelsOf(drawing, drawing.marks.at(0), lightTheme().action.forward), 0);
}

TEST(Charts, SayOfADeviceThatIsNeverIdleZeroAndNotMinusZero) {
  record::RunResult run = sample::fullRun();
  auto& device = run.variants[0].devices[0];
  device.idle.clear();
  // 0.2, 83.9 and 15.9 add up to a little more than 100.
  device.busy = {{"forward", 2}, {"backward", 839}, {"optimizer", 159}};
  device.busyNs = 1000;
  EXPECT_EQ(drawn(ChartKind::Idle, run, {}).marks.at(0).facts.at(1), QStringLiteral("idle 0.0 %"));
}

TEST(Charts, BreakTheLegendIntoLinesWhereItIsNarrow) {
  const ChartDrawing drawing = drawChart(ChartKind::Idle, sample::fullRun(), {}, {400.0, 500.0},
                                         lightTheme(), PaintMode::Screen);
  EXPECT_EQ(drawing.legend.size(), 10U);
  EXPECT_GT(drawing.legend.back().rect.top(), drawing.legend.front().rect.top());
  for (const ChartLegendMark& mark : drawing.legend) {
    EXPECT_TRUE(QRectF(0, 0, 400, 500).contains(mark.rect));
    EXPECT_LT(mark.rect.bottom(), drawing.marks.front().rect.top());
  }
}

TEST(Charts, CanBePointedAtHoweverLowABarIs) {
  record::RunResult run = sample::fullRun();
  run.variants[0].seconds = {1e-6, 1e-6};
  record::fillStatistics(run.variants[0]);
  run.variants[0].devices[0].peakBytes = 1;
  for (const ChartKind kind : {ChartKind::Time, ChartKind::Speedup, ChartKind::Memory}) {
    const ChartDrawing drawing = drawn(kind, run, {});
    for (std::size_t i = 0; i < drawing.marks.size(); ++i) {
      const QRectF target = drawing.marks[i].target;
      EXPECT_GT(target.height(), 300.0) << chartKindWord(kind);
      EXPECT_EQ(markAt(drawing.marks, target.center()), static_cast<int>(i));
      if (i > 0) {
        EXPECT_LE(drawing.marks[i - 1].target.right(), target.left() + 1e-6);
      }
    }
  }
}

TEST(Charts, GiveTheNearestOfPointsThatLieTogether) {
  const std::vector<ChartMark> marks{{QStringLiteral("a"), {}, {}, {}, {}, QRectF(0, 0, 20, 20)},
                                     {QStringLiteral("b"), {}, {}, {}, {}, QRectF(8, 0, 20, 20)}};
  EXPECT_EQ(markAt(marks, {10.0, 10.0}), 0);
  EXPECT_EQ(markAt(marks, {17.0, 10.0}), 1);
  EXPECT_EQ(markAt(marks, {40.0, 10.0}), -1);
}

TEST(Charts, HaveAMarkOfItsOwnForEachBar) {
  for (const ChartKind kind : allChartKinds()) {
    const record::RunResult run = runFor(kind);
    std::set<std::pair<QString, QString>> names;
    const ChartDrawing drawing = drawn(kind, run, {});
    for (const ChartMark& mark : drawing.marks) names.insert({mark.variantId, mark.deviceId});
    EXPECT_EQ(names.size(), drawing.marks.size()) << chartKindWord(kind);
  }
}

TEST(Charts, BreakTooltipsAtBlanksAlone) {
  ChartMark mark;
  mark.name = QStringLiteral("model parallel, cpu:0");
  mark.facts = {QStringLiteral("busy 44.6 %"), QStringLiteral("it does not fit ").repeated(12)};
  const QStringList lines = tipLines(mark);
  EXPECT_EQ(lines.at(0), QStringLiteral("model parallel, cpu:0"));
  EXPECT_EQ(lines.at(1), QStringLiteral("busy 44.6 %"));
  EXPECT_GT(lines.size(), 4);
  for (const QString& line : lines) EXPECT_LE(line.size(), 72);
}

TEST(Charts, SayWhyAVariantHasNoBarWhereNoPointerCanAsk) {
  for (const ChartKind kind : {ChartKind::Time, ChartKind::Idle}) {
    EXPECT_TRUE(exported(kind, QStringLiteral("svg")).contains("13.0")) << chartKindWord(kind);
  }
}

TEST(Charts, SayWhyABarIsHatched) {
  record::RunResult run = sample::fullRun();
  run.variants[0].status = record::RunStatus::Failed;
  run.variants[0].reason = "cpu:1 is out of memory";
  const ChartOptions asked{.repeatsAsked = 12};
  const auto factsOf = [&] {
    return drawChart(ChartKind::Time, run, asked, QSizeF(900, 400), lightTheme(), PaintMode::Vector)
        .marks[0]
        .facts;
  };
  EXPECT_TRUE(factsOf().contains(QStringLiteral("failed: cpu:1 is out of memory")))
      << factsOf().join(QChar(u',')).toStdString();
  run.variants[0].seconds.resize(12, 1.0);
  EXPECT_FALSE(factsOf().contains(QStringLiteral("failed: cpu:1 is out of memory")))
      << "it has all its repeats";
}

TEST(Charts, SayOnceWhyAVariantHasNoBar) {
  const record::RunResult run = sample::fullRun();
  const ChartDrawing drawing = drawn(ChartKind::Time, run, {});
  const auto found = std::find_if(
      drawing.marks.begin(), drawing.marks.end(),
      [](const ChartMark& mark) { return mark.variantId == QStringLiteral("gpipe-60"); });
  ASSERT_NE(found, drawing.marks.end());
  EXPECT_EQ(found->facts,
            QStringList{QStringLiteral("does not fit: cpu:0 needs 13.0 GiB, has 8.0 GiB")});
}

}  // namespace
}  // namespace stagelane::ui
