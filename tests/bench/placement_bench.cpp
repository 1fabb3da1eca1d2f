// Exact cuts of a long chain over eight devices of different speed, with links and memory (budget:
// 5 ms for 177 blocks), and the gain of the cut by time over other cuts: predicted steps of
// ResNet-50 and VGG-16 on two CPU workers. tests/bench/placement_measured.py measures them.

#include <benchmark/benchmark.h>

#include <random>

#include "engine/search/partition.h"
#include "engine/search/placement.h"

namespace stagelane {
namespace {

search::CutProblem randomProblem(std::size_t blocks, std::size_t devices) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> cost(1.0, 10.0);
  search::CutProblem problem;
  search::CutMemory memory;
  for (std::size_t d = 0; d < devices; ++d) {
    std::vector<double> times(blocks);
    std::vector<double> links(blocks);
    for (double& time : times) time = cost(random);
    for (double& link : links) link = cost(random);
    problem.timeOn.push_back(times);
    problem.linkBefore.push_back(links);
    memory.live.push_back(static_cast<std::int64_t>(devices - d));
    memory.room.push_back(static_cast<Bytes>(60 * blocks));
  }
  memory.resident.assign(blocks, 10);
  memory.saved.assign(blocks, 5);
  memory.stageInput.assign(blocks, 5);
  memory.temporary.assign(blocks, 3);
  problem.memory = memory;
  return problem;
}

/// The best cut, or the best dozen.
void exactCut(benchmark::State& state) {
  const search::CutProblem problem = randomProblem(static_cast<std::size_t>(state.range(0)),
                                                   static_cast<std::size_t>(state.range(1)));
  const auto count = static_cast<std::size_t>(state.range(2));
  for (auto _ : state) benchmark::DoNotOptimize(search::bestCuts(problem, count).size());
}
BENCHMARK(exactCut)
    ->ArgNames({"blocks", "devices", "best"})
    ->Args({22, 2, 1})
    ->Args({177, 8, 1})
    ->Args({177, 8, 12})
    ->Unit(benchmark::kMillisecond);

void gainOn(benchmark::State& state, const char* model, std::int64_t side) {
  const Json document{{"stagelane", 1},
                      {"name", "bench"},
                      {"model", {{"zoo", model}}},
                      {"input", {{"shape", {3, side, side}}}},
                      {"data", {{"labels", "normal"}, {"batch_size", 32}}},
                      {"loss", "mse"},
                      {"devices", {"cpu:0", "cpu:1"}},
                      {"variants", {{{"strategy", "single"}}}}};
  const auto experiment = plan::readExperiment(document, "", {});
  if (!experiment) return state.SkipWithError(experiment.error().message.c_str());
  search::PlacementTask task;
  task.experiment = &*experiment;
  task.variant.schedule = "1f1b";
  task.variant.splitSize = 4;
  double best = 0.0;
  for (auto _ : state) {
    best = static_cast<double>(search::place(task, search::PlacementMode::Optimal)->stepNs);
  }
  for (const auto& [mode, name] :
       {std::pair{search::PlacementMode::Parameters, "parameters"},
        std::pair{search::PlacementMode::Uniform, "uniform"},
        std::pair{search::PlacementMode::BlockPartition, "block_partition"}}) {
    state.counters[name] = static_cast<double>(search::place(task, mode)->stepNs) / best;
  }
}
BENCHMARK_CAPTURE(gainOn, resnet50_128, "resnet50", 128)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(gainOn, vgg16_128, "vgg16", 128)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace stagelane
