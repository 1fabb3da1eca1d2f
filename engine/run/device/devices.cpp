#include "engine/run/device/gpu_platform.h"
#include "engine/run/device/host.h"
#include "engine/run/engine.h"

namespace stagelane::run {
namespace {

/// One worker per core: `cpu:0`, `cpu:1`, … with one thread each.
std::vector<DeviceInfo> listCpuWorkers() {
  const std::vector<int> cores = allowedCores();
  const std::string name = cpuName() + ", 1 core";
  const Bytes memory = hostMemory();
  std::vector<DeviceInfo> workers;
  for (std::size_t i = 0; i < cores.size(); ++i) {
    DeviceInfo worker;
    worker.id = "cpu:" + std::to_string(i);
    worker.kind = "cpu";
    worker.name = name;
    worker.memory = memory;
    worker.details = Json{{"core", cores[i]},
                          {"cores_allowed", cores.size()},
                          {"memory", "shared by all CPU workers"}};
    workers.push_back(std::move(worker));
  }
  return workers;
}

/// NVIDIA hardware that is not usable, with the reason.
std::vector<DeviceInfo> listUnusableGpus(const std::string& reason) {
  std::vector<DeviceInfo> gpus;
  for (const std::string& address : nvidiaPciDevices()) {
    DeviceInfo gpu;
    gpu.id = "cuda:" + std::to_string(gpus.size());
    gpu.kind = "gpu";
    gpu.name = "NVIDIA GPU";
    gpu.usable = false;
    gpu.reason = reason;
    gpu.details = Json{{"pci", address}};
    gpus.push_back(std::move(gpu));
  }
  return gpus;
}

std::vector<DeviceInfo> listAllGpus() {
  const GpuPlatform* const platform = gpuPlatform();
  if (platform == nullptr) {
    return listUnusableGpus(
        "this engine was built without CUDA: build with -DSTAGELANE_CUDA=ON and a torch with CUDA");
  }
  std::vector<DeviceInfo> gpus = platform->list();
  return gpus.empty() ? listUnusableGpus(platform->whyNone()) : gpus;
}

}  // namespace

Result<std::vector<DeviceInfo>> listDevices() {
  std::vector<DeviceInfo> devices = listAllGpus();
  for (DeviceInfo& worker : listCpuWorkers()) devices.push_back(std::move(worker));
  if (devices.empty()) {
    return fail(ErrorCode::EngineFailure, "this machine has no core that the engine may use", "",
                "check the process's CPU affinity (taskset, cgroup)");
  }
  return devices;
}

plan::MachineDevices machineDevices() {
  plan::MachineDevices machine;
  machine.cores = static_cast<int>(allowedCores().size());
  if (const GpuPlatform* const platform = gpuPlatform()) machine.gpus = platform->count();
  return machine;
}

}  // namespace stagelane::run
