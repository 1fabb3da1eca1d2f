// The Report page: the user's own text, turning pages, another run beside the first, and the file
// that is written.

#include <QDir>
#include <QFile>

#include "tests/gui/exported_files.h"
#include "tests/gui/history.h"
#include "tests/gui/runs_window.h"

namespace stagelane::gui {
namespace {

class ReportPageTest : public RunsWindow {
 protected:
  /// The report of the second of five runs.
  [[nodiscard]] bool openReport() {
    writePastRuns(runs());
    return m_window.open({.file = runs() + QStringLiteral("/20261120-091500-toy"),
                          .page = QStringLiteral("report"),
                          .size = {1280, 800}}) &&
           m_window.waitForText(QStringLiteral("reportPageCount"), QStringLiteral("Page 1 of "));
  }

  [[nodiscard]] bool writes(const QString& format, const QString& target) {
    return m_window.choose(QStringLiteral("reportFormat"), format) &&
           m_window.replaceText(QStringLiteral("reportPath"), target) &&
           m_window.waitForText(QStringLiteral("reportPath"), target) &&
           m_window.click(QStringLiteral("export")) &&
           m_window.waitForText(QStringLiteral("reportMessage"), QStringLiteral("Wrote ") + target);
  }

  [[nodiscard]] QString written(const QString& file,
                                const QString& format = QStringLiteral("Markdown")) {
    QFile report(path(file));
    return writes(format, report.fileName()) && report.open(QIODevice::ReadOnly)
               ? QString::fromUtf8(report.readAll())
               : QString();
  }

  [[nodiscard]] bool addRun(const QString& folder) {
    return m_window.click(QStringLiteral("addReportRun")) &&
           m_window.click(QStringLiteral("addReportRun.") + folder) &&
           m_window.waitForText(QStringLiteral("reportRun"), QStringLiteral("1 other run"));
  }
};

TEST_F(ReportPageTest, HasTitleAndNoteOfOnesOwnAndLeavesOutWhatIsUnticked) {
  ASSERT_TRUE(openReport());
  ASSERT_TRUE(m_window.replaceText(QStringLiteral("reportTitle"), QStringLiteral("For Tuesday")));
  ASSERT_TRUE(m_window.click(QStringLiteral("reportNote")));
  m_window.type(QStringLiteral("the fan was loud"));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("reportNote"), QStringLiteral("was loud")));
  ASSERT_TRUE(m_window.click(QStringLiteral("contents.gradients")));
  const QString text = written(QStringLiteral("mine.md"));
  EXPECT_TRUE(text.startsWith(QStringLiteral("# For Tuesday\n"))) << text.left(80).toStdString();
  EXPECT_TRUE(text.contains(QStringLiteral("the fan was loud")));
  EXPECT_TRUE(text.contains(QStringLiteral("20 Nov 2026, 09:15")));
  EXPECT_FALSE(text.contains(QStringLiteral("## Gradient check")));
}

TEST_F(ReportPageTest, TurnsItsPagesAndFitsThemToTheRoom) {
  ASSERT_TRUE(openReport());
  ASSERT_TRUE(m_window.click(QStringLiteral("reportNextPage")));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("reportPageCount"), QStringLiteral("Page 2 of ")));
  const int before = m_window.map().find(QStringLiteral("reportPreview"))->rect.width();
  ASSERT_TRUE(m_window.click(QStringLiteral("reportFitWidth")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("wider pages"), [&](const UiMapFile& map) {
    return map.valueOf(QStringLiteral("reportFitWidth")) == QStringLiteral("true");
  }));
  EXPECT_GE(m_window.map().find(QStringLiteral("reportPreview"))->rect.width(), before);
  ASSERT_TRUE(m_window.click(QStringLiteral("reportPreviousPage")));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("reportPageCount"), QStringLiteral("Page 1 of ")));
}

TEST_F(ReportPageTest, AnotherRunIsChosenFromTheList) {
  ASSERT_TRUE(openReport());
  ASSERT_TRUE(m_window.click(QStringLiteral("addReportRun")));
  EXPECT_EQ(m_window.map().find(QStringLiteral("addReportRun.20261120-091500-toy")), nullptr)
      << "it is in the report";
  m_window.key(QStringLiteral("Escape"));
  ASSERT_TRUE(addRun(QStringLiteral("20261119-104400-toy")));
  const QString text = written(QStringLiteral("both.md"));
  EXPECT_TRUE(text.startsWith(QStringLiteral("# 2 runs compared\n")))
      << text.left(80).toStdString();
  EXPECT_TRUE(text.contains(QStringLiteral("| batch size |"))) << "settings in words";
}

TEST_F(ReportPageTest, OfTwoRunsIsWrittenAsHtmlAndAsPdf) {
  const QStringList words{QStringLiteral("2 runs compared"), QStringLiteral("Toy, larger batch"),
                          QStringLiteral("Toy, first try")};
  ASSERT_TRUE(openReport());
  ASSERT_TRUE(addRun(QStringLiteral("20261119-104400-toy")));
  const QString html = written(QStringLiteral("both.html"), QStringLiteral("HTML"));
  for (const QString& word : words) EXPECT_TRUE(html.contains(word)) << word.toStdString();
  EXPECT_TRUE(html.contains(QStringLiteral("<svg"))) << "with its charts";
  const QString pdf = path(QStringLiteral("both.pdf"));
  ASSERT_TRUE(writes(QStringLiteral("PDF"), pdf));
  // Names are broken into lines in the PDF, and "fi" is one letter.
  expectPdf(pdf, {210, 297}, {words.front(), QStringLiteral("larger"), QStringLiteral("try")});
}

TEST_F(ReportPageTest, IsOfTheRunsThatAreTickedOnTheRunsPage) {
  ASSERT_TRUE(openHistory());
  ASSERT_TRUE(m_window.click(QStringLiteral("run.1.check")));
  ASSERT_TRUE(m_window.click(QStringLiteral("run.3.check")));
  ASSERT_TRUE(chooseMore(QStringLiteral("reportOfTicked")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("reportRun"), QStringLiteral("1 other run")));
  EXPECT_EQ(m_window.map().page.toStdString(), "report");
  const QString text = written(QStringLiteral("ticked.md"));
  EXPECT_TRUE(text.startsWith(QStringLiteral("# 2 runs compared\n")))
      << text.left(80).toStdString();
  EXPECT_TRUE(text.contains(QStringLiteral("Toy, first try")));
  EXPECT_TRUE(text.contains(QStringLiteral("Tower of layers")));
  EXPECT_FALSE(text.contains(QStringLiteral("Toy, larger batch")));
}

TEST_F(ReportPageTest, OfACanceledRunSaysSoAndWhatIsKept) {
  ASSERT_TRUE(openHistory());
  ASSERT_TRUE(m_window.click(QStringLiteral("run.5")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runTitle"), QStringLiteral("Run 5")));
  ASSERT_TRUE(m_window.click(QStringLiteral("openInReport")));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("reportPageCount"), QStringLiteral("Page 1 of ")));
  const QString text = written(QStringLiteral("canceled.md"));
  EXPECT_TRUE(text.contains(QStringLiteral("canceled"))) << text.left(600).toStdString();
  EXPECT_TRUE(text.contains(QStringLiteral("2 of 5"))) << text.left(600).toStdString();
}

TEST_F(ReportPageTest, TheFileIsChosenInADialog) {
  ASSERT_TRUE(openReport());
  ASSERT_TRUE(m_window.click(QStringLiteral("reportBrowse")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("fileNameEdit")));
  const QString file = path(QStringLiteral("home/chosen.html"));
  ASSERT_TRUE(m_window.enter(QStringLiteral("fileNameEdit"), file));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("reportPath"), file));
  ASSERT_TRUE(m_window.click(QStringLiteral("export")));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("reportMessage"), QStringLiteral("Wrote ") + file));
  EXPECT_TRUE(QFile::exists(file));
}

TEST_F(ReportPageTest, WritingALargeOneIsCanceled) {
  const QString run = writePastRun(runs(), {.folder = QStringLiteral("20261120-091500-large"),
                                            .name = QStringLiteral("Large"),
                                            .further = 400});
  ASSERT_TRUE(m_window.open({.file = run, .page = QStringLiteral("report")}));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("reportPageCount"), QStringLiteral("Page 1 of ")));
  const QString file = path(QStringLiteral("home/large.html"));
  ASSERT_TRUE(m_window.replaceText(QStringLiteral("reportPath"), file));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("reportPath"), file));
  ASSERT_TRUE(m_window.click(QStringLiteral("export")));
  ASSERT_TRUE(m_window.click(QStringLiteral("reportWorkCancel")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the end of the writing"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("reportWorkCancel")) == nullptr &&
           map.isEnabled(QStringLiteral("export"));
  }));
  EXPECT_FALSE(QFile::exists(file));
  EXPECT_FALSE(
      m_window.map().textOf(QStringLiteral("reportMessage")).contains(QStringLiteral("Wrote")));
}

TEST_F(ReportPageTest, TheRunThatWasOpenedIsTheOneThatTheRunsPageShows) {
  writePastRuns(runs());
  ASSERT_TRUE(m_window.open({.file = runs() + QStringLiteral("/20261120-091500-toy"),
                             .page = QStringLiteral("runs"),
                             .size = {1280, 800}}));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runTitle"), QStringLiteral("Run 2")));
}

}  // namespace
}  // namespace stagelane::gui
