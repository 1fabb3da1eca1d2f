#pragma once

/// Where the tests with the label `gpu` run: devices of this machine with at least one GPU among
/// them, or the reason why this machine lacks them. Experiments of the other tests are moved there
/// by replacing the names of their CPU workers.

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "engine/base/json.h"
#include "engine/run/engine.h"

namespace stagelane::run::test {

/// "" if the machine has this many usable GPUs, else why the test is skipped.
inline std::string whyTooFewGpus(int wanted) {
  const int usable = machineDevices().gpus;
  if (usable >= wanted) return {};
  const std::string needs =
      wanted == 1 ? "needs a GPU" : "needs " + std::to_string(wanted) + " GPUs";
  if (usable > 0) return needs + ", this machine has " + std::to_string(usable);
  const auto devices = listDevices();
  if (!devices) return needs + ": " + describe(devices.error());
  for (const DeviceInfo& device : *devices) {
    if (device.kind == "gpu" && !device.usable) {
      return needs + ": " + device.id + " is not usable: " + device.reason;
    }
  }
  return needs + ", this machine has no NVIDIA GPU";
}

/// Two devices for the rows of a schedule.
struct GpuPlace {
  std::string name;  ///< part of the test's name
  std::vector<std::string> devices;
  int gpus = 1;  ///< that the machine needs
};
inline std::ostream& operator<<(std::ostream& out, const GpuPlace& place) {
  return out << place.name;
}

/// Both orders of a GPU and a CPU worker, because the first and the last row differ: inputs and
/// labels, and the directions of the copies.
inline std::vector<GpuPlace> everyGpuPlace() {
  return {{"TwoPartitions", {"cuda:0/1of2", "cuda:0/2of2"}, 1},
          {"GpuThenCpu", {"cuda:0", "cpu:0"}, 1},
          {"CpuThenGpu", {"cpu:0", "cuda:0"}, 1},
          {"TwoGpus", {"cuda:0", "cuda:1"}, 2}};
}

/// Replaces the names `cpu:N` in values of the document.
inline void moveTo(const std::vector<std::string>& devices, Json& value) {
  if (value.is_structured()) {
    for (Json& part : value) moveTo(devices, part);
  } else if (value.is_string()) {
    const std::string text = value.get<std::string>();
    for (std::size_t i = 0; i < devices.size(); ++i) {
      if (text == "cpu:" + std::to_string(i)) {
        value = devices[i];
        return;
      }
    }
  }
}

/// The experiment with the place's devices instead of `cpu:0` and `cpu:1`.
inline std::string movedTo(const GpuPlace& place, const std::string& experiment) {
  Json document = Json::parse(experiment);
  moveTo(place.devices, document);
  return document.dump();
}

/// A test for each place, skipped where the machine lacks its GPUs.
class OnGpuPlace : public ::testing::TestWithParam<GpuPlace> {
 protected:
  void SetUp() override {
    const std::string reason = whyTooFewGpus(GetParam().gpus);
    if (!reason.empty()) GTEST_SKIP() << reason;
  }
};

inline std::string nameOfPlace(const ::testing::TestParamInfo<GpuPlace>& info) {
  return info.param.name;
}

}  // namespace stagelane::run::test
