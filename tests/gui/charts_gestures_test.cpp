// Mouse gestures on charts and pictures: a bar that opens its step, the tutorial's style, single
// repeats, the clipboard, and the export of the predicted timeline.

#include <QClipboard>
#include <QGuiApplication>
#include <QImage>

#include "tests/gui/exported_files.h"
#include "tests/gui/history.h"
#include "tests/gui/window_test.h"

namespace stagelane::gui {
namespace {

class ChartsGestures : public WindowTest {
 protected:
  [[nodiscard]] bool openCharts() {
    const QString run = writePastRun(path(QStringLiteral("workspace/runs")),
                                     {.folder = QStringLiteral("20261119-104400-toy"),
                                      .name = QStringLiteral("Toy, first try")});
    return m_window.open({.file = run, .page = QStringLiteral("charts")}) &&
           m_window.waitForControl(QStringLiteral("bar.time.pipeline"));
  }

  /// The text that the window shows for a control, once it no longer changes.
  [[nodiscard]] QImage pictureOf(const QString& name) {
    m_window.moveTo({2, 2});
    QImage picture;
    EXPECT_TRUE(m_window.waitFor(QStringLiteral("a chart at rest"), [&](const UiMapFile&) {
      const QImage before = picture;
      picture = m_window.picture();
      return before == picture;
    }));
    const UiMapFile map = m_window.map();
    const Control* control = map.find(name);
    const Control* rail = map.find(QStringLiteral("rail"));
    return control == nullptr || rail == nullptr
               ? QImage()
               : picture.copy(control->rect.translated(-rail->rect.topLeft()));
  }

  [[nodiscard]] static int redPixels(const QImage& picture) {
    int count = 0;
    for (int y = 0; y < picture.height(); ++y) {
      for (int x = 0; x < picture.width(); ++x) {
        const QColor color = picture.pixelColor(x, y);
        count += color.red() > 160 && color.green() < 80 && color.blue() < 90 ? 1 : 0;
      }
    }
    return count;
  }

  [[nodiscard]] bool copyAs(const QString& format) {
    return m_window.waitForControl(QStringLiteral("exportCopy")) &&
           (m_window.map().textOf(QStringLiteral("exportFormat")) == format ||
            m_window.choose(QStringLiteral("exportFormat"), format)) &&
           m_window.click(QStringLiteral("exportCopy")) &&
           m_window.waitForText(QStringLiteral("exportProblem"), QStringLiteral("Copied"));
  }
};

TEST_F(ChartsGestures, MarkTheVariantThatAllPagesShow) {
  ASSERT_TRUE(openCharts());
  const auto underlined = [this](const QString& control) {
    const QImage slot = pictureOf(control);
    constexpr int kRows = 5;
    for (int row = 1; row <= kRows && slot.height() > kRows; ++row) {
      const QColor below = slot.pixelColor(slot.width() / 2, slot.height() - row);
      if (below.blue() > 150 && below.red() < 90) return true;
    }
    return false;
  };
  ASSERT_TRUE(m_window.choose(QStringLiteral("variant"), QStringLiteral("single")));
  EXPECT_TRUE(underlined(QStringLiteral("bar.time.single")));
  EXPECT_FALSE(underlined(QStringLiteral("bar.time.pipeline")));
  ASSERT_TRUE(m_window.choose(QStringLiteral("variant"), QStringLiteral("model parallel")));
  EXPECT_FALSE(underlined(QStringLiteral("bar.time.single")));
}

TEST_F(ChartsGestures, AClickOnABarOpensItsStepInTheTimeline) {
  ASSERT_TRUE(openCharts());
  ASSERT_TRUE(m_window.click(QStringLiteral("bar.time.single")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the Timeline"), [](const UiMapFile& map) {
    return map.page == QStringLiteral("timeline");
  }));
  ASSERT_TRUE(m_window.click(QStringLiteral("rail.plan")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("its tab in front"), [](const UiMapFile& map) {
    return map.valueOf(QStringLiteral("variant.single")) == QStringLiteral("current");
  }));
}

TEST_F(ChartsGestures, TheTutorialsStyleHasRedErrorBarsAndRepeatsAreDotsOnRequest) {
  ASSERT_TRUE(openCharts());
  const QString chart = QStringLiteral("chart.time");
  const QImage plain = pictureOf(chart);
  ASSERT_FALSE(plain.isNull());
  EXPECT_EQ(redPixels(plain), 0);
  ASSERT_TRUE(m_window.click(QStringLiteral("singleRepeats")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the tick"), [](const UiMapFile& map) {
    return map.valueOf(QStringLiteral("singleRepeats")) == QStringLiteral("true");
  }));
  EXPECT_NE(pictureOf(chart), plain) << "a dot for each repeat";
  ASSERT_TRUE(m_window.click(QStringLiteral("singleRepeats")));
  ASSERT_TRUE(m_window.click(QStringLiteral("styleTutorial")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the tutorial's style"), [](const UiMapFile& map) {
    return map.valueOf(QStringLiteral("styleTutorial")) == QStringLiteral("true") &&
           !map.isEnabled(QStringLiteral("singleRepeats"));
  }));
  EXPECT_GT(redPixels(pictureOf(chart)), 20);
  ASSERT_TRUE(m_window.click(QStringLiteral("styleStagelane")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("our own style"), [](const UiMapFile& map) {
    return map.isEnabled(QStringLiteral("singleRepeats"));
  }));
  EXPECT_EQ(redPixels(pictureOf(chart)), 0);
}

TEST_F(ChartsGestures, APictureAndATableAreCopiedToTheClipboard) {
  ASSERT_TRUE(openCharts());
  ASSERT_TRUE(m_window.click(QStringLiteral("export.time")));
  ASSERT_TRUE(copyAs(QStringLiteral("PNG")));
  // The process learns the owner of the clipboard from an event.
  QCoreApplication::processEvents();
  const QImage copied = QGuiApplication::clipboard()->image();
  EXPECT_GT(copied.width(), 1000) << "160 mm at 300 dots per inch";
  EXPECT_GT(copied.height(), 500);
  ASSERT_TRUE(copyAs(QStringLiteral("CSV")));
  QCoreApplication::processEvents();
  EXPECT_TRUE(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("variant,repeat")));
  m_window.key(QStringLiteral("Escape"));
}

TEST_F(ChartsGestures, WhatIsPredictedIsExportedAlthoughNothingWasRun) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy"), .size = {1280, 900}}));
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.pipeline")));
  const auto open = [this](const char* entry) {
    const QString name = QString::fromLatin1(entry);
    return m_window.click(QStringLiteral("export")) &&
           m_window.waitFor(QStringLiteral("the entry"),
                            [&](const UiMapFile& map) { return map.isEnabled(name); }) &&
           m_window.click(name) && m_window.waitForControl(QStringLiteral("exportPath"));
  };
  ASSERT_TRUE(open("exportPredicted"));
  ASSERT_TRUE(m_window.choose(QStringLiteral("exportFormat"), QStringLiteral("SVG")));
  // A relative name is below the suggested folder, and so is one with ~.
  ASSERT_TRUE(
      m_window.replaceText(QStringLiteral("exportPath"), QStringLiteral("~/predicted.svg")));
  ASSERT_TRUE(m_window.click(QStringLiteral("exportSave")));
  const QString file = path(QStringLiteral("home/predicted.svg"));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("hint"), QStringLiteral("Wrote ") + file));
  expectSvg(file, {QStringLiteral("cpu:0"), QStringLiteral("cpu:1")});
  ASSERT_TRUE(open("exportPredicted"));
  ASSERT_TRUE(m_window.replaceText(QStringLiteral("exportPath"), QStringLiteral("events.csv")));
  ASSERT_TRUE(m_window.click(QStringLiteral("exportSave")));
  const QString table = path(QStringLiteral("home/events.csv"));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("hint"), QStringLiteral("Wrote ") + table));
  expectCsv(table, QStringLiteral("start_ns,duration_ns,device,track,category,name,stage,"
                                  "micro_batch,correlation"));
  ASSERT_TRUE(open("exportCuts"));
  ASSERT_TRUE(m_window.replaceText(QStringLiteral("exportPath"), QStringLiteral("cuts.svg")));
  keepPicture(m_window.picture(), QStringLiteral("export-cuts-light"));
  ASSERT_TRUE(m_window.click(QStringLiteral("exportSave")));
  const QString cuts = path(QStringLiteral("home/cuts.svg"));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("hint"), QStringLiteral("Wrote ") + cuts));
  expectSvg(cuts, {QStringLiteral("Step time by cut")});
  ASSERT_TRUE(open("exportSplits"));
  keepPicture(m_window.picture(), QStringLiteral("export-splits-light"));
  ASSERT_TRUE(m_window.replaceText(QStringLiteral("exportPath"), QStringLiteral("splits.csv")));
  ASSERT_TRUE(m_window.click(QStringLiteral("exportSave")));
  const QString splits = path(QStringLiteral("home/splits.csv"));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("hint"), QStringLiteral("Wrote ") + splits));
  expectCsv(splits, QStringLiteral("split_size,predicted_step_s,predicted_from,fits,own,best"));
}

}  // namespace
}  // namespace stagelane::gui
