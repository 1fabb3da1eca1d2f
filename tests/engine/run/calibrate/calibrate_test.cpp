#include <gmock/gmock.h>

#include <set>

#include "engine/predict/plan_costs.h"
#include "engine/run/calibrate/calibrator.h"
#include "tests/engine/run/run_fixture.h"

namespace stagelane::run {
namespace {

const std::string kPipeline =
    R"("variants":[{"name":"p","strategy":"pipeline","schedule":"1f1b","split_size":4,)" +
    test::kToyStages + "}]";

predict::CostTable calibrated(const plan::Experiment& experiment) {
  CalibrationPorts ports;
  ports.budgetSeconds = 0.5;
  return test::valueOf(calibrate(experiment, ports)).value();
}

TEST(Calibration, everyBlockHasEverySizeOnEveryKindOfWorker) {
  const auto experiment = test::experimentOf(test::toy("16", kPipeline));
  const predict::CostTable table = calibrated(experiment);
  std::set<std::pair<std::string, int>> entries;
  for (const predict::BlockCosts& block : table.blocks) {
    entries.emplace(block.name, block.threads);
    ASSERT_GE(block.points.size(), block.threads == 1 ? 2U : 1U) << block.name;
    for (std::size_t i = 1; i < block.points.size(); ++i) {
      EXPECT_LT(block.points[i - 1].samples, block.points[i].samples);
    }
    for (const predict::CostPoint& point : block.points) {
      EXPECT_GT(point.forward, 0);
      EXPECT_GT(point.outputBytes, 0);
    }
  }
  EXPECT_EQ(entries.size(), 2 * experiment.model->blocks.size());
  EXPECT_EQ(table.links.size(), 2U);
  EXPECT_EQ(table.contention.count(2), 1U);
  EXPECT_FALSE(table.loss.empty());
  ASSERT_EQ(table.processLinks.size(), 1U);
  EXPECT_FALSE(table.processLinks[0].from.has_value());
  EXPECT_GT(table.processLinks[0].latencyNs, 0);
  ASSERT_TRUE(table.processSums.has_value());
  EXPECT_EQ(table.processSums->processes, 2);
  EXPECT_GT(table.processSums->copyBytesPerSecond, 0.0);
}

TEST(Calibration, whatItMeasuredIsEnoughForThePlan) {
  const auto experiment = test::experimentOf(test::toy("16", kPipeline));
  const predict::CostTable table = calibrated(experiment);
  for (const plan::Variant& variant : experiment.variants) {
    const auto costs = test::valueOf(predict::planCosts(experiment, variant, &table));
    EXPECT_EQ(costs.basis, predict::Basis::Calibrated) << variant.id;
  }
}

TEST(Calibration, saysHowFarItIsAndStopsWhenAsked) {
  const auto experiment = test::experimentOf(test::toy("16", kPipeline));
  std::atomic<bool> stop{false};
  std::int64_t calls = 0;
  CalibrationPorts ports;
  ports.stop = &stop;
  ports.progress = [&](std::int64_t done, std::int64_t of) -> Status {
    EXPECT_LE(done, of);
    stop = ++calls == 3;
    return {};
  };
  const auto table = test::valueOf(calibrate(experiment, ports));
  EXPECT_FALSE(table.has_value());
  EXPECT_EQ(calls, 3);
}

TEST(Calibration, aReaderThatIsGoneEndsIt) {
  const auto experiment = test::experimentOf(test::toy("16", kPipeline));
  CalibrationPorts ports;
  ports.progress = [](std::int64_t, std::int64_t) -> Status {
    return fail(ErrorCode::CannotWrite, "nobody reads");
  };
  const auto table = calibrate(experiment, ports);
  ASSERT_FALSE(table.has_value());
  EXPECT_EQ(table.error().code, ErrorCode::CannotWrite);
}

TEST(Calibration, aDeviceThatIsNotThereIsNamed) {
  auto experiment = test::experimentOf(test::toy("16", kPipeline));
  for (plan::Variant& variant : experiment.variants) {
    variant.stages.back().group = DeviceId{"cuda:63"};
  }
  const auto table = calibrate(experiment, {});
  ASSERT_FALSE(table.has_value());
  EXPECT_EQ(table.error().code, ErrorCode::DeviceMissing) << describe(table.error());
}

/// The chain's kept bytes, summed over its blocks, are what a forward leaves behind.
TEST(Calibration, savedBytesAreWhatAForwardLeavesBehind) {
  installAllocator(plan::AllocatorKind::Caching);
  const auto experiment = test::experimentOf(
      test::resnet18("4", R"("variants":[{"name":"s","strategy":"single","device":"cpu:0"}])"));
  WorkerPool pool(experiment);
  Worker& worker = *test::valueOf(pool.worker(DeviceId{"cpu:0"}, 1));
  const at::ScalarType dtype = scalarType(experiment);
  const InitialValues values = drawInitialValues(*experiment.model, 0, dtype);
  const Batch batch = SyntheticData(experiment, dtype).next();
  Bytes sum = 0;
  Bytes estimate = 0;
  const Status done =
      worker
          .submit([&]() -> Status {
            ChainProbe probe(experiment, worker.backend(), values, batch, [] { return false; });
            for (const BlockBytes& block : probe.weigh(4)) {
              sum += block.saved;
              EXPECT_GE(block.temporary, 0);
              EXPECT_GT(block.output, 0);
            }
            return {};
          })
          .get();
  ASSERT_TRUE(done.has_value()) << describe(done.error());
  const auto shapes =
      test::valueOf(model::inferShapes(*experiment.model, {4, 3, 64, 64}, model::DType::Float32));
  for (const auto& block : shapes.blocks) estimate += block.savedBytes;
  EXPECT_NEAR(static_cast<double>(sum), static_cast<double>(estimate),
              0.1 * static_cast<double>(estimate));
}

}  // namespace
}  // namespace stagelane::run
