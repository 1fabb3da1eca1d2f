// Speed of the prediction of a plan: simulated actions per second, and lowering and validation
// separately. `./dev bench` prints the median of interleaved repeats.

#include <benchmark/benchmark.h>

#include "engine/predict/simulator.h"
#include "engine/schedule/generators.h"
#include "engine/schedule/lowering.h"

namespace stagelane {
namespace {

schedule::LoweredSchedule eightDevices(int microBatches) {
  return schedule::lower(schedule::generate("1f1b", {8, microBatches, 1}).value());
}

predict::PlanCosts unitCosts(const schedule::LoweredSchedule& lowered) {
  predict::StageCost cost;
  cost.forward = 1000;
  cost.backward = 2000;
  cost.sendForward = cost.sendBackward = 10;
  predict::PlanCosts costs;
  costs.stage.assign(
      static_cast<std::size_t>(lowered.source.stages),
      std::vector<predict::StageCost>(static_cast<std::size_t>(lowered.source.microBatches), cost));
  costs.residentBytes.assign(static_cast<std::size_t>(lowered.source.devices), 0);
  return costs;
}

// Args: micro-batches, and whether CPU workers slow each other down (the event-driven path).
void simulateOneStep(benchmark::State& state) {
  const auto lowered = eightDevices(static_cast<int>(state.range(0)));
  auto costs = unitCosts(lowered);
  if (state.range(1) != 0) costs.contention = {{2, 1.05}, {8, 1.4}};
  for (auto _ : state) benchmark::DoNotOptimize(predict::simulate(lowered, costs)->stepNs);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(lowered.actionCount));
}
BENCHMARK(simulateOneStep)
    ->ArgNames({"micro_batches", "contention"})
    ->ArgsProduct({{8, 64, 1024}, {0, 1}});

// As a search uses it: figures without a timeline, buffers reused.
void simulateStepOnly(benchmark::State& state) {
  const auto lowered = eightDevices(static_cast<int>(state.range(0)));
  auto costs = unitCosts(lowered);
  if (state.range(1) != 0) costs.contention = {{2, 1.05}, {8, 1.4}};
  predict::StepSimulator simulator;
  for (auto _ : state) benchmark::DoNotOptimize((*simulator.play(lowered, costs))->stepNs);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(lowered.actionCount));
}
BENCHMARK(simulateStepOnly)
    ->ArgNames({"micro_batches", "contention"})
    ->ArgsProduct({{8, 64}, {0, 1}});

void lowerAndValidate(benchmark::State& state) {
  const auto schedule =
      schedule::generate("1f1b", {8, static_cast<int>(state.range(0)), 1}).value();
  std::size_t actions = 0;
  for (auto _ : state) {
    const auto lowered = schedule::lower(schedule);
    benchmark::DoNotOptimize(schedule::validate(lowered).has_value());
    actions = lowered.actionCount;
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(actions));
}
BENCHMARK(lowerAndValidate)->Arg(64);

}  // namespace
}  // namespace stagelane
