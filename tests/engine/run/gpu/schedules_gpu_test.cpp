// Every schedule trains on GPUs: on two partitions of one GPU, on a GPU beside a CPU worker, and on
// two GPUs. The gradient check judges, as in a run: in float64, against plain autograd on one of
// the devices. Each test prints the largest relative error of each schedule.

#include <iostream>

#include "engine/search/resolve.h"
#include "tests/engine/run/gpu/gpu_place.h"
#include "tests/engine/run/schedule_grid.h"

namespace stagelane::run {
namespace {

using namespace test;

class SchedulesOnGpus : public OnGpuPlace {};

/// Checks the variant `v` of the experiment in the place.
void expectCloseIn(Bench& bench, const std::string& what) {
  SCOPED_TRACE(what);
  const GradientVerdict verdict = bench.check("v");
  std::cout << what << ": largest relative error " << verdict.result.maxRelError << std::endl;
  EXPECT_TRUE(verdict.passed) << verdict.worst << ": " << verdict.result.maxRelError;
}

void expectCloseIn(const GpuPlace& place, const GridModel& model, const GridSchedule& schedule,
                   plan::Recompute recompute = plan::Recompute::Never) {
  Bench bench(movedTo(place, gridExperiment(model, schedule, 2, Tail::Uneven)));
  for (plan::Variant& variant : bench.experiment.variants) variant.recompute = recompute;
  expectCloseIn(bench, schedule.name + ", " + model.name);
}

TEST_P(SchedulesOnGpus, AllPassTheGradientCheck) {
  for (const GridSchedule& schedule : everySchedule()) {
    expectCloseIn(GetParam(), mlpModel(), schedule);
  }
}

TEST_P(SchedulesOnGpus, AllPassTheGradientCheckWithTokensDropoutAndATiedHead) {
  for (const GridSchedule& schedule : everySchedule()) {
    expectCloseIn(GetParam(), gptModel(), schedule);
  }
}

TEST_P(SchedulesOnGpus, AllPassTheGradientCheckWithBatchNormAndResiduals) {
  for (const GridSchedule& schedule : everySchedule()) {
    expectCloseIn(GetParam(), resnetModel(), schedule);
  }
}

TEST_P(SchedulesOnGpus, AllPassTheGradientCheckWhenRecomputing) {
  for (const GridSchedule& schedule : everySchedule()) {
    expectCloseIn(GetParam(), gptModel(), schedule, plan::Recompute::Always);
  }
}

TEST_P(SchedulesOnGpus, ASearchedOrderPassesTheGradientCheck) {
  const GridSchedule automatic{std::string(schedule::kAutoSchedule)};
  const std::string json =
      movedTo(GetParam(), gridExperiment(mlpModel(), automatic, 2, Tail::Uneven));
  Bench bench(valueOf(search::resolve(experimentOf(json), nullptr)));
  expectCloseIn(bench, "auto, mlp");
}

INSTANTIATE_TEST_SUITE_P(Gpu, SchedulesOnGpus, testing::ValuesIn(everyGpuPlace()), nameOfPlace);

}  // namespace
}  // namespace stagelane::run
