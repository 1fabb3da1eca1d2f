#include "ui/session/prediction/peak_range.h"

#include <gtest/gtest.h>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

constexpr Bytes kMiB = 1024 * 1024;

class PeakRangeTest : public testing::Test {
 protected:
  PeakRangeTest() {
    m_experiment.devices = {{DeviceId{"cpu:0"}, {}, {}}, {DeviceId{"cpu:1"}, {}, {}}};
    PredictedDevice used;
    used.id = DeviceId{"cpu:0"};
    used.row = 0;
    used.peakBytes = 100 * kMiB;
    used.peakBounds = {80 * kMiB, 130 * kMiB};
    PredictedDevice unused;
    unused.id = DeviceId{"cpu:1"};
    m_prediction.devices = {used, unused};
  }
  [[nodiscard]] PeakRange range(const char* device = "cpu:0") const {
    return peakRangeOf(m_experiment, m_prediction, DeviceId{device}, m_history);
  }
  workspace::PeakRatios& measured(predict::Basis basis) {
    return m_history.of(basis, plan::DeviceKind::CpuWorker);
  }

  plan::Experiment m_experiment;
  PlanPrediction m_prediction;
  workspace::PeakHistory m_history;
};

/// Operators' workspaces and the allocator's rounding are many times the tensors of a tiny model.
TEST_F(PeakRangeTest, ASmallEstimateIsOnlyAnUpperEnd) {
  EXPECT_EQ(predictedPeakText(predict::Basis::Estimate, 7'000), QStringLiteral("below 1 MiB"));
  EXPECT_EQ(predictedPeakText(predict::Basis::Estimate, 7'000, 64 * kMiB, QStringLiteral(" of ")),
            QStringLiteral("below 1 MiB of 64 MiB"));
  EXPECT_EQ(predictedPeakText(predict::Basis::Estimate, kMiB), bytesText(kMiB));
  EXPECT_EQ(predictedPeakText(predict::Basis::Estimate, 0), bytesText(0));
  EXPECT_EQ(predictedPeakText(predict::Basis::Calibrated, 7'000), bytesText(7'000));
  EXPECT_EQ(
      predictedPeakText(predict::Basis::Estimate, 16 * kMiB, 64 * kMiB, QStringLiteral(" of ")),
      bytesOfText(16 * kMiB, 64 * kMiB, QStringLiteral(" of ")));
}

TEST_F(PeakRangeTest, IsWhatThePlanBoundsWhereNothingWasMeasured) {
  EXPECT_EQ(range().low, 80 * kMiB);
  EXPECT_EQ(range().high, 130 * kMiB);
  EXPECT_EQ(peakRangeSource(range()), QStringLiteral("bounds of the plan"));
  EXPECT_EQ(peakRangeText(range()), QStringLiteral("80 MiB to 130 MiB"));
  EXPECT_TRUE(peakRangeMeaning(range()).contains(QStringLiteral("between actions")));
}

TEST_F(PeakRangeTest, IsWhatRunsOfTheModelWereOffByWhereThreePeaksWereMeasured) {
  measured(predict::Basis::Estimate) = {0.9, 1.05, 2, 1};
  EXPECT_EQ(range().high, 130 * kMiB) << "two peaks are too few";
  measured(predict::Basis::Estimate) = {0.9, 1.05, 3, 1};
  EXPECT_EQ(range().low, 90 * kMiB);
  EXPECT_EQ(range().high, 105 * kMiB);
  EXPECT_EQ(peakRangeSource(range()), QStringLiteral("3 measured peaks of 1 run"));
  EXPECT_TRUE(peakRangeMeaning(range()).contains(QStringLiteral("0.90 to 1.05 times")));
}

TEST_F(PeakRangeTest, HoldsThePredictedPeakThoughAllMeasuredOnesWereAboveIt) {
  measured(predict::Basis::Estimate) = {1.1, 1.2, 8, 3};
  EXPECT_EQ(range().low, 100 * kMiB);
  EXPECT_EQ(range().high, 120 * kMiB);
}

TEST_F(PeakRangeTest, OfEstimatesSaysNothingOfACalibrationsPredictions) {
  measured(predict::Basis::Estimate) = {0.5, 2.0, 8, 3};
  m_prediction.basis = predict::Basis::Calibrated;
  EXPECT_EQ(range().high, 130 * kMiB);
  measured(predict::Basis::Calibrated) = {0.99, 1.01, 8, 3};
  EXPECT_EQ(range().high, 101 * kMiB);
}

TEST_F(PeakRangeTest, OfAnImaginedDeviceIsThatOfWhatItIsLike) {
  m_experiment.devices[0].id = DeviceId{"sim:0"};
  m_experiment.devices[0].like = DeviceId{"cpu:0"};
  m_prediction.devices[0].id = DeviceId{"sim:0"};
  measured(predict::Basis::Estimate) = {0.9, 1.05, 3, 1};
  EXPECT_EQ(range("sim:0").high, 105 * kMiB);
}

TEST_F(PeakRangeTest, IsUnknownForADeviceThatThePlanDoesNotUse) {
  EXPECT_FALSE(range("cpu:1").known());
  EXPECT_FALSE(range("cpu:7").known());
}

}  // namespace
}  // namespace stagelane::ui
