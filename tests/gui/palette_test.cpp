// Everything works without a mouse: the action of every button of every page is in the palette,
// too.

#include <QAbstractButton>
#include <QComboBox>
#include <QHash>
#include <QLineEdit>
#include <QMenu>
#include <QTest>
#include <QToolButton>
#include <algorithm>

#include "app/window/main_window.h"
#include "app/window/pages.h"
#include "tests/gui/history.h"
#include "tests/gui/window_test.h"

namespace stagelane::gui {
namespace {

/// Buttons that do not belong to an action: the text of the action that does the same.
const QHash<QString, QString>& actionsOfButtons() {
  static const QHash<QString, QString> kActions{
      {QStringLiteral("search"), QStringLiteral("Search actions")},
      {QStringLiteral("run"), QStringLiteral("Run the included variants")},
      {QStringLiteral("experiment"), QStringLiteral("Experiment settings")},
      {QStringLiteral("fit"), QStringLiteral("Fit the step")},
      {QStringLiteral("nextGap"), QStringLiteral("Next gap")},
      {QStringLiteral("previousGap"), QStringLiteral("Previous gap")},
      {QStringLiteral("measureMode"), QStringLiteral("Measure")},
      {QStringLiteral("zoomToSelection"), QStringLiteral("Zoom to the selection")}};
  return kActions;
}

/// Buttons without an action, and why.
const QHash<QString, QString>& exceptions() {
  static const QHash<QString, QString> kExceptions{
      {QStringLiteral("experimentMenu"), QStringLiteral("its entries are the palette's own")},
      {QStringLiteral("runMenu"), QStringLiteral("its entries are the palette's own")}};
  return kExceptions;
}

class Palette : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    qputenv("STAGELANE_WORKSPACE", path(QStringLiteral("workspace")).toUtf8());
    qputenv("XDG_CONFIG_HOME", path(QStringLiteral("config")).toUtf8());
    const QString run = path(QStringLiteral("workspace/runs/20261119-104400-toy"));
    ASSERT_NO_FATAL_FAILURE(runToy(run));
    app::WindowOptions options;
    options.file = run.toStdString();
    options.width = 1600;
    options.height = 900;
    m_shown = std::make_unique<app::MainWindow>(options);
    ASSERT_TRUE(m_shown->openFirst());
    m_shown->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(m_shown.get()));
  }

  void showPage(const QString& name) {
    ASSERT_TRUE(m_shown->shell().showPage(name));
    ASSERT_TRUE(QTest::qWaitFor([this] { return m_shown->settled(); }, 60'000));
  }

  /// Buttons that can be pressed now, except parts of a field.
  [[nodiscard]] QList<QAbstractButton*> buttons() const {
    QList<QAbstractButton*> found;
    for (QAbstractButton* button : m_shown->shell().findChildren<QAbstractButton*>()) {
      const bool ofField = qobject_cast<QLineEdit*>(button->parentWidget()) != nullptr ||
                           button->objectName().startsWith(QStringLiteral("qt_"));
      if (button->isVisible() && button->isEnabled() && !ofField) found.append(button);
    }
    return found;
  }

  /// Whether an action of the palette does the same as the button or as an entry of its menu.
  [[nodiscard]] bool isInPalette(const QAbstractButton& button) const {
    QList<QAction*> enabled;
    for (const ui::PaletteEntry& entry : m_shown->shell().allActions()) {
      if (entry.action->isEnabled()) enabled.append(entry.action);
    }
    const auto* tool = qobject_cast<const QToolButton*>(&button);
    if (tool != nullptr && tool->menu() != nullptr &&
        tool->popupMode() == QToolButton::InstantPopup) {
      const QList<QAction*> entries = tool->menu()->actions();
      if (std::all_of(entries.begin(), entries.end(), [&](QAction* entry) {
            return !entry->isEnabled() || entry->isSeparator() || enabled.contains(entry);
          })) {
        return true;
      }
    }
    return std::any_of(enabled.begin(), enabled.end(), [&](const QAction* action) {
      return isOf(*action, button) || (tool != nullptr && tool->defaultAction() == action);
    });
  }

  [[nodiscard]] static bool isOf(const QAction& action, const QAbstractButton& button) {
    const QString name = button.objectName();
    const QString called = actionsOfButtons().value(name, button.accessibleName());
    return action.objectName() == name + QStringLiteral("Action") ||
           action.objectName() ==
               QString(name).replace(QStringLiteral("rail."), QStringLiteral("show.")) ||
           action.text().compare(called, Qt::CaseInsensitive) == 0;
  }

  std::unique_ptr<app::MainWindow> m_shown;
};

TEST_F(Palette, HasWhatEveryButtonOfEveryPageDoes) {
  for (const std::string& page : app::pageNames()) {
    ASSERT_NO_FATAL_FAILURE(showPage(QString::fromStdString(page)));
    for (const QAbstractButton* button : buttons()) {
      EXPECT_TRUE(isInPalette(*button) || exceptions().contains(button->objectName()))
          << page << ": " << button->objectName().toStdString();
    }
  }
}

TEST_F(Palette, ExportsWithOneKeyWhateverAPageShows) {
  for (const char* page : {"plan", "timeline", "charts", "report"}) {
    ASSERT_NO_FATAL_FAILURE(showPage(QString::fromLatin1(page)));
    const auto* button =
        m_shown->shell().currentPage()->findChild<QAbstractButton*>(QStringLiteral("export"));
    ASSERT_NE(button, nullptr) << page;
    EXPECT_TRUE(button->toolTip().contains(QStringLiteral("(Ctrl+E)"))) << page;
    int keys = 0;
    for (const QAction* action : m_shown->shell().currentPage()->pageActions()) {
      keys += action->shortcut() == QKeySequence(Qt::CTRL | Qt::Key_E) ? 1 : 0;
    }
    EXPECT_EQ(keys, 1) << page;
  }
}

TEST_F(Palette, FindsWhatTheTimelineShowsAndHow) {
  ASSERT_NO_FATAL_FAILURE(showPage(QStringLiteral("timeline")));
  QStringList enabled;
  for (const QAction* action : m_shown->shell().currentPage()->pageActions()) {
    if (action->isEnabled()) enabled.append(action->text());
  }
  for (const char* text : {"Align at the first difference", "Align at the step's start",
                           "Show or hide the predicted step", "Colors of actions: by kind",
                           "Colors of actions: by micro-batch", "Colors of actions: by stage",
                           "Legend: hide or show forward", "Pan left", "Pan right",
                           "Next event of the track", "Fold or unfold the selected track"}) {
    EXPECT_TRUE(enabled.contains(QString::fromUtf8(text), Qt::CaseInsensitive)) << text;
  }
}

}  // namespace
}  // namespace stagelane::gui
