// Prediction of a pipeline with replicas on many imagined devices: schedule, costs, simulation,
// bounds and trace (aim: 1 s for 1024 devices), and its simulation alone.

#include <benchmark/benchmark.h>

#include "engine/plan/experiment.h"
#include "engine/predict/prediction.h"
#include "engine/predict/step_simulator.h"

namespace stagelane {
namespace {

constexpr int kStages = 32;
constexpr int kMicroBatches = 32;  ///< of each replica

/// A GPT of 32 layers on pipelines of 32 devices, one sample in a micro-batch.
plan::Experiment experimentOn(std::int64_t devices) {
  const std::int64_t replicas = devices / kStages;
  Json stages = Json::array();
  for (int stage = 0; stage < kStages; ++stage) {
    stages.push_back({{"first", stage == 0 ? "embedding" : "h." + std::to_string(stage)},
                      {"device", "sim:" + std::to_string(stage)}});
  }
  const Json document{
      {"stagelane", 1},
      {"name", "scale"},
      {"model",
       {{"zoo", "gpt"}, {"layers", kStages}, {"heads", 8}, {"width", 512}, {"vocab", 1000}}},
      {"input", {{"shape", {64}}}},
      {"data", {{"labels", "class"}, {"batch_size", replicas * kMicroBatches}}},
      {"loss", "cross_entropy"},
      {"devices", Json::array({{{"id", "sim:0"}, {"count", devices}, {"like", "cuda:0"}}})},
      {"variants", Json::array({{{"name", "pipeline"},
                                 {"strategy", "pipeline"},
                                 {"schedule", "1f1b"},
                                 {"split_size", 1},
                                 {"replicas", replicas},
                                 {"stages", stages}}})}};
  return plan::readExperiment(document, "", {}).value();
}

void predictManyDevices(benchmark::State& state) {
  const plan::Experiment experiment = experimentOn(state.range(0));
  std::size_t actions = 0;
  for (auto _ : state) {
    const auto plan = predict::predictPlan(experiment, experiment.variants.front(), nullptr);
    actions = plan.value().schedule.actionCount;
    benchmark::DoNotOptimize(plan->stepNs);
  }
  state.counters["actions"] = static_cast<double>(actions);
}
BENCHMARK(predictManyDevices)
    ->ArgName("devices")
    ->Arg(64)
    ->Arg(1024)
    ->Arg(4096)
    ->Unit(benchmark::kMillisecond);

void simulateManyDevices(benchmark::State& state) {
  const plan::Experiment experiment = experimentOn(state.range(0));
  const auto plan = predict::playPlan(experiment, experiment.variants.front(), nullptr).value();
  predict::StepSimulator simulator;
  for (auto _ : state) {
    benchmark::DoNotOptimize((*simulator.play(plan.schedule, plan.costs))->stepNs);
  }
  state.SetItemsProcessed(state.iterations() *
                          static_cast<std::int64_t>(plan.schedule.actionCount));
}
BENCHMARK(simulateManyDevices)
    ->ArgName("devices")
    ->Arg(64)
    ->Arg(1024)
    ->Arg(4096)
    ->Unit(benchmark::kMillisecond);

void readManyDevices(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(experimentOn(state.range(0)).devices.size());
}
BENCHMARK(readManyDevices)->ArgName("devices")->Arg(1024)->Arg(4096)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace stagelane
