#include "engine/run/device/cuda_platform.h"

#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/util/Exception.h>
#include <cuda_runtime_api.h>

#include <algorithm>

#include "engine/run/device/cuda_nvml.h"
#include "engine/run/device/cuda_partition.h"
#include "engine/run/device/kernel_architectures.h"

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

/// Of this LibTorch, from the report of its build; empty if it does not say.
const std::vector<std::string>& architecturesOfTorch() {
  static const auto* const kArchitectures = [] {
    try {
      return new auto(kernelArchitectures(at::detail::getCUDAHooks().showConfig()));
    } catch (const c10::Error&) {
      return new std::vector<std::string>();
    }
  }();
  return *kArchitectures;
}

/// Why LibTorch cannot compute on a GPU; "" if it can.
std::string whyNoKernels(const cudaDeviceProp& gpu) {
  const std::vector<std::string>& architectures = architecturesOfTorch();
  if (runsOneOf(architectures, gpu.major, gpu.minor)) return {};
  std::string names;
  for (const std::string& name : architectures) names += (names.empty() ? "" : ", ") + name;
  return "its compute capability is " + std::to_string(gpu.major) + "." +
         std::to_string(gpu.minor) + ", and LibTorch has code for " + names +
         " only: use a torch built for this GPU";
}

/// Why a GPU cannot be used; "" if it can. Creates no context.
std::string whyNotGpu(int gpu) {
  cudaDeviceProp properties{};
  const cudaError_t status = cudaGetDeviceProperties(&properties, gpu);
  if (status == cudaSuccess) return whyNoKernels(properties);
  static_cast<void>(cudaGetLastError());  // clears the error for the next caller
  return cudaGetErrorString(status);
}

/// The first GPU's reason if none can be used, else "".
std::string whyNoneOf(int gpus) {
  for (int gpu = 0; gpu < gpus; ++gpu) {
    if (whyNotGpu(gpu).empty()) return {};
  }
  return "cuda:0: " + whyNotGpu(0);
}

/// Including those that cannot be used.
int countOfAll() {
  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());  // clears the error for the next caller
    return 0;
  }
  return gpus;
}

/// By index, asked once: the driver takes milliseconds.
const std::vector<std::string>& modelsOfAll() {
  static const auto* const kModels = [] {
    auto* models = new std::vector<std::string>();
    for (int gpu = 0; gpu < countOfAll(); ++gpu) {
      cudaDeviceProp properties{};
      const bool known = cudaGetDeviceProperties(&properties, gpu) == cudaSuccess;
      models->emplace_back(known ? properties.name : "");
    }
    static_cast<void>(cudaGetLastError());  // clears the error for the next caller
    return models;
  }();
  return *kModels;
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
  info.reason = whyNoKernels(properties);
  info.usable = info.reason.empty();
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

class CudaPlatform final : public GpuPlatform {
 public:
  [[nodiscard]] c10::DeviceType type() const override { return c10::DeviceType::CUDA; }
  [[nodiscard]] std::string whyNone() const override;
  [[nodiscard]] int count() const override;
  [[nodiscard]] std::vector<DeviceInfo> list() const override;
  [[nodiscard]] Json environment() const override;

  [[nodiscard]] std::string whyNot(int index) const override { return whyNotGpu(index); }
  [[nodiscard]] std::string model(int index) const override {
    return modelsOfAll().at(static_cast<std::size_t>(index));
  }

  /// Any call that needs the device creates its primary context, of which partitions are parts.
  void open(int index) override {
    const c10::cuda::CUDAGuard onDevice(static_cast<c10::DeviceIndex>(index));
    C10_CUDA_CHECK(cudaFree(nullptr));
  }
  [[nodiscard]] Result<GpuPartition> partition(const plan::ParsedDevice& device) override {
    return cudaPartition(device);
  }

  /// The allocator's limit is a fraction of the GPU's memory.
  void setMemoryLimit(int index, Bytes limit) override {
    std::size_t free = 0;
    std::size_t total = 0;
    const c10::cuda::CUDAGuard onDevice(static_cast<c10::DeviceIndex>(index));
    C10_CUDA_CHECK(cudaMemGetInfo(&free, &total));
    const double share =
        static_cast<double>(limit) / static_cast<double>(std::max<std::size_t>(total, 1));
    c10::cuda::CUDACachingAllocator::setMemoryFraction(limit <= 0 ? 1.0 : std::min(1.0, share),
                                                       static_cast<c10::DeviceIndex>(index));
  }
};

int CudaPlatform::count() const { return whyNone().empty() ? countOfAll() : 0; }

std::string CudaPlatform::whyNone() const {
  const int driver = driverInterface();
  if (driver == 0) {
    return std::string("no NVIDIA driver: install version ") + kLeastDriver + " or newer";
  }
  int gpus = 0;
  const cudaError_t status = cudaGetDeviceCount(&gpus);
  static_cast<void>(cudaGetLastError());
  if (status == cudaSuccess && gpus > 0) return whyNoneOf(gpus);
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

std::vector<DeviceInfo> CudaPlatform::list() const {
  const int all = countOfAll();
  const Nvml nvml;
  std::vector<DeviceInfo> gpus;
  for (int gpu = 0; gpu < all; ++gpu) gpus.push_back(describeGpu(gpu, all, nvml));
  return gpus;
}

Json CudaPlatform::environment() const {
  const int driver = driverInterface();
  return Json{{"runtime", versionText(runtimeInterface())},
              {"driver_interface", driver == 0 ? Json(nullptr) : Json(versionText(driver))},
              {"driver", driver == 0 ? Json(nullptr) : Json(Nvml().driverVersion())},
              {"gpus", count()}};
}

}  // namespace

std::unique_ptr<GpuPlatform> makeCudaPlatform() { return std::make_unique<CudaPlatform>(); }

}  // namespace stagelane::run
