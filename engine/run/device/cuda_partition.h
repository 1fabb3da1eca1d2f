#pragma once

/// Partitions of one GPU: its multiprocessors (SMs) divided into equal disjoint groups by CUDA
/// green contexts. Only computing is divided: memory, L2 cache and copy engines stay shared, and
/// CUDA promises no concurrent progress. The driver's functions are looked up at run time, because
/// a program linked with libcuda does not start on a machine without a driver.

#include <c10/cuda/CUDAStream.h>

#include "engine/base/result.h"
#include "engine/plan/device.h"

namespace stagelane::run {

/// A partition's own compute stream; it lives until the process ends, since LibTorch's caching
/// allocator remembers every stream that memory was used on.
struct CudaPartition {
  cudaStream_t stream = nullptr;
  unsigned int smsAsked = 0;
  unsigned int smsGot = 0;  ///< read back: the driver rounds to what the hardware can separate
};

/// The partition `device` names. All partitions of a GPU come from one split, made at the first
/// call; a second split would hand out the same SMs again.
/// @pre the GPU's primary context exists
/// @errors Invalid (too many parts, another number of parts is in use), EngineFailure (driver)
[[nodiscard]] Result<CudaPartition> cudaPartition(const plan::ParsedDevice& device);

}  // namespace stagelane::run
