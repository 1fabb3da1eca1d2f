#pragma once

/// Gradient checks on asynchronous devices: placements of two stages, and what must hold.

#include <gmock/gmock.h>

#include <array>
#include <cctype>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "tests/engine/run/run_fixture.h"
#include "tests/support/async_device/async_device.h"

namespace stagelane::run::test {

/// Two devices in the words of an experiment.
using DevicePair = std::pair<std::string, std::string>;
/// Two GPUs, a GPU and a CPU worker in both orders, and two partitions of a GPU.
inline const std::array<DevicePair, 4> kPairs{{{"cuda:0", "cuda:1"},
                                               {"cuda:0", "cpu:0"},
                                               {"cpu:0", "cuda:0"},
                                               {"cuda:0/1of2", "cuda:0/2of2"}}};

/// For the names of tests.
inline std::string nameOfPair(const ::testing::TestParamInfo<DevicePair>& info) {
  std::string name = info.param.first + "_" + info.param.second;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

/// An experiment for workers cpu:0 and cpu:1, on these devices instead.
inline std::string onDevices(std::string json, const DevicePair& devices) {
  const std::array<std::pair<std::string, std::string>, 2> names{
      {{"\"cpu:0\"", "\"@first\""}, {"\"cpu:1\"", "\"" + devices.second + "\""}}};
  const auto replace = [&json](const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = json.find(from, at)) != std::string::npos; at += to.size()) {
      json.replace(at, from.size(), to);
    }
  };
  for (const auto& [from, to] : names) replace(from, to);
  replace("\"@first\"", "\"" + devices.first + "\"");
  return json;
}

/// The gradients have the CPU's bits although nothing waits that need not, and every access to
/// memory is ordered after those that it depends on.
template <class Check>
void expectOrdered(const Check& check, const std::string& what) {
  static_cast<void>(async_device::takeRaces());
  const GradientVerdict verdict = check();
  EXPECT_TRUE(verdict.passed) << what << ": " << verdict.worst;
  EXPECT_TRUE(verdict.result.bitEqual)
      << what << ": " << verdict.worst << " " << verdict.result.maxRelError;
  EXPECT_THAT(async_device::takeRaces(), testing::IsEmpty()) << what;
}

/// Against a reference whose first blocks, before `cut`, are on `devices.first`.
inline GradientVerdict checkInParts(Bench& bench, std::size_t cut, const DevicePair& devices) {
  const VariantRun& run = bench.variant("p");
  const int threads = threadsOf(bench.experiment, *run.variant);
  const auto worker = [&](const std::string& device) {
    return valueOf(bench.pool.worker(DeviceId{device}, threads));
  };
  GradientCheck check;
  check.plan = run.stepPlan(bench.experiment);
  check.parts = {{0, cut - 1, worker(devices.first)},
                 {cut, bench.experiment.model->blocks.size() - 1, worker(devices.second)}};
  check.referenceName = devices.first + " before block " + std::to_string(cut);
  return valueOf(bench.checker.check(check, bench.control)).value();
}

/// Against plain autograd on a CPU worker, whatever the variant's devices are.
inline GradientVerdict checkOnCpu(Bench& bench, const std::string& id) {
  const VariantRun& run = bench.variant(id);
  GradientCheck check;
  check.plan = run.stepPlan(bench.experiment);
  check.parts = {
      {0, bench.experiment.model->blocks.size() - 1,
       valueOf(bench.pool.worker(DeviceId{"cpu:0"}, threadsOf(bench.experiment, *run.variant)))}};
  check.referenceName = "cpu:0";
  return valueOf(bench.checker.check(check, bench.control)).value();
}
inline void expectOrdered(Bench& bench, const std::string& id, const std::string& what) {
  expectOrdered([&] { return checkOnCpu(bench, id); }, what);
}

}  // namespace stagelane::run::test
