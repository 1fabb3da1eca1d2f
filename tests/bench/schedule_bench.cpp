// Time to generate, lower and validate a schedule, for each method: 8 devices, 64 micro-batches.
// `./dev bench` prints the median of interleaved repeats.

#include <benchmark/benchmark.h>

#include "engine/schedule/generators.h"
#include "engine/schedule/lowering.h"

namespace stagelane {
namespace {

constexpr schedule::Sizes kSizes{8, 64, {}};

std::vector<std::string> pipelines() {
  std::vector<std::string> names;
  for (const std::string& name : schedule::generatedScheduleNames()) {
    if (schedule::generate(name, kSizes)) names.push_back(name);
  }
  return names;
}

void generateOne(benchmark::State& state, const std::string& name) {
  std::size_t actions = 0;
  for (auto _ : state) {
    const auto made = schedule::generate(name, kSizes);
    actions = 0;
    for (const auto& row : made->actions) actions += row.size();
    benchmark::DoNotOptimize(actions);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(actions));
}

void lowerOne(benchmark::State& state, const std::string& name) {
  const schedule::Schedule made = schedule::generate(name, kSizes).value();
  std::size_t actions = 0;
  for (auto _ : state) {
    actions = schedule::lower(made).actionCount;
    benchmark::DoNotOptimize(actions);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(actions));
}

void validateOne(benchmark::State& state, const std::string& name) {
  const auto lowered = schedule::lower(schedule::generate(name, kSizes).value());
  for (auto _ : state) benchmark::DoNotOptimize(schedule::validate(lowered).has_value());
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(lowered.actionCount));
}

const bool kRegistered = [] {
  for (const std::string& name : pipelines()) {
    benchmark::RegisterBenchmark(("generate/" + name).c_str(), generateOne, name);
    benchmark::RegisterBenchmark(("lower/" + name).c_str(), lowerOne, name);
    benchmark::RegisterBenchmark(("validate/" + name).c_str(), validateOne, name);
  }
  return true;
}();

}  // namespace
}  // namespace stagelane
