// How good `auto` is: over 50 random cost tables, with and without memory caps, how often it is
// shorter than the best published schedule, by how much, and how far from the proven lower bound;
// and how long the search takes.

#include <benchmark/benchmark.h>

#include "engine/search/synthesis.h"
#include "tests/engine/search/random_costs.h"

namespace stagelane {
namespace {

constexpr int kTables = 50;

/// Memory for `microBatches` of a device's own stages.
search::MemoryCaps capsFor(const std::vector<int>& layout, const predict::PlanCosts& costs,
                           int microBatches) {
  search::MemoryCaps caps;
  caps.bytes = costs.residentBytes;
  for (std::size_t stage = 0; stage < layout.size(); ++stage) {
    caps.bytes[static_cast<std::size_t>(layout[stage])] +=
        microBatches * costs.stage[stage].front().savedBytes;
  }
  return caps;
}

void randomTables(benchmark::State& state) {
  const auto devices = static_cast<int>(state.range(0));
  const auto microBatches = static_cast<int>(state.range(1));
  const std::vector<int> layout =
      search::layoutsFor(devices, static_cast<int>(state.range(2))).back();
  int faster = 0, slower = 0;
  double gain = 0.0, gap = 0.0;
  for (auto _ : state) {
    faster = slower = 0;
    gain = gap = 0.0;
    for (int table = 0; table < kTables; ++table) {
      const auto costs =
          search::testing::randomCosts(layout, microBatches, static_cast<std::uint64_t>(table));
      search::SynthesisTask task{layout, &costs, {}, {}, 1.0};
      if (table % 2 == 1) task.caps = capsFor(layout, costs, devices);
      const auto found = search::synthesize(task);
      TimeNs named = 0;
      for (const search::NamedSchedule& one : found->named) {
        if (one.fits && (named == 0 || one.stepNs < named)) named = one.stepNs;
      }
      gap += 100.0 * found->gap / kTables;
      if (named == 0) continue;
      faster += found->stepNs < named ? 1 : 0;
      slower += found->stepNs > named ? 1 : 0;
      gain +=
          100.0 * (1.0 - static_cast<double>(found->stepNs) / static_cast<double>(named)) / kTables;
    }
  }
  state.counters["faster_of_50"] = faster;
  state.counters["slower_of_50"] = slower;
  state.counters["mean_gain_pct"] = gain;
  state.counters["mean_gap_pct"] = gap;
}
BENCHMARK(randomTables)
    ->ArgNames({"devices", "microbatches", "chunks"})
    ->Args({2, 8, 1})
    ->Args({4, 8, 1})
    ->Args({4, 8, 2})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

void oneSearch(benchmark::State& state) {
  const auto layout = search::layoutsFor(static_cast<int>(state.range(0)), 1).back();
  const auto costs = search::testing::randomCosts(layout, static_cast<int>(state.range(1)), 7);
  for (auto _ : state) {
    benchmark::DoNotOptimize(search::synthesize({layout, &costs, {}, {}, 1.0})->stepNs);
  }
}
BENCHMARK(oneSearch)
    ->ArgNames({"devices", "microbatches"})
    ->Args({2, 8})
    ->Args({4, 16})
    ->Args({8, 32})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace stagelane
