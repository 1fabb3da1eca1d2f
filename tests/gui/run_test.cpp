// The preset toy is run from the window with the real engine; then its timeline and charts are
// used.

#include <algorithm>

#include "tests/gui/experiments.h"
#include "tests/gui/window_test.h"

namespace stagelane::gui {
namespace {

class ToyRun : public WindowTest {
 protected:
  [[nodiscard]] bool runToy() {
    return m_window.open({.file = QStringLiteral("toy")}) &&
           m_window.click(QStringLiteral("run")) &&
           m_window.waitForText(QStringLiteral("runMessage"), QStringLiteral("Last run: done"),
                                120000);
  }

  /// The timeline of a pipeline variant that has been measured.
  [[nodiscard]] bool showTimeline() {
    return runToy() && m_window.click(QStringLiteral("variant.pipeline")) &&
           m_window.click(QStringLiteral("rail.timeline")) &&
           m_window.waitForText(QStringLiteral("timelineHeadline"), QStringLiteral("measured")) &&
           m_window.waitFor(QStringLiteral("actions and idle times of both devices"),
                            [](const UiMapFile& map) {
                              return isShown(map, QStringLiteral("cpu:0")) &&
                                     isShown(map, QStringLiteral("cpu:1"));
                            });
  }

  /// The gaps appear after the step's analysis, later than the actions: an earlier click would hit
  /// nothing.
  [[nodiscard]] static bool isShown(const UiMapFile& map, const QString& device) {
    return !actionsOf(map, device).isEmpty() &&
           map.valueOf(QStringLiteral("track.") + device).contains(QStringLiteral("idle"));
  }

  /// The actions of a device that are on the screen, from left to right.
  [[nodiscard]] static QList<Control> actionsOf(const UiMapFile& map, const QString& device) {
    QList<Control> actions;
    for (const Control& control : map.controls) {
      if (control.name.startsWith(QStringLiteral("action.")) &&
          control.name.endsWith(QChar(u'.') + device)) {
        actions.append(control);
      }
    }
    std::sort(actions.begin(), actions.end(), [](const Control& left, const Control& right) {
      return left.rect.left() < right.rect.left();
    });
    return actions;
  }

  [[nodiscard]] static Control widestOf(const QList<Control>& actions) {
    return *std::max_element(actions.begin(), actions.end(),
                             [](const Control& left, const Control& right) {
                               return left.rect.width() < right.rect.width();
                             });
  }

  [[nodiscard]] Control widestAction(const QString& device) const {
    return widestOf(actionsOf(m_window.map(), device));
  }
};

TEST_F(ToyRun, EndsWithAResultInTheWorkspaceAndMeasuredTabs) {
  ASSERT_TRUE(runToy());
  const QStringList folders = m_window.runFolders();
  ASSERT_EQ(folders.size(), 1);
  const QJsonObject result = readJson(folders.front() + QStringLiteral("/result.json"));
  EXPECT_EQ(result[QStringLiteral("status")].toString().toStdString(), "done");
  for (const QJsonValue& variant : result[QStringLiteral("variants")].toArray()) {
    const QJsonObject fields = variant.toObject();
    EXPECT_EQ(fields[QStringLiteral("status")].toString().toStdString(), "done");
    EXPECT_EQ(fields[QStringLiteral("seconds")].toArray().size(), 5)
        << fields[QStringLiteral("id")].toString().toStdString();
  }
  EXPECT_TRUE(m_window.waitFor(QStringLiteral("Run instead of Cancel"), [](const UiMapFile& map) {
    return map.isEnabled(QStringLiteral("run")) && !map.isEnabled(QStringLiteral("cancel"));
  }));
}

TEST_F(ToyRun, ShowsTheActionsOfBothDevicesInTheTimeline) {
  ASSERT_TRUE(showTimeline());
  const UiMapFile map = m_window.map();
  EXPECT_FALSE(map.namesThatBegin(QStringLiteral("action.F0.cpu:0")).isEmpty());
  EXPECT_FALSE(map.namesThatBegin(QStringLiteral("action.F0.cpu:1")).isEmpty());
  EXPECT_FALSE(map.namesThatBegin(QStringLiteral("action.B0.cpu:0")).isEmpty());
  EXPECT_TRUE(map.textOf(QStringLiteral("track.cpu:1")).contains(QStringLiteral("cpu:1")));
}

TEST_F(ToyRun, CtrlAndTheWheelZoomWithTheTimeUnderTheCursorInPlace) {
  ASSERT_TRUE(showTimeline());
  const Control before = widestAction(QStringLiteral("cpu:0"));
  m_window.wheel(before.rect.center(), 2, QStringLiteral("ctrl"));
  Control after;
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("a wider action"), [&](const UiMapFile& map) {
    const Control* action = map.find(before.name);
    after = action != nullptr ? *action : Control{};
    return after.rect.width() > before.rect.width() + 4;
  }));
  EXPECT_TRUE(after.rect.contains(before.rect.center()));

  m_window.key(QStringLiteral("f"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the whole step again"), [&](const UiMapFile& map) {
    const Control* action = map.find(before.name);
    return action != nullptr && std::abs(action->rect.width() - before.rect.width()) <= 1;
  }));
}

TEST_F(ToyRun, AClickOnAnActionSaysWhatItIs) {
  ASSERT_TRUE(showTimeline());
  const Control action = widestAction(QStringLiteral("cpu:1"));
  m_window.clickAt(action.rect.center());
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("selectionTitle"),
                                   action.text + QStringLiteral(" on cpu:1")));
  EXPECT_TRUE(
      m_window.map().textOf(QStringLiteral("selectionText")).contains(QStringLiteral("Duration")));
}

TEST_F(ToyRun, TheBracketGoesToAGapThatSaysWhyTheDeviceWasIdle) {
  ASSERT_TRUE(showTimeline());
  // On a busy machine the gaps can be of any width.
  m_window.clickAt(widestAction(QStringLiteral("cpu:1")).rect.center());
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("selectionTitle"), QStringLiteral("on cpu:1")));
  m_window.key(QStringLiteral("bracketright"));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("selectionTitle"), QStringLiteral("gap")));
  EXPECT_TRUE(
      m_window.map().textOf(QStringLiteral("selectionText")).contains(QStringLiteral(" idle")));
}

TEST_F(ToyRun, BracketsWalkTheGaps) {
  ASSERT_TRUE(showTimeline());
  // There is always a gap after the first forward, at least that before the last backward.
  m_window.clickAt(actionsOf(m_window.map(), QStringLiteral("cpu:0")).front().rect.center());
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("selectionTitle"), QStringLiteral("on cpu:0")));
  m_window.key(QStringLiteral("bracketright"));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("selectionTitle"), QStringLiteral("gap")));
}

TEST_F(ToyRun, ShowsABarPerVariantInTheCharts) {
  ASSERT_TRUE(runToy());
  ASSERT_TRUE(m_window.click(QStringLiteral("rail.charts")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the bars"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("bar.time.single")) != nullptr &&
           map.find(QStringLiteral("bar.time.model-parallel")) != nullptr;
  }));
  const QString said = m_window.map().valueOf(QStringLiteral("bar.time.single"));
  EXPECT_TRUE(said.contains(QChar(0x00B1))) << "mean ± deviation: " << said.toStdString();
}

TEST_F(ToyRun, IsNotShownAsWhatAnotherExperimentMeasured) {
  ASSERT_TRUE(runToy());
  // Both have a variant "single".
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.single")));
  ASSERT_TRUE(m_window.click(QStringLiteral("experimentMenu")));
  ASSERT_TRUE(m_window.click(QStringLiteral("preset.toy-wide")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("experimentMenu"), QStringLiteral("wide")));
  ASSERT_TRUE(m_window.click(QStringLiteral("rail.timeline")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("step"), QStringLiteral("predicted")));
  EXPECT_FALSE(m_window.map()
                   .textOf(QStringLiteral("timelineHeadline"))
                   .contains(QStringLiteral("measured")));
}

TEST_F(ToyRun, ShowsItsReport) {
  ASSERT_TRUE(runToy());
  ASSERT_TRUE(m_window.click(QStringLiteral("rail.report")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the report"), [](const UiMapFile& map) {
    return map.page == QStringLiteral("report") && map.isEnabled(QStringLiteral("export"));
  }));
}

TEST_F(ToyRun, TheTimelineShowsTheLastRepeatWhileTheRunGoesOn) {
  ASSERT_TRUE(m_window.open({.file = writeLongToy(path(QStringLiteral(".")))}));
  ASSERT_TRUE(m_window.click(QStringLiteral("rail.timeline")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("step"), QStringLiteral("predicted")));
  ASSERT_TRUE(m_window.click(QStringLiteral("run")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("step"), QStringLiteral("repeat"), 120000));
  EXPECT_TRUE(m_window.map().isEnabled(QStringLiteral("cancel"))) << "the run still goes on";
  ASSERT_TRUE(m_window.click(QStringLiteral("cancel")));
  EXPECT_TRUE(m_window.waitFor(QStringLiteral("the end of the engine"),
                               [&](const UiMapFile&) { return m_window.engines().isEmpty(); }));
}

}  // namespace
}  // namespace stagelane::gui
