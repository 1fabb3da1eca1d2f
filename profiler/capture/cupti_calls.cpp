#include "profiler/capture/cupti_calls.h"

#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <cuda_runtime_api.h>

#include <exception>

namespace stagelane::capture::detail {
namespace {

class LinkedCupti final : public CuptiCalls {
 public:
  std::string whyNot() override {
    int driver = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) return "no NVIDIA driver";
    int gpus = 0;
    const cudaError_t status = cudaGetDeviceCount(&gpus);
    static_cast<void>(cudaGetLastError());  // clears the error for the next caller
    if (status != cudaSuccess || gpus == 0) {
      return status == cudaSuccess ? "the NVIDIA driver finds no GPU"
                                   : std::string("CUDA reports: ") + cudaGetErrorString(status);
    }
    std::uint32_t version = 0;
    if (cuptiGetVersion(&version) != CUPTI_SUCCESS || version != CUPTI_API_VERSION) {
      return "CUPTI is version " + std::to_string(version) + ", but the engine was compiled for " +
             std::to_string(CUPTI_API_VERSION);
    }
    return {};
  }

  CUptiResult registerClock(CUpti_TimestampCallbackFunc clock) override {
    return cuptiActivityRegisterTimestampCallback(clock);
  }
  CUptiResult useSystemThreads() override {
    return cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
  }
  CUptiResult registerBuffers(CUpti_BuffersCallbackRequestFunc request,
                              CUpti_BuffersCallbackCompleteFunc complete) override {
    return cuptiActivityRegisterCallbacks(request, complete);
  }
  CUptiResult enable(CUpti_ActivityKind kind) override { return cuptiActivityEnable(kind); }
  CUptiResult enableAndDump(CUpti_ActivityKind kind) override {
    return cuptiActivityEnableAndDump(kind);
  }
  CUptiResult disable(CUpti_ActivityKind kind) override { return cuptiActivityDisable(kind); }
  CUptiResult traceRuntimeCall(CUpti_CallbackId call, bool traced) override {
    return cuptiActivityEnableRuntimeApi(call, traced ? 1 : 0);
  }
  CUptiResult traceDriverCall(CUpti_CallbackId call, bool traced) override {
    return cuptiActivityEnableDriverApi(call, traced ? 1 : 0);
  }

  Status synchronizeGpus() override {
    try {
      for (c10::DeviceIndex gpu = 0; gpu < c10::cuda::device_count(); ++gpu) {
        // Skip GPUs without a context: they are idle, and selecting one would create it.
        if (c10::cuda::hasPrimaryContext(gpu)) {
          const c10::cuda::CUDAGuard onGpu(gpu);
          c10::cuda::device_synchronize();
        }
      }
      return {};
    } catch (const std::exception& error) {
      return fail(ErrorCode::EngineFailure,
                  std::string("waiting for the GPUs failed: ") + error.what());
    }
  }
  CUptiResult flushAll(std::uint32_t flags) override { return cuptiActivityFlushAll(flags); }
  CUptiResult droppedRecords(std::size_t& count) override {
    return cuptiActivityGetNumDroppedRecords(nullptr, 0, &count);
  }
  CUptiResult nextRecord(std::uint8_t* buffer, std::size_t size, CUpti_Activity*& record) override {
    return cuptiActivityGetNextRecord(buffer, size, &record);
  }
  std::string textOf(CUptiResult result) override {
    const char* text = nullptr;
    const bool known = cuptiGetResultString(result, &text) == CUPTI_SUCCESS && text != nullptr;
    return known ? text : "error " + std::to_string(static_cast<int>(result));
  }
};

}  // namespace

std::unique_ptr<CuptiCalls> makeCuptiCalls() { return std::make_unique<LinkedCupti>(); }

}  // namespace stagelane::capture::detail
