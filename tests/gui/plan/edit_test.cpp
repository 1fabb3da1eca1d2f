// Split size, schedule and strategy change the prediction; invalid values are refused with a
// message and change nothing.

#include <QThread>

#include "tests/gui/window_test.h"

namespace stagelane::gui {
namespace {

class PlanEdit : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    ASSERT_TRUE(m_window.open({.file = QStringLiteral("tutorial-resnet50-quick")}));
    ASSERT_TRUE(m_window.click(QStringLiteral("variant.tutorial-8")));
    ASSERT_TRUE(
        m_window.waitFor(QStringLiteral("the variant tutorial 8"), [](const UiMapFile& map) {
          return map.valueOf(QStringLiteral("splitSize")) == QStringLiteral("8") &&
                 isPredicted(map);
        }));
  }

  [[nodiscard]] static bool isPredicted(const UiMapFile& map) {
    const QString basis = map.textOf(QStringLiteral("basis"));
    return !basis.isEmpty() && !basis.contains(QStringLiteral("Updating")) &&
           !map.textOf(QStringLiteral("stepTime")).isEmpty();
  }

  [[nodiscard]] QString stepTime() const {
    return m_window.map().textOf(QStringLiteral("stepTime"));
  }

  [[nodiscard]] bool waitForOtherStepTime(const QString& than) {
    return m_window.waitFor(
        QStringLiteral("a step time other than ") + than, [&](const UiMapFile& map) {
          return isPredicted(map) && map.textOf(QStringLiteral("stepTime")) != than;
        });
  }
};

TEST_F(PlanEdit, AnotherSplitSizeChangesTheStepTimeAndUndoBringsItBack) {
  const QString first = stepTime();
  ASSERT_TRUE(m_window.enter(QStringLiteral("splitSize"), QStringLiteral("4")));
  ASSERT_TRUE(waitForOtherStepTime(first));
  ASSERT_TRUE(m_window.click(QStringLiteral("undo")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("split size 8 again"), [&](const UiMapFile& map) {
    return map.valueOf(QStringLiteral("splitSize")) == QStringLiteral("8") && isPredicted(map) &&
           map.textOf(QStringLiteral("stepTime")) == first;
  }));
}

TEST_F(PlanEdit, ARefusedSplitSizeStaysInItsFieldWithTheReason) {
  const QString first = stepTime();
  for (const char* bad : {"33", "0", "4, many, 16"}) {
    ASSERT_TRUE(m_window.enter(QStringLiteral("splitSize"), QString::fromLatin1(bad)));
    ASSERT_TRUE(m_window.waitFor(QStringLiteral("a reason"), [bad](const UiMapFile& map) {
      return map.textOf(QStringLiteral("microBatches")) == QStringLiteral("not applied") &&
             map.textOf(QStringLiteral("hint"))
                 .contains(QStringLiteral("split size"), Qt::CaseInsensitive) &&
             map.valueOf(QStringLiteral("splitSize")) == QString::fromLatin1(bad);
    })) << bad;
  }
  keepPicture(m_window.picture(), QStringLiteral("split-refused-light"));
  EXPECT_EQ(stepTime(), first);
  m_window.key(QStringLiteral("Escape"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("what the plan has"), [](const UiMapFile& map) {
    return map.valueOf(QStringLiteral("splitSize")) == QStringLiteral("8") &&
           map.textOf(QStringLiteral("microBatches")) != QStringLiteral("not applied");
  }));
  EXPECT_FALSE(m_window.map().isEnabled(QStringLiteral("undo")));
}

TEST_F(PlanEdit, AnotherScheduleChangesTheStepTime) {
  const QString first = stepTime();
  ASSERT_TRUE(m_window.choose(QStringLiteral("schedule"), QStringLiteral("1f1b")));
  ASSERT_TRUE(waitForOtherStepTime(first));
}

TEST_F(PlanEdit, AScheduleThatThePlanCannotHaveIsTakenMarkedAndMendedByOneClick) {
  ASSERT_TRUE(m_window.choose(QStringLiteral("schedule"), QStringLiteral("zbv")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("planProblem"),
                                   QStringLiteral("two stages on each device")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("fixPlan"),
                                   QStringLiteral("Cut the model into 4 stages")));
  keepPicture(m_window.picture(), QStringLiteral("plan-schedule-broken"));
  ASSERT_TRUE(m_window.click(QStringLiteral("fixPlan")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("a sound plan"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("planProblem")) == nullptr;
  }));
  EXPECT_NE(stepTime(), QStringLiteral("–"));
  ASSERT_TRUE(m_window.click(QStringLiteral("undo")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("fixPlan")));
}

TEST_F(PlanEdit, ASwitchOfTheStrategyAndBackKeepsTheListOfSplitSizes) {
  ASSERT_TRUE(m_window.enter(QStringLiteral("splitSize"), QStringLiteral("4, 8")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("sweepMember")));
  ASSERT_TRUE(m_window.choose(QStringLiteral("strategy"), QStringLiteral("single device")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("no split size"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("splitSize")) == nullptr;
  }));
  ASSERT_TRUE(m_window.click(QStringLiteral("strategy")));
  for (const char* press : {"Down", "Down", "Return"}) m_window.key(QString::fromLatin1(press));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("both sizes"), [](const UiMapFile& map) {
    return map.valueOf(QStringLiteral("splitSize")) == QStringLiteral("4, 8");
  }));
}

TEST_F(PlanEdit, ModelParallelHasNoSplitSize) {
  const QString first = stepTime();
  ASSERT_TRUE(m_window.choose(QStringLiteral("strategy"), QStringLiteral("model parallel")));
  ASSERT_TRUE(waitForOtherStepTime(first));
  EXPECT_EQ(m_window.map().find(QStringLiteral("splitSize")), nullptr);
  EXPECT_EQ(m_window.map().find(QStringLiteral("schedule")), nullptr);
}

TEST_F(PlanEdit, AListOfSplitSizesIsASweep) {
  ASSERT_TRUE(m_window.enter(QStringLiteral("splitSize"), QStringLiteral("4, 8")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("variant.tutorial-8"), QStringLiteral("(2)")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("sweepMember")));
}

TEST_F(PlanEdit, RepeatsHoldForAllVariants) {
  ASSERT_TRUE(m_window.enter(QStringLiteral("repeats"), QStringLiteral("7")));
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.single")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("7 repeats"), [](const UiMapFile& map) {
    return map.valueOf(QStringLiteral("repeats")) == QStringLiteral("7") &&
           map.valueOf(QStringLiteral("variant.single")) == QStringLiteral("current");
  }));
}

TEST_F(PlanEdit, TheMenuOfAChipBeginsWithWhatTheChipCanDoAndEndsWithUndo) {
  ASSERT_TRUE(m_window.click(QStringLiteral("chip.layer2"), {.button = 3, .modifier = {}}));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("chipMenu")));
  const UiMapFile map = m_window.map();
  EXPECT_EQ(map.textOf(QStringLiteral("cutHere")), QStringLiteral("Cut before layer2.0"));
  EXPECT_EQ(map.textOf(QStringLiteral("toggleGroup")), QStringLiteral("Open layer2"));
  EXPECT_EQ(map.textOf(QStringLiteral("deviceSettings")), QStringLiteral("Settings of cpu:0…"));
  EXPECT_EQ(map.textOf(QStringLiteral("addCpuWorker")), QStringLiteral("Add a CPU worker, cpu:2"));
  EXPECT_EQ(map.find(QStringLiteral("fixPlanAction")), nullptr) << "nothing is broken";
  for (const char* below : {"lock", "extendNext", "removeDevice", "undoHere", "redoHere"}) {
    const Control* entry = map.find(QString::fromLatin1(below));
    ASSERT_NE(entry, nullptr) << below;
    EXPECT_GT(entry->rect.top(), map.find(QStringLiteral("moveUp"))->rect.top()) << below;
  }
  EXPECT_FALSE(map.isEnabled(QStringLiteral("undoHere")));
  ASSERT_TRUE(m_window.click(QStringLiteral("moveDown")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the move"), [](const UiMapFile& after) {
    return after.valueOf(QStringLiteral("chip.layer2")) == QStringLiteral("cpu:1");
  }));
  ASSERT_TRUE(m_window.click(QStringLiteral("chip.layer2"), {.button = 3, .modifier = {}}));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("undoHere"), QStringLiteral("Move layer2")));
  ASSERT_TRUE(m_window.click(QStringLiteral("undoHere")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the move undone"), [](const UiMapFile& after) {
    return after.valueOf(QStringLiteral("chip.layer2")) == QStringLiteral("cpu:0");
  }));
}

TEST_F(PlanEdit, AnEditMovesNothingInTheRunBar) {
  const QRect before = m_window.map().find(QStringLiteral("undo"))->rect;
  ASSERT_TRUE(m_window.enter(QStringLiteral("splitSize"), QStringLiteral("4")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("experimentMenu"), QStringLiteral("●")));
  EXPECT_EQ(m_window.map().find(QStringLiteral("undo"))->rect, before);
}

TEST_F(PlanEdit, KeysGoToTheNextVariantAndBack) {
  const auto shows = [this](const char* tab) {
    return m_window.waitFor(QString::fromLatin1(tab), [tab](const UiMapFile& map) {
      return map.valueOf(QString::fromLatin1(tab)) == QStringLiteral("current");
    });
  };
  m_window.key(QStringLiteral("ctrl+Next"));
  ASSERT_TRUE(shows("variant.1f1b"));
  m_window.key(QStringLiteral("ctrl+Prior"));
  ASSERT_TRUE(shows("variant.tutorial-8"));
}

TEST_F(PlanEdit, TabsThatDoNotFitAreReachedByArrows) {
  for (int copy = 0; copy < 6; ++copy) ASSERT_TRUE(m_window.click(QStringLiteral("newVariant")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("tabsBefore")));
  EXPECT_EQ(m_window.map().find(QStringLiteral("variant.single")), nullptr);
  for (int step = 0; step < 12 && m_window.map().isEnabled(QStringLiteral("tabsBefore")); ++step) {
    ASSERT_TRUE(m_window.click(QStringLiteral("tabsBefore")));
    QThread::msleep(60);
  }
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("variant.single")));
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.single")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("newVariant")));
}

TEST_F(PlanEdit, ThePaletteFindsAnAction) {
  m_window.key(QStringLiteral("ctrl+shift+p"));
  ASSERT_TRUE(m_window.waitForFocus(QStringLiteral("paletteSearch")));
  m_window.type(QStringLiteral("duplicate"));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("paletteSearch"), QStringLiteral("duplicate")));
  m_window.key(QStringLiteral("Return"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("one variant more"), [](const UiMapFile& map) {
    return map.namesThatBegin(QStringLiteral("variant.tutorial-8")).size() == 2;
  }));
}

}  // namespace
}  // namespace stagelane::gui
