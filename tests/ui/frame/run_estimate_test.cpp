#include "ui/frame/run_estimate.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QElapsedTimer>

#include "tests/ui/plan/plan_fixtures.h"
#include "ui/session/document/document.h"
#include "ui/session/prediction/costs.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

class RunEstimateOf : public testing::Test {
 protected:
  void SetUp() override { m_session.document().load(sample::toyPipeline(1), {}, {}); }

  Session m_session;
};

TEST_F(RunEstimateOf, APlanFollowsItsCosts) {
  RunEstimate estimate(&m_session);
  const auto wait = [&estimate] {
    bool changed = false;
    const auto connection =
        QObject::connect(&estimate, &RunEstimate::changed, [&changed] { changed = true; });
    QElapsedTimer timer;
    timer.start();
    while (!changed && timer.elapsed() < 300000) {
      QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    }
    QObject::disconnect(connection);
    return estimate.includedSeconds().value_or(-1.0);
  };
  const double estimated = wait();
  m_session.costs().set(sample::toyCosts(predict::Basis::Calibrated));
  EXPECT_GT(wait(), 100.0 * estimated);
}

TEST_F(RunEstimateOf, APlanIsNotWorkedOutWhileSomethingIsMeasured) {
  RunEstimate estimate(&m_session);
  EXPECT_TRUE(estimate.busy());
  m_session.runState().setPhase(RunPhase::Running);
  EXPECT_FALSE(estimate.busy());
  m_session.costs().set(sample::toyCosts(predict::Basis::Calibrated));
  EXPECT_FALSE(estimate.busy());
  m_session.runState().setPhase(RunPhase::Idle);
  EXPECT_TRUE(estimate.busy());
}

}  // namespace
}  // namespace stagelane::ui
