// The smaller gestures on the Plan page: tabs by keys and mouse, groups, selections of several
// chips, dots of the curves, the width of chips, the tree and the layers.

#include "tests/gui/window_test.h"

namespace stagelane::gui {
namespace {

class PlanGestures : public WindowTest {
 protected:
  /// The ResNet example with a tab in front and its numbers there.
  [[nodiscard]] bool openResNet(const QString& tab = QStringLiteral("variant.tutorial-8")) {
    return m_window.open(
               {.file = QStringLiteral("tutorial-resnet50-quick"), .size = {1600, 900}}) &&
           m_window.click(tab) && isValue(tab, QStringLiteral("current")) &&
           m_window.waitForControl(QStringLiteral("chip.layer2"));
  }
  [[nodiscard]] bool isValue(const QString& name, const QString& value) {
    return m_window.waitFor(name + QStringLiteral(" = ") + value, [&](const UiMapFile& map) {
      return map.find(name) != nullptr && map.valueOf(name) == value;
    });
  }
  [[nodiscard]] bool isGone(const QString& name) {
    return m_window.waitFor(QStringLiteral("no ") + name,
                            [&](const UiMapFile& map) { return map.find(name) == nullptr; });
  }
  [[nodiscard]] bool selects(const QString& words) {
    return m_window.waitForText(QStringLiteral("selectionSummary"), words);
  }
  [[nodiscard]] QRect rectOf(const QString& name) const {
    const UiMapFile map = m_window.map();
    const Control* control = map.find(name);
    EXPECT_NE(control, nullptr) << name.toStdString();
    return control == nullptr ? QRect() : control->rect;
  }
};

TEST_F(PlanGestures, ATabIsRenamedLeftOutAndDeletedByKeys) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy")}));
  const QString tab = QStringLiteral("variant.model-parallel");
  ASSERT_TRUE(m_window.click(tab));
  ASSERT_TRUE(isValue(tab, QStringLiteral("current")));
  m_window.key(QStringLiteral("F2"));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("variantName")));
  m_window.type(QStringLiteral("not this"));
  m_window.key(QStringLiteral("Escape"));
  ASSERT_TRUE(isGone(QStringLiteral("variantName")));
  EXPECT_EQ(m_window.map().textOf(tab), QStringLiteral("model parallel"));
  EXPECT_FALSE(m_window.map().isEnabled(QStringLiteral("undo")));
  m_window.key(QStringLiteral("F2"));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("variantName")));
  m_window.type(QStringLiteral("cut late"));
  m_window.key(QStringLiteral("Return"));
  const QString renamed = QStringLiteral("variant.cut-late");
  ASSERT_TRUE(m_window.waitForText(renamed, QStringLiteral("cut late")));
  // The focus stays on the renamed tab.
  const QString include = QStringLiteral("include.cut-late");
  ASSERT_TRUE(isValue(include, QStringLiteral("true")));
  m_window.key(QStringLiteral("space"));
  ASSERT_TRUE(isValue(include, QStringLiteral("false")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("run"), QStringLiteral("Run 2 included")));
  m_window.key(QStringLiteral("Delete"));
  ASSERT_TRUE(isGone(renamed));
  for (int step = 0; step < 3; ++step) m_window.key(QStringLiteral("ctrl+z"));
  ASSERT_TRUE(m_window.waitForText(tab, QStringLiteral("model parallel")));
  EXPECT_EQ(m_window.map().valueOf(QStringLiteral("include.model-parallel")),
            QStringLiteral("true"));
}

TEST_F(PlanGestures, ATabIsRenamedByADoubleClickAndDeletedByItsMenu) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy")}));
  const QString tab = QStringLiteral("variant.model-parallel");
  ASSERT_TRUE(m_window.click(tab, {.times = 2, .modifier = {}}));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("variantName")));
  m_window.type(QStringLiteral("other"));
  m_window.key(QStringLiteral("Return"));
  const QString renamed = QStringLiteral("variant.other");
  ASSERT_TRUE(m_window.waitForText(renamed, QStringLiteral("other")));
  ASSERT_TRUE(m_window.click(renamed, {.button = 3, .modifier = {}}));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("deleteTab")));
  ASSERT_TRUE(m_window.click(QStringLiteral("deleteTab")));
  ASSERT_TRUE(isGone(renamed));
}

TEST_F(PlanGestures, EnterOpensAGroupAndShiftAndCtrlSelectSeveralChips) {
  ASSERT_TRUE(openResNet());
  ASSERT_TRUE(m_window.click(QStringLiteral("chip.layer1")));
  ASSERT_TRUE(selects(QStringLiteral("3 blocks")));
  m_window.key(QStringLiteral("shift+Right"));
  ASSERT_TRUE(selects(QStringLiteral("7 blocks")));
  m_window.key(QStringLiteral("shift+Left"));
  ASSERT_TRUE(selects(QStringLiteral("3 blocks")));
  const ClickOptions withCtrl{.modifier = QStringLiteral("ctrl")};
  ASSERT_TRUE(m_window.click(QStringLiteral("chip.layer4"), withCtrl));
  ASSERT_TRUE(selects(QStringLiteral("6 blocks")));
  // Selected chips move together.
  m_window.key(QStringLiteral("alt+Down"));
  ASSERT_TRUE(isValue(QStringLiteral("chip.layer1"), QStringLiteral("cpu:1")));
  m_window.key(QStringLiteral("alt+Up"));
  ASSERT_TRUE(isValue(QStringLiteral("chip.layer4"), QStringLiteral("cpu:0")));
  EXPECT_EQ(m_window.map().valueOf(QStringLiteral("chip.layer1")), QStringLiteral("cpu:0"));
  m_window.key(QStringLiteral("ctrl+z"));
  m_window.key(QStringLiteral("ctrl+z"));
  // The intermediate problem was listed above the lanes.
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the first plan"), [](const UiMapFile& map) {
    return !map.isEnabled(QStringLiteral("undo")) &&
           map.find(QStringLiteral("planProblem")) == nullptr;
  }));
  ASSERT_TRUE(m_window.click(QStringLiteral("chip.layer4"), withCtrl));
  ASSERT_TRUE(selects(QStringLiteral("3 blocks")));

  ASSERT_TRUE(m_window.click(QStringLiteral("chip.layer2")));
  m_window.key(QStringLiteral("Return"));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("chip.layer2.0")));
  m_window.key(QStringLiteral("Return"));
  ASSERT_TRUE(isGone(QStringLiteral("chip.layer2.0")));
}

TEST_F(PlanGestures, AClickOnADotOfStepTimeByCutCutsThere) {
  ASSERT_TRUE(openResNet());
  ASSERT_EQ(m_window.map().valueOf(QStringLiteral("chip.layer2")), QStringLiteral("cpu:0"));
  ASSERT_TRUE(m_window.click(QStringLiteral("cut.layer2.0")));
  ASSERT_TRUE(isValue(QStringLiteral("chip.layer2"), QStringLiteral("cpu:1")));
  EXPECT_EQ(m_window.map().valueOf(QStringLiteral("chip.layer1")), QStringLiteral("cpu:0"));
  m_window.key(QStringLiteral("ctrl+z"));
  ASSERT_TRUE(isValue(QStringLiteral("chip.layer2"), QStringLiteral("cpu:0")));
  EXPECT_FALSE(m_window.map().isEnabled(QStringLiteral("undo"))) << "one click is one step";
}

TEST_F(PlanGestures, ADotOfTheSplitCurveIsTakenByAClick) {
  ASSERT_TRUE(openResNet());
  ASSERT_TRUE(m_window.click(QStringLiteral("split.16")));
  ASSERT_TRUE(isValue(QStringLiteral("splitSize"), QStringLiteral("16")));
  ASSERT_TRUE(m_window.click(QStringLiteral("undo")));
  ASSERT_TRUE(isValue(QStringLiteral("splitSize"), QStringLiteral("8")));
  EXPECT_FALSE(m_window.map().isEnabled(QStringLiteral("undo")));
}

TEST_F(PlanGestures, ChipsAreAsWideAsTheirTimeOrTheirParameters) {
  ASSERT_TRUE(openResNet());
  const int byTime = rectOf(QStringLiteral("chip.layer4")).width();
  ASSERT_TRUE(m_window.click(QStringLiteral("widthParameters")));
  // The last group has more than half of the parameters.
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("a wider chip"), [&](const UiMapFile& map) {
    const Control* chip = map.find(QStringLiteral("chip.layer4"));
    return map.valueOf(QStringLiteral("widthParameters")) == QStringLiteral("true") &&
           chip != nullptr && chip->rect.width() > byTime * 3 / 2;
  }));
  const int byParameters = rectOf(QStringLiteral("chip.layer4")).width();
  ASSERT_TRUE(m_window.click(QStringLiteral("widthMemory")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("another width"), [&](const UiMapFile& map) {
    const Control* chip = map.find(QStringLiteral("chip.layer4"));
    return chip != nullptr && chip->rect.width() < byParameters;
  }));
  ASSERT_TRUE(m_window.click(QStringLiteral("widthTime")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the first width"), [&](const UiMapFile& map) {
    const Control* chip = map.find(QStringLiteral("chip.layer4"));
    return chip != nullptr && chip->rect.width() == byTime;
  }));
}

TEST_F(PlanGestures, TheTreeIsFilteredAndItsRowsSelectChips) {
  ASSERT_TRUE(openResNet());
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("block.layer1")));
  ASSERT_TRUE(m_window.replaceText(QStringLiteral("blockFilter"), QStringLiteral("layer3.2")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("one block"), [](const UiMapFile& map) {
    return map.namesThatBegin(QStringLiteral("block.layer3.2")).size() > 1 &&
           map.find(QStringLiteral("block.layer3.1")) == nullptr &&
           map.find(QStringLiteral("block.layer1")) == nullptr;
  }));
  ASSERT_TRUE(m_window.click(QStringLiteral("block.layer3.2")));
  ASSERT_TRUE(isValue(QStringLiteral("block.layer3.2"), QStringLiteral("selected")));
  ASSERT_TRUE(selects(QStringLiteral("1 block ")));
  ASSERT_TRUE(m_window.click(QStringLiteral("blockFilter")));
  m_window.key(QStringLiteral("ctrl+a"));
  m_window.key(QStringLiteral("Delete"));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("block.layer1")));
  EXPECT_NE(m_window.map().find(QStringLiteral("variant.tutorial-8")), nullptr)
      << "Del is the tab's only on the tabs";
}

TEST_F(PlanGestures, LayersAreSortedByTheirHeads) {
  ASSERT_TRUE(openResNet());
  ASSERT_TRUE(m_window.click(QStringLiteral("showLayers")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("layer.conv1")));
  const QString head = QStringLiteral("layers.sort.Params");
  ASSERT_TRUE(m_window.click(head));
  ASSERT_TRUE(isValue(head, QStringLiteral("ascending")));
  const auto first = [](const UiMapFile& map) {
    return map.namesThatBegin(QStringLiteral("layer.")).value(0);
  };
  // Single clicks, not a double click; without parameters there is no defined first.
  ASSERT_TRUE(m_window.click(QStringLiteral("layerSearch")));
  ASSERT_TRUE(m_window.click(head));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the largest first"), [&](const UiMapFile& map) {
    return map.valueOf(head) == QStringLiteral("descending") &&
           first(map) == QStringLiteral("layer.layer4.0");
  }));
  ASSERT_TRUE(m_window.click(QStringLiteral("layer.layer4.0")));
  ASSERT_TRUE(selects(QStringLiteral("1 block ")));
  ASSERT_TRUE(isValue(QStringLiteral("layer.layer4.0"), QStringLiteral("selected")));
}

}  // namespace
}  // namespace stagelane::gui
