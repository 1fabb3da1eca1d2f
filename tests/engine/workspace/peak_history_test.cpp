#include "engine/workspace/peak_history.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "engine/base/files.h"
#include "engine/record/run_record.h"
#include "tests/support/temporary_folder.h"

namespace stagelane::workspace {
namespace {

namespace fs = std::filesystem;
using plan::DeviceKind;
using predict::Basis;

Json document(const char* model) {
  return Json{{"model", {{"zoo", model}}}, {"input", {{"shape", {10}}}}};
}

struct Peak {
  std::string device;
  Bytes predicted = 0;
  Bytes measured = 0;
};

class PeakHistoryTest : public testing::Test {
 protected:
  void writeRun(const std::string& name, const Json& experiment, const std::string& basis,
                const std::vector<Peak>& peaks,
                record::RunStatus status = record::RunStatus::Done) const {
    const fs::path folder = m_root / "runs" / name;
    fs::create_directories(folder);
    record::VariantResult variant;
    variant.id = "p";
    variant.status = status;
    variant.predicted = record::PredictedResult{basis, 1, {}, 0.0};
    for (const Peak& peak : peaks) {
      record::DeviceResult device;
      device.id = peak.device;
      device.peakBytes = peak.predicted;
      variant.predicted->devices.push_back(device);
      device.peakBytes = peak.measured;
      variant.devices.push_back(device);
    }
    record::RunResult run;
    run.status = record::RunStatus::Done;
    run.variants = {variant};
    ASSERT_TRUE(writeFileAtomically(folder / "experiment.json", experiment.dump()));
    ASSERT_TRUE(writeFileAtomically(folder / "result.json", record::toJson(run).dump()));
  }

  [[nodiscard]] PeakHistory read(const char* model = "toy") const {
    plan::Experiment experiment;
    experiment.source = document(model);
    return readPeakHistory(m_root, experiment);
  }

  test::TemporaryFolder m_temporary;
  const fs::path& m_root = m_temporary.path();
};

TEST_F(PeakHistoryTest, OfAnEmptyWorkspaceSaysNothing) {
  EXPECT_EQ(read(), PeakHistory{});
  EXPECT_EQ(read().of(Basis::Estimate, DeviceKind::CpuWorker).devices, 0);
}

TEST_F(PeakHistoryTest, GoesFromTheSmallestRatioToTheLargest) {
  writeRun("20260101-000000-a", document("toy"), "estimate",
           {{"cpu:0", 100, 90}, {"cpu:1", 100, 110}});
  writeRun("20260102-000000-b", document("toy"), "estimate", {{"cpu:0", 200, 150}});
  const PeakHistory history = read();
  const PeakRatios& ratios = history.of(Basis::Estimate, DeviceKind::CpuWorker);
  EXPECT_DOUBLE_EQ(ratios.low, 0.75);
  EXPECT_DOUBLE_EQ(ratios.high, 1.1);
  EXPECT_EQ(ratios.devices, 3);
  EXPECT_EQ(ratios.runs, 2);
}

TEST_F(PeakHistoryTest, KeepsEstimatesCalibrationsAndKindsOfDevicesApart) {
  writeRun("20260101-000000-a", document("toy"), "calibrated",
           {{"cpu:0", 100, 99}, {"cuda:0", 100, 130}});
  writeRun("20260102-000000-b", document("toy"), "stale", {{"cpu:0", 100, 102}});
  writeRun("20260103-000000-c", document("toy"), "estimate", {{"cpu:0", 100, 50}});
  const PeakHistory history = read();
  EXPECT_DOUBLE_EQ(history.of(Basis::Calibrated, DeviceKind::CpuWorker).low, 0.99);
  EXPECT_DOUBLE_EQ(history.of(Basis::Calibrated, DeviceKind::CpuWorker).high, 1.02);
  EXPECT_DOUBLE_EQ(history.of(Basis::File, DeviceKind::GpuPartition).high, 1.3);
  EXPECT_EQ(history.of(Basis::Estimate, DeviceKind::CpuWorker).devices, 1);
  EXPECT_EQ(history.of(Basis::Estimate, DeviceKind::Gpu).devices, 0);
}

TEST_F(PeakHistoryTest, LeavesOutOtherModelsUnfinishedVariantsAndDamagedFolders) {
  writeRun("20260101-000000-other", document("mlp"), "estimate", {{"cpu:0", 100, 10}});
  writeRun("20260102-000000-failed", document("toy"), "estimate", {{"cpu:0", 100, 10}},
           record::RunStatus::Failed);
  Json otherType = document("toy");
  otherType["dtype"] = "float64";
  writeRun("20260103-000000-dtype", otherType, "estimate", {{"cpu:0", 100, 200}});
  writeRun("20260104-000000-damaged", document("toy"), "estimate", {{"cpu:0", 100, 10}});
  std::ofstream(m_root / "runs/20260104-000000-damaged/result.json") << "{";
  fs::create_directories(m_root / "runs/20260105-000000-empty");
  EXPECT_EQ(read(), PeakHistory{});
}

TEST_F(PeakHistoryTest, LooksAtTheNewestTwentyRuns) {
  for (int run = 10; run < 32; ++run) {
    writeRun("20260101-0000" + std::to_string(run), document("toy"), "estimate",
             {{"cpu:0", 100, run < 12 ? 10 : 100}});
  }
  const PeakHistory history = read();
  EXPECT_EQ(history.of(Basis::Estimate, DeviceKind::CpuWorker).runs, 20);
  EXPECT_DOUBLE_EQ(history.of(Basis::Estimate, DeviceKind::CpuWorker).low, 1.0);
}

}  // namespace
}  // namespace stagelane::workspace
