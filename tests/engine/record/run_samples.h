#pragma once

/// Results and folders for the tests of engine/record.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "engine/record/run_record.h"
#include "tests/support/temporary_folder.h"

namespace stagelane::record::samples {

/// The tests sync thousands of small files.
class TemporaryFolder : public test::TemporaryFolder {
 public:
  TemporaryFolder() : test::TemporaryFolder(test::parentInMemory()) {}
};

inline std::string contentOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void writeText(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline VariantResult planned(const std::string& id) {
  VariantResult variant;
  variant.id = id;
  variant.name = id;
  variant.strategy = "pipeline";
  variant.schedule = "1f1b";
  variant.splitSize = 5;
  variant.placement = {{"net1", "cpu:0"}, {"net2", "cpu:1"}};
  return variant;
}

inline VariantResult full() {
  VariantResult variant = planned("pipe-s5");
  variant.status = RunStatus::Done;
  variant.seconds = {1.0, 2.0, 6.0};
  fillStatistics(variant);
  variant.speedup = 1.5;
  variant.speedupBase = "single";
  variant.speedupAllCores = 1.25;
  variant.bound = BoundResult{900, 800, 1.75};
  variant.loss = {0.5, 0.25};
  variant.stepNs = 1000;
  DeviceResult device;
  device.id = "cpu:0";
  device.busyNs = 700;
  device.busy = {{"forward", 300}, {"backward", 400}};
  device.utilisation = 0.7;
  device.idle = {{"warmup", 100}, {"starved", 200}};
  device.starvedBy = {{"cpu:1", 200}};
  device.transferBytes = 4096;
  device.peakBytes = 1 << 20;
  variant.devices = {device};
  variant.predicted = PredictedResult{"estimate", 1100, {device}, 0.1};
  variant.gradientCheck = GradientCheckResult{true, 0.0, "plain autograd on cpu:0", 1e-13};
  variant.capture = CaptureResult{120, 0, 0.5, std::pair{0.25, 0.75}};
  variant.noisy = true;
  return variant;
}

inline RunResult plannedRun() {
  RunResult run;
  run.name = "Toy";
  run.timing = "steady";
  run.devices = {"cpu:0", "cpu:1"};
  run.variants = {planned("single"), planned("pipe-s5")};
  return run;
}

inline Json eventOf(const std::string& name, Json members = Json::object()) {
  members["event"] = name;
  return members;
}

inline Json measured(const std::string& variant, int repeat, double seconds) {
  return eventOf("measurement", {{"variant", variant}, {"repeat", repeat}, {"seconds", seconds}});
}

}  // namespace stagelane::record::samples
