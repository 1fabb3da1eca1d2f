#include "engine/run/calibrate/sum_calibration.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace stagelane::run {
namespace {

/// Workers that train for a millisecond, and copy a gigabyte a second.
SumCalibrationPorts workers(int& trained) {
  SumCalibrationPorts ports;
  ports.train = [&trained]() -> Result<double> {
    ++trained;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return 0.1;
  };
  ports.copy = [](Bytes bytes) -> Result<double> { return static_cast<double>(bytes) * 1e-9; };
  ports.stopped = [] { return false; };
  return ports;
}

TEST(SumCalibration, MeasuresSizesUpToThatOfAllGradients) {
  int trained = 0;
  const auto sums = calibrateSums(2, Bytes{3} << 20, workers(trained));
  ASSERT_TRUE(sums) << describe(sums.error());
  EXPECT_EQ(sums->processes, 2);
  ASSERT_GE(sums->points.size(), 3U);
  EXPECT_EQ(sums->points.back().bytes, Bytes{3} << 20);
  for (const predict::SumPoint& point : sums->points) EXPECT_GT(point.ns, 0);
  for (std::size_t i = 1; i < sums->points.size(); ++i) {
    EXPECT_GT(sums->points[i].bytes, sums->points[i - 1].bytes);
  }
  EXPECT_GE(sums->busyFactor, 1.0);
  EXPECT_DOUBLE_EQ(sums->computeFactor, 1.0) << "it always took 0.1 s";
  EXPECT_NEAR(sums->copyBytesPerSecond, 1e9, 1.0);
  EXPECT_GE(trained, 8);
}

TEST(SumCalibration, GivesTheErrorOfATraining) {
  int trained = 0;
  SumCalibrationPorts ports = workers(trained);
  ports.train = []() -> Result<double> { return fail(ErrorCode::OutOfMemory, "too large"); };
  const auto sums = calibrateSums(2, 100, ports);
  ASSERT_FALSE(sums);
  EXPECT_EQ(sums.error().code, ErrorCode::OutOfMemory);
}

TEST(SumCalibration, StopsSoon) {
  int trained = 0;
  SumCalibrationPorts ports = workers(trained);
  ports.stopped = [] { return true; };
  EXPECT_TRUE(calibrateSums(2, Bytes{64} << 20, ports));
  EXPECT_LE(trained, 2);
}

}  // namespace
}  // namespace stagelane::run
