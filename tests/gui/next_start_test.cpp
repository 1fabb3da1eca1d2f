// State that a window restores from the last one: its size and page, open and closed parts, the
// theme, the experiment and its variant.

#include <QFile>
#include <QThread>

#include "tests/gui/experiments.h"
#include "tests/gui/window_test.h"

namespace stagelane::gui {
namespace {

class NextStart : public WindowTest {
 protected:
  /// Opens the file and leaves all else to the window.
  [[nodiscard]] bool start(const QString& file = QStringLiteral("toy"), const QString& theme = {}) {
    return m_window.open({.file = file, .page = {}, .size = {}, .theme = theme});
  }

  [[nodiscard]] bool showsPage(const QString& page) {
    return m_window.waitFor(page, [&](const UiMapFile& map) { return map.page == page; });
  }

  [[nodiscard]] bool hasValue(const char* control, const QString& value) {
    const QString name = QString::fromLatin1(control);
    return m_window.waitFor(QStringLiteral("%1 to be %2").arg(name, value),
                            [&](const UiMapFile& map) { return map.valueOf(name) == value; });
  }

  [[nodiscard]] bool isDark(bool dark) {
    return m_window.waitFor(dark ? QStringLiteral("a dark window") : QStringLiteral("a light one"),
                            [&](const UiMapFile&) {
                              const QImage seen = m_window.picture();
                              const QColor ground = seen.pixelColor(20, seen.height() - 100);
                              return (ground.lightnessF() < 0.5) == dark;
                            });
  }

  [[nodiscard]] bool opensExperiment(const QString& name) {
    return m_window.waitForText(QStringLiteral("experimentMenu"), name);
  }

  [[nodiscard]] QRect rectOf(const char* control) const {
    const UiMapFile map = m_window.map();
    const Control* found = map.find(QString::fromLatin1(control));
    return found == nullptr ? QRect() : found->rect;
  }
};

TEST_F(NextStart, FindsTheWindowAsItWasLeft) {
  ASSERT_TRUE(start());
  const QSize first = m_window.map().size;
  // By the corner of the frame, which begins right below the window.
  const QPoint corner = rectOf("rail").topLeft() + QPoint(first.width() - 2, first.height());
  const QPoint inner = corner - QPoint(180, 90);
  m_window.press(corner, inner);
  // openbox begins to resize with the first move that it processes, and it may skip all but the
  // last.
  for (int step = 0; step < 10; ++step) {
    m_window.moveTo(inner + QPoint(step % 2, 0));
    QThread::msleep(20);
  }
  m_window.release();
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("a smaller window"), [&](const UiMapFile& map) {
    return map.size.width() < first.width() - 100 && map.size.height() < first.height() - 50;
  }));
  const QSize left = m_window.map().size;
  const QRect tree = rectOf("blockTree");
  const QPoint edge(tree.right() + 1, tree.center().y());
  m_window.press(edge, edge + QPoint(60, 0));
  m_window.release();
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("a wider tree"), [&](const UiMapFile&) {
    return rectOf("blockTree").width() > tree.width() + 40;
  }));
  const int width = rectOf("blockTree").width();
  ASSERT_TRUE(m_window.click(QStringLiteral("rail.charts")));
  ASSERT_TRUE(showsPage(QStringLiteral("charts")));
  ASSERT_TRUE(m_window.quit());

  ASSERT_TRUE(start());
  EXPECT_TRUE(showsPage(QStringLiteral("charts")));
  EXPECT_TRUE(m_window.waitFor(QStringLiteral("the size that was left"),
                               [&](const UiMapFile& map) { return map.size == left; }));
  // The palette builds all pages, and a page that is not shown keeps its sizes.
  ASSERT_TRUE(m_window.doFromPalette(QStringLiteral("show runs")));
  ASSERT_TRUE(showsPage(QStringLiteral("runs")));
  ASSERT_TRUE(m_window.quit());

  ASSERT_TRUE(start());
  ASSERT_TRUE(m_window.click(QStringLiteral("rail.plan")));
  EXPECT_TRUE(
      m_window.waitFor(QStringLiteral("the tree as wide as it was left"),
                       [&](const UiMapFile&) { return rectOf("blockTree").width() == width; }));
  ASSERT_TRUE(m_window.quit());

  ASSERT_TRUE(start());
  EXPECT_TRUE(showsPage(QStringLiteral("plan")));
  EXPECT_TRUE(
      m_window.waitFor(QStringLiteral("the tree as wide on the page of the start"),
                       [&](const UiMapFile&) { return rectOf("blockTree").width() == width; }));
}

TEST_F(NextStart, FollowsTheDesktopUntilAPersonChoosesATheme) {
  const QString toy = QStringLiteral("toy");
  const QString switching = QStringLiteral("switch between light");
  const QString following = QStringLiteral("use the desktop theme");
  // The desktop of the tests has a light theme.
  ASSERT_TRUE(start(toy, QStringLiteral("dark")));
  EXPECT_TRUE(isDark(true));
  ASSERT_TRUE(m_window.quit());
  ASSERT_TRUE(start());
  EXPECT_TRUE(isDark(false)) << "dark was said for one start only";
  ASSERT_TRUE(m_window.doFromPalette(switching));
  ASSERT_TRUE(isDark(true));
  ASSERT_TRUE(m_window.quit());
  ASSERT_TRUE(start());
  EXPECT_TRUE(isDark(true)) << "chosen";
  ASSERT_TRUE(m_window.quit());
  ASSERT_TRUE(start(toy, QStringLiteral("light")));
  EXPECT_TRUE(isDark(false));
  ASSERT_TRUE(m_window.quit());
  ASSERT_TRUE(start());
  EXPECT_TRUE(isDark(true)) << "still chosen";
  ASSERT_TRUE(m_window.doFromPalette(following));
  ASSERT_TRUE(isDark(false));
  ASSERT_TRUE(m_window.quit());
  ASSERT_TRUE(start());
  EXPECT_TRUE(isDark(false));
}

TEST_F(NextStart, FindsWhatAPersonOpenedAndClosed) {
  const QString yes = QStringLiteral("true");
  const QString no = QStringLiteral("false");
  ASSERT_TRUE(start());
  for (const char* chosen : {"toggleInspector", "showLayers", "widthMemory", "experiment"}) {
    ASSERT_TRUE(m_window.click(QString::fromLatin1(chosen)));
  }
  ASSERT_TRUE(m_window.click(QStringLiteral("rail.charts")));
  ASSERT_TRUE(m_window.click(QStringLiteral("styleTutorial")));
  ASSERT_TRUE(hasValue("styleTutorial", yes));
  ASSERT_TRUE(m_window.quit());

  ASSERT_TRUE(start());
  EXPECT_TRUE(hasValue("styleTutorial", yes));
  ASSERT_TRUE(m_window.click(QStringLiteral("rail.plan")));
  EXPECT_TRUE(hasValue("toggleTree", yes));
  EXPECT_TRUE(hasValue("toggleInspector", no));
  EXPECT_TRUE(hasValue("showLayers", yes));
  EXPECT_TRUE(hasValue("showTimeline", no));
  EXPECT_TRUE(hasValue("widthMemory", yes));
  EXPECT_TRUE(hasValue("experiment", yes));
  EXPECT_EQ(m_window.map().find(QStringLiteral("inspector")), nullptr);
}

TEST_F(NextStart, OpensWhatWasOpenAndItsVariant) {
  const QString kept = copyOfWide(path(QStringLiteral("kept.json")));
  const QString tutorial = QStringLiteral("ResNet-50");
  ASSERT_TRUE(start({}));
  EXPECT_TRUE(opensExperiment(tutorial)) << "the first start of all";
  ASSERT_TRUE(m_window.quit());

  ASSERT_TRUE(start(kept));
  ASSERT_TRUE(opensExperiment(QStringLiteral("wide")));
  const QString variant = m_window.map().namesThatBegin(QStringLiteral("variant.")).back();
  ASSERT_NE(m_window.map().valueOf(variant), QStringLiteral("current"));
  ASSERT_TRUE(m_window.click(variant));
  ASSERT_TRUE(hasValue(qPrintable(variant), QStringLiteral("current")));
  ASSERT_TRUE(m_window.quit());

  ASSERT_TRUE(start({}));
  EXPECT_TRUE(opensExperiment(QStringLiteral("wide")));
  EXPECT_TRUE(hasValue(qPrintable(variant), QStringLiteral("current")));
  ASSERT_TRUE(m_window.quit());

  // Not the preset of the same name: the file.
  ASSERT_TRUE(QFile::remove(kept));
  ASSERT_TRUE(start({}));
  EXPECT_TRUE(opensExperiment(tutorial));
}

}  // namespace
}  // namespace stagelane::gui
