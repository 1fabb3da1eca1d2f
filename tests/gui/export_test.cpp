// Timeline and charts of a real run are exported through the dialog, in every format, and the
// content of each file matches its format.

#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QPixmap>
#include <QScreen>
#include <algorithm>

#include "tests/gui/experiments.h"
#include "tests/gui/exported_files.h"
#include "tests/gui/window_test.h"

namespace stagelane::gui {
namespace {

class Export : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy")}));
    ASSERT_TRUE(m_window.click(QStringLiteral("run")));
    ASSERT_TRUE(m_window.waitForText(QStringLiteral("runMessage"), QStringLiteral("Last run: done"),
                                     120000));
  }

  /// Opens the dialog with a button, or an entry of the page's menu of exports, writes one file,
  /// and waits until the dialog has closed.
  [[nodiscard]] bool exportAs(const QString& button, const QString& format, const QString& file) {
    if (button.startsWith(QStringLiteral("exportMenu.")) &&
        !m_window.click(QStringLiteral("export"))) {
      return false;
    }
    if (!m_window.click(button) || !m_window.waitForControl(QStringLiteral("exportFormat"))) {
      return false;
    }
    if (m_window.map().textOf(QStringLiteral("exportFormat")) != format &&
        !m_window.choose(QStringLiteral("exportFormat"), format)) {
      return false;
    }
    const UiMapFile seen = m_window.map();
    m_millimetres = QSizeF(millimetresOf(seen, QStringLiteral("exportWidth")),
                           millimetresOf(seen, QStringLiteral("exportHeight")));
    return m_window.replaceText(QStringLiteral("exportPath"), file) &&
           m_window.waitForText(QStringLiteral("exportPath"), file) &&
           m_window.click(QStringLiteral("exportSave")) &&
           m_window.waitFor(QStringLiteral("the dialog to close"), [](const UiMapFile& map) {
             return map.find(QStringLiteral("exportDialog")) == nullptr;
           });
  }

  void exportAll(const QString& button, const QString& stem, const QStringList& words) {
    ASSERT_TRUE(exportAs(button, QStringLiteral("PNG"), path(stem + QStringLiteral(".png"))));
    expectPng(path(stem + QStringLiteral(".png")), m_millimetres, 300);
    ASSERT_TRUE(exportAs(button, QStringLiteral("SVG"), path(stem + QStringLiteral(".svg"))));
    expectSvg(path(stem + QStringLiteral(".svg")), words);
    ASSERT_TRUE(exportAs(button, QStringLiteral("PDF"), path(stem + QStringLiteral(".pdf"))));
    expectPdf(path(stem + QStringLiteral(".pdf")), m_millimetres, words);
    ASSERT_TRUE(exportAs(button, QStringLiteral("CSV"), path(stem + QStringLiteral(".csv"))));
  }

  /// Whether the text in that part of the screen is red. Edges of letters alone do not count, since
  /// they are as often blue.
  [[nodiscard]] static bool isRed(const QRect& rect) {
    const QImage seen = QGuiApplication::primaryScreen()
                            ->grabWindow(0, rect.x(), rect.y(), rect.width(), rect.height())
                            .toImage();
    int red = 0, blue = 0;
    for (int y = 0; y < seen.height(); ++y) {
      for (int x = 0; x < seen.width(); ++x) {
        const QColor color = seen.pixelColor(x, y);
        red += color.red() > std::max(color.green(), color.blue()) + 60 ? 1 : 0;
        blue += color.blue() > std::max(color.green(), color.red()) + 60 ? 1 : 0;
      }
    }
    return red > 4 * blue + 20;
  }

  QSizeF m_millimetres;  ///< of the last export

 private:
  /// "160 mm" → 160
  [[nodiscard]] static double millimetresOf(const UiMapFile& map, const QString& name) {
    const Control* control = map.find(name);
    const QString text = control == nullptr ? QString() : control->text + control->value;
    return text.section(QChar(u' '), 0, 0).toDouble();
  }
};

TEST_F(Export, WritesTheTimelineInEveryFormat) {
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.pipeline")));
  ASSERT_TRUE(m_window.click(QStringLiteral("rail.timeline")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("timelineHeadline"), QStringLiteral("measured")));
  exportAll(QStringLiteral("export"), QStringLiteral("timeline"),
            {QStringLiteral("cpu:0"), QStringLiteral("cpu:1")});
  expectCsv(path(QStringLiteral("timeline.csv")),
            QStringLiteral("start_ns,duration_ns,device,track,category,name,stage,micro_batch,"
                           "correlation"));
}

TEST_F(Export, WritesTheExecutionTimesInEveryFormat) {
  ASSERT_TRUE(m_window.click(QStringLiteral("rail.charts")));
  exportAll(QStringLiteral("export.time"), QStringLiteral("time"),
            {QStringLiteral("single"), QStringLiteral("tutorial")});
  const QStringList variants =
      expectCsv(path(QStringLiteral("time.csv")), QStringLiteral("variant,repeat,device"));
  // A row per variant × repeat × device, or one per repeat where a figure has no device.
  EXPECT_GE(variants.count(QStringLiteral("single")), 5);
}

TEST_F(Export, WritesTheIdleStacksInEveryFormat) {
  ASSERT_TRUE(m_window.click(QStringLiteral("rail.charts")));
  exportAll(QStringLiteral("exportMenu.idle"), QStringLiteral("idle"), {QStringLiteral("cpu:1")});
  expectCsv(path(QStringLiteral("idle.csv")), QStringLiteral("variant,repeat,device"));
}

TEST_F(Export, SaysWhatIsWrongWithAFolderThatIsNotThereAndWritesAfterAll) {
  ASSERT_TRUE(m_window.click(QStringLiteral("rail.charts")));
  ASSERT_TRUE(m_window.click(QStringLiteral("export.time")));
  ASSERT_TRUE(
      m_window.replaceText(QStringLiteral("exportPath"), path(QStringLiteral("none/a.png"))));
  ASSERT_TRUE(m_window.click(QStringLiteral("exportSave")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("a reason"), [](const UiMapFile& map) {
    return !map.textOf(QStringLiteral("exportProblem")).isEmpty();
  }));
  EXPECT_TRUE(isRed(m_window.map().find(QStringLiteral("exportProblem"))->rect));
  // The focus is in the field for the file name.
  ASSERT_TRUE(m_window.waitForFocus(QStringLiteral("exportPath")));
  m_window.key(QStringLiteral("ctrl+a"));
  m_window.type(path(QStringLiteral("a.png")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the other file"), [&](const UiMapFile& map) {
    return map.valueOf(QStringLiteral("exportPath")) == path(QStringLiteral("a.png"));
  }));
  m_window.key(QStringLiteral("Return"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the dialog to close"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("exportDialog")) == nullptr;
  }));
  EXPECT_TRUE(QFileInfo::exists(path(QStringLiteral("a.png"))));
}

TEST_F(Export, AsksBeforeItReplacesAFileThatWasTyped) {
  const QString file = path(QStringLiteral("mine.png"));
  const auto write = [&file](const QByteArray& what) {
    QFile target(file);
    ASSERT_TRUE(target.open(QIODevice::WriteOnly));
    target.write(what);
  };
  const auto content = [&file] {
    QFile target(file);
    return target.open(QIODevice::ReadOnly) ? target.readAll() : QByteArray();
  };
  ASSERT_NO_FATAL_FAILURE(write("not a picture"));
  ASSERT_TRUE(m_window.click(QStringLiteral("rail.charts")));
  ASSERT_TRUE(m_window.click(QStringLiteral("export.time")));
  ASSERT_TRUE(m_window.replaceText(QStringLiteral("exportPath"), file));
  ASSERT_TRUE(m_window.click(QStringLiteral("exportSave")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("keepFile")));
  m_window.key(QStringLiteral("Return"));  // keeps the existing file
  EXPECT_EQ(content(), "not a picture");
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("exportSave")));
  ASSERT_TRUE(m_window.click(QStringLiteral("exportSave")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("replaceFile")));
  ASSERT_TRUE(m_window.click(QStringLiteral("replaceFile")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the dialog to close"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("exportDialog")) == nullptr;
  }));
  EXPECT_TRUE(content().startsWith("\x89PNG"));
}

TEST_F(Export, CancelWritesNothing) {
  ASSERT_TRUE(m_window.click(QStringLiteral("rail.charts")));
  ASSERT_TRUE(m_window.click(QStringLiteral("export.time")));
  ASSERT_TRUE(m_window.replaceText(QStringLiteral("exportPath"), path(QStringLiteral("b.png"))));
  ASSERT_TRUE(m_window.click(QStringLiteral("exportCancel")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the dialog to close"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("exportDialog")) == nullptr;
  }));
  EXPECT_FALSE(QFileInfo::exists(path(QStringLiteral("b.png"))));
}

TEST_F(Export, SaysThatItHasNoPictureOfSuchASizeInsteadOfChangingIt) {
  ASSERT_TRUE(m_window.click(QStringLiteral("rail.timeline")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("timelineHeadline"), QStringLiteral("measured")));
  ASSERT_TRUE(m_window.click(QStringLiteral("export")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("exportDpi")));
  ASSERT_TRUE(m_window.replaceText(QStringLiteral("exportDpi"), QStringLiteral("2400")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("exportDpi"), QStringLiteral("2400")));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("exportProblem"), QStringLiteral("1200 dots per inch")));
  EXPECT_FALSE(m_window.map().isEnabled(QStringLiteral("exportSave")));
  ASSERT_TRUE(m_window.replaceText(QStringLiteral("exportDpi"), QStringLiteral("1200")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("a picture of this size"), [](const UiMapFile& map) {
    return map.isEnabled(QStringLiteral("exportSave")) &&
           map.textOf(QStringLiteral("exportProblem")).isEmpty();
  }));
}

}  // namespace
}  // namespace stagelane::gui
