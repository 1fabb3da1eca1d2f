#include <gtest/gtest.h>

#include <QFile>
#include <QTemporaryDir>

#include "tests/ui/plots/sample_run.h"
#include "ui/kit/theme.h"
#include "ui/plots/chart.h"
#include "ui/plots/chart_parts.h"

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

TEST(SplitChart, ReplicasOfAPipelineAreACurveOfTheirOwn) {
  record::RunResult run = runOfTwoSchedules();
  run.variants[1].replicas = 2;
  run.variants[2].strategy = "data_parallel";
  const ChartOptions options{
      .predictedSeconds = {{"gpipe-s5", 0.5}, {"gpipe-s10", 0.4}, {"1f1b-s5", 0.3}}};
  const auto series = detail::splitSeries(run, options);
  ASSERT_EQ(series.size(), 2U) << "a strategy without a schedule has no curve";
  EXPECT_EQ(series[0].points.size(), 1U);
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

/// Whether the chart has this text, whole.
bool says(const record::RunResult& run, const char* text) {
  ChartOptions options;
  for (const auto& variant : run.variants) options.predictedSeconds[variant.id] = 0.5;
  QTemporaryDir folder;
  const PictureSpec spec{.path = folder.filePath(QStringLiteral("chart.svg"))};
  EXPECT_TRUE(exportChart(ChartKind::Split, run, options, spec, lightTheme()));
  QFile file(spec.path);
  EXPECT_TRUE(file.open(QIODevice::ReadOnly));
  return file.readAll().contains(QByteArray(">") + text + "</text>");
}

TEST(SplitChart, NamesItsLinesApart) {
  record::RunResult run;
  for (const char* schedule : {"1f1b", "gpipe"}) {
    for (const int splitSize : {5, 10}) run.variants.push_back(pipeline(schedule, splitSize));
  }
  EXPECT_TRUE(says(run, "1f1b"));
  EXPECT_TRUE(says(run, "gpipe"));
  for (std::size_t i = 0; i < run.variants.size(); ++i) {
    run.variants[i].name = "v" + std::to_string(i);
  }
  EXPECT_FALSE(says(run, "v"));
  EXPECT_TRUE(says(run, "v, 1f1b"));
  EXPECT_TRUE(says(run, "v, gpipe"));
  run.variants[2].schedule = run.variants[3].schedule = "1f1b";
  run.variants[2].placement = run.variants[3].placement = Json::object({{"net1", "cpu:1"}});
  EXPECT_FALSE(says(run, "v, 1f1b"));
  EXPECT_TRUE(says(run, "v0–v1"));
  EXPECT_TRUE(says(run, "v2–v3"));
}

}  // namespace
}  // namespace stagelane::ui
