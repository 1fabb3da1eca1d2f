#include "engine/run/device/cuda_partition.h"

#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <vector>

#include "engine/run/device/cuda_context_event.h"
#include "engine/run/device/cuda_driver.h"
#include "engine/run/device/event_trial.h"

namespace stagelane::run {
namespace {

/// All partitions of one GPU.
struct Split {
  int parts = 0;
  std::vector<GpuPartition> partitions;
};

/// Makes a split, step by step; errors name the driver's function and its return code.
class Splitter {
 public:
  Splitter(const CudaDriver& driver, int gpu, int parts)
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
      split.partitions.push_back(std::move(*partition));
    }
    return split;
  }

 private:
  [[nodiscard]] Status check(const char* function, CUresult result) const {
    if (result == CUDA_SUCCESS) return {};
    return fail(ErrorCode::EngineFailure,
                "cuda:" + std::to_string(m_gpu) + " cannot be divided into " +
                    std::to_string(m_parts) + ": " + function + " returned " +
                    m_driver.nameOf(result),
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
    CUgreenCtx green = nullptr;
    CUcontext context = nullptr;
    CUdevResource got{};
    CUstream stream = nullptr;
    STAGELANE_CHECK(
        check("cuDevResourceGenerateDesc", m_driver.resourceGenerateDesc(&description, &group, 1)));
    STAGELANE_CHECK(
        check("cuGreenCtxCreate",
              m_driver.greenCtxCreate(&green, description, device, CU_GREEN_CTX_DEFAULT_STREAM)));
    STAGELANE_CHECK(check("cuGreenCtxGetDevResource",
                          m_driver.greenCtxGetDevResource(green, &got, CU_DEV_RESOURCE_TYPE_SM)));
    STAGELANE_CHECK(check("cuCtxFromGreenCtx", m_driver.ctxFromGreenCtx(&context, green)));
    STAGELANE_CHECK(
        check("cuGreenCtxStreamCreate",
              m_driver.greenCtxStreamCreate(&stream, green, CU_STREAM_NON_BLOCKING, 0)));
    return partitionOf(stream, context, got.sm.smCount);
  }

  /// Chooses the events by a trial.
  [[nodiscard]] GpuPartition partitionOf(CUstream stream, CUcontext context,
                                         unsigned int sms) const {
    const auto gpu = static_cast<c10::DeviceIndex>(m_gpu);
    const c10::cuda::CUDAGuard onDevice(gpu);
    const c10::Stream compute = c10::cuda::getStreamFromExternal(stream, gpu).unwrap();
    const c10::Stream copy = c10::cuda::getStreamFromPool(/*isHighPriority=*/false, gpu).unwrap();
    GpuPartition partition{compute, 0, sms};
    if (!eventsWork(c10Events(c10::kCUDA), compute, copy)) {
      partition.events = cudaContextEvents(m_driver, context);
    }
    return partition;
  }

  const CudaDriver& m_driver;  ///< lives until the process ends
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
  const Result<CudaDriver>& driver = cudaDriver();
  STAGELANE_CHECK(driver);
  return Splitter(*driver, gpu, parts).split();
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
