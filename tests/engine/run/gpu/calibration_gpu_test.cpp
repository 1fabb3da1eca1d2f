// Calibration of GPUs, alone and with a CPU worker: every block, link and size of the plan has a
// measured time.

#include <iostream>
#include <set>

#include "engine/predict/plan_costs.h"
#include "tests/engine/run/gpu/gpu_place.h"
#include "tests/engine/run/schedule_grid.h"

namespace stagelane::run {
namespace {

using namespace test;

class CalibrationOfGpus : public OnGpuPlace {};

TEST_P(CalibrationOfGpus, MeasuresWhatThePlanNeeds) {
  const GridSchedule schedule{"1f1b"};
  const plan::Experiment experiment =
      experimentOf(movedTo(GetParam(), gridExperiment(resnetModel(), schedule, 2, Tail::Uneven)));
  CalibrationPorts ports;
  ports.budgetSeconds = 10.0;
  const predict::CostTable table = valueOf(calibrate(experiment, ports)).value();
  for (const predict::BlockCosts& block : table.blocks) {
    ASSERT_FALSE(block.points.empty()) << block.name;
    for (const predict::CostPoint& point : block.points) {
      EXPECT_GT(point.forward, 0) << block.name;
      EXPECT_GT(point.backward + point.backwardInput + point.backwardWeight, 0) << block.name;
      EXPECT_GT(point.outputBytes, 0) << block.name;
      EXPECT_GE(point.savedBytes, 0) << block.name;
    }
  }
  std::set<std::pair<std::string, std::string>> links;
  for (const predict::LinkCost& link : table.links) {
    links.emplace(link.from.value, link.to.value);
    EXPECT_GT(link.bytesPerSecond, 0.0);
    EXPECT_GE(link.latencyNs, 0);
    std::cout << link.from.value << " to " << link.to.value << ": "
              << static_cast<double>(link.latencyNs) * 1e-3 << " us + bytes at "
              << link.bytesPerSecond * 1e-9 << " GB/s" << std::endl;
  }
  const std::string first = GetParam().devices.front();
  const std::string second = GetParam().devices.back();
  EXPECT_EQ(links.count({first, second}), 1U);
  EXPECT_EQ(links.count({second, first}), 1U);
  for (const plan::Variant& variant : experiment.variants) {
    const predict::PlanCosts costs = valueOf(predict::planCosts(experiment, variant, &table));
    EXPECT_EQ(costs.basis, predict::Basis::Calibrated) << variant.id;
  }
}

INSTANTIATE_TEST_SUITE_P(Gpu, CalibrationOfGpus, testing::ValuesIn(everyGpuPlace()), nameOfPlace);

}  // namespace
}  // namespace stagelane::run
