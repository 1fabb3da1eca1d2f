#pragma once

/// NVIDIA GPUs for the rest of engine/run; needs no CUDA header. Implemented in the files named
/// cuda_*, which are compiled only with CUDA (STAGELANE_WITH_CUDA).

#include "engine/plan/device.h"
#include "engine/run/device/backend.h"
#include "engine/run/engine.h"

namespace stagelane::run {

/// A GPU or a partition of one. @errors DeviceMissing, Invalid (an impossible partition)
[[nodiscard]] Result<std::unique_ptr<Backend>> makeGpuBackend(const DeviceId& id,
                                                              const plan::ParsedDevice& device);

/// Number of GPUs that the CUDA runtime can use now; 0 without a driver.
[[nodiscard]] int usableGpus();
/// Why the CUDA runtime can use no GPU: "no NVIDIA driver …"; "" if it can.
[[nodiscard]] std::string whyNoGpus();
/// The GPUs the CUDA runtime sees, with driver, memory, peers, other users and SM count.
[[nodiscard]] std::vector<DeviceInfo> listGpus();
/// Versions of driver and runtime, for environment.json.
[[nodiscard]] Json gpuEnvironment();

}  // namespace stagelane::run
