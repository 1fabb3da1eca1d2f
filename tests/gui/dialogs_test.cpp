// Every dialog of the window: it opens by its key or from the palette, keeps the rules of the map,
// and gets the focus; Tab reaches all of its controls; Escape closes it and returns the focus.
// tests/app/window/dialogs_test.cpp checks the properties that are not visible.

#include <QProcess>
#include <tuple>

#include "tests/gui/history.h"
#include "tests/gui/ui_map_rules.h"
#include "tests/gui/window_test.h"

namespace stagelane::gui {
namespace {

/// A dialog, how it is opened (by a key or by words for the palette), and the control that gets the
/// focus.
struct Opened {
  const char* dialog;
  const char* key;
  const char* words;
  const char* focus;
};

constexpr Opened kDialogs[]{
    {"sweepDialog", "ctrl+F5", "", "sweepSplits"},
    {"newExperimentDialog", "ctrl+n", "", "modelChoice"},
    {"codeDialog", "ctrl+shift+e", "", "codeForm"},
    {"modelDialog", "", "change model", "modelChoice"},
    {"deviceDialog", "", "add an imagined device", "deviceLike"},
    {"hostDialog", "", "add host", "hostName"},
    {"exportDialog", "", "export the predicted timeline", "exportFormat"},
    {"commandPalette", "ctrl+shift+p", "", "paletteSearch"},
};

/// Controls that Tab must reach: fields and buttons that can be used now.
QStringList fieldsOf(const UiMapFile& map, const QString& dialog) {
  static const QStringList kRoles{QStringLiteral("button"), QStringLiteral("combobox"),
                                  QStringLiteral("edit"), QStringLiteral("spinbox")};
  QStringList names;
  for (const Control& control : map.controls) {
    if (control.dialog == dialog && control.enabled && kRoles.contains(control.role)) {
      names.append(control.name);
    }
  }
  return names;
}

class Dialogs : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    const QString run = writePastRun(
        path(QStringLiteral("workspace/runs")),
        {.folder = QStringLiteral("20261119-104400-toy"), .name = QStringLiteral("Toy")});
    ASSERT_TRUE(m_window.open({.file = run, .size = {1024, 700}}));
    ASSERT_TRUE(m_window.click(QStringLiteral("variant.pipeline")));
  }

  [[nodiscard]] bool open(const Opened& opened) {
    if (*opened.key != '\0') {
      m_window.key(QString::fromLatin1(opened.key));
    } else if (!m_window.doFromPalette(QString::fromLatin1(opened.words))) {
      return false;
    }
    return m_window.waitForControl(QString::fromLatin1(opened.dialog));
  }

  [[nodiscard]] bool closeWithEscape(const QString& dialog) {
    m_window.key(QStringLiteral("Escape"));
    return m_window.waitFor(dialog + QStringLiteral(" to close"),
                            [&](const UiMapFile& map) { return map.find(dialog) == nullptr; });
  }

  /// Presses Tab until it is back where it began. @returns where it came by
  [[nodiscard]] QStringList walk() {
    constexpr int kMostStops = 60;
    const QString first = m_window.map().focus;
    QStringList stops{first};
    while (stops.size() < kMostStops) {
      const QString before = stops.back();
      m_window.key(QStringLiteral("Tab"));
      if (!m_window.waitFor(QStringLiteral("Tab to leave ") + before,
                            [&](const UiMapFile& map) { return map.focus != before; })) {
        return stops;
      }
      const QString now = m_window.map().focus;
      if (now == first) return stops;
      stops.append(now);
    }
    ADD_FAILURE() << "Tab does not come back to " << first.toStdString() << ": "
                  << stops.join(QStringLiteral(", ")).toStdString();
    return stops;
  }

  /// Titles of all windows of the program, according to the window manager.
  [[nodiscard]] static QStringList titles() {
    QProcess xdotool;
    xdotool.start(
        QStringLiteral("xdotool"),
        {QStringLiteral("search"), QStringLiteral("--onlyvisible"), QStringLiteral("--name"),
         QStringLiteral("."), QStringLiteral("getwindowname"), QStringLiteral("%@")});
    EXPECT_TRUE(xdotool.waitForFinished());
    return QString::fromUtf8(xdotool.readAllStandardOutput())
        .split(QChar(u'\n'), Qt::SkipEmptyParts);
  }

  [[nodiscard]] bool saysProblem(const QString& part) {
    return m_window.waitForText(QStringLiteral("deviceProblem"), part);
  }

  [[nodiscard]] bool becomes(const QString& name, bool enabled) {
    return m_window.waitFor(name, [&](const UiMapFile& map) {
      return map.find(name) != nullptr && map.isEnabled(name) == enabled;
    });
  }
};

TEST_F(Dialogs, OpenWithTheKeyboardInThemAndCloseWithEscape) {
  for (const Opened& opened : kDialogs) {
    SCOPED_TRACE(opened.dialog);
    const QString dialog = QString::fromLatin1(opened.dialog);
    ASSERT_TRUE(open(opened));
    ASSERT_TRUE(m_window.waitForFocus(QString::fromLatin1(opened.focus)));
    expectSound(m_window.map());
    keepPicture(m_window.picture(), QStringLiteral("dialog-%1").arg(dialog));
    ASSERT_TRUE(closeWithEscape(dialog));
    // The focus returns to the window.
    ASSERT_TRUE(m_window.waitFor(QStringLiteral("the keys to be the window's again"),
                                 [](const UiMapFile& map) { return !map.focus.isEmpty(); }));
    EXPECT_EQ(m_window.map().page, QStringLiteral("plan"));
  }
}

TEST_F(Dialogs, AreWalkedThroughWithTab) {
  for (const Opened& opened : kDialogs) {
    SCOPED_TRACE(opened.dialog);
    const QString dialog = QString::fromLatin1(opened.dialog);
    ASSERT_TRUE(open(opened));
    ASSERT_TRUE(m_window.waitForFocus(QString::fromLatin1(opened.focus)));
    const QStringList stops = walk();
    for (const QString& field : fieldsOf(m_window.map(), dialog)) {
      EXPECT_TRUE(stops.contains(field)) << field.toStdString();
    }
    ASSERT_TRUE(closeWithEscape(dialog));
  }
}

TEST_F(Dialogs, OpenFromTheMenuOfTheExperimentAndOfTheCharts) {
  ASSERT_TRUE(m_window.click(QStringLiteral("experimentMenu")));
  ASSERT_TRUE(m_window.click(QStringLiteral("newExperiment")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("newExperimentDialog")));
  ASSERT_TRUE(closeWithEscape(QStringLiteral("newExperimentDialog")));
  ASSERT_TRUE(m_window.click(QStringLiteral("rail.charts")));
  ASSERT_TRUE(m_window.click(QStringLiteral("export")));
  ASSERT_TRUE(m_window.click(QStringLiteral("exportMenu.time")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("exportDialog")));
  expectSound(m_window.map());
  ASSERT_TRUE(closeWithEscape(QStringLiteral("exportDialog")));
}

TEST_F(Dialogs, TitlesEndWithTheProgramAsTheWindowsOwn) {
  const QString end = QStringLiteral(" — Stagelane");
  EXPECT_EQ(titles(), QStringList{QStringLiteral("Toy") + end});
  m_window.key(QStringLiteral("ctrl+n"));
  ASSERT_TRUE(m_window.waitForFocus(QStringLiteral("modelChoice")));
  for (const QString& title : titles()) EXPECT_TRUE(title.endsWith(end)) << title.toStdString();
  EXPECT_TRUE(titles().contains(QStringLiteral("New experiment") + end));
  ASSERT_TRUE(closeWithEscape(QStringLiteral("newExperimentDialog")));
}

TEST_F(Dialogs, TheMenusOfButtonsAtTheRightStayInTheWindow) {
  for (const auto& [page, button, entry] : {std::tuple("rail.charts", "export", "exportMenu.time"),
                                            std::tuple("rail.runs", "runsMore", "trashRuns"),
                                            std::tuple("rail.plan", "runMenu", "sweepAction")}) {
    SCOPED_TRACE(button);
    const QString shown = QString::fromLatin1(entry);
    ASSERT_TRUE(m_window.click(QString::fromLatin1(page)));
    ASSERT_TRUE(m_window.click(QString::fromLatin1(button)));
    ASSERT_TRUE(m_window.waitForControl(shown));
    expectInside(m_window.map());
    ASSERT_TRUE(closeWithEscape(shown));
  }
}

TEST_F(Dialogs, ADeviceMayHaveTheMemoryThatItsFieldNames) {
  const QString memory = QStringLiteral("deviceMemory");
  const QString ok = QStringLiteral("deviceOk");
  ASSERT_TRUE(m_window.doFromPalette(QStringLiteral("add an imagined device")));
  for (const char* refused : {"lots", "8"}) {
    SCOPED_TRACE(refused);
    ASSERT_TRUE(m_window.replaceText(memory, QString::fromLatin1(refused)));
    ASSERT_TRUE(becomes(ok, false));
    ASSERT_TRUE(saysProblem(QStringLiteral("8 GiB or 500 MB")));
  }
  ASSERT_TRUE(m_window.replaceText(memory, QStringLiteral("8 GiB")));
  ASSERT_TRUE(becomes(ok, true));
  EXPECT_EQ(m_window.map().textOf(QStringLiteral("deviceProblem")), QString());
  ASSERT_TRUE(closeWithEscape(QStringLiteral("deviceDialog")));
}

TEST_F(Dialogs, ClosingTheWindowAsksForThat) {
  const QString question = QStringLiteral("unsavedDialog");
  ASSERT_TRUE(m_window.enter(QStringLiteral("repeats"), QStringLiteral("9")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("experimentMenu"), QStringLiteral("●")));
  m_window.key(QStringLiteral("ctrl+q"));
  ASSERT_TRUE(m_window.waitForControl(question));
  expectSound(m_window.map());
  EXPECT_EQ(m_window.map().textOf(QStringLiteral("discardChanges")),
            QStringLiteral("Close without saving"));
  ASSERT_TRUE(closeWithEscape(question));
  EXPECT_TRUE(m_window.isRunning());
  EXPECT_EQ(m_window.map().valueOf(QStringLiteral("repeats")), QStringLiteral("9"));
}

TEST_F(Dialogs, ThePaletteSaysWhereItFindsNothing) {
  m_window.key(QStringLiteral("ctrl+shift+p"));
  ASSERT_TRUE(m_window.waitForFocus(QStringLiteral("paletteSearch")));
  m_window.type(QStringLiteral("qqqqq"));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("palette.0"), QStringLiteral("No matching action")));
  m_window.key(QStringLiteral("Return"));
  // Return does nothing, and later input still searches.
  ASSERT_TRUE(m_window.replaceText(QStringLiteral("paletteSearch"), QStringLiteral("show charts")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("palette.0"), QStringLiteral("Show Charts")));
  ASSERT_TRUE(closeWithEscape(QStringLiteral("commandPalette")));
}

}  // namespace
}  // namespace stagelane::gui
