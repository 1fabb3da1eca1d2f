#include <cuda_runtime_api.h>

#include "engine/run/device/cuda_nvml.h"
#include "engine/run/device/gpu_backend.h"

namespace stagelane::run {
namespace {

constexpr const char* kLeastDriver = "580";  // the first series of CUDA 13.0

/// "13.0" for 13000.
std::string versionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

int driverInterface() {
  int version = 0;
  return cudaDriverGetVersion(&version) == cudaSuccess ? version : 0;
}

int runtimeInterface() {
  int version = 0;
  return cudaRuntimeGetVersion(&version) == cudaSuccess ? version : 0;
}

std::string pciAddress(int gpu) {
  char text[32] = "";
  return cudaDeviceGetPCIBusId(text, sizeof(text), gpu) == cudaSuccess ? text : "";
}

Json peersOf(int gpu, int count) {
  Json peers = Json::array();
  for (int other = 0; other < count; ++other) {
    int can = 0;
    if (other != gpu && cudaDeviceCanAccessPeer(&can, gpu, other) == cudaSuccess && can != 0) {
      peers.push_back("cuda:" + std::to_string(other));
    }
  }
  return peers;
}

Json usersOf(const Nvml& nvml, const std::string& address) {
  Json users = Json::array();
  for (const GpuUser& user : nvml.otherUsers(address)) {
    users.push_back({{"pid", user.process}, {"name", user.name}, {"memory_bytes", user.memory}});
  }
  return users;
}

DeviceInfo describeGpu(int gpu, int count, const Nvml& nvml) {
  DeviceInfo info;
  info.id = "cuda:" + std::to_string(gpu);
  info.kind = "gpu";
  cudaDeviceProp properties{};
  const cudaError_t status = cudaGetDeviceProperties(&properties, gpu);
  if (status != cudaSuccess) {
    info.name = "NVIDIA GPU";
    info.usable = false;
    info.reason = cudaGetErrorString(status);
    return info;
  }
  const std::string address = pciAddress(gpu);
  info.name = properties.name;
  info.memory = static_cast<Bytes>(properties.totalGlobalMem);
  info.details = Json{{"driver", nvml.driverVersion()},
                      {"driver_needed", kLeastDriver},
                      {"compute_capability",
                       std::to_string(properties.major) + "." + std::to_string(properties.minor)},
                      {"sms", properties.multiProcessorCount},
                      {"pci", address},
                      {"peers", peersOf(gpu, count)},
                      {"users", usersOf(nvml, address)}};
  return info;
}

}  // namespace

int usableGpus() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());  // clears the error for the next caller
    return 0;
  }
  return count;
}

std::string whyNoGpus() {
  const int driver = driverInterface();
  if (driver == 0) {
    return std::string("no NVIDIA driver: install version ") + kLeastDriver + " or newer";
  }
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  static_cast<void>(cudaGetLastError());
  if (status == cudaSuccess && count > 0) return {};
  if (status == cudaErrorInsufficientDriver) {
    return "the NVIDIA driver is for CUDA " + versionText(driver) +
           ", but this engine is for CUDA " + versionText(runtimeInterface()) +
           ": install driver " + kLeastDriver + " or newer";
  }
  if (status == cudaSuccess || status == cudaErrorNoDevice) {
    return "the NVIDIA driver shows no GPU (is CUDA_VISIBLE_DEVICES empty?)";
  }
  return std::string("CUDA reports: ") + cudaGetErrorString(status);
}

std::vector<DeviceInfo> listGpus() {
  const int count = usableGpus();
  const Nvml nvml;
  std::vector<DeviceInfo> gpus;
  for (int gpu = 0; gpu < count; ++gpu) gpus.push_back(describeGpu(gpu, count, nvml));
  return gpus;
}

Json gpuEnvironment() {
  const int driver = driverInterface();
  return Json{{"runtime", versionText(runtimeInterface())},
              {"driver_interface", driver == 0 ? Json(nullptr) : Json(versionText(driver))},
              {"driver", driver == 0 ? Json(nullptr) : Json(Nvml().driverVersion())},
              {"gpus", usableGpus()}};
}

}  // namespace stagelane::run
