#include "engine/run/device/cuda_partition.h"

#include <c10/cuda/CUDAStream.h>
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <vector>

namespace stagelane::run {
namespace {

/// The driver functions for green contexts.
struct Driver {
  decltype(&::cuDeviceGet) deviceGet = nullptr;
  decltype(&::cuDeviceGetDevResource) deviceGetDevResource = nullptr;
  decltype(&::cuDevSmResourceSplitByCount) smResourceSplitByCount = nullptr;
  decltype(&::cuDevResourceGenerateDesc) resourceGenerateDesc = nullptr;
  decltype(&::cuGreenCtxCreate) greenCtxCreate = nullptr;
  decltype(&::cuGreenCtxGetDevResource) greenCtxGetDevResource = nullptr;
  decltype(&::cuGreenCtxStreamCreate) greenCtxStreamCreate = nullptr;
  decltype(&::cuGetErrorName) getErrorName = nullptr;
};

/// The driver interface version that this file was compiled for.
constexpr unsigned int kDriverInterface = CUDA_VERSION;

/// Looks up one function; `missing` keeps the first one that the driver lacks.
template <class Function>
void lookUp(const char* name, Function& function, std::string& missing) {
  void* address = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  const cudaError_t status =
      cudaGetDriverEntryPointByVersion(name, &address, kDriverInterface, cudaEnableDefault, &found);
  if (status == cudaSuccess && found == cudaDriverEntryPointSuccess) {
    function = reinterpret_cast<Function>(address);
  } else if (missing.empty()) {
    missing = name;
  }
}

Result<Driver> driver() {
  Driver functions;
  std::string missing;
  lookUp("cuDeviceGet", functions.deviceGet, missing);
  lookUp("cuDeviceGetDevResource", functions.deviceGetDevResource, missing);
  lookUp("cuDevSmResourceSplitByCount", functions.smResourceSplitByCount, missing);
  lookUp("cuDevResourceGenerateDesc", functions.resourceGenerateDesc, missing);
  lookUp("cuGreenCtxCreate", functions.greenCtxCreate, missing);
  lookUp("cuGreenCtxGetDevResource", functions.greenCtxGetDevResource, missing);
  lookUp("cuGreenCtxStreamCreate", functions.greenCtxStreamCreate, missing);
  lookUp("cuGetErrorName", functions.getErrorName, missing);
  if (!missing.empty()) {
    return fail(ErrorCode::EngineFailure,
                "the NVIDIA driver lacks " + missing + ", which GPU partitions need", "",
                "install a driver of version 580 or newer, or use the whole GPU");
  }
  return functions;
}

/// All partitions of one GPU.
struct Split {
  int parts = 0;
  std::vector<GpuPartition> partitions;
};

/// Makes a split, step by step; errors name the driver's function and its return code.
class Splitter {
 public:
  Splitter(const Driver& driver, int gpu, int parts)
      : m_driver(driver), m_gpu(gpu), m_parts(parts) {}

  Result<Split> split() {
    CUdevice device = 0;
    CUdevResource whole{};
    STAGELANE_CHECK(check("cuDeviceGet", m_driver.deviceGet(&device, m_gpu)));
    STAGELANE_CHECK(check("cuDeviceGetDevResource",
                          m_driver.deviceGetDevResource(device, &whole, CU_DEV_RESOURCE_TYPE_SM)));
    STAGELANE_TRY(groups, divide(whole));
    Split split{m_parts, {}};
    for (CUdevResource& group : *groups) {
      STAGELANE_TRY(partition, open(device, group));
      partition->smsAsked = whole.sm.smCount / static_cast<unsigned int>(m_parts);
      split.partitions.push_back(*partition);
    }
    return split;
  }

 private:
  [[nodiscard]] Status check(const char* function, CUresult result) const {
    if (result == CUDA_SUCCESS) return {};
    const char* name = nullptr;
    m_driver.getErrorName(result, &name);
    return fail(ErrorCode::EngineFailure,
                "cuda:" + std::to_string(m_gpu) + " cannot be divided into " +
                    std::to_string(m_parts) + ": " + function + " returned " +
                    (name == nullptr ? std::to_string(static_cast<int>(result)) : name),
                "devices", "use the whole GPU, or fewer partitions");
  }

  /// One call for all groups, so that they are equal and disjoint.
  Result<std::vector<CUdevResource>> divide(const CUdevResource& whole) const {
    const auto parts = static_cast<unsigned int>(m_parts);
    const unsigned int step = std::max(1U, whole.sm.smCoscheduledAlignment);
    const unsigned int each = whole.sm.smCount / parts / step * step;
    if (each < std::max(1U, whole.sm.minSmPartitionSize)) {
      return fail(ErrorCode::Invalid,
                  "cuda:" + std::to_string(m_gpu) + " has " + std::to_string(whole.sm.smCount) +
                      " SMs, too few for " + std::to_string(m_parts) + " partitions of at least " +
                      std::to_string(whole.sm.minSmPartitionSize),
                  "devices", "use fewer partitions");
    }
    std::vector<CUdevResource> groups(parts);
    unsigned int made = parts;
    STAGELANE_CHECK(
        check("cuDevSmResourceSplitByCount",
              m_driver.smResourceSplitByCount(groups.data(), &made, &whole, nullptr, 0, each)));
    if (made < parts) {
      return fail(ErrorCode::Invalid,
                  "cuda:" + std::to_string(m_gpu) + " can be divided into " + std::to_string(made) +
                      " partitions, not " + std::to_string(m_parts),
                  "devices", "use fewer partitions");
    }
    return groups;
  }

  Result<GpuPartition> open(CUdevice device, CUdevResource& group) const {
    CUdevResourceDesc description = nullptr;
    CUgreenCtx context = nullptr;
    CUdevResource got{};
    CUstream stream = nullptr;
    Status status =
        check("cuDevResourceGenerateDesc", m_driver.resourceGenerateDesc(&description, &group, 1));
    if (status) {
      status = check("cuGreenCtxCreate", m_driver.greenCtxCreate(&context, description, device,
                                                                 CU_GREEN_CTX_DEFAULT_STREAM));
    }
    if (status) {
      status = check("cuGreenCtxGetDevResource",
                     m_driver.greenCtxGetDevResource(context, &got, CU_DEV_RESOURCE_TYPE_SM));
    }
    if (status) {
      status = check("cuGreenCtxStreamCreate",
                     m_driver.greenCtxStreamCreate(&stream, context, CU_STREAM_NON_BLOCKING, 0));
    }
    STAGELANE_CHECK(status);
    const auto index = static_cast<c10::DeviceIndex>(m_gpu);
    return GpuPartition{c10::cuda::getStreamFromExternal(stream, index).unwrap(), 0,
                        got.sm.smCount};
  }

  const Driver& m_driver;
  int m_gpu;
  int m_parts;
};

/// The splits of this process, by GPU. Global, because they are a property of the hardware.
struct Splits {
  std::mutex mutex;  ///< guards ofGpu
  std::map<int, Split> ofGpu;
};
Splits& splits() {
  static auto* const kSplits = new Splits();
  return *kSplits;
}

Result<Split> newSplit(int gpu, int parts) {
  STAGELANE_TRY(functions, driver());
  return Splitter(*functions, gpu, parts).split();
}

}  // namespace

Result<GpuPartition> cudaPartition(const plan::ParsedDevice& device) {
  Splits& all = splits();
  const std::lock_guard<std::mutex> lock(all.mutex);
  auto found = all.ofGpu.find(device.index);
  if (found == all.ofGpu.end()) {
    STAGELANE_TRY(made, newSplit(device.index, device.partitions));
    found = all.ofGpu.emplace(device.index, std::move(*made)).first;
  }
  const Split& split = found->second;
  if (split.parts != device.partitions) {
    return fail(ErrorCode::Invalid,
                "cuda:" + std::to_string(device.index) + " is already divided into " +
                    std::to_string(split.parts) + "; the run also requests " +
                    std::to_string(device.partitions) + " parts",
                "devices", "use the same number of partitions for each GPU");
  }
  return split.partitions.at(static_cast<std::size_t>(device.partition - 1));
}

}  // namespace stagelane::run
