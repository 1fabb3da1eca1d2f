#include <gtest/gtest.h>

#include "tests/ui/plots/sample_run.h"
#include "ui/models/theme.h"
#include "ui/plots/chart.h"

namespace stagelane::ui {
namespace {

record::VariantResult pipeline(const std::string& schedule, std::int64_t splitSize) {
  record::VariantResult variant;
  variant.id = schedule + "-s" + std::to_string(splitSize);
  variant.name = variant.id;
  variant.strategy = "pipeline";
  variant.schedule = schedule;
  variant.splitSize = splitSize;
  variant.status = record::RunStatus::Running;
  return variant;
}

record::RunResult runOfTwoSchedules() {
  record::RunResult run;
  run.variants = {pipeline("gpipe", 5), pipeline("gpipe", 10), pipeline("1f1b", 5)};
  return run;
}

ChartDrawing drawn(const record::RunResult& run, const ChartOptions& options) {
  return drawChart(ChartKind::Split, run, options, {800.0, 300.0}, lightTheme(), PaintMode::Screen);
}

TEST(SplitChart, ShowsWhatIsPredictedBeforeAnythingIsMeasured) {
  const record::RunResult run = runOfTwoSchedules();
  EXPECT_FALSE(chartHasData(ChartKind::Split, run));
  const ChartOptions options{
      .predictedSeconds = {{"gpipe-s5", 0.5}, {"gpipe-s10", 0.4}, {"1f1b-s5", 0.3}}};
  ASSERT_TRUE(chartHasData(ChartKind::Split, run, options));
  const ChartDrawing drawing = drawn(run, options);
  ASSERT_EQ(drawing.marks.size(), 3U);
  for (const ChartMark& mark : drawing.marks) {
    EXPECT_TRUE(mark.facts.first().contains(QStringLiteral("predicted")))
        << mark.name.toStdString();
  }
}

TEST(SplitChart, MeasuredPointsTakeTheirPlacesBesideTheLineThatStays) {
  record::RunResult run = runOfTwoSchedules();
  const ChartOptions options{.predictedSeconds = {{"gpipe-s5", 0.5}, {"gpipe-s10", 0.4}}};
  run.variants[0].seconds = {0.45, 0.55};
  record::fillStatistics(run.variants[0]);
  const ChartDrawing drawing = drawn(run, options);
  ASSERT_EQ(drawing.marks.size(), 2U) << "1f1b is neither measured nor predicted";
  EXPECT_FALSE(drawing.marks[0].facts.first().contains(QStringLiteral("predicted")));
  EXPECT_TRUE(drawing.marks[1].facts.first().contains(QStringLiteral("predicted")));
  EXPECT_GT(drawing.marks[1].rect.center().y(), drawing.marks[0].rect.center().y())
      << "0.4 s lies below 0.5 s";
}

TEST(SplitChart, SaysThatOneSplitSizeIsNoCurve) {
  record::RunResult run;
  run.variants = {pipeline("gpipe", 5), pipeline("1f1b", 5)};
  const ChartOptions options{.predictedSeconds = {{"gpipe-s5", 0.5}, {"1f1b-s5", 0.3}}};
  EXPECT_TRUE(chartSubtitle(ChartKind::Split, run, options).contains(QStringLiteral("a sweep")));
  const ChartOptions more{.predictedSeconds = {{"gpipe-s5", 0.5}, {"gpipe-s10", 0.4}}};
  EXPECT_FALSE(chartSubtitle(ChartKind::Split, runOfTwoSchedules(), more)
                   .contains(QStringLiteral("a sweep")));
}

}  // namespace
}  // namespace stagelane::ui
