#include "app/engine_client/calibration_controller.h"

#include <gtest/gtest.h>
#include <filesystem>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <functional>
#include <memory>
#include <optional>

#include "app/engine_client/cost_lookup.h"
#include "engine/workspace/calibration_store.h"
#include "tests/app/fake_engine.h"
#include "tests/app/toy_document.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/prediction/calibration.h"
#include "ui/session/prediction/costs.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::app {
namespace {

/// What an engine writes that measured the toy's blocks on any worker.
constexpr const char* kWriteTable = R"(cat > "$4" <<'END'
{"stagelane_costs": 1, "blocks": [
 {"name": "net1", "points": [{"samples": 2, "F_ns": 1000, "I_ns": 1000, "W_ns": 1000}]},
 {"name": "relu", "points": [{"samples": 2, "F_ns": 1000, "I_ns": 1000, "W_ns": 0}]},
 {"name": "net2", "points": [{"samples": 2, "F_ns": 1000, "I_ns": 1000, "W_ns": 1000}]}],
 "origin": {"environment": {}, "measured_at": "2026-11-21T09:12:00Z", "noise": 0.011}}
END
)";

class CalibrationControllerTest : public testing::Test {
 protected:
  void SetUp() override {
    qputenv("STAGELANE_WORKSPACE", m_workspace.path().toUtf8());
    m_session.document().load(toy(), {}, {});
    m_costs = std::make_unique<CostLookup>(&m_session);
    m_controller = std::make_unique<CalibrationController>(&m_session);
    QObject::connect(m_controller.get(), &CalibrationController::measured, m_costs.get(),
                     &CostLookup::lookAgain);
  }
  void TearDown() override { qunsetenv("STAGELANE_WORKSPACE"); }

  [[nodiscard]] bool waitFor(const std::function<bool()>& condition) const {
    QElapsedTimer timer;
    timer.start();
    while (!condition() && timer.elapsed() < 300000) {
      QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    }
    return condition();
  }
  [[nodiscard]] const ui::Calibration& calibration() const { return m_session.calibration(); }

  QTemporaryDir m_workspace;
  ui::Session m_session;
  std::unique_ptr<CostLookup> m_costs;
  std::unique_ptr<CalibrationController> m_controller;
};

TEST_F(CalibrationControllerTest, StoresWhatWasMeasuredAndThePlanIsPredictedByIt) {
  const fakes::FakeEngine engine(
      std::string(R"(echo '{"event":"calibrating","t_ns":1000000000,"done":1,"of":4}')") + "\n" +
      kWriteTable);
  double seen = 0.0;
  std::optional<double> left;
  QObject::connect(&m_session.calibration(), &ui::Calibration::changed, [&] {
    if (calibration().fraction() > 0.0) {
      seen = calibration().fraction();
      left = calibration().secondsLeft();
    }
  });
  m_session.calibration().request();
  EXPECT_TRUE(calibration().running());
  ASSERT_TRUE(waitFor([&] { return m_session.costs().table() != nullptr; }));
  EXPECT_FALSE(calibration().running());
  EXPECT_EQ(calibration().problem().toStdString(), "");
  EXPECT_EQ(seen, 0.25);
  EXPECT_EQ(left, 3.0);
  EXPECT_EQ(m_session.costs().table()->basis, predict::Basis::Calibrated);
  EXPECT_EQ(m_session.costs().facts().spread, 0.011);
  EXPECT_TRUE(m_session.costs().facts().measuredAt.isValid());
  EXPECT_TRUE(std::filesystem::exists(m_session.costs().facts().file));
}

TEST_F(CalibrationControllerTest, CancelKeepsNothingAndIsNoProblem) {
  const fakes::FakeEngine engine("trap 'exit 130' TERM\necho started\nsleep 60 & wait");
  m_session.calibration().request();
  m_session.calibration().requestCancel();
  EXPECT_EQ(calibration().phase(), ui::CalibrationPhase::Canceling);
  ASSERT_TRUE(waitFor([&] { return !calibration().running(); }));
  EXPECT_EQ(calibration().problem().toStdString(), "");
  EXPECT_EQ(m_session.costs().table(), nullptr);
}

TEST_F(CalibrationControllerTest, AFailureSaysWhyAndLetsTheNextOneStart) {
  {
    const fakes::FakeEngine engine("exit 5");
    m_session.calibration().request();
    ASSERT_TRUE(waitFor([&] { return !calibration().running(); }));
    EXPECT_NE(calibration().problem().toStdString().find("exited with code 5"), std::string::npos);
  }
  const fakes::FakeEngine engine(kWriteTable);
  m_session.calibration().request();
  EXPECT_EQ(calibration().problem().toStdString(), "");
  ASSERT_TRUE(waitFor([&] { return m_session.costs().table() != nullptr; }));
}

TEST_F(CalibrationControllerTest, WaitsForNobodyWhoHoldsTheWorkspace) {
  const auto lock = workspace::RunLock::take(ui::utf8(m_workspace.path()), "a test");
  ASSERT_TRUE(lock);
  const fakes::FakeEngine engine(kWriteTable);
  m_session.calibration().request();
  EXPECT_FALSE(calibration().running());
  EXPECT_NE(calibration().problem().toStdString(), "");
}

TEST_F(CalibrationControllerTest, DoesNotStartBesideARun) {
  m_session.runState().setPhase(ui::RunPhase::Running);
  m_session.calibration().request();
  EXPECT_FALSE(calibration().running());
}

}  // namespace
}  // namespace stagelane::app
