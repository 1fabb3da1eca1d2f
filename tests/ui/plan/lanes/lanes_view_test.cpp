#include "ui/plan/lanes/lanes_view.h"

#include <gtest/gtest.h>

#include <QTest>
#include <memory>

#include "tests/ui/plan/plan_fixtures.h"
#include "ui/plan/plan_model/drop_preview.h"
#include "ui/plan/plan_model/plan_moves.h"
#include "ui/session/document/document.h"
#include "ui/session/prediction/costs.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

class DraggedLanes : public testing::Test {
 protected:
  void SetUp() override {
    m_session.document().load(sample::toyPipeline(1), {}, {});
    m_plan = std::make_unique<PlanModel>(&m_session);
    sample::settle(*m_plan);
    m_lanes = std::make_unique<LanesView>(m_plan.get());
    m_lanes->resize(900, m_lanes->sizeHint().height());
    m_lanes->show();
  }

  [[nodiscard]] VirtualControl controlNamed(const QString& name) const {
    for (const VirtualControl& part : m_lanes->virtualControls()) {
      if (part.name == name) return part;
    }
    ADD_FAILURE() << "no " << name.toStdString();
    return {};
  }
  [[nodiscard]] QRect partNamed(const QString& name) const { return controlNamed(name).rect; }
  void moveTo(const QPoint& at) const {
    QMouseEvent move(QEvent::MouseMove, at, m_lanes->mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                     Qt::NoModifier);
    QCoreApplication::sendEvent(m_lanes.get(), &move);
  }
  /// Holds a chip, which is on the first device, over the lane of the second.
  void holdOverTheSecondLane(const char* chip) {
    const QPoint from = partNamed(QString::fromUtf8(chip)).center();
    m_over = {from.x(), partNamed(QStringLiteral("lane.cpu:1")).center().y()};
    QTest::mousePress(m_lanes.get(), Qt::LeftButton, Qt::NoModifier, from);
    moveTo(m_over);
    sample::settle(*m_plan);
    ASSERT_TRUE(m_plan->dropPreview().active());
  }
  void drop() const { QTest::mouseRelease(m_lanes.get(), Qt::LeftButton, Qt::NoModifier, m_over); }
  [[nodiscard]] std::string deviceOfRelu() const { return m_plan->shape().deviceOfBlock[1].value; }

  Session m_session;
  std::unique_ptr<PlanModel> m_plan;
  std::unique_ptr<LanesView> m_lanes;
  QPoint m_over;
};

TEST_F(DraggedLanes, ALaneOfATinyModelHasAnEstimatedPeakBelowAMebibyte) {
  EXPECT_EQ(controlNamed(QStringLiteral("lane.cpu:1")).value, QStringLiteral("below 1 MiB"));
}

TEST_F(DraggedLanes, ADragGoesOnWhenTheLanesGetAnotherSize) {
  holdOverTheSecondLane("chip.relu");
  m_lanes->resize(700, m_lanes->height());
  EXPECT_TRUE(m_lanes->holding());
  EXPECT_TRUE(m_plan->dropPreview().active());
  drop();
  EXPECT_EQ(deviceOfRelu(), "cpu:1");
}

TEST_F(DraggedLanes, ADragGoesOnWithTheFiguresOfCostsThatComeLate) {
  holdOverTheSecondLane("chip.relu");
  m_session.costs().set(sample::toyCosts(predict::Basis::Calibrated));
  sample::settle(*m_plan);
  EXPECT_TRUE(m_lanes->holding());
  ASSERT_TRUE(m_plan->dropPreview().known());
  EXPECT_EQ(m_plan->dropPreview().shownPrediction()->basis, predict::Basis::Calibrated);
  drop();
  EXPECT_EQ(deviceOfRelu(), "cpu:1");
}

TEST_F(DraggedLanes, ShiftTakesTheRestOfTheStageAtOnceAndLeavesItAtOnce) {
  holdOverTheSecondLane("chip.net1");
  EXPECT_EQ(m_plan->dropPreview().shownShape().deviceOfBlock[1].value, "cpu:0");
  QKeyEvent down(QEvent::KeyPress, Qt::Key_Shift, Qt::NoModifier);
  QCoreApplication::sendEvent(m_lanes.get(), &down);
  EXPECT_EQ(m_plan->dropPreview().shownShape().deviceOfBlock[1].value, "cpu:1");
  QKeyEvent up(QEvent::KeyRelease, Qt::Key_Shift, Qt::ShiftModifier);
  QCoreApplication::sendEvent(m_lanes.get(), &up);
  EXPECT_EQ(m_plan->dropPreview().shownShape().deviceOfBlock[1].value, "cpu:0");
}

TEST_F(DraggedLanes, AnotherPlanUnderADragEndsItWithNothingMoved) {
  holdOverTheSecondLane("chip.relu");
  m_plan->moves().move({0}, DeviceId{"cpu:1"});
  sample::settle(*m_plan);
  EXPECT_FALSE(m_lanes->holding());
  EXPECT_FALSE(m_plan->dropPreview().active());
  EXPECT_EQ(m_plan->dropPreview().shownPrediction(), m_session.predictor().prediction());
  drop();
  EXPECT_EQ(deviceOfRelu(), "cpu:0");
}

TEST_F(DraggedLanes, AChipOfAnotherReplicaMovesTheChipsOfAll) {
  Json json = sample::toyPipeline(1);
  json["devices"] = {"cpu:0", "cpu:1", "cpu:2", "cpu:3"};
  json["variants"][0]["replicas"] = 2;
  m_session.document().load(json, {}, {});
  sample::settle(*m_plan);
  m_lanes->resize(900, m_lanes->sizeHint().height());
  const VirtualControl follower = controlNamed(QStringLiteral("chip.relu.replica1"));
  EXPECT_EQ(follower.value, QStringLiteral("cpu:2"));
  EXPECT_EQ(controlNamed(QStringLiteral("chip.relu")).value, QStringLiteral("cpu:0"));
  const QPoint from = follower.rect.center();
  m_over = {from.x(), partNamed(QStringLiteral("lane.cpu:3")).center().y()};
  QTest::mousePress(m_lanes.get(), Qt::LeftButton, Qt::NoModifier, from);
  moveTo(m_over);
  sample::settle(*m_plan);
  ASSERT_TRUE(m_plan->dropPreview().active());
  drop();
  EXPECT_EQ(deviceOfRelu(), "cpu:1");
  EXPECT_EQ(controlNamed(QStringLiteral("chip.relu.replica1")).value, QStringLiteral("cpu:3"));
}

}  // namespace
}  // namespace stagelane::ui
