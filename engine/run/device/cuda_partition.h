#pragma once

/// Partitions of one GPU: CUDA green contexts divide its multiprocessors (SMs) into equal disjoint
/// groups. Only compute is divided: memory, L2 cache and copy engines stay shared, and CUDA does
/// not guarantee concurrent progress.

#include "engine/base/result.h"
#include "engine/plan/device.h"
#include "engine/run/device/gpu_platform.h"

namespace stagelane::run {

/// The partition that `device` names. All partitions of a GPU come from one split, created at the
/// first call; a second split would assign the same SMs again. Whether the GPU's events work on the
/// partition's stream is tried once; where they do not, it has events of its own.
/// @pre the GPU's primary context exists
/// @errors Invalid (too many parts, or another number of parts is in use), EngineFailure (driver)
[[nodiscard]] Result<GpuPartition> cudaPartition(const plan::ParsedDevice& device);

}  // namespace stagelane::run
