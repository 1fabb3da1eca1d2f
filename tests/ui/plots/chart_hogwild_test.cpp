/// The chart of Hogwild variants: a line for each process.

#include <gtest/gtest.h>

#include "tests/ui/plots/sample_run.h"
#include "ui/kit/text/formatting.h"
#include "ui/plots/chart.h"

namespace stagelane::ui {
namespace {

ChartDrawing drawn(const record::RunResult& run) {
  return drawChart(ChartKind::Hogwild, run, {}, {800.0, 300.0}, lightTheme(), PaintMode::Screen);
}

TEST(HogwildChart, NeedsAVariantWithLosses) {
  EXPECT_FALSE(chartHasData(ChartKind::Hogwild, sample::fullRun()));
  record::RunResult run = sample::hogwildRun();
  EXPECT_TRUE(chartHasData(ChartKind::Hogwild, run));
  run.variants.at(1).hogwild->curves.clear();
  EXPECT_FALSE(chartHasData(ChartKind::Hogwild, run));
}

TEST(HogwildChart, HasALineForEachProcessThatMadeUpdates) {
  record::RunResult run = sample::hogwildRun();
  EXPECT_EQ(drawn(run).marks.size(), 4U);
  run.variants.at(1).hogwild->curves.at(2) = {};
  const std::vector<ChartMark> marks = drawn(run).marks;
  ASSERT_EQ(marks.size(), 3U);
  // The first process is on top.
  EXPECT_EQ(marks.at(0).deviceId, QStringLiteral("cpu:0@3"));
  EXPECT_EQ(marks.at(0).facts.front(), QStringLiteral("process 3"));
  EXPECT_EQ(marks.at(2).deviceId, QStringLiteral("cpu:0@0"));
}

TEST(HogwildChart, SaysUpdatesPerSecondAndStaleness) {
  const QString text = chartSubtitle(ChartKind::Hogwild, sample::hogwildRun());
  EXPECT_EQ(text, QStringLiteral("645 updates/s; staleness: median 3, 99 % 5, most 17"));
}

TEST(HogwildChart, DrawsALossThatIsNotANumber) {
  record::RunResult run = sample::hogwildRun();
  for (double& loss : run.variants.at(1).hogwild->curves.front().loss) loss = std::nan("");
  EXPECT_EQ(drawn(run).marks.size(), 4U);
}

TEST(HogwildChart, WritesARowForEachPoint) {
  const QStringList rows = qstring(chartCsv(ChartKind::Hogwild, sample::hogwildRun()))
                               .split(QChar(u'\n'), Qt::SkipEmptyParts);
  ASSERT_EQ(rows.size(), 1 + 4 * 200);
  EXPECT_EQ(rows.at(0), QStringLiteral("variant,repeat,device,process,updates,loss"));
  EXPECT_TRUE(rows.at(1).startsWith(QStringLiteral("four-processes,,cpu:0@0,0,10,")));
}

}  // namespace
}  // namespace stagelane::ui
