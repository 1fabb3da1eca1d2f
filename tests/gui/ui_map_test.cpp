// The map of controls itself, at the least and at a usual size: nothing leaves the window, nothing
// lies on something else, names are unique, and whoever cannot see has a name for everything.

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QTest>
#include <QToolButton>

#include "app/main_window.h"
#include "tests/gui/ui_map_rules.h"
#include "tests/gui/window_test.h"

namespace stagelane::gui {
namespace {

void expectUniqueNames(const UiMapFile& map) {
  QStringList names;
  for (const Control& control : map.controls) {
    // A step may do the same action several times on one device, and a variant has a bar a device.
    if (control.role != QStringLiteral("action") && control.role != QStringLiteral("bar")) {
      EXPECT_FALSE(names.contains(control.name)) << control.name.toStdString();
      names.append(control.name);
    }
  }
}

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
      expectInside(map);
      expectApart(map);
      expectUniqueNames(map);
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

/// The window in this process, since accessible names are for programs and not on the screen.
class NamesOfControls : public UiMapOfPages {
 protected:
  void SetUp() override {
    UiMapOfPages::SetUp();
    // The window of this process must not show the history of whoever runs the tests.
    qputenv("STAGELANE_WORKSPACE", path(QStringLiteral("workspace")).toUtf8());
  }

  static void expectNames(const QWidget& window) {
    for (QWidget* widget : window.findChildren<QWidget*>()) {
      if (widget->isVisible() && isForPeople(*widget)) {
        const QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(widget);
        ASSERT_NE(accessible, nullptr);
        EXPECT_FALSE(accessible->text(QAccessible::Name).isEmpty()) << nameOf(*widget);
        EXPECT_FALSE(widget->objectName().isEmpty()) << nameOf(*widget);
      }
    }
  }

  static void expectUncutTexts(const QWidget& window) {
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
      if (widget->isVisible() && widget->sizePolicy().horizontalPolicy() != QSizePolicy::Ignored) {
        EXPECT_GE(widget->width(), widthOfText(*widget)) << nameOf(*widget);
      }
    }
  }

  /// What cannot be scrolled sideways must not be wider than what is seen of it.
  static void expectNothingBesideTheView(const QWidget& window) {
    for (const QScrollArea* area : window.findChildren<QScrollArea*>()) {
      if (area->isVisible() && area->widget() != nullptr &&
          area->horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOff) {
        EXPECT_LE(area->widget()->width(), area->viewport()->width()) << nameOf(*area);
      }
    }
  }

  /// Whoever rests the mouse on a control learns what it is for.
  static void expectToolTips(const QWidget& window) {
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
      const bool control = qobject_cast<const QAbstractButton*>(widget) != nullptr ||
                           qobject_cast<const QComboBox*>(widget) != nullptr ||
                           qobject_cast<const QLineEdit*>(widget) != nullptr ||
                           qobject_cast<const QAbstractSpinBox*>(widget) != nullptr;
      // Parts of a control speak with it.
      const bool part = qobject_cast<const QAbstractSpinBox*>(widget->parentWidget()) != nullptr ||
                        qobject_cast<const QComboBox*>(widget->parentWidget()) != nullptr ||
                        qobject_cast<const QLineEdit*>(widget->parentWidget()) != nullptr ||
                        widget->objectName().startsWith(QStringLiteral("qt_"));
      if (control && !part && widget->isVisible()) {
        EXPECT_FALSE(widget->toolTip().isEmpty()) << nameOf(*widget);
      }
    }
  }

 private:
  [[nodiscard]] static bool isForPeople(const QWidget& widget) {
    const bool isPart = qobject_cast<QAbstractSpinBox*>(widget.parentWidget()) != nullptr ||
                        qobject_cast<QComboBox*>(widget.parentWidget()) != nullptr ||
                        widget.objectName().startsWith(QStringLiteral("qt_"));
    return !isPart && (widget.focusPolicy() & Qt::TabFocus) != 0 &&
           !widget.inherits("QAbstractScrollArea");
  }

  /// What a label or a button needs for its text; 0 for others and for texts that wrap.
  [[nodiscard]] static int widthOfText(const QWidget& widget) {
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
      return label->wordWrap() ? 0 : label->sizeHint().width() - 1;
    }
    if (const auto* button = qobject_cast<const QToolButton*>(&widget)) {
      const bool showsText =
          button->toolButtonStyle() != Qt::ToolButtonIconOnly || button->icon().isNull();
      return showsText ? button->fontMetrics().horizontalAdvance(button->text()) : 0;
    }
    const auto* button = qobject_cast<const QAbstractButton*>(&widget);
    return button == nullptr ? 0 : button->fontMetrics().horizontalAdvance(button->text());
  }

  [[nodiscard]] static std::string nameOf(const QWidget& widget) {
    QString text =
        QString::fromLatin1(widget.metaObject()->className()) + QChar(u' ') + widget.objectName();
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
      text += QStringLiteral(" \"") + label->text() + QChar(u'"');
    }
    return (text + QStringLiteral(" in ") + widget.parentWidget()->objectName()).toStdString();
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
    for (const char* page : {"plan", "timeline", "charts", "runs", "report"}) {
      if (window.shell().showPage(QString::fromLatin1(page))) {
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
