#pragma once

/// The driver's functions for partitions. Looked up at run time, because a program linked with
/// libcuda does not start on a machine without a driver.

#include <cuda.h>

#include <string>

#include "engine/base/result.h"

namespace stagelane::run {

struct CudaDriver {
  decltype(&::cuDeviceGet) deviceGet = nullptr;
  decltype(&::cuDeviceGetDevResource) deviceGetDevResource = nullptr;
  decltype(&::cuDevSmResourceSplitByCount) smResourceSplitByCount = nullptr;
  decltype(&::cuDevResourceGenerateDesc) resourceGenerateDesc = nullptr;
  decltype(&::cuGreenCtxCreate) greenCtxCreate = nullptr;
  decltype(&::cuGreenCtxGetDevResource) greenCtxGetDevResource = nullptr;
  decltype(&::cuGreenCtxStreamCreate) greenCtxStreamCreate = nullptr;
  decltype(&::cuCtxFromGreenCtx) ctxFromGreenCtx = nullptr;
  decltype(&::cuCtxPushCurrent) ctxPushCurrent = nullptr;
  decltype(&::cuCtxPopCurrent) ctxPopCurrent = nullptr;
  decltype(&::cuEventCreate) eventCreate = nullptr;
  decltype(&::cuEventDestroy) eventDestroy = nullptr;
  decltype(&::cuEventRecord) eventRecord = nullptr;
  decltype(&::cuEventQuery) eventQuery = nullptr;
  decltype(&::cuEventSynchronize) eventSynchronize = nullptr;
  decltype(&::cuEventElapsedTime) eventElapsedTime = nullptr;
  decltype(&::cuStreamWaitEvent) streamWaitEvent = nullptr;
  decltype(&::cuGetErrorName) getErrorName = nullptr;

  /// "CUDA_ERROR_INVALID_HANDLE"; the number of an unknown one.
  [[nodiscard]] std::string nameOf(CUresult result) const;
};

/// All functions, looked up once. @errors EngineFailure, names the first function that the driver
/// lacks
[[nodiscard]] const Result<CudaDriver>& cudaDriver();

}  // namespace stagelane::run
