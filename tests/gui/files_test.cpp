// Exported files other than pictures: reports as HTML and PDF, a plan as a script of the tutorial
// and as a device map.

#include <QFile>
#include <QJsonArray>

#include "tests/gui/experiments.h"
#include "tests/gui/history.h"
#include "tests/gui/runs_window.h"

namespace stagelane::gui {
namespace {

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

class Files : public RunsWindow {
 protected:
  void SetUp() override {
    RunsWindow::SetUp();
    writePastRuns(runs());
  }

  void exportReport(const QString& format, const QString& typed, const QString& written) {
    if (m_window.map().textOf(QStringLiteral("reportFormat")) != format) {
      ASSERT_TRUE(m_window.choose(QStringLiteral("reportFormat"), format));
    }
    ASSERT_TRUE(m_window.replaceText(QStringLiteral("reportPath"), typed));
    ASSERT_TRUE(m_window.waitForText(QStringLiteral("reportPath"), typed));
    ASSERT_TRUE(m_window.click(QStringLiteral("export")));
    ASSERT_TRUE(
        m_window.waitForText(QStringLiteral("reportMessage"), QStringLiteral("Wrote ") + written));
  }

  /// Types a path into the file dialog that has opened.
  void nameFile(const QString& file) {
    ASSERT_TRUE(m_window.waitForFocus(QStringLiteral("fileNameEdit")));
    m_window.key(QStringLiteral("ctrl+a"));
    m_window.type(file);
    ASSERT_TRUE(m_window.waitForText(QStringLiteral("fileNameEdit"), file));
    m_window.key(QStringLiteral("Return"));
    ASSERT_TRUE(m_window.waitFor(QStringLiteral("the file"),
                                 [&](const UiMapFile&) { return QFile::exists(file); }));
  }

  void exportCode(const QString& form, const QString& file) {
    m_window.key(QStringLiteral("ctrl+shift+e"));
    ASSERT_TRUE(m_window.waitForControl(QStringLiteral("codeForm")));
    if (m_window.map().textOf(QStringLiteral("codeForm")) != form) {
      ASSERT_TRUE(m_window.choose(QStringLiteral("codeForm"), form));
    }
    ASSERT_TRUE(m_window.click(QStringLiteral("codeSave")));
    nameFile(file);
    ASSERT_TRUE(m_window.waitFor(QStringLiteral("the dialog to close"), [](const UiMapFile& map) {
      return map.find(QStringLiteral("codeDialog")) == nullptr;
    }));
  }
};

TEST_F(Files, AReportIsWrittenAsHtmlAndAsPdf) {
  const QString run = runs() + QStringLiteral("/20261120-091500-toy");
  ASSERT_TRUE(m_window.open({.file = run, .page = QStringLiteral("report")}));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("reportPageCount"), QStringLiteral("Page 1 of ")));
  // A relative name is below the run's folder, which was suggested.
  ASSERT_NO_FATAL_FAILURE(exportReport(QStringLiteral("HTML"), QStringLiteral("mine.html"),
                                       run + QStringLiteral("/mine.html")));
  const QByteArray html = contentOf(run + QStringLiteral("/mine.html"));
  EXPECT_TRUE(html.contains("Toy, larger batch"));
  EXPECT_TRUE(html.contains("<svg")) << "with its charts";
  ASSERT_NO_FATAL_FAILURE(exportReport(QStringLiteral("PDF"), QStringLiteral("~/mine.pdf"),
                                       path(QStringLiteral("home/mine.pdf"))));
  EXPECT_TRUE(contentOf(path(QStringLiteral("home/mine.pdf"))).startsWith("%PDF-"));
}

TEST_F(Files, APlanIsWrittenAsTheTutorialsScriptAndAsADeviceMap) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy")}));
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.pipeline")));
  const QString script = path(QStringLiteral("plan.py"));
  ASSERT_NO_FATAL_FAILURE(exportCode(QStringLiteral("PyTorch script, one process"), script));
  EXPECT_TRUE(contentOf(script).contains("split_size"));
  EXPECT_TRUE(contentOf(script).contains("import torch"));
  const QString map = path(QStringLiteral("device_map.json"));
  ASSERT_NO_FATAL_FAILURE(exportCode(QStringLiteral("Device map (JSON)"), map));
  const QJsonObject devices = readJson(map);
  EXPECT_TRUE(devices.contains(QStringLiteral("net2"))) << contentOf(map).toStdString();
}

TEST_F(Files, StepsOfComparedRunsStandBelowEachOther) {
  ASSERT_NO_FATAL_FAILURE(runToy(runs() + QStringLiteral("/20261122-100000-toy")));
  ASSERT_NO_FATAL_FAILURE(runToy(runs() + QStringLiteral("/20261122-110000-toy")));
  ASSERT_TRUE(openPage({1600, 900}));
  // The command line has indexed these two first.
  ASSERT_TRUE(waitForRuns({1, 2, 3, 4, 5, 6, 7}));
  ASSERT_TRUE(m_window.click(QStringLiteral("run.1.check")));
  ASSERT_TRUE(m_window.click(QStringLiteral("run.2.check")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("compareRows")));
  // They are below the figures.
  const UiMapFile compared = m_window.map();
  m_window.wheel(compared.find(QStringLiteral("compareScroll"))->rect.center(), -30);
  // One lane per device and run, on one axis.
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the steps"), [](const UiMapFile& map) {
    const Control* steps = map.find(QStringLiteral("compareSteps"));
    return steps != nullptr && steps->rect.height() > 4 * 14;
  }));
}

TEST_F(Files, ShiftF5RunsTheShownVariantAlone) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy")}));
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.model-parallel")));
  m_window.key(QStringLiteral("shift+F5"));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("runMessage"), QStringLiteral("Last run: done"), 120000));
  const QString run = m_window.runFolders().back();
  QStringList measured;
  for (const QJsonValue& variant :
       readJson(run + QStringLiteral("/result.json"))[QStringLiteral("variants")].toArray()) {
    if (variant.toObject()[QStringLiteral("status")].toString() == QStringLiteral("done")) {
      measured.append(variant.toObject()[QStringLiteral("id")].toString());
    }
  }
  EXPECT_TRUE(measured.contains(QStringLiteral("model-parallel")));
  EXPECT_FALSE(measured.join(QChar(u' ')).contains(QStringLiteral("pipeline")));
}

}  // namespace
}  // namespace stagelane::gui
