#include "ui/plan/plan_model/drop_preview.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/ui/plan/plan_fixtures.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/prediction/costs.h"
#include "ui/session/prediction/prediction.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

const DeviceId kSecond{"cpu:1"};

/// The middle block of the toy model, a few hundred bytes in all, over the second device.
class DropOfTheToy : public testing::Test {
 protected:
  void load(const Json& document) {
    m_session.document().load(document, {}, {});
    m_plan = std::make_unique<PlanModel>(&m_session);
    sample::settle(*m_plan);
  }
  [[nodiscard]] QString textOfADrop() const {
    m_plan->dropPreview().show({1}, kSecond);
    sample::settle(*m_plan);
    EXPECT_TRUE(m_plan->dropPreview().known());
    return m_plan->dropPreview().text();
  }

  Session m_session;
  std::unique_ptr<PlanModel> m_plan;
};

TEST_F(DropOfTheToy, HasAnEstimatedPeakBelowAMebibyte) {
  load(sample::toyPipeline(1));
  const QString text = textOfADrop();
  EXPECT_TRUE(text.endsWith(QStringLiteral(", peak below 1 MiB"))) << text.toStdString();
}

TEST_F(DropOfTheToy, NamesTheBudgetBesideTheEstimate) {
  Json document = sample::toyPipeline(1);
  document["devices"][1] = Json{{"id", "cpu:1"}, {"max_memory", "64MiB"}};
  load(document);
  const QString text = textOfADrop();
  EXPECT_TRUE(text.endsWith(QStringLiteral(", peak below 1 MiB of 64 MiB"))) << text.toStdString();
}

TEST_F(DropOfTheToy, HasTheBytesOfACalibratedPeak) {
  load(sample::toyPipeline(1));
  m_session.costs().set(sample::toyCosts(predict::Basis::Calibrated));
  sample::settle(*m_plan);
  const QString text = textOfADrop();
  const PlanPredictionPtr then = m_plan->dropPreview().shownPrediction();
  ASSERT_NE(then, nullptr);
  ASSERT_EQ(then->basis, predict::Basis::Calibrated);
  ASSERT_NE(then->device(kSecond), nullptr);
  EXPECT_TRUE(
      text.endsWith(QStringLiteral(", peak ") + bytesText(then->device(kSecond)->peakBytes)))
      << text.toStdString();
}

}  // namespace
}  // namespace stagelane::ui
