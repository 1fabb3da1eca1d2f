// Properties of the window's dialogs that the screen does not show: every control has a name and a
// tool tip, no text is cut off, and Tab follows the layout; also the entries of the command
// palette. tests/gui/dialogs_test.cpp opens the dialogs in a real window.

#include <gtest/gtest.h>

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QTemporaryDir>
#include <QTest>

#include "app/window/main_window.h"
#include "app/window/pages.h"
#include "tests/gui/history.h"
#include "tests/gui/widget_rules.h"
#include "tests/support/modal_dialog.h"
#include "ui/kit/question.h"
#include "ui/session/machine.h"
#include "ui/session/run/run_folders.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::app {
namespace {

constexpr int kKeysRole = Qt::UserRole + 1;  ///< of the palette's rows

class Dialogs : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(m_folder.isValid());
    qputenv("STAGELANE_WORKSPACE", path(QStringLiteral("workspace")).toUtf8());
    qputenv("XDG_CONFIG_HOME", path(QStringLiteral("config")).toUtf8());
    const QString run = gui::writePastRun(
        path(QStringLiteral("workspace/runs")),
        {.folder = QStringLiteral("20261119-104400-toy"), .name = QStringLiteral("Toy")});
    WindowOptions options;
    options.file = run.toStdString();
    options.width = 1024;
    options.height = 700;
    m_shown = std::make_unique<MainWindow>(options);
    ASSERT_TRUE(m_shown->openFirst());
    m_shown->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(m_shown.get()));
    ASSERT_TRUE(QTest::qWaitFor([this] { return m_shown->settled(); }, 30000));
  }

  void expectRules(QDialog& dialog) const {
    SCOPED_TRACE(dialog.objectName().toStdString());
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&dialog));
    EXPECT_FALSE(dialog.objectName().isEmpty());
    EXPECT_FALSE(dialog.windowTitle().isEmpty());
    QApplication::processEvents();
    gui::expectNames(dialog);
    gui::expectUncutTexts(dialog);
    gui::expectTabOrder(dialog);
    gui::expectNothingBesideTheView(dialog);
    // The answers to a question are complete sentences.
    if (dialog.findChild<QLabel*>(QStringLiteral("questionText")) == nullptr) {
      gui::expectToolTips(dialog);
    }
  }

  void look(const std::function<void()>& open, const std::function<void(QDialog&)>& at = {}) {
    test::lookAtModalDialog(open, [&](QDialog& dialog) {
      expectRules(dialog);
      if (at) at(dialog);
    });
  }

  void trigger(const char* name) {
    auto* action = m_shown->findChild<QAction*>(QString::fromLatin1(name));
    ASSERT_NE(action, nullptr) << name;
    ASSERT_TRUE(action->isEnabled()) << name;
    action->trigger();
  }

  /// A host with a device that can be used, and one that cannot.
  void answerWithABox() const {
    const QString name = QStringLiteral("NVIDIA H100 80GB HBM3");
    const ui::KnownHost box{
        QStringLiteral("box"),
        QStringLiteral("/opt/stagelane/bin/stagelane-engine"),
        QStringLiteral("1.0"),
        QStringLiteral("2026-11-27T05:00:00Z"),
        {{{"box/cuda:0"}, name, Bytes{80} << 30, true, true, {}},
         {{"box/cuda:1"}, name, Bytes{80} << 30, true, false, QString(200, QChar(u'w'))}}};
    m_shown->session().machine().hosts().answer({box, {}, {}});
  }

  [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }

  QTemporaryDir m_folder;
  std::unique_ptr<MainWindow> m_shown;
};

/// Controls that can be used now, except those that only pass the focus on.
QSet<const QWidget*> reachable(const QWidget& window) {
  QSet<const QWidget*> controls;
  for (const QWidget* widget : window.findChildren<QWidget*>()) {
    if (widget->window() == &window && widget->isVisible() && widget->isEnabled() &&
        widget->focusProxy() == nullptr && (widget->focusPolicy() & Qt::TabFocus) != 0) {
      controls.insert(widget);
    }
  }
  return controls;
}

TEST_F(Dialogs, TabReachesEveryControlOfEveryPageAndLeavesIt) {
  m_shown->activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(m_shown.get()));
  for (const std::string& page : pageNames()) {
    SCOPED_TRACE(page);
    ASSERT_TRUE(m_shown->shell().showPage(QString::fromStdString(page)));
    ASSERT_TRUE(QTest::qWaitFor([this] { return m_shown->settled(); }, 30000));
    QSet<const QWidget*> left = reachable(*m_shown);
    for (qsizetype presses = left.size() + 1; presses > 0 && !left.isEmpty(); --presses) {
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
      left.remove(QApplication::focusWidget());
    }
    // Qt has one tab stop for a group of buttons with a checked one; arrow keys move within it.
    left.intersect(reachable(*m_shown));
    for (const QWidget* missed : left) {
      ADD_FAILURE() << missed->metaObject()->className() << " "
                    << missed->objectName().toStdString();
    }
  }
}

TEST_F(Dialogs, KeepTheRulesOfThePages) {
  for (const char* action : {"sweepAction", "newExperiment", "exportCode", "changeModel",
                             "addImagined", "addHost", "exportPredicted", "paletteAction"}) {
    SCOPED_TRACE(action);
    look([&] { trigger(action); });
  }
  look([this] { trigger("newExperiment"); },
       [](QDialog& dialog) {
         // Another model has other sizes.
         auto* model = dialog.findChild<QComboBox*>(QStringLiteral("modelChoice"));
         ASSERT_NE(model, nullptr);
         model->setCurrentIndex(model->findData(QStringLiteral("gpt")));
         Q_EMIT model->activated(model->currentIndex());
         QApplication::processEvents();
         gui::expectTabOrder(dialog);
       });
  look([this] { trigger("addHost"); },
       [this](QDialog& dialog) {
         answerWithABox();
         QApplication::processEvents();
         expectRules(dialog);
         m_shown->session().machine().hosts().answer(
             {{}, QStringLiteral("The host key of box is not known."), QStringLiteral("ssh box")});
         QApplication::processEvents();
         expectRules(dialog);
       });
  look([this] {
    const std::size_t answer =
        ui::ask(m_shown.get(), {QStringLiteral("replaceDialog"),
                                QStringLiteral("Replace file"),
                                QStringLiteral("a.png already exists."),
                                QStringLiteral("It is in /tmp."),
                                {{QStringLiteral("replaceFile"), QStringLiteral("Replace")},
                                 {QStringLiteral("keepFile"), QStringLiteral("Keep")}}});
    EXPECT_EQ(answer, 1U) << "closed without an answer";
  });
}

TEST_F(Dialogs, ARunThatWasDeletedIsSaidToBe) {
  look([this] { m_shown->session().runFolders().requestOpen(path(QStringLiteral("gone")), {}); },
       [](QDialog& dialog) {
         const auto* text = dialog.findChild<QLabel*>(QStringLiteral("questionText"));
         ASSERT_NE(text, nullptr);
         EXPECT_TRUE(text->text().startsWith(QStringLiteral("The run was deleted. ")))
             << text->text().toStdString();
       });
}

TEST_F(Dialogs, AListOfRunsIsAsWideAsItsEntries) {
  ASSERT_TRUE(m_shown->shell().showPage(QStringLiteral("charts")));
  auto* runs = m_shown->findChild<QComboBox*>(QStringLiteral("chartsRun"));
  ASSERT_NE(runs, nullptr);
  runs->addItem(QString(60, QChar(u'm')));
  runs->showPopup();
  EXPECT_GE(runs->view()->width(), runs->view()->sizeHintForColumn(0));
  runs->hidePopup();
}

TEST_F(Dialogs, ThePaletteListsWhatThePagesCanDoWithItsKeys) {
  QHash<QString, QString> keys;
  look([this] { trigger("paletteAction"); },
       [&keys](QDialog& dialog) {
         const auto* list = dialog.findChild<QListWidget*>(QStringLiteral("paletteList"));
         ASSERT_NE(list, nullptr);
         for (int row = 0; row < list->count(); ++row) {
           keys[list->item(row)->text()] = list->item(row)->data(kKeysRole).toString();
         }
       });
  EXPECT_EQ(keys.value(QStringLiteral("Rename the variant")), QStringLiteral("F2"));
  EXPECT_EQ(keys.value(QStringLiteral("Delete the variant")), QStringLiteral("Del"));
  EXPECT_EQ(keys.value(QStringLiteral("Include or exclude the variant in Run")),
            QStringLiteral("Space"));
  for (const char* action :
       {"Chart style: Tutorial", "Chart style: Stagelane", "Choose the run of the charts…",
        "Pause the sweep", "Resume the sweep", "Cancel the sweep", "Hide the sweep",
        "Export the sweep…", "Report: fit the pages to the width", "Report: pages at 100 %",
        "Report: only the last run", "Include in the report: Summary", "Show runs: Failed",
        "Show runs: Done", "Show all runs", "Export the predicted timeline…"}) {
    EXPECT_TRUE(keys.contains(QString::fromUtf8(action))) << action;
  }
}

TEST_F(Dialogs, ThePaletteOffersWhatABannerOffersWhileItIsThere) {
  const auto offered = [this] {
    QStringList texts;
    for (const ui::PaletteEntry& entry : m_shown->shell().allActions()) {
      texts.append(entry.action->text());
    }
    return texts;
  };
  EXPECT_FALSE(offered().contains(QStringLiteral("Dismiss")));
  m_shown->session().runState().setProblem(QStringLiteral("the engine is not there"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return offered().contains(QStringLiteral("Dismiss")); }, 5000));
  m_shown->session().runState().setProblem({});
  ASSERT_TRUE(
      QTest::qWaitFor([&] { return !offered().contains(QStringLiteral("Dismiss")); }, 5000));
}

}  // namespace
}  // namespace stagelane::app
