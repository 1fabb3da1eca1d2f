// Files that the window opens in other programs of the desktop: a run's folder, a report, an
// engine's log.

#include <QFile>

#include "tests/gui/history.h"
#include "tests/gui/opener_stub.h"
#include "tests/gui/runs_window.h"

namespace stagelane::gui {
namespace {

class OpenedElsewhere : public RunsWindow {
 protected:
  [[nodiscard]] bool waitForOpened(const QString& ending) {
    return m_window.waitFor(QStringLiteral("%1 in another program").arg(ending),
                            [&](const UiMapFile&) { return m_opener.opened().endsWith(ending); });
  }

  OpenerStub m_opener{path(QStringLiteral("desktop"))};
};

TEST_F(OpenedElsewhere, ARunsFolderIsOpenedWithTheDesktopsProgram) {
  ASSERT_TRUE(openHistory());
  ASSERT_TRUE(m_window.click(QStringLiteral("run.3")));
  ASSERT_TRUE(m_window.click(QStringLiteral("openRunFolder")));
  ASSERT_TRUE(waitForOpened(QStringLiteral("/20261120-174800-tower")));
}

TEST_F(OpenedElsewhere, AReportIsWrittenForTheBrowserAndOpenedInIt) {
  writePastRuns(runs());
  ASSERT_TRUE(m_window.open(
      {.file = runs() + QStringLiteral("/20261120-091500-toy"), .page = QStringLiteral("report")}));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("reportPageCount"), QStringLiteral("Page 1 of ")));
  ASSERT_TRUE(m_window.click(QStringLiteral("openInBrowser")));
  ASSERT_TRUE(waitForOpened(QStringLiteral("stagelane-report-toy-larger-batch.html")));
  QFile page(m_opener.opened());
  ASSERT_TRUE(page.open(QIODevice::ReadOnly));
  const QByteArray html = page.readAll();
  EXPECT_TRUE(html.contains("Toy, larger batch"));
  EXPECT_TRUE(html.trimmed().endsWith("</html>")) << "whole before it is opened";
  page.remove();
}

TEST_F(OpenedElsewhere, TheLogOfARunThatFailedIsShownFromItsBannerAndOpenedInTheEditor) {
  writePastRuns(runs());
  const QString failed = runs() + QStringLiteral("/20261121-093000-tower");
  QFile log(failed + QStringLiteral("/engine.log"));
  ASSERT_TRUE(log.open(QIODevice::WriteOnly));
  log.write("the engine's last words\n");
  log.close();
  ASSERT_TRUE(m_window.open({.file = failed, .page = QStringLiteral("charts")}));
  ASSERT_TRUE(m_window.click(QStringLiteral("openLog")));
  // By the window itself: a desktop may have no program for text files.
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("logText"), QStringLiteral("the engine's last words")));
  EXPECT_TRUE(m_opener.opened().isEmpty());
  ASSERT_TRUE(m_window.click(QStringLiteral("logOpenInEditor")));
  ASSERT_TRUE(waitForOpened(QStringLiteral("/20261121-093000-tower/engine.log")));
}

}  // namespace
}  // namespace stagelane::gui
