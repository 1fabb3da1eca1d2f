#include "engine/workspace/calibration_store.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace stagelane::workspace {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::SizeIs;
using ::testing::StartsWith;

plan::Experiment experimentOf(const std::string& change = R"("name":"t")") {
  const std::string text =
      R"({"stagelane":1,"model":{"zoo":"toy"},"input":{"shape":[10]},
          "data":{"labels":"normal","batch_size":8,"batches":1},"devices":["cpu:0","cpu:1"],
          "variants":[{"name":"p","strategy":"pipeline","schedule":"gpipe","split_size":2,
          "stages":[{"first":"net1","device":"cpu:0"},{"first":"net2","device":"cpu:1"}]}],)" +
      change + "}";
  return plan::readExperiment(*parseJson(text, "test"), ".", {}).value();
}

predict::CostPoint point(std::int64_t samples, TimeNs forward) {
  predict::CostPoint made;
  made.samples = samples;
  made.forward = forward;
  made.backward = made.backwardWeight = 2 * forward;
  return made;
}

predict::CostTable tableOf(std::vector<predict::CostPoint> points, int threads = 1,
                           const std::string& cpu = "Some CPU") {
  predict::CostTable table;
  for (const char* name : {"net1", "relu", "net2"}) {
    predict::BlockCosts block;
    block.name = name;
    block.threads = threads;
    block.points = points;
    table.blocks.push_back(std::move(block));
  }
  table.contention[2] = 1.1;
  table.origin = {{"measured_at", "2026-11-21T10:00:00Z"},
                  {"noise", 0.01},
                  {"environment", {{"cpu", cpu}, {"cores_allowed", 2}, {"torch", "2.11.0+cu130"}}}};
  return table;
}
const Machine kHere{"Some CPU", 2, {}, "2.11.0"};

std::vector<std::int64_t> sizesOf(const predict::BlockCosts& block) {
  std::vector<std::int64_t> sizes;
  for (const predict::CostPoint& each : block.points) sizes.push_back(each.samples);
  return sizes;
}

class CalibrationStore : public ::testing::Test {
 protected:
  void SetUp() override {
    m_root = fs::path(::testing::TempDir()) /
             ("calibrations-" +
              std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(m_root);
  }
  void TearDown() override { fs::remove_all(m_root); }
  StoredCalibration found(const plan::Experiment& experiment, const Machine& machine = kHere) {
    return findCalibration(m_root, experiment, machine).value().value();
  }
  fs::path m_root;
};

TEST_F(CalibrationStore, hasNothingBeforeAnythingWasStored) {
  EXPECT_FALSE(findCalibration(m_root, experimentOf(), kHere).value().has_value());
}

TEST_F(CalibrationStore, givesBackWhatWasStored) {
  const auto experiment = experimentOf();
  const auto file = storeCalibration(m_root, experiment, tableOf({point(2, 100)})).value();
  EXPECT_THAT(file.filename().string(), StartsWith("toy-"));
  const StoredCalibration stored = found(experiment);
  EXPECT_EQ(stored.table.basis, predict::Basis::Calibrated);
  EXPECT_EQ(stored.table.blocks.front().points.front().forward, 100);
  EXPECT_DOUBLE_EQ(stored.table.contention.at(2), 1.1);
}

TEST_F(CalibrationStore, isStaleOnAnotherMachineOrWithAnotherLibTorch) {
  const auto experiment = experimentOf();
  ASSERT_TRUE(storeCalibration(m_root, experiment, tableOf({point(2, 100)})).has_value());
  for (const Machine& other :
       {Machine{"Another CPU", 2, {}, "2.11.0"}, Machine{"Some CPU", 4, {}, "2.11.0"},
        Machine{"Some CPU", 2, {}, "2.12.0"}}) {
    EXPECT_EQ(found(experiment, other).table.basis, predict::Basis::Stale);
  }
  EXPECT_EQ(found(experiment, Machine{}).table.basis, predict::Basis::Calibrated);
}

TEST_F(CalibrationStore, aSecondCalibrationAddsItsSizes) {
  const auto experiment = experimentOf();
  ASSERT_TRUE(
      storeCalibration(m_root, experiment, tableOf({point(2, 100), point(8, 400)})).has_value());
  ASSERT_TRUE(
      storeCalibration(m_root, experiment, tableOf({point(4, 200), point(8, 410)})).has_value());
  ASSERT_TRUE(storeCalibration(m_root, experiment, tableOf({point(8, 300)}, 2)).has_value());
  const predict::CostTable table = found(experiment).table;
  ASSERT_THAT(table.blocks, SizeIs(6));
  for (const predict::BlockCosts& block : table.blocks) {
    if (block.threads == 1) {
      EXPECT_THAT(sizesOf(block), ElementsAre(2, 4, 8));
      EXPECT_EQ(block.points.back().forward, 410);
    } else {
      EXPECT_THAT(sizesOf(block), ElementsAre(8));
    }
  }
}

TEST_F(CalibrationStore, whatAnotherMachineMeasuredGivesWay) {
  const auto experiment = experimentOf();
  ASSERT_TRUE(
      storeCalibration(m_root, experiment, tableOf({point(2, 9)}, 1, "Another CPU")).has_value());
  ASSERT_TRUE(storeCalibration(m_root, experiment, tableOf({point(4, 200)})).has_value());
  EXPECT_THAT(sizesOf(found(experiment).table.blocks.front()), ElementsAre(4));
}

TEST_F(CalibrationStore, aDamagedFileIsNamedAndGivesWay) {
  const auto experiment = experimentOf();
  const auto file = storeCalibration(m_root, experiment, tableOf({point(2, 100)})).value();
  std::ofstream(file) << "{\"stagelane_costs\": 1, \"blocks\": [";
  const auto stored = findCalibration(m_root, experiment, kHere);
  ASSERT_FALSE(stored.has_value());
  EXPECT_EQ(stored.error().code, ErrorCode::Invalid);
  EXPECT_NE(describe(stored.error()).find(file.string()), std::string::npos);
  ASSERT_TRUE(storeCalibration(m_root, experiment, tableOf({point(4, 200)})).has_value());
  EXPECT_EQ(found(experiment).table.basis, predict::Basis::Calibrated);
}

TEST(CalibrationKey, isTheSameForOtherPlansOfOneModel) {
  EXPECT_EQ(calibrationKey(experimentOf()), calibrationKey(experimentOf(R"("repeat":3)")));
}

TEST(CalibrationKey, differsWithWhatChangesTimes) {
  const std::string base = calibrationKey(experimentOf());
  for (const char* change : {R"("memory_format":"channels_last")", R"("allocator":"system")",
                             R"("optimizer":{"kind":"sgd","lr":0.1,"momentum":0.9})"}) {
    EXPECT_NE(calibrationKey(experimentOf(change)), base) << change;
  }
}

TEST(CalibrationCoverage, needsEveryWidthOfWorker) {
  const auto experiment = experimentOf();
  predict::CostTable table = tableOf({point(2, 100)});
  // The implicit variant with all cores has two threads.
  EXPECT_FALSE(covers(table, experiment));
  const predict::CostTable wide = tableOf({point(8, 100)}, 2);
  EXPECT_TRUE(covers(merged(table, wide), experiment));
}

TEST(MergedCosts, KeepWhatWasMeasuredBetweenProcesses) {
  predict::CostTable older = tableOf({point(8, 100)});
  older.processLinks = {{{}, {}, 1000, 1e9}, {DeviceId{"cpu:0"}, DeviceId{"cpu:1"}, 2000, 1e9}};
  older.processSums = predict::ProcessSums{2, {{1, 2}}};
  predict::CostTable newer = tableOf({point(4, 50)});
  EXPECT_THAT(merged(older, newer).processLinks, SizeIs(2));
  EXPECT_TRUE(merged(older, newer).processSums.has_value());
  newer.processLinks = {{{}, {}, 3000, 1e9}};
  const predict::CostTable both = merged(older, newer);
  EXPECT_THAT(both.processLinks, SizeIs(2));
  EXPECT_EQ(both.processLinks[0].latencyNs, 3000) << "the newer one";
}

}  // namespace
}  // namespace stagelane::workspace
