// Chips are dragged between the device lanes, with the mouse and with keys; locked blocks stay
// where they are, whatever else would move them.

#include <QFile>

#include "tests/gui/window_test.h"

namespace stagelane::gui {
namespace {

const QString kFirst = QStringLiteral("cpu:0");
const QString kSecond = QStringLiteral("cpu:1");

class PlanDrag : public WindowTest {
 protected:
  [[nodiscard]] bool openModelParallel(const QString& preset) {
    return m_window.open({.file = preset}) &&
           m_window.click(QStringLiteral("variant.model-parallel")) &&
           m_window.waitFor(QStringLiteral("its tab in front"), [](const UiMapFile& map) {
             return map.valueOf(QStringLiteral("variant.model-parallel")) ==
                    QStringLiteral("current");
           });
  }

  [[nodiscard]] bool openToy() { return openModelParallel(QStringLiteral("toy")); }
  [[nodiscard]] bool openResNet() {
    return openModelParallel(QStringLiteral("tutorial-resnet50-quick"));
  }

  [[nodiscard]] QString laneOf(const QString& block) const {
    return m_window.map().valueOf(QStringLiteral("chip.") + block);
  }

  [[nodiscard]] bool waitForLane(const QString& block, const QString& lane) {
    return m_window.waitFor(block + QStringLiteral(" on ") + lane, [&](const UiMapFile& map) {
      return map.valueOf(QStringLiteral("chip.") + block) == lane;
    });
  }

  [[nodiscard]] bool waitForLock(const QString& block) {
    return m_window.waitFor(block + QStringLiteral(" to be locked"), [&](const UiMapFile& map) {
      const Control* control = map.find(QStringLiteral("chip.") + block);
      return control != nullptr && !control->enabled;
    });
  }

  [[nodiscard]] QPoint chip(const QString& block) const {
    const UiMapFile map = m_window.map();
    const Control* control = map.find(QStringLiteral("chip.") + block);
    return control == nullptr ? QPoint() : control->rect.center();
  }

  /// Under the chip, in the lane of a device.
  [[nodiscard]] QPoint inLane(const QString& block, const QString& lane) const {
    const UiMapFile map = m_window.map();
    const Control* control = map.find(QStringLiteral("lane.") + lane);
    return control == nullptr ? QPoint() : QPoint(chip(block).x(), control->rect.center().y());
  }

  /// Drags until the window shows the move, and keeps the button down.
  [[nodiscard]] bool dragOver(const QString& block, const QString& lane,
                              const PressOptions& keys = {}) {
    m_window.press(chip(block), inLane(block, lane), keys);
    return m_window.waitForText(QStringLiteral("hint"), QStringLiteral("Moving"));
  }
};

TEST_F(PlanDrag, MovesAChipToTheOtherLaneAndUndoBringsItBack) {
  ASSERT_TRUE(openToy());
  ASSERT_EQ(laneOf(QStringLiteral("relu")), kFirst);
  const int x = chip(QStringLiteral("relu")).x();
  ASSERT_TRUE(dragOver(QStringLiteral("relu"), kSecond));
  m_window.release();
  ASSERT_TRUE(waitForLane(QStringLiteral("relu"), kSecond));
  EXPECT_EQ(chip(QStringLiteral("relu")).x(), x) << "a drag changes the lane only";
  EXPECT_EQ(laneOf(QStringLiteral("net1")), kFirst);

  m_window.key(QStringLiteral("ctrl+z"));
  ASSERT_TRUE(waitForLane(QStringLiteral("relu"), kFirst));
  EXPECT_FALSE(m_window.map().isEnabled(QStringLiteral("undo"))) << "one drag is one step";
  m_window.key(QStringLiteral("ctrl+shift+z"));
  ASSERT_TRUE(waitForLane(QStringLiteral("relu"), kSecond));
}

TEST_F(PlanDrag, UndoAndRedoHaveButtons) {
  ASSERT_TRUE(openToy());
  ASSERT_TRUE(dragOver(QStringLiteral("relu"), kSecond));
  m_window.release();
  ASSERT_TRUE(waitForLane(QStringLiteral("relu"), kSecond));
  ASSERT_TRUE(m_window.click(QStringLiteral("undo")));
  ASSERT_TRUE(waitForLane(QStringLiteral("relu"), kFirst));
  ASSERT_TRUE(m_window.click(QStringLiteral("redo")));
  ASSERT_TRUE(waitForLane(QStringLiteral("relu"), kSecond));
}

TEST_F(PlanDrag, ShiftTakesTheRestOfTheStage) {
  ASSERT_TRUE(openResNet());
  ASSERT_TRUE(dragOver(QStringLiteral("layer2"), kSecond, {.before = QStringLiteral("shift")}));
  m_window.release();
  ASSERT_TRUE(waitForLane(QStringLiteral("layer2"), kSecond));
  EXPECT_EQ(laneOf(QStringLiteral("layer1")), kFirst);

  m_window.key(QStringLiteral("ctrl+z"));
  ASSERT_TRUE(waitForLane(QStringLiteral("layer2"), kFirst));
  ASSERT_TRUE(dragOver(QStringLiteral("layer1"), kSecond, {.before = QStringLiteral("shift")}));
  m_window.release();
  ASSERT_TRUE(waitForLane(QStringLiteral("layer1"), kSecond));
  EXPECT_EQ(laneOf(QStringLiteral("layer2")), kSecond);
  EXPECT_EQ(laneOf(QStringLiteral("maxpool")), kFirst);
}

TEST_F(PlanDrag, AnOpenGroupMovesABlockAloneAndAltMovesTheWholeGroup) {
  ASSERT_TRUE(openResNet());
  ASSERT_TRUE(m_window.click(QStringLiteral("group.layer3")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("chip.layer3.0")));
  ASSERT_TRUE(dragOver(QStringLiteral("layer3.0"), kFirst));
  m_window.release();
  ASSERT_TRUE(waitForLane(QStringLiteral("layer3.0"), kFirst));
  EXPECT_EQ(laneOf(QStringLiteral("layer3.1")), kSecond);

  ASSERT_TRUE(dragOver(QStringLiteral("layer3.3"), kFirst, {.after = QStringLiteral("alt")}));
  m_window.release();
  ASSERT_TRUE(waitForLane(QStringLiteral("layer3.5"), kFirst));
  for (int block = 0; block <= 5; ++block) {
    EXPECT_EQ(laneOf(QStringLiteral("layer3.%1").arg(block)), kFirst) << block;
  }
  EXPECT_EQ(laneOf(QStringLiteral("layer4")), kSecond);
  m_window.key(QStringLiteral("ctrl+z"));
  ASSERT_TRUE(waitForLane(QStringLiteral("layer3.5"), kSecond));
  EXPECT_EQ(laneOf(QStringLiteral("layer3.0")), kFirst) << "the first drag is a step of its own";
}

TEST_F(PlanDrag, EscapeEndsADragWithNothingMoved) {
  ASSERT_TRUE(openToy());
  ASSERT_TRUE(dragOver(QStringLiteral("relu"), kSecond));
  m_window.key(QStringLiteral("Escape"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("no more drag"), [](const UiMapFile& map) {
    return !map.textOf(QStringLiteral("hint")).contains(QStringLiteral("Moving"));
  }));
  m_window.release();
  // A later drag shows that the window has processed the release: if that had dropped the chip,
  // this would be the third step.
  ASSERT_TRUE(dragOver(QStringLiteral("net1"), kSecond));
  EXPECT_EQ(laneOf(QStringLiteral("relu")), kFirst);
  m_window.release();
  ASSERT_TRUE(waitForLane(QStringLiteral("net1"), kSecond));
  m_window.key(QStringLiteral("ctrl+z"));
  ASSERT_TRUE(waitForLane(QStringLiteral("net1"), kFirst));
  EXPECT_FALSE(m_window.map().isEnabled(QStringLiteral("undo")));
}

TEST_F(PlanDrag, AnotherVariantInTheMiddleOfADragEndsItWithNothingMoved) {
  ASSERT_TRUE(openToy());
  const auto shown = [this](const QString& variant) {
    return m_window.waitFor(variant + QStringLiteral(" in front"), [&](const UiMapFile& map) {
      return map.valueOf(variant) == QStringLiteral("current");
    });
  };
  ASSERT_TRUE(dragOver(QStringLiteral("relu"), kSecond));
  m_window.key(QStringLiteral("ctrl+Next"));
  ASSERT_TRUE(shown(QStringLiteral("variant.pipeline")));
  m_window.release();
  m_window.key(QStringLiteral("ctrl+Prior"));
  ASSERT_TRUE(shown(QStringLiteral("variant.model-parallel")));
  EXPECT_EQ(laneOf(QStringLiteral("relu")), kFirst);
  EXPECT_FALSE(m_window.map().isEnabled(QStringLiteral("undo")));
}

TEST_F(PlanDrag, ALockedChipIsRefusedWithWords) {
  ASSERT_TRUE(openToy());
  ASSERT_TRUE(m_window.click(QStringLiteral("chip.relu")));
  m_window.key(QStringLiteral("l"));
  ASSERT_TRUE(waitForLock(QStringLiteral("relu")));
  m_window.press(chip(QStringLiteral("relu")), inLane(QStringLiteral("relu"), kSecond));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("hint"), QStringLiteral("locked")));
  m_window.release();
  // A later drag shows that the window has processed the release: if that had dropped the chip,
  // this would be the third step.
  ASSERT_TRUE(dragOver(QStringLiteral("net1"), kSecond));
  EXPECT_EQ(laneOf(QStringLiteral("relu")), kFirst);
  m_window.release();
  ASSERT_TRUE(waitForLane(QStringLiteral("net1"), kSecond));
  m_window.key(QStringLiteral("ctrl+z"));
  ASSERT_TRUE(waitForLane(QStringLiteral("net1"), kFirst));
  // The first step is the lock.
  m_window.key(QStringLiteral("ctrl+z"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("relu to be free"), [](const UiMapFile& map) {
    return map.isEnabled(QStringLiteral("chip.relu")) && !map.isEnabled(QStringLiteral("undo"));
  }));
}

TEST_F(PlanDrag, ALockedChipStaysWhereAStrategyOrAModeWouldMoveIt) {
  ASSERT_TRUE(openToy());
  ASSERT_TRUE(m_window.click(QStringLiteral("chip.net2")));
  m_window.key(QStringLiteral("l"));
  ASSERT_TRUE(waitForLock(QStringLiteral("net2")));
  ASSERT_TRUE(m_window.click(QStringLiteral("strategy")));
  for (const char* press : {"Up", "Return"}) m_window.key(QString::fromLatin1(press));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("hint"),
                                   QStringLiteral("net2 is locked to cpu:1 in model parallel")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("strategy"), QStringLiteral("model parallel")));
  m_window.key(QStringLiteral("ctrl+shift+p"));
  ASSERT_TRUE(m_window.waitForFocus(QStringLiteral("paletteSearch")));
  m_window.type(QStringLiteral("placement: optimal"));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("paletteSearch"), QStringLiteral("optimal")));
  m_window.key(QStringLiteral("Return"));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("hint"),
                                   QStringLiteral("Automatic placement is not available")));
  EXPECT_EQ(laneOf(QStringLiteral("net2")), kSecond);
  ASSERT_TRUE(m_window.click(QStringLiteral("planSettings")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("placement.optimal")));
  EXPECT_FALSE(m_window.map().isEnabled(QStringLiteral("placement.optimal")));
  EXPECT_TRUE(m_window.map().isEnabled(QStringLiteral("recompute.always")));
  m_window.key(QStringLiteral("Escape"));
  // The lock is the only step; without it the mode may move the blocks.
  ASSERT_TRUE(m_window.click(QStringLiteral("undo")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("net2 to be free"), [](const UiMapFile& map) {
    return map.isEnabled(QStringLiteral("chip.net2")) && !map.isEnabled(QStringLiteral("undo"));
  }));
  ASSERT_TRUE(m_window.click(QStringLiteral("planSettings")));
  ASSERT_TRUE(m_window.click(QStringLiteral("placement.optimal")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("planSettings"), QStringLiteral("optimal")));
}

TEST_F(PlanDrag, ACopyOfATabHasItsLocksAndOneUndoTakesBothBack) {
  ASSERT_TRUE(openToy());
  ASSERT_TRUE(m_window.click(QStringLiteral("chip.net2")));
  m_window.key(QStringLiteral("l"));
  ASSERT_TRUE(waitForLock(QStringLiteral("net2")));
  m_window.key(QStringLiteral("ctrl+d"));
  const QString copy = QStringLiteral("variant.model-parallel-copy");
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the copy in front"), [&](const UiMapFile& map) {
    return map.valueOf(copy) == QStringLiteral("current");
  }));
  ASSERT_TRUE(waitForLock(QStringLiteral("net2")));
  m_window.press(chip(QStringLiteral("net2")), inLane(QStringLiteral("net2"), kFirst));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("hint"), QStringLiteral("locked")));
  m_window.release();
  ASSERT_TRUE(m_window.click(QStringLiteral("undo")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("no copy"),
                               [&](const UiMapFile& map) { return map.find(copy) == nullptr; }));
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.model-parallel")));
  ASSERT_TRUE(waitForLock(QStringLiteral("net2")));
}

TEST_F(PlanDrag, ATiedChipSaysItsWordsWhereADropTearsItFromItsPartner) {
  QFile file(path(QStringLiteral("tied.json")));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(R"({
    "stagelane": 1, "name": "tied", "model": {"zoo": "gpt", "layers": 2, "heads": 2, "width": 16,
    "vocab": 32, "context": 8, "tie": true}, "input": {"shape": [8], "dtype": "int64"},
    "data": {"batch_size": 4, "labels": "class"}, "loss": "cross_entropy",
    "devices": ["cpu:0", "cpu:1"], "repeat": 1,
    "variants": [{"name": "model parallel", "strategy": "model_parallel",
      "placement": {"embedding": "cpu:0", "h": "cpu:0", "head": "cpu:0"}}]})");
  file.close();
  ASSERT_TRUE(openModelParallel(file.fileName()));
  const QString words =
      QStringLiteral("head is tied to embedding, gradients are summed across devices");
  m_window.press(chip(QStringLiteral("head")), inLane(QStringLiteral("head"), kSecond));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("hint"), words)) << "before it is dropped";
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("hint"), QStringLiteral("Moving head")));
  m_window.release();
  ASSERT_TRUE(waitForLane(QStringLiteral("head"), kSecond)) << "it is no reason to refuse it";
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("its words alone"), [&](const UiMapFile& map) {
    return map.textOf(QStringLiteral("hint")) == words;
  }));
  // Both are on one device again, so there is no message.
  ASSERT_TRUE(m_window.click(QStringLiteral("chip.embedding")));
  m_window.key(QStringLiteral("alt+Down"));
  ASSERT_TRUE(waitForLane(QStringLiteral("embedding"), kSecond));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("no words"), [](const UiMapFile& map) {
    return !map.textOf(QStringLiteral("hint")).contains(QStringLiteral("tied"));
  }));
}

TEST_F(PlanDrag, ADropOnAPlanThatCannotBeReadSaysWhatIsTheMatter) {
  QFile file(path(QStringLiteral("unreadable.json")));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(R"({
    "stagelane": 1, "name": "unreadable", "model": {"zoo": "toy"}, "input": {"shape": [10]},
    "data": {"labels": "normal", "batch_size": 8}, "loss": "mse", "devices": ["cpu:0", "cpu:1"],
    "repeat": 1, "variants": [{"name": "single", "strategy": "single"},
      {"name": "model parallel", "strategy": "model_parallel", "split": 2,
       "placement": {"net1": "cpu:0", "relu": "cpu:0", "net2": "cpu:1"}}]})");
  file.close();
  ASSERT_TRUE(openModelParallel(file.fileName()));
  ASSERT_TRUE(dragOver(QStringLiteral("net1"), kSecond));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("impediment"), QStringLiteral("No prediction: ")));
  m_window.key(QStringLiteral("Escape"));
  m_window.release();
}

TEST_F(PlanDrag, AnImpossibleDropShowsNoFiguresOfAnotherPlanAndTheDragGoesOn) {
  const QString third = QStringLiteral("cpu:2");
  const QString basis = QStringLiteral("planBasis");
  const QString impossible = QStringLiteral("Impossible");
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("tutorial-resnet50-quick")}));
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.1f1b")));
  ASSERT_TRUE(m_window.click(QStringLiteral("addDevice")));
  ASSERT_TRUE(m_window.click(QStringLiteral("addCpuWorker")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("lane.") + third));
  QString step;
  const auto planAsItIs = [&](const UiMapFile& map) {
    return map.textOf(basis).contains(QStringLiteral("Estimate")) &&
           map.isEnabled(QStringLiteral("stepTime")) &&
           (step.isEmpty() || map.textOf(QStringLiteral("stepTime")) == step);
  };
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the plan's figures"), planAsItIs));
  step = m_window.map().textOf(QStringLiteral("stepTime"));

  ASSERT_TRUE(dragOver(QStringLiteral("conv1"), kSecond));
  ASSERT_TRUE(m_window.waitForText(basis, impossible));
  for (const char* figure : {"stepTime", "speedup"}) {
    const QString name = QString::fromLatin1(figure);
    EXPECT_FALSE(m_window.map().isEnabled(name)) << figure;
    EXPECT_EQ(m_window.map().textOf(name), QChar(0x2013)) << figure;
  }
  EXPECT_EQ(m_window.map().valueOf(QStringLiteral("lane.") + kSecond), QString());
  keepPicture(m_window.picture(), QStringLiteral("plan-drop-impossible-light-1280"));
  m_window.key(QStringLiteral("Escape"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the plan's figures again"), planAsItIs));
  m_window.release();

  // The message resizes the lanes: the drag continues to a valid place.
  ASSERT_TRUE(dragOver(QStringLiteral("conv1"), kSecond));
  ASSERT_TRUE(m_window.waitForText(basis, impossible));
  m_window.moveTo(inLane(QStringLiteral("conv1"), third));
  ASSERT_TRUE(m_window.waitForText(basis, QStringLiteral("preview of this drop")));
  m_window.release();
  ASSERT_TRUE(waitForLane(QStringLiteral("conv1"), third));
}

TEST_F(PlanDrag, KeysMoveTheSelectionBetweenLanesAndAlongTheChain) {
  ASSERT_TRUE(openToy());
  ASSERT_TRUE(m_window.click(QStringLiteral("chip.relu")));
  m_window.key(QStringLiteral("alt+Down"));
  ASSERT_TRUE(waitForLane(QStringLiteral("relu"), kSecond));
  m_window.key(QStringLiteral("alt+Up"));
  ASSERT_TRUE(waitForLane(QStringLiteral("relu"), kFirst));
  m_window.key(QStringLiteral("Left"));
  m_window.key(QStringLiteral("alt+Down"));
  ASSERT_TRUE(waitForLane(QStringLiteral("net1"), kSecond));
  EXPECT_EQ(laneOf(QStringLiteral("relu")), kFirst);
}

TEST_F(PlanDrag, CutHereSendsTheRestOfTheChainToTheNextLane) {
  ASSERT_TRUE(openResNet());
  ASSERT_TRUE(m_window.click(QStringLiteral("chip.layer2")));
  m_window.key(QStringLiteral("c"));
  ASSERT_TRUE(waitForLane(QStringLiteral("layer2"), kSecond));
  EXPECT_EQ(laneOf(QStringLiteral("layer1")), kFirst);
  EXPECT_EQ(laneOf(QStringLiteral("layer4")), kSecond);
}

TEST_F(PlanDrag, CutHereOpensAStageOnADeviceThatHasNone) {
  ASSERT_TRUE(openResNet());
  ASSERT_TRUE(m_window.click(QStringLiteral("addDevice")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("addCpuWorker")));
  ASSERT_TRUE(m_window.click(QStringLiteral("addCpuWorker")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("lane.cpu:2")));
  ASSERT_EQ(laneOf(QStringLiteral("layer2")), kFirst);
  ASSERT_TRUE(m_window.click(QStringLiteral("chip.layer2")));
  m_window.key(QStringLiteral("c"));
  ASSERT_TRUE(waitForLane(QStringLiteral("layer2"), QStringLiteral("cpu:2")));
  EXPECT_EQ(laneOf(QStringLiteral("layer1")), kFirst);
  EXPECT_EQ(laneOf(QStringLiteral("layer4")), kSecond);
  keepPicture(m_window.picture(), QStringLiteral("plan-cut-third-light-1280"));
  m_window.key(QStringLiteral("ctrl+z"));
  ASSERT_TRUE(waitForLane(QStringLiteral("layer2"), kFirst));
  EXPECT_NE(m_window.map().find(QStringLiteral("lane.cpu:2")), nullptr) << "the cut was one step";
}

}  // namespace
}  // namespace stagelane::gui
