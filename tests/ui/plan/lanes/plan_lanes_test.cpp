#include "ui/plan/lanes/plan_lanes.h"

#include <gtest/gtest.h>

#include <QScrollArea>
#include <QScrollBar>
#include <memory>

#include "engine/base/json.h"
#include "tests/ui/plan/plan_fixtures.h"
#include "ui/kit/theme.h"
#include "ui/plan/plan_model/plan_moves.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

/// 79 chips, of which some 30 are visible at once: `late` is cut far behind the first visible ones.
Json longChain() {
  return Json::parse(R"({
    "stagelane": 1, "name": "long", "model": {"zoo": "mlp", "depth": 40, "width": 4, "in": 4, "out": 4},
    "input": {"shape": [4]}, "data": {"batch_size": 4, "labels": "normal"},
    "devices": ["cpu:0", "cpu:1"],
    "variants": [
      {"name": "one", "strategy": "single", "device": "cpu:0"},
      {"name": "late", "strategy": "pipeline", "schedule": "gpipe", "split_size": 2,
       "placement": "optimal"}]})");
}

class LongLanes : public testing::Test {
 protected:
  void SetUp() override {
    m_session.document().load(longChain(), {}, {});
    m_plan = std::make_unique<PlanModel>(&m_session);
    sample::settle(*m_plan);
    m_lanes = std::make_unique<PlanLanes>(m_plan.get(), QList<QAction*>());
    m_lanes->resize(800, 400);
    m_lanes->show();
    QCoreApplication::processEvents();
    ASSERT_GT(across().maximum(), 500);
  }
  [[nodiscard]] QScrollBar& across() const {
    return *m_lanes->findChild<QScrollArea*>(QStringLiteral("lanesArea"))->horizontalScrollBar();
  }
  void show(const char* tab) {
    m_session.selection().setTab(QString::fromUtf8(tab));
    sample::settle(*m_plan);
    QCoreApplication::processEvents();
  }
  [[nodiscard]] bool sees(qreal x) const {
    const qreal left = across().value();
    return x > left + measure::kLaneHeaderWidth && x < left + m_lanes->width();
  }
  [[nodiscard]] bool seesBlock(std::size_t block) const {
    return sees(m_lanes->view()->geometry().cutX(block) + 9.0);
  }
  [[nodiscard]] std::size_t boundary() const {
    const auto& begins = m_plan->shape().stageBegins;
    return static_cast<std::size_t>(std::find(begins.begin() + 1, begins.end(), true) -
                                    begins.begin());
  }

  Session m_session;
  std::unique_ptr<PlanModel> m_plan;
  std::unique_ptr<PlanLanes> m_lanes;
};

TEST_F(LongLanes, ATabBeginsWithItsBoundary) {
  EXPECT_EQ(across().value(), 0);
  show("late");
  ASSERT_GT(m_lanes->view()->geometry().cutX(boundary()), m_lanes->width());
  EXPECT_TRUE(sees(m_lanes->view()->geometry().cutX(boundary()))) << across().value();
}

TEST_F(LongLanes, ATabBeginsWithTheBlockWhereTheKeyboardWas) {
  show("late");
  m_plan->select(70, 70);
  across().setValue(0);
  show("one");
  EXPECT_TRUE(seesBlock(70)) << across().value();
}

TEST_F(LongLanes, StayWhereTheyWereScrolledWhenThePlanIsEdited) {
  show("late");
  across().setValue(0);
  m_plan->moves().move({boundary()}, DeviceId{"cpu:0"});
  sample::settle(*m_plan);
  QCoreApplication::processEvents();
  EXPECT_EQ(across().value(), 0);
}

}  // namespace
}  // namespace stagelane::ui
