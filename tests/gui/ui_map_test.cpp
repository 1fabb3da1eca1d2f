// The map of controls, at the smallest and at a usual size: every control is inside the window,
// none overlap, names are unique, and everything has an accessible name.

#include <QApplication>
#include <QTest>

#include "app/window/main_window.h"
#include "app/window/pages.h"
#include "tests/gui/ui_map_rules.h"
#include "tests/gui/widget_rules.h"
#include "tests/gui/window_test.h"

namespace stagelane::gui {
namespace {

void expectChipsInTheirLanes(const UiMapFile& map) {
  for (const QString& name : map.namesThatBegin(QStringLiteral("chip."))) {
    const Control* chip = map.find(name);
    const Control* lane = map.find(QStringLiteral("lane.") + chip->value);
    ASSERT_NE(lane, nullptr) << name.toStdString();
    EXPECT_TRUE(lane->rect.contains(chip->rect)) << name.toStdString();
    EXPECT_GE(chip->rect.width(), 16) << name.toStdString();
  }
}

class UiMapOfPages : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    ASSERT_NO_FATAL_FAILURE(runToy(runFolder()));
  }

  [[nodiscard]] QString runFolder() const { return path(QStringLiteral("run")); }

  void expectSoundPages(const QString& file, QSize size) {
    ASSERT_TRUE(m_window.open({.file = file, .size = size}));
    EXPECT_EQ(m_window.map().size, size);
    for (const QString& rail : m_window.map().namesThatBegin(QStringLiteral("rail."))) {
      ASSERT_TRUE(m_window.click(rail));
      const QString page = rail.section(QChar(u'.'), 1);
      ASSERT_TRUE(m_window.waitFor(page, [&](const UiMapFile& map) { return map.page == page; }));
      const UiMapFile map = m_window.map();
      expectSound(map);
      expectChipsInTheirLanes(map);
    }
  }
};

TEST_F(UiMapOfPages, IsSoundAtTheLeastSize) { expectSoundPages(runFolder(), {1024, 700}); }

TEST_F(UiMapOfPages, IsSoundAtAUsualSize) { expectSoundPages(runFolder(), {1600, 900}); }

TEST_F(UiMapOfPages, IsSoundWithNothingMeasured) {
  expectSoundPages(QStringLiteral("tutorial-resnet50-quick"), {1024, 700});
}

TEST_F(UiMapOfPages, HasWhatTheContractNames) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy")}));
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.pipeline")));
  for (const char* name : {"page.plan", "run", "cancel", "variant.pipeline", "lane.cpu:0",
                           "lane.cpu:1", "chip.net1", "chip.net2", "splitSize", "schedule",
                           "strategy", "repeats", "undo", "redo", "stepTime", "speedup"}) {
    EXPECT_TRUE(m_window.waitForControl(QString::fromLatin1(name))) << name;
  }
}

/// The window in this process, because accessible names are not on the screen.
class NamesOfControls : public UiMapOfPages {
 protected:
  void SetUp() override {
    UiMapOfPages::SetUp();
    // The window of this process must not show the history of the user who runs the tests.
    qputenv("STAGELANE_WORKSPACE", path(QStringLiteral("workspace")).toUtf8());
  }
};

TEST_F(NamesOfControls, AreThereForEveryPageAndNoTextIsCut) {
  for (const QSize size : {QSize(1024, 700), QSize(1600, 900)}) {
    app::WindowOptions options;
    options.file = runFolder().toStdString();
    options.width = size.width();
    options.height = size.height();
    options.uiMap = path(QStringLiteral("unused.json")).toStdString();
    app::MainWindow window(options);
    ASSERT_TRUE(window.openFirst());
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    SCOPED_TRACE(size.width());
    for (const std::string& page : app::pageNames()) {
      if (window.shell().showPage(QString::fromStdString(page))) {
        SCOPED_TRACE(page);
        EXPECT_TRUE(QTest::qWaitFor([&] { return window.settled(); }, 30000));
        QApplication::processEvents();
        expectNames(window);
        expectUncutTexts(window);
        expectNothingBesideTheView(window);
        expectToolTips(window);
      }
    }
  }
}

}  // namespace
}  // namespace stagelane::gui
