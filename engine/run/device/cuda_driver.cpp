#include "engine/run/device/cuda_driver.h"

#include <cuda_runtime_api.h>

namespace stagelane::run {
namespace {

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

Result<CudaDriver> lookUpAll() {
  CudaDriver functions;
  std::string missing;
  lookUp("cuDeviceGet", functions.deviceGet, missing);
  lookUp("cuDeviceGetDevResource", functions.deviceGetDevResource, missing);
  lookUp("cuDevSmResourceSplitByCount", functions.smResourceSplitByCount, missing);
  lookUp("cuDevResourceGenerateDesc", functions.resourceGenerateDesc, missing);
  lookUp("cuGreenCtxCreate", functions.greenCtxCreate, missing);
  lookUp("cuGreenCtxGetDevResource", functions.greenCtxGetDevResource, missing);
  lookUp("cuGreenCtxStreamCreate", functions.greenCtxStreamCreate, missing);
  lookUp("cuCtxFromGreenCtx", functions.ctxFromGreenCtx, missing);
  lookUp("cuCtxPushCurrent", functions.ctxPushCurrent, missing);
  lookUp("cuCtxPopCurrent", functions.ctxPopCurrent, missing);
  lookUp("cuEventCreate", functions.eventCreate, missing);
  lookUp("cuEventDestroy", functions.eventDestroy, missing);
  lookUp("cuEventRecord", functions.eventRecord, missing);
  lookUp("cuEventQuery", functions.eventQuery, missing);
  lookUp("cuEventSynchronize", functions.eventSynchronize, missing);
  lookUp("cuEventElapsedTime", functions.eventElapsedTime, missing);
  lookUp("cuStreamWaitEvent", functions.streamWaitEvent, missing);
  lookUp("cuGetErrorName", functions.getErrorName, missing);
  if (!missing.empty()) {
    return fail(ErrorCode::EngineFailure,
                "the NVIDIA driver lacks " + missing + ", which GPU partitions need", "",
                "install a driver of version 580 or newer, or use the whole GPU");
  }
  return functions;
}

}  // namespace

std::string CudaDriver::nameOf(CUresult result) const {
  const char* name = nullptr;
  getErrorName(result, &name);
  return name == nullptr ? std::to_string(static_cast<int>(result)) : name;
}

const Result<CudaDriver>& cudaDriver() {
  static const auto* const kDriver = new Result<CudaDriver>(lookUpAll());
  return *kDriver;
}

}  // namespace stagelane::run
