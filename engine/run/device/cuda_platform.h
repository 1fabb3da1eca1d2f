#pragma once

/// NVIDIA GPUs. The files named cuda_* are compiled only with CUDA (STAGELANE_WITH_CUDA).

#include "engine/run/device/gpu_platform.h"

namespace stagelane::run {

[[nodiscard]] std::unique_ptr<GpuPlatform> makeCudaPlatform();

}  // namespace stagelane::run
