#include <algorithm>

#include "engine/plan/reading.h"
#include "engine/plan/rows.h"

namespace stagelane::plan::detail {
namespace {

int cpuWorkersOf(const Variant& variant) {
  const std::vector<DeviceId> rows = recordedDevices(variant);
  return static_cast<int>(std::count_if(rows.begin(), rows.end(), [](const DeviceId& row) {
    const auto device = parseDevice(row);
    return device && device->kind == DeviceKind::CpuWorker;
  }));
}

std::string counted(int number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

}  // namespace

void warnOfSharedCores(Experiment& experiment, const MachineDevices& machine) {
  if (machine.cores == 0) return;
  const Variant* worst = nullptr;
  int most = machine.cores;
  for (const Variant& variant : experiment.variants) {
    const int threads = variant.threads > 0 ? variant.threads : experiment.threadsPerCpuWorker;
    if (variant.include && cpuWorkersOf(variant) * threads > most) {
      worst = &variant;
      most = cpuWorkersOf(variant) * threads;
    }
  }
  if (worst == nullptr) return;
  const int workers = cpuWorkersOf(*worst);
  experiment.warnings.push_back(
      "variant \"" + worst->name + "\" uses " + counted(workers, "CPU worker") + " with " +
      counted(most / workers, "thread") + " on " + counted(machine.cores, "core") +
      ". They share the cores, so it is slower than on a machine with " + counted(most, "core") +
      (strategyRow(worst->strategy).asynchronous ? "" : ", and slower than predicted"));
}

}  // namespace stagelane::plan::detail
