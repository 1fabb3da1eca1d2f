// The exact cut of a long chain over eight devices of different speed (budget: 5 ms).

#include <benchmark/benchmark.h>

#include <random>

#include "engine/plan/partition.h"

namespace stagelane {
namespace {

void exactCut(benchmark::State& state) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> cost(1.0, 10.0);
  std::vector<std::vector<double>> costOn(static_cast<std::size_t>(state.range(1)));
  for (std::vector<double>& costs : costOn) {
    for (std::int64_t block = 0; block < state.range(0); ++block) costs.push_back(cost(random));
  }
  for (auto _ : state) benchmark::DoNotOptimize(plan::minBottleneckCut(costOn).back());
}
BENCHMARK(exactCut)->Args({22, 2})->Args({177, 8});

}  // namespace
}  // namespace stagelane
