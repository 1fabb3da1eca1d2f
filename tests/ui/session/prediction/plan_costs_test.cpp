#include <gtest/gtest.h>
#include <memory>

#include "tests/ui/plan/plan_fixtures.h"
#include "ui/plan/plan_model/cut_costs.h"
#include "ui/plan/plan_model/drop_preview.h"
#include "ui/session/document/document.h"
#include "ui/session/prediction/calibration.h"
#include "ui/session/prediction/cost_facts.h"
#include "ui/session/prediction/costs.h"
#include "ui/session/prediction/cut_curve.h"
#include "ui/session/prediction/prediction.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

using sample::kForwardNs;

class PlanCosts : public testing::Test {
 protected:
  void SetUp() override {
    m_session.document().load(sample::toyPipeline(1), {}, {});
    m_plan = std::make_unique<PlanModel>(&m_session);
    settle();
    ASSERT_NE(m_session.predictor().prediction(), nullptr);
    m_estimate = m_session.predictor().prediction();
  }
  void settle() const { sample::settle(*m_plan); }
  void use(CostTablePtr costs) {
    m_session.costs().set(std::move(costs));
    settle();
  }

  Session m_session;
  std::unique_ptr<PlanModel> m_plan;
  PlanPredictionPtr m_estimate;
};

TEST_F(PlanCosts, WithoutThemAPlanIsEstimated) {
  EXPECT_EQ(m_estimate->basis, predict::Basis::Estimate);
  EXPECT_LT(m_estimate->stepNs, kForwardNs);
}

TEST_F(PlanCosts, MeasuredOnesAreUsedAtOnceAndTheirBasisIsKept) {
  use(sample::toyCosts(predict::Basis::Calibrated));
  ASSERT_FALSE(m_session.predictor().error());
  EXPECT_EQ(m_session.predictor().prediction()->basis, predict::Basis::Calibrated);
  // Four micro-batches of two blocks, forward and back, on the busiest device alone.
  EXPECT_GE(m_session.predictor().prediction()->stepNs, 4 * 2 * 3 * kForwardNs);
  use(sample::toyCosts(predict::Basis::Stale));
  EXPECT_EQ(m_session.predictor().prediction()->basis, predict::Basis::Stale);
}

TEST_F(PlanCosts, GoneCostsLeaveTheEstimate) {
  use(sample::toyCosts(predict::Basis::Calibrated));
  use(nullptr);
  EXPECT_EQ(m_session.predictor().prediction()->basis, predict::Basis::Estimate);
  EXPECT_EQ(m_session.predictor().prediction()->stepNs, m_estimate->stepNs);
}

TEST_F(PlanCosts, ATableThatLacksABlockIsAsGoodAsNone) {
  use(sample::toyCosts(predict::Basis::Calibrated, "relu"));
  EXPECT_FALSE(m_session.predictor().error());
  EXPECT_EQ(m_session.predictor().prediction()->basis, predict::Basis::Estimate);
  EXPECT_EQ(m_session.predictor().prediction()->stepNs, m_estimate->stepNs);
}

TEST_F(PlanCosts, TheCurveOfCutsHasTheBasisOfThePlan) {
  use(sample::toyCosts(predict::Basis::Calibrated));
  ASSERT_EQ(m_plan->cuts().curve().size(), 2U);
  for (const CutPoint& point : m_plan->cuts().curve()) {
    EXPECT_GE(point.stepNs, 4 * 2 * 3 * kForwardNs) << point.block;
  }
  use(sample::toyCosts(predict::Basis::Calibrated, "net2"));
  ASSERT_EQ(m_plan->cuts().curve().size(), 2U);
  EXPECT_LT(m_plan->cuts().curve().front().stepNs, kForwardNs);
}

TEST_F(PlanCosts, APreviewIsPredictedFromThemToo) {
  use(sample::toyCosts(predict::Basis::Calibrated));
  m_plan->dropPreview().show({1}, DeviceId{"cpu:1"});
  settle();
  ASSERT_NE(m_plan->dropPreview().shownPrediction(), nullptr);
  EXPECT_EQ(m_plan->dropPreview().shownPrediction()->basis, predict::Basis::Calibrated);
  EXPECT_TRUE(m_plan->dropPreview().text().contains(QStringLiteral("%")))
      << m_plan->dropPreview().text().toStdString();
}

TEST(CalibrationProgress, DoesNotRunBack) {
  Calibration calibration;
  calibration.setPhase(CalibrationPhase::Running);
  calibration.setProgress(0.87, 1.0);
  calibration.setProgress(0.70, 3.0);
  EXPECT_DOUBLE_EQ(calibration.fraction(), 0.87);
  calibration.setPhase(CalibrationPhase::Idle);
  EXPECT_DOUBLE_EQ(calibration.fraction(), 0.0);
}

TEST(BasisWords, EachKindIsCalledByItsName) {
  EXPECT_EQ(wordsOf(predict::Basis::Estimate).brief.toStdString(), "≈ Estimate");
  EXPECT_EQ(wordsOf(predict::Basis::Calibrated).brief.toStdString(), "Calibrated");
  EXPECT_EQ(wordsOf(predict::Basis::Stale).brief.toStdString(), "Stale");
  EXPECT_TRUE(wordsOf(predict::Basis::Stale).meaning.contains(QStringLiteral("Recalibrate")));
}

TEST(BasisWords, SayWhenHowSteadyWhyStaleAndWhatIsLacking) {
  CostFacts facts;
  facts.measuredAt = QDateTime(QDate(2026, 11, 21), QTime(9, 12));
  facts.spread = 0.011;
  EXPECT_EQ(wordsOf(predict::Basis::Calibrated, facts).text.toStdString(),
            "Calibrated 21 Nov 09:12 · spread 1.1 %");
  facts.spread = CostFacts::kNoisySpread;
  EXPECT_FALSE(facts.noisy());
  facts.spread = 0.98;
  EXPECT_EQ(wordsOf(predict::Basis::Calibrated, facts).text.toStdString(),
            "Calibrated 21 Nov 09:12 · spread 98.0 %, noisy");
  EXPECT_TRUE(wordsOf(predict::Basis::Calibrated, facts).doubtful);
  facts.differences = {QStringLiteral("LibTorch was 2.10.0, now 2.11.0")};
  EXPECT_EQ(wordsOf(predict::Basis::Stale, facts).text.toStdString(),
            "Stale calibration: LibTorch was 2.10.0, now 2.11.0");
  facts.lacks = QStringLiteral("cpu:0 with 2 threads");
  EXPECT_EQ(wordsOf(predict::Basis::Estimate, facts).text.toStdString(),
            "≈ Estimate: cpu:0 with 2 threads is not calibrated");
}

}  // namespace
}  // namespace stagelane::ui
