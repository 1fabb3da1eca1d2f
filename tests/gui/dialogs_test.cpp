// Every dialog of the window keeps the rules of the pages: its controls lie inside it and apart,
// and each has a name and a tool tip; and the command palette lists what the pages can do, with
// keys. In this process, since tool tips, the order of Tab, accessible names and texts that are cut
// are in no map; what opens the dialogs are keys and clicks, as a person's.

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QTimer>

#include "app/main_window.h"
#include "app/ui_map.h"
#include "tests/gui/history.h"
#include "tests/gui/ui_map_rules.h"
#include "tests/gui/widget_rules.h"
#include "tests/gui/window_test.h"

namespace stagelane::gui {
namespace {

const QString kLongRun = QStringLiteral("20261120-091500-long");
constexpr int kKeysRole = Qt::UserRole + 1;  ///< of the palette's rows

class Dialogs : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    qputenv("STAGELANE_WORKSPACE", path(QStringLiteral("workspace")).toUtf8());
    qputenv("XDG_CONFIG_HOME", path(QStringLiteral("config")).toUtf8());
    const QString runs = path(QStringLiteral("workspace/runs"));
    const QString run = writePastRun(
        runs, {.folder = QStringLiteral("20261119-104400-toy"), .name = QStringLiteral("Toy")});
    writePastRun(runs, {.folder = kLongRun, .name = QString(60, QChar(u'm'))});
    app::WindowOptions options;
    options.file = run.toStdString();
    options.width = 1024;
    options.height = 700;
    m_shown = std::make_unique<app::MainWindow>(options);
    ASSERT_TRUE(m_shown->openFirst());
    m_shown->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(m_shown.get()));
    m_shown->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(m_shown.get()));
    ASSERT_TRUE(QTest::qWaitFor([this] { return m_shown->settled(); }, 30000));
  }

  template <typename Widget>
  [[nodiscard]] Widget* shown(const char* name) const {
    return m_shown->findChild<Widget*>(QString::fromLatin1(name));
  }

  void click(const char* name) {
    auto* button = shown<QAbstractButton>(name);
    ASSERT_NE(button, nullptr) << name;
    ASSERT_TRUE(button->isVisible() && button->isEnabled()) << name;
    QTest::mouseClick(button, Qt::LeftButton);
  }

  void showPage(const char* page) {
    ASSERT_NO_FATAL_FAILURE(click(qPrintable(QStringLiteral("rail.") + QString::fromLatin1(page))));
    ASSERT_TRUE(QTest::qWaitFor([this] { return m_shown->settled(); }, 30000));
  }

  static void typeInto(QLineEdit& field, const QString& text) {
    QTest::keyClick(&field, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(&field, Qt::Key_Delete);
    QTest::keyClicks(&field, text);
  }

  void openPalette() {
    QTest::keyClick(m_shown.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  }

  /// Types what the action is called into the palette, and presses Return.
  void doFromPalette(const char* action) {
    const auto* found = shown<QAction>(action);
    ASSERT_NE(found, nullptr) << action;
    openPalette();
    auto* search = shown<QLineEdit>("paletteSearch");
    ASSERT_NE(search, nullptr) << "no palette";
    // The test library types nothing but ASCII: not the ellipsis of what opens a dialog.
    typeInto(*search, found->text().remove(QChar(0x2026)));
    QTest::keyClick(search, Qt::Key_Return);
  }

  /// What the palette offers now, with its keys.
  [[nodiscard]] QHash<QString, QString> offered() {
    QHash<QString, QString> keys;
    look([this] { openPalette(); },
         [&keys](QDialog& dialog) {
           const auto* list = dialog.findChild<QListWidget*>(QStringLiteral("paletteList"));
           ASSERT_NE(list, nullptr);
           for (int row = 0; row < list->count(); ++row) {
             keys[list->item(row)->text()] = list->item(row)->data(kKeysRole).toString();
           }
         });
    return keys;
  }

  void expectRules(QDialog& dialog) const {
    SCOPED_TRACE(dialog.objectName().toStdString());
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&dialog));
    EXPECT_FALSE(dialog.objectName().isEmpty());
    EXPECT_FALSE(dialog.windowTitle().isEmpty());
    QApplication::processEvents();
    const UiMapFile map =
        UiMapFile::parse(QByteArray::fromStdString(app::uiMap(*m_shown, {}).dump()));
    ASSERT_NE(map.find(dialog.objectName()), nullptr);
    expectSound(map);
    expectNames(dialog);
    expectUncutTexts(dialog);
    expectTabOrder(dialog);
    expectNothingBesideTheView(dialog);
    // A question's answers are whole sentences.
    if (dialog.findChild<QLabel*>(QStringLiteral("questionText")) == nullptr) {
      expectToolTips(dialog);
    }
    keepPicture(dialog.grab().toImage(), QStringLiteral("dialog-%1").arg(dialog.objectName()));
  }

  /// Does what opens a dialog, looks at the dialog, and closes it. Some block until they are
  /// closed.
  void look(const std::function<void()>& open, const std::function<void(QDialog&)>& at = {}) {
    bool seen = false;
    QTimer poll;
    QObject::connect(&poll, &QTimer::timeout, &poll, [&] {
      auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
      if (dialog == nullptr || seen) return;
      seen = true;
      poll.stop();
      expectRules(*dialog);
      if (at) at(*dialog);
      QTest::keyClick(dialog, Qt::Key_Escape);
    });
    poll.start(20);
    open();
    EXPECT_TRUE(QTest::qWaitFor([&] { return seen; }, 20000)) << "no dialog opened";
    EXPECT_TRUE(
        QTest::qWaitFor([] { return QApplication::activeModalWidget() == nullptr; }, 20000));
  }

  std::unique_ptr<app::MainWindow> m_shown;
};

/// What a person can use now, without what only hands the focus on.
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
  for (const char* page : {"plan", "timeline", "charts", "runs", "report"}) {
    SCOPED_TRACE(page);
    ASSERT_NO_FATAL_FAILURE(showPage(page));
    QSet<const QWidget*> left = reachable(*m_shown);
    for (qsizetype presses = left.size() + 1; presses > 0 && !left.isEmpty(); --presses) {
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
      left.remove(QApplication::focusWidget());
    }
    // Of buttons of which one is down Qt takes one stop: arrows go on from there.
    left.intersect(reachable(*m_shown));
    for (const QWidget* missed : left) {
      ADD_FAILURE() << missed->metaObject()->className() << " "
                    << missed->objectName().toStdString();
    }
  }
}

TEST_F(Dialogs, KeepTheRulesOfThePages) {
  for (const char* action : {"sweepAction", "newExperiment", "exportCode", "changeModel",
                             "addImagined", "exportPredicted"}) {
    SCOPED_TRACE(action);
    look([&] { doFromPalette(action); });
  }
  look([this] { openPalette(); });
  look([this] { doFromPalette("newExperiment"); },
       [](QDialog& dialog) {
         // Another model brings other sizes.
         auto* model = dialog.findChild<QComboBox*>(QStringLiteral("modelChoice"));
         ASSERT_NE(model, nullptr);
         const int gpt = model->findData(QStringLiteral("gpt"));
         QTest::keyClicks(model, model->itemText(gpt));
         ASSERT_EQ(model->currentIndex(), gpt);
         QApplication::processEvents();
         expectTabOrder(dialog);
       });
}

TEST_F(Dialogs, ARunThatWasDeletedIsSaidToBe) {
  ASSERT_NO_FATAL_FAILURE(showPage("runs"));
  ASSERT_TRUE(QTest::qWaitFor(
      [this] {
        const auto* open = shown<QAbstractButton>("openInReport");
        return open != nullptr && open->isVisible() && open->isEnabled();
      },
      30000));
  look(
      [this] {
        // Before the page has noticed.
        for (const QString& run : {QStringLiteral("20261119-104400-toy"), kLongRun}) {
          ASSERT_TRUE(QDir(path(QStringLiteral("workspace/runs/") + run)).removeRecursively());
        }
        click("openInReport");
      },
      [](QDialog& dialog) {
        const auto* text = dialog.findChild<QLabel*>(QStringLiteral("questionText"));
        ASSERT_NE(text, nullptr);
        EXPECT_TRUE(text->text().startsWith(QStringLiteral("This run was deleted. ")))
            << text->text().toStdString();
      });
}

TEST_F(Dialogs, ADeviceMayHaveTheMemoryThatItsFieldNames) {
  look([this] { doFromPalette("addImagined"); },
       [](QDialog& dialog) {
         auto* memory = dialog.findChild<QLineEdit*>(QStringLiteral("deviceMemory"));
         const auto* ok = dialog.findChild<QPushButton*>(QStringLiteral("deviceOk"));
         ASSERT_TRUE(memory != nullptr && ok != nullptr);
         typeInto(*memory, memory->placeholderText().section(QChar(u','), 0, 0));
         EXPECT_TRUE(ok->isEnabled());
         const auto* problem = dialog.findChild<QLabel*>(QStringLiteral("deviceProblem"));
         ASSERT_NE(problem, nullptr);
         for (const char* refused : {"lots", "8"}) {
           typeInto(*memory, QString::fromLatin1(refused));
           EXPECT_FALSE(ok->isEnabled()) << refused;
           EXPECT_TRUE(problem->text().contains(QStringLiteral("8 GiB or 500 MB"))) << refused;
         }
         typeInto(*memory, QStringLiteral("8 GiB"));
         EXPECT_TRUE(ok->isEnabled());
         EXPECT_EQ(problem->text(), QString());
       });
}

TEST_F(Dialogs, ClosingTheWindowAsksForThat) {
  auto* repeats = shown<QSpinBox>("repeats");
  ASSERT_NE(repeats, nullptr);
  QTest::keyClick(repeats, Qt::Key_Up);
  ASSERT_TRUE(QTest::qWaitFor([this] { return m_shown->session().document().modified(); }));
  look([this] { QTest::keyClick(m_shown.get(), Qt::Key_Q, Qt::ControlModifier); },
       [](QDialog& dialog) {
         const auto* discard = dialog.findChild<QPushButton*>(QStringLiteral("discardChanges"));
         ASSERT_NE(discard, nullptr);
         EXPECT_EQ(discard->text(), QStringLiteral("Close without saving"));
       });
  EXPECT_TRUE(m_shown->isVisible()) << "no answer is the careful answer";
}

TEST_F(Dialogs, ThePaletteSaysWhereItFindsNothing) {
  look([this] { openPalette(); },
       [](QDialog& dialog) {
         auto* search = dialog.findChild<QLineEdit*>(QStringLiteral("paletteSearch"));
         const auto* list = dialog.findChild<QListWidget*>(QStringLiteral("paletteList"));
         ASSERT_TRUE(search != nullptr && list != nullptr);
         typeInto(*search, QStringLiteral("qqqqq"));
         ASSERT_EQ(list->count(), 1);
         EXPECT_EQ(list->item(0)->text(), QStringLiteral("Nothing of that name"));
         QTest::keyClick(search, Qt::Key_Return);
         EXPECT_TRUE(dialog.isVisible()) << "there is nothing to do";
       });
}

TEST_F(Dialogs, AListOfRunsIsAsWideAsItsEntries) {
  ASSERT_NO_FATAL_FAILURE(showPage("charts"));
  auto* runs = shown<QComboBox>("chartsRun");
  ASSERT_NE(runs, nullptr);
  ASSERT_TRUE(QTest::qWaitFor([&] { return runs->count() > 1; }, 30000));
  QTest::mouseClick(runs, Qt::LeftButton);
  ASSERT_TRUE(QTest::qWaitFor([&] { return runs->view()->isVisible(); }));
  EXPECT_GE(runs->view()->width(), runs->view()->sizeHintForColumn(0));
  QTest::keyClick(runs->view(), Qt::Key_Escape);
}

TEST_F(Dialogs, ThePaletteListsWhatThePagesCanDoWithItsKeys) {
  const QHash<QString, QString> keys = offered();
  EXPECT_EQ(keys.value(QStringLiteral("Rename the variant")), QStringLiteral("F2"));
  EXPECT_EQ(keys.value(QStringLiteral("Delete the variant")), QStringLiteral("Del"));
  EXPECT_EQ(keys.value(QStringLiteral("Include the variant in Run, or leave it out")),
            QStringLiteral("Space"));
  for (const char* action :
       {"Style of the charts: Tutorial", "Style of the charts: Stagelane",
        "Choose the run of the charts…", "Pause the sweep", "Go on with the sweep",
        "Cancel the sweep for good", "Hide the sweep", "Export the sweep…",
        "Report: fit the pages to the width", "Report: pages at 100 %", "Report: only the last run",
        "Report contains: Summary", "Show runs: Failed", "Show runs: Done", "Show all runs",
        "Export the predicted timeline…"}) {
    EXPECT_TRUE(keys.contains(QString::fromUtf8(action))) << action;
  }
}

TEST_F(Dialogs, ThePaletteOffersWhatABannerOffersWhileItIsThere) {
  const QString dismiss = QStringLiteral("Dismiss");
  EXPECT_FALSE(offered().contains(dismiss));
  qputenv("STAGELANE_ENGINE", path(QStringLiteral("no-such-engine")).toUtf8());
  click("run");
  EXPECT_TRUE(
      QTest::qWaitFor([this] { return !m_shown->session().runProblem().isEmpty(); }, 30000));
  qunsetenv("STAGELANE_ENGINE");
  EXPECT_TRUE(offered().contains(dismiss));
  doFromPalette("dismiss");
  EXPECT_FALSE(offered().contains(dismiss));
}

}  // namespace
}  // namespace stagelane::gui
