// Numbers and texts of charts: in the locale's form on the screen, always the same in files.

#include <gtest/gtest.h>

#include <QTemporaryDir>

#include "engine/base/files.h"
#include "tests/support/german_numbers.h"
#include "tests/support/marked_texts.h"
#include "tests/ui/plots/sample_run.h"
#include "ui/kit/text/formatting.h"
#include "ui/plots/chart.h"

namespace stagelane::ui {
namespace {

std::string exported(ChartKind kind, const char* suffix) {
  const QTemporaryDir folder;
  const PictureSpec spec{.path = folder.filePath(QStringLiteral("chart.") + QLatin1String(suffix))};
  const Status status =
      exportChart(kind, kind == ChartKind::Hogwild ? sample::hogwildRun() : sample::fullRun(), {},
                  spec, lightTheme());
  EXPECT_TRUE(status.has_value()) << (status ? "" : describe(status.error()));
  return readFile(utf8(spec.path)).value_or("");
}

TEST(ChartLanguage, InFilesHaveTheSameNumbersInEveryLocale) {
  for (const ChartKind kind : allChartKinds()) {
    for (const char* suffix : {"svg", "png", "csv"}) {
      const std::string english = exported(kind, suffix);
      const test::GermanNumbers german;
      EXPECT_TRUE(exported(kind, suffix) == english) << chartKindWord(kind) << ", " << suffix;
    }
  }
}

TEST(ChartLanguage, OnTheScreenSayErrorsOfPredictionsInTheLocale) {
  const auto subtitle = [] { return chartSubtitle(ChartKind::Prediction, sample::fullRun()); };
  QString english = subtitle();
  ASSERT_TRUE(english.contains(QChar(u'.'))) << english.toStdString();
  const test::GermanNumbers german;
  EXPECT_EQ(subtitle(), english.replace(QChar(u'.'), QChar(u',')));
}

TEST(ChartLanguage, SayWhyTheyCannotBeWrittenInTheLanguageOfTheWindow) {
  const test::MarkedTexts marked;
  PictureSpec spec{.path = QStringLiteral("/tmp/chart.gif")};
  const Status suffix = exportChart(ChartKind::Time, sample::fullRun(), {}, spec, lightTheme());
  ASSERT_FALSE(suffix.has_value());
  EXPECT_EQ(suffix.error().message, "⟦unknown picture format⟧");
  EXPECT_EQ(suffix.error().hint, "⟦Use a file name that ends in .png, .svg, .pdf or .csv⟧");
  for (const ChartKind kind : {ChartKind::Time, ChartKind::Split}) {
    const Status empty = exportChart(kind, {}, {}, spec, lightTheme());
    ASSERT_FALSE(empty.has_value());
    EXPECT_EQ(empty.error().message.rfind("⟦the run has no data for the chart", 0), 0U);
    EXPECT_EQ(empty.error().hint.rfind("⟦It needs", 0), 0U) << empty.error().hint;
  }
}

}  // namespace
}  // namespace stagelane::ui
