#pragma once

/// Accelerators (GPUs) through LibTorch's interface for all of them: nothing here depends on CUDA.

#include "engine/plan/device.h"
#include "engine/run/device/backend.h"

namespace stagelane::run {

/// A GPU or a partition of one. @errors DeviceMissing, Invalid (an impossible partition)
[[nodiscard]] Result<std::unique_ptr<Backend>> makeAcceleratorBackend(
    const DeviceId& id, const plan::ParsedDevice& device);

}  // namespace stagelane::run
