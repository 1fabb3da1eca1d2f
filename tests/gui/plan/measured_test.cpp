// A plan that was measured: the source of its error bars, how its numbers are kept apart from those
// of later edits, how it is restored, and the number of actions that a new user needs to find the
// best split.

#include <QJsonArray>

#include "tests/gui/experiments.h"
#include "tests/gui/window_test.h"

namespace stagelane::gui {
namespace {

const QString kEnd = QStringLiteral("Last run: done");

class PlanMeasured : public WindowTest {
 protected:
  [[nodiscard]] bool waitForLane(const QString& block, const QString& lane) {
    return m_window.waitFor(block + QStringLiteral(" on ") + lane, [&](const UiMapFile& map) {
      return map.valueOf(QStringLiteral("chip.") + block) == lane;
    });
  }
  void moveRelu(const QString& keys, const QString& lane) {
    ASSERT_TRUE(m_window.click(QStringLiteral("chip.relu")));
    m_window.key(keys);
    ASSERT_TRUE(waitForLane(QStringLiteral("relu"), lane));
  }
  [[nodiscard]] bool saysMeasured(const QString& words) {
    return m_window.waitForText(QStringLiteral("measuredStep"), words);
  }
};

TEST_F(PlanMeasured, ComesBackByOneClickHoweverManyEditsLater) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy"), .size = {1600, 900}}));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("peakSource"), QStringLiteral("bounds")));
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.model-parallel")));
  ASSERT_TRUE(m_window.click(QStringLiteral("run")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runMessage"), kEnd, 120000));
  // The error bars now come from the run's peaks.
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("peakSource"),
                                   QStringLiteral("measured peaks of 1 run")));
  ASSERT_TRUE(saysMeasured(QStringLiteral("Measured: ")));
  EXPECT_EQ(m_window.map().find(QStringLiteral("restorePlan")), nullptr);
  ASSERT_NO_FATAL_FAILURE(moveRelu(QStringLiteral("alt+Down"), QStringLiteral("cpu:1")));
  ASSERT_TRUE(saysMeasured(QStringLiteral("Measured 1 edit ago")));
  ASSERT_TRUE(m_window.click(QStringLiteral("chip.net1")));
  m_window.key(QStringLiteral("alt+Down"));
  ASSERT_TRUE(saysMeasured(QStringLiteral("Measured 2 edits ago")));
  // An undone edit does not count; another edit after it does.
  m_window.key(QStringLiteral("ctrl+z"));
  ASSERT_TRUE(saysMeasured(QStringLiteral("Measured 1 edit ago")));
  m_window.key(QStringLiteral("ctrl+z"));
  ASSERT_TRUE(saysMeasured(QStringLiteral("Measured: ")));
  m_window.key(QStringLiteral("ctrl+shift+z"));
  m_window.key(QStringLiteral("ctrl+shift+z"));
  ASSERT_TRUE(saysMeasured(QStringLiteral("Measured 2 edits ago")));
  // Each figure keeps its measured value.
  const UiMapFile marks = m_window.map();
  for (const char* figure : {"measuredIdle.cpu:0", "measuredIdle.cpu:1", "measuredPeak.cpu:0"}) {
    EXPECT_TRUE(marks.textOf(QString::fromLatin1(figure)).startsWith(QStringLiteral("measured ")))
        << figure;
  }
  EXPECT_TRUE(
      marks.textOf(QStringLiteral("predictedMemory.cpu:1")).startsWith(QStringLiteral("peak ")))
      << "there is room for memory rows at this size";
  EXPECT_TRUE(marks.textOf(QStringLiteral("measuredSpeedup")).contains(QStringLiteral("×")));
  m_window.moveTo({2, 2});
  keepPicture(m_window.picture(), QStringLiteral("plan-measured-before-light-1600"));

  ASSERT_TRUE(m_window.click(QStringLiteral("restorePlan")));
  ASSERT_TRUE(waitForLane(QStringLiteral("relu"), QStringLiteral("cpu:0")));
  ASSERT_TRUE(waitForLane(QStringLiteral("net1"), QStringLiteral("cpu:0")));
  ASSERT_TRUE(waitForLane(QStringLiteral("net2"), QStringLiteral("cpu:1")));
  ASSERT_TRUE(saysMeasured(QStringLiteral("Measured: ")));
  EXPECT_EQ(m_window.map().find(QStringLiteral("restorePlan")), nullptr);
  EXPECT_EQ(m_window.map().valueOf(QStringLiteral("variant.model-parallel")),
            QStringLiteral("current"));
  // It is one step of the undo list, and edits count from the measured plan again.
  m_window.key(QStringLiteral("ctrl+z"));
  ASSERT_TRUE(waitForLane(QStringLiteral("relu"), QStringLiteral("cpu:1")));
  m_window.key(QStringLiteral("ctrl+shift+z"));
  ASSERT_TRUE(saysMeasured(QStringLiteral("Measured: ")));
  ASSERT_NO_FATAL_FAILURE(moveRelu(QStringLiteral("alt+Down"), QStringLiteral("cpu:1")));
  ASSERT_TRUE(saysMeasured(QStringLiteral("Measured 1 edit ago")));
}

/// A user who has never seen the window; counts the actions.
class Newcomer : public PlanMeasured {
 protected:
  void click(const char* control) {
    ++m_actions;
    ASSERT_TRUE(m_window.waitForControl(QString::fromLatin1(control)));
    ASSERT_TRUE(m_window.click(QString::fromLatin1(control)));
  }
  void key(const char* keys) {
    ++m_actions;
    m_window.key(QString::fromLatin1(keys));
  }
  void type(const char* text) {
    ++m_actions;
    m_window.type(QString::fromLatin1(text));
  }
  /// One turn counts as one action at any distance.
  void wheel(int notches) {
    ++m_actions;
    m_window.wheel({800, 600}, notches);
  }
  int m_actions = 0;
};

TEST_F(Newcomer, FindsTheBestSplitInAtMostTenActions) {
  // The first start, without arguments for the content.
  ASSERT_TRUE(m_window.open({.file = {}, .size = {1600, 900}}));
  ASSERT_NO_FATAL_FAILURE(click("experimentMenu"));
  ASSERT_NO_FATAL_FAILURE(click("preset.toy"));
  ASSERT_NO_FATAL_FAILURE(click("variant.pipeline"));
  ASSERT_NO_FATAL_FAILURE(click("splitSize"));
  key("ctrl+a");
  type("2, 5, 10");
  key("Return");
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("variant.pipeline"), QStringLiteral("(9)")));
  ASSERT_NO_FATAL_FAILURE(click("run"));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runMessage"), kEnd, 180000));
  ASSERT_NO_FATAL_FAILURE(click("rail.charts"));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("bar.time.single")));
  // The curve is below the first charts: only visible controls are in the map.
  wheel(-30);
  EXPECT_LE(m_actions, 10);
  std::cout << "from start to the best split in " << m_actions << " actions" << std::endl;

  // The point marked in the chart is the fastest one of the run.
  ASSERT_EQ(m_window.runFolders().size(), 1);
  const QJsonObject result =
      readJson(m_window.runFolders().front() + QStringLiteral("/result.json"));
  double fastest = 0.0;
  int split = 0;
  for (const QJsonValue& value : result[QStringLiteral("variants")].toArray()) {
    const QJsonObject variant = value.toObject();
    const double seconds = variant[QStringLiteral("mean_s")].toDouble();
    const bool pipeline =
        variant[QStringLiteral("strategy")].toString() == QStringLiteral("pipeline");
    if (pipeline && (split == 0 || seconds < fastest)) {
      fastest = seconds;
      split = variant[QStringLiteral("split_size")].toInt();
    }
  }
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the best split"), [&](const UiMapFile& map) {
    for (const QString& name : map.namesThatBegin(QStringLiteral("bar.split."))) {
      const QString text = map.valueOf(name);
      if (text.startsWith(QStringLiteral("best: %1").arg(split))) return true;
    }
    return false;
  }));
  keepPicture(m_window.picture(), QStringLiteral("charts-best-split-light-1600"));
}

}  // namespace
}  // namespace stagelane::gui
