// Reports are files: their numbers do not depend on the user's locale.

#include <gtest/gtest.h>

#include "tests/support/german_numbers.h"
#include "tests/ui/plots/sample_run.h"
#include "tests/ui/tracks/timeline_sample.h"
#include "ui/report/report.h"

namespace stagelane::ui {
namespace {

TEST(ReportLanguage, HasTheSameNumbersInEveryLocale) {
  ReportInput given{.run = std::make_shared<const record::RunResult>(sample::fullRun()),
                    .experiment = {},
                    .environment = {},
                    .timelines = {}};
  given.timelines[given.run->variants.front().id] = sample::dataOf(sample::twoWorkers());
  for (const bool laidOut : {false, true}) {
    const auto texts = [&] {
      const ReportDocument document = makeReport({given}, {});
      if (laidOut) {
        for (const auto& step : layoutSteps(document, "a.html", ReportTheme::Reader)) step();
      }
      return QStringList{toMarkdown(document), toHtml(document)};
    };
    const QStringList english = texts();
    const test::GermanNumbers german;
    const QStringList there = texts();
    EXPECT_EQ(there[0].toStdString(), english[0].toStdString());
    EXPECT_TRUE(there[1] == english[1]) << "in HTML, pictures laid out before: " << laidOut;
  }
}

}  // namespace
}  // namespace stagelane::ui
