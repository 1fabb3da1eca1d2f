// The Charts page without a mouse, and the controls that the map lists for its painted parts.

#include <QSet>
#include <QThread>

#include "tests/gui/history.h"
#include "tests/gui/window_test.h"

namespace stagelane::gui {
namespace {

class ChartsPageTest : public WindowTest {
 protected:
  [[nodiscard]] bool openToyRun(QSize size = {1280, 800}) {
    runToy(path(QStringLiteral("toy")));
    return !HasFailure() &&
           m_window.open({.file = path(QStringLiteral("toy")),
                          .page = QStringLiteral("charts"),
                          .size = size}) &&
           m_window.waitForControl(QStringLiteral("bar.time.single"));
  }

  /// Presses Tab until the chart has the focus: its hint appears, and is still there a moment
  /// later.
  [[nodiscard]] bool tabTo(const QString& title) {
    constexpr int kMostTabs = 40;
    constexpr int kLooks = 8;
    constexpr int kLookMs = 50;
    const auto says = [&] {
      return m_window.map().textOf(QStringLiteral("hint")).startsWith(title + QChar(u':'));
    };
    for (int i = 0; i < kMostTabs; ++i) {
      m_window.key(QStringLiteral("Tab"));
      for (int look = 0; look < kLooks && !says(); ++look) QThread::msleep(kLookMs);
      if (!says()) continue;
      QThread::msleep(kLooks * kLookMs);
      if (says()) return true;
      // The hint appeared late, after the next Tab.
      m_window.key(QStringLiteral("shift+Tab"));
      QThread::msleep(kLooks * kLookMs);
      if (says()) return true;
    }
    return false;
  }
};

TEST_F(ChartsPageTest, HasANameATextAndAValueForEachBarAndLegendEntry) {
  ASSERT_TRUE(openToyRun());
  QSet<QString> names;
  const UiMapFile map = m_window.map();
  for (const Control& control : map.controls) {
    if (!control.name.startsWith(QStringLiteral("bar.")) &&
        !control.name.startsWith(QStringLiteral("legend."))) {
      continue;
    }
    EXPECT_FALSE(names.contains(control.name)) << control.name.toStdString();
    names.insert(control.name);
    EXPECT_NE(control.text, QString()) << control.name.toStdString();
    EXPECT_NE(control.value, QString()) << control.name.toStdString();
  }
  EXPECT_EQ(map.textOf(QStringLiteral("bar.time.model-parallel")),
            QStringLiteral("model parallel"));
  EXPECT_TRUE(map.valueOf(QStringLiteral("bar.time.model-parallel")).contains(QChar(0x00B1)));
}

TEST_F(ChartsPageTest, CanBeWalkedWithKeysAlone) {
  ASSERT_TRUE(openToyRun());
  ASSERT_TRUE(tabTo(QStringLiteral("Execution time")));
  m_window.key(QStringLiteral("Right"));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("chartNote.time")));
  const QString first = m_window.map().textOf(QStringLiteral("chartNote.time"));
  m_window.key(QStringLiteral("Right"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the next bar"), [&](const UiMapFile& map) {
    return map.find(QStringLiteral("chartNote.time")) != nullptr &&
           map.textOf(QStringLiteral("chartNote.time")) != first;
  }));
  m_window.key(QStringLiteral("Home"));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("chartNote.time"), first));

  ASSERT_TRUE(tabTo(QStringLiteral("Idle causes")));
  m_window.key(QStringLiteral("Right"));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("chartNote.idle")));
  // The first entry of the legend is above the first bar.
  const QString entry = m_window.map().namesThatBegin(QStringLiteral("legend.")).value(0);
  ASSERT_EQ(m_window.map().valueOf(entry), QStringLiteral("true"));
  m_window.key(QStringLiteral("Up"));
  for (const char* state : {"false", "true"}) {
    m_window.key(QStringLiteral("space"));
    EXPECT_TRUE(m_window.waitFor(QStringLiteral("the entry over"), [&](const UiMapFile& map) {
      return map.valueOf(entry) == QLatin1String(state);
    }));
  }
  m_window.key(QStringLiteral("Down"));
  m_window.key(QStringLiteral("Return"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("its step"), [](const UiMapFile& map) {
    return map.page == QStringLiteral("timeline");
  }));
}

/// Scrolls the first bar or point of a chart into view. @returns its name, or "" without one
QString scrolledTo(WindowDriver& window, const QString& prefix) {
  constexpr int kMostTurns = 20;
  for (int turn = 0; turn < kMostTurns; ++turn) {
    const UiMapFile map = window.map();
    const QString name = map.namesThatBegin(prefix).value(0);
    const Control* bar = map.find(name);
    const QRect page = map.find(QStringLiteral("charts"))->rect;
    // A chart that is cut off by the edge of the page is whole after the next turn.
    if (bar != nullptr && page.adjusted(0, 4, 0, -4).contains(bar->rect)) return name;
    window.wheel(page.center(), -1);
    QThread::msleep(100);
  }
  return {};
}

constexpr int kTipMs = 1500;  ///< how long a pointer has to rest for a tip

/// A closed tip reappears only after a move.
bool showsItsValue(WindowDriver& window, const UiMapFile& map, const QString& name) {
  const QString value = map.valueOf(name).section(QStringLiteral(", "), 0, 0);
  for (int move = 0; move < 10; ++move) {
    window.moveTo(map.find(name)->rect.center() + QPoint(move % 2, 0));
    QThread::msleep(kTipMs);
    const UiMapFile seen = window.map();
    if (seen.textOf(QStringLiteral("hint")).contains(map.textOf(name)) &&
        seen.textOf(QStringLiteral("qtooltip_label")).contains(value)) {
      return true;
    }
  }
  return false;
}

TEST_F(ChartsPageTest, EveryKindOfBarShowsItsValuesToThePointerAndOpensItsStep) {
  ASSERT_TRUE(openToyRun({1500, 980}));
  for (const char* kind : {"speedup", "idle", "memory", "prediction"}) {
    SCOPED_TRACE(kind);
    const QString name = scrolledTo(m_window, QStringLiteral("bar.%1.").arg(QLatin1String(kind)));
    ASSERT_FALSE(name.isEmpty());
    const UiMapFile map = m_window.map();
    EXPECT_TRUE(showsItsValue(m_window, map, name));
    ASSERT_TRUE(m_window.click(name));
    ASSERT_TRUE(m_window.waitFor(QStringLiteral("its step"), [](const UiMapFile& seen) {
      return seen.page == QStringLiteral("timeline");
    }));
    m_window.key(QStringLiteral("ctrl+3"));
    ASSERT_TRUE(m_window.waitFor(QStringLiteral("the charts again"), [](const UiMapFile& seen) {
      return seen.page == QStringLiteral("charts");
    }));
  }
}

TEST_F(ChartsPageTest, ShowsAnotherRunThatIsChosen) {
  const QString runs = path(QStringLiteral("workspace/runs"));
  writePastRuns(runs);
  ASSERT_TRUE(
      m_window.open({.file = writePastRun(runs, {.folder = QStringLiteral("20261122-100000"),
                                                 .name = QStringLiteral("Latest")}),
                     .page = QStringLiteral("charts")}));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("chartsRun"), QStringLiteral("· done")));
  ASSERT_TRUE(m_window.click(QStringLiteral("chartsRun")));
  m_window.key(QStringLiteral("Home"));
  m_window.key(QStringLiteral("Down"));
  m_window.key(QStringLiteral("Return"));
  EXPECT_TRUE(m_window.waitFor(QStringLiteral("another experiment"), [](const UiMapFile& map) {
    return map.page == QStringLiteral("charts") &&
           !map.textOf(QStringLiteral("experimentMenu")).startsWith(QStringLiteral("Latest"));
  }));
}

}  // namespace
}  // namespace stagelane::gui
