#include "ui/kit/painted_access.h"

#include <gtest/gtest.h>

#include <QAccessible>
#include <QMouseEvent>
#include <QTest>
#include <algorithm>

#include "engine/base/json.h"
#include "tests/ui/plan/plan_fixtures.h"
#include "ui/kit/current_theme.h"
#include "ui/plan/lanes/lanes_view.h"
#include "ui/plan/plan_model/plan_selection.h"
#include "ui/plan/variants/variant_tabs.h"
#include "ui/runs/sweep/sweep_curve.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/run/sweep_view.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

/// A widget's possible painted parts.
class Painted final : public QWidget, public VirtualControlSource {
 public:
  [[nodiscard]] QList<VirtualControl> virtualControls() const override { return parts; }

  QList<VirtualControl> parts{
      {QStringLiteral("big"), QStringLiteral("lane"), QStringLiteral("Lane"), {}, {0, 0, 100, 40}},
      {QStringLiteral("b"), QStringLiteral("checkbox"), QStringLiteral("Tick"),
       QStringLiteral("true"), QRect(10, 10, 20, 20)},
      {QStringLiteral("twice"),
       QStringLiteral("action"),
       QStringLiteral("One"),
       {},
       QRect(40, 10, 20, 20),
       false},
      {QStringLiteral("twice"), QStringLiteral("action"), QStringLiteral("Other"),
       QStringLiteral("12 ms"), QRect(70, 10, 20, 20), true, true, true}};
  QPoint pressed{-1, -1};
  QPoint released{-1, -1};

 protected:
  void mousePressEvent(QMouseEvent* event) override { pressed = event->position().toPoint(); }
  void mouseReleaseEvent(QMouseEvent* event) override { released = event->position().toPoint(); }
};

QAccessibleInterface* accessOf(QWidget& widget) {
  installPaintedAccess();
  return QAccessible::queryAccessibleInterface(&widget);
}

QAccessibleInterface* childNamed(QWidget& widget, const QString& name) {
  QAccessibleInterface* all = accessOf(widget);
  for (int i = 0; i < all->childCount(); ++i) {
    if (all->child(i)->text(QAccessible::Name) == name) return all->child(i);
  }
  return nullptr;
}

void press(QAccessibleInterface* part) {
  part->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
}

TEST(PaintedAccess, TellsNameRoleValuePlaceAndStateOfEachPart) {
  Painted widget;
  widget.resize(100, 40);
  QAccessibleInterface* all = accessOf(widget);
  ASSERT_EQ(all->childCount(), 4);
  const QAccessibleInterface* tick = all->child(1);
  EXPECT_EQ(tick->text(QAccessible::Name), QStringLiteral("Tick"));
  EXPECT_EQ(tick->role(), QAccessible::CheckBox);
  EXPECT_TRUE(tick->state().checkable);
  EXPECT_TRUE(tick->state().checked);
  EXPECT_EQ(tick->rect(), QRect(widget.mapToGlobal(QPoint(10, 10)), QSize(20, 20)));
  EXPECT_EQ(tick->parent(), all);
  EXPECT_EQ(all->indexOfChild(tick), 1);
  EXPECT_TRUE(all->child(2)->state().disabled);
  const QAccessibleInterface* other = all->child(3);
  EXPECT_EQ(other->text(QAccessible::Name), QStringLiteral("Other")) << "names may be shared";
  EXPECT_EQ(other->text(QAccessible::Value), QStringLiteral("12 ms"));
  EXPECT_TRUE(other->state().selected);
  EXPECT_FALSE(other->state().focused) << "the widget has not the keys";
}

TEST(PaintedAccess, FindsThePartThatWasPaintedLastAndForgetsThoseThatAreGone) {
  Painted widget;
  widget.resize(100, 40);
  QAccessibleInterface* all = accessOf(widget);
  const QPoint tick = widget.mapToGlobal(QPoint(15, 15));
  QAccessibleInterface* found = all->childAt(tick.x(), tick.y());
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->text(QAccessible::Name), QStringLiteral("Tick"));
  widget.parts.removeAt(1);
  EXPECT_FALSE(found->isValid());
  EXPECT_EQ(all->childCount(), 3);
}

TEST(PaintedAccess, PressesAsAClickDoes) {
  Painted widget;
  widget.resize(100, 40);
  QAccessibleInterface* all = accessOf(widget);
  press(all->child(2));
  EXPECT_EQ(widget.pressed, QPoint(-1, -1)) << "it is off";
  press(all->child(3));
  EXPECT_EQ(widget.pressed, QRect(70, 10, 20, 20).center());
  EXPECT_EQ(widget.released, widget.pressed);
}

class PaintedAccessOfPlan : public testing::Test {
 protected:
  void SetUp() override {
    installPaintedAccess();
    m_session.document().load(Json::parse(R"({"stagelane": 1, "name": "t", "model": {"zoo": "toy"},
          "input": {"shape": [10]}, "data": {"labels": "normal", "batch_size": 20},
          "devices": ["cpu:0", "cpu:1"], "repeat": 1, "variants": [
          {"name": "single", "strategy": "single", "device": "cpu:0"},
          {"name": "two", "strategy": "model_parallel",
           "placement": {"net1": "cpu:0", "relu": "cpu:0", "net2": "cpu:1"}}]})"),
                              {}, {});
    sample::settle(m_plan);
  }

  Session m_session;
  PlanModel m_plan{&m_session};
};

TEST_F(PaintedAccessOfPlan, ATabIsPressed) {
  VariantTabs tabs(&m_session);
  tabs.resize(800, 40);
  tabs.show();
  QAccessibleInterface* two = childNamed(tabs, QStringLiteral("two"));
  ASSERT_NE(two, nullptr);
  EXPECT_EQ(two->role(), QAccessible::PageTab);
  EXPECT_FALSE(two->state().selected);
  press(two);
  EXPECT_EQ(m_session.selection().tabId(), QStringLiteral("two"));
  EXPECT_TRUE(two->state().selected);
}

TEST_F(PaintedAccessOfPlan, AChipIsPressedAndSelected) {
  m_session.selection().setTab(QStringLiteral("two"));
  sample::settle(m_plan);
  LanesView lanes(&m_plan);
  lanes.resize(900, 200);
  lanes.show();
  QAccessibleInterface* relu = childNamed(lanes, QStringLiteral("relu"));
  ASSERT_NE(relu, nullptr);
  EXPECT_EQ(relu->text(QAccessible::Value), QStringLiteral("cpu:0"));
  EXPECT_TRUE(relu->state().selectable);
  EXPECT_FALSE(relu->state().selected);
  press(relu);
  EXPECT_TRUE(relu->state().selected);
  EXPECT_EQ(m_plan.selectionList(), (BlockSet{1}));
}

TEST_F(PaintedAccessOfPlan, APointOfASweepIsPressed) {
  SweepView sweep;
  SweepPoint point;
  point.label = QStringLiteral("s5");
  point.meanS = 1.0;
  point.repeats = 1;
  point.run = QStringLiteral("/runs/one");
  sweep.points = {point};
  SweepCurve curve(m_session.currentTheme());
  curve.resize(400, 110);
  curve.show(std::make_shared<const SweepView>(sweep));
  QString opened;
  QObject::connect(&curve, &SweepCurve::pointChosen, &curve,
                   [&opened](const SweepPoint& chosen) { opened = chosen.run; });
  QAccessibleInterface* part = childNamed(curve, QStringLiteral("s5"));
  ASSERT_NE(part, nullptr);
  press(part);
  EXPECT_EQ(opened, QStringLiteral("/runs/one"));
}

}  // namespace
}  // namespace stagelane::ui
