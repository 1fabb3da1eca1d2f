// The suggestion cards one by one, each applied by one click and reverted by one undo, with the
// proof of an optimal placement as text; and an imagined device whose speed is changed.

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

#include "tests/gui/experiments.h"
#include "tests/gui/window_test.h"
#include "tests/support/paths.h"

namespace stagelane::gui {
namespace {

class PlanSuggestionsTest : public WindowTest {
 protected:
  /// The ResNet example with a single pipeline, cut before a block. @returns its path
  [[nodiscard]] QString example(const QString& schedule, int splitSize, const QString& cutBefore) {
    QJsonObject document = readJson(QString::fromStdString(
        checkout::root() + "/resources/presets/tutorial-resnet50-quick.json"));
    QJsonObject pipe = document[QStringLiteral("variants")].toArray().at(2).toObject();
    pipe[QStringLiteral("name")] = QStringLiteral("pipe");
    pipe[QStringLiteral("schedule")] = schedule;
    pipe[QStringLiteral("split_size")] = splitSize;
    QJsonObject placement;
    QString device = QStringLiteral("#0");
    for (const char* block : {"conv1", "bn1", "relu", "maxpool", "layer1", "layer2", "layer3",
                              "layer4", "avgpool", "fc"}) {
      device = cutBefore == QLatin1String(block) ? QStringLiteral("#1") : device;
      placement[QString::fromLatin1(block)] = device;
    }
    pipe[QStringLiteral("placement")] = placement;
    document[QStringLiteral("variants")] = QJsonArray{pipe};
    QFile out(path(QStringLiteral("pipe.json")));
    EXPECT_TRUE(out.open(QIODevice::WriteOnly));
    out.write(QJsonDocument(document).toJson());
    return out.fileName();
  }

  [[nodiscard]] bool openExample(const QString& file) {
    return m_window.open({.file = file, .size = {1600, 960}}) &&
           m_window.waitForControl(QStringLiteral("chip.layer4"));
  }

  /// Applies a card and reverts it; between the two the plan must satisfy `taken`.
  void takeAndUndo(const QString& card, const Condition& taken) {
    const QString apply = QStringLiteral("apply") + card;
    ASSERT_TRUE(m_window.waitFor(QStringLiteral("the card ") + card, [&](const UiMapFile& map) {
      return map.isEnabled(apply) && !map.textOf(QStringLiteral("stepTime")).isEmpty();
    }));
    const QString before = text("stepTime");
    ASSERT_TRUE(m_window.click(apply));
    ASSERT_TRUE(m_window.waitFor(QStringLiteral("what the card says"), [&](const UiMapFile& map) {
      return taken(map) && map.textOf(QStringLiteral("stepTime")) != before &&
             map.isEnabled(QStringLiteral("undo"));
    }));
    ASSERT_TRUE(m_window.click(QStringLiteral("undo")));
    ASSERT_TRUE(m_window.waitFor(QStringLiteral("the plan before"), [&](const UiMapFile& map) {
      return map.textOf(QStringLiteral("stepTime")) == before &&
             !map.isEnabled(QStringLiteral("undo"));
    }));
  }

  [[nodiscard]] QString text(const char* name) const {
    return m_window.map().textOf(QString::fromLatin1(name));
  }
};

TEST_F(PlanSuggestionsTest, SplitAndPlacementAreEachTakenAndGivenBack) {
  ASSERT_TRUE(openExample(example(QStringLiteral("gpipe"), 2, QStringLiteral("layer2"))));
  ASSERT_NO_FATAL_FAILURE(takeAndUndo(QStringLiteral("Split"), [](const UiMapFile& map) {
    return map.valueOf(QStringLiteral("splitSize")) != QStringLiteral("2");
  }));
  // The last card may be below the visible ones.
  const UiMapFile seen = m_window.map();
  m_window.wheel(seen.find(QStringLiteral("inspector"))->rect.center(), -30);
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("applyPlacement")));
  // The proof: no cut can beat the bound.
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("suggestedPlacementText"),
                                   QStringLiteral("no cut or order of these stages")));
  const UiMapFile before = m_window.map();
  ASSERT_NO_FATAL_FAILURE(takeAndUndo(QStringLiteral("Placement"), [&](const UiMapFile& map) {
    return map.valueOf(QStringLiteral("splitSize")) == QStringLiteral("2") &&
           map.textOf(QStringLiteral("schedule")) == before.textOf(QStringLiteral("schedule"));
  }));
}

TEST_F(PlanSuggestionsTest, ACardThatALockRefusesIsDisabledAndSaysWhy) {
  ASSERT_TRUE(openExample(example(QStringLiteral("gpipe"), 2, QStringLiteral("layer2"))));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the cards"), [](const UiMapFile& map) {
    return map.isEnabled(QStringLiteral("applySplit"));
  }));
  ASSERT_TRUE(m_window.click(QStringLiteral("chip.layer2")));
  const UiMapFile seen = m_window.map();
  m_window.wheel(seen.find(QStringLiteral("inspector"))->rect.center(), -30);
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the placement"), [](const UiMapFile& map) {
    return map.isEnabled(QStringLiteral("applyPlacement"));
  }));
  m_window.key(QStringLiteral("l"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the reason"), [](const UiMapFile& map) {
    const Control* apply = map.find(QStringLiteral("applyPlacement"));
    return apply != nullptr && !apply->enabled &&
           map.textOf(QStringLiteral("suggestedPlacementText"))
               .contains(QStringLiteral("is locked to cpu:1"));
  }));
  keepPicture(m_window.picture(), QStringLiteral("suggestion-locked"));
  m_window.key(QStringLiteral("l"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("no reason"), [](const UiMapFile& map) {
    return map.isEnabled(QStringLiteral("applyPlacement"));
  }));
}

TEST_F(PlanSuggestionsTest, TheScheduleIsTakenAndGivenBack) {
  ASSERT_TRUE(openExample(example(QStringLiteral("tutorial"), 8, QStringLiteral("layer3"))));
  ASSERT_NO_FATAL_FAILURE(takeAndUndo(QStringLiteral("Schedule"), [](const UiMapFile& map) {
    return map.textOf(QStringLiteral("schedule")) != QStringLiteral("tutorial") &&
           map.valueOf(QStringLiteral("splitSize")) == QStringLiteral("8");
  }));
}

TEST_F(PlanSuggestionsTest, AFasterImaginedDevicePredictsAShorterStep) {
  ASSERT_TRUE(openExample(example(QStringLiteral("gpipe"), 8, QStringLiteral("layer3"))));
  ASSERT_TRUE(m_window.click(QStringLiteral("addDevice")));
  ASSERT_TRUE(m_window.click(QStringLiteral("addImagined")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("deviceSpeed")));
  ASSERT_TRUE(m_window.replaceText(QStringLiteral("deviceSpeed"), QStringLiteral("fast")));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("deviceProblem"), QStringLiteral("Enter the speed")));
  EXPECT_FALSE(m_window.map().isEnabled(QStringLiteral("deviceOk")));
  ASSERT_TRUE(m_window.replaceText(QStringLiteral("deviceSpeed"), QStringLiteral("1")));
  ASSERT_TRUE(m_window.click(QStringLiteral("deviceOk")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("lane.sim:0")));
  // With everything after it.
  const UiMapFile before = m_window.map();
  const QPoint chip = before.find(QStringLiteral("chip.layer4"))->rect.center();
  const QRect lane = before.find(QStringLiteral("lane.sim:0"))->rect;
  m_window.press(chip, {chip.x(), lane.center().y()}, {.before = QStringLiteral("shift")});
  m_window.release();
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("layer4 on sim:0"), [](const UiMapFile& seen) {
    return seen.valueOf(QStringLiteral("chip.layer4")) == QStringLiteral("sim:0") &&
           !seen.textOf(QStringLiteral("basis")).contains(QStringLiteral("Updating"));
  }));
  const auto stepOf = [](const UiMapFile& map) { return map.textOf(QStringLiteral("stepTime")); };
  const QString slow = stepOf(m_window.map());
  ASSERT_TRUE(m_window.click(QStringLiteral("deviceMenu.sim:0")));
  ASSERT_TRUE(m_window.click(QStringLiteral("settingsOfDevice")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("deviceSpeed")));
  ASSERT_TRUE(m_window.replaceText(QStringLiteral("deviceSpeed"), QStringLiteral("0.1")));
  ASSERT_TRUE(m_window.click(QStringLiteral("deviceOk")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("another step time"), [&](const UiMapFile& seen) {
    return stepOf(seen) != slow && !stepOf(seen).isEmpty();
  }));
  m_window.key(QStringLiteral("ctrl+z"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the speed before"),
                               [&](const UiMapFile& map) { return stepOf(map) == slow; }));
}

}  // namespace
}  // namespace stagelane::gui
