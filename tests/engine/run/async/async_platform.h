#pragma once

/// The asynchronous test devices as the engine's GPUs: `cuda:0` to `cuda:3` in an experiment.

#include <memory>

#include "engine/run/device/gpu_platform.h"

namespace stagelane::run::test {

/// A partition is one more stream of its device.
[[nodiscard]] std::unique_ptr<GpuPlatform> makeAsyncPlatform();

}  // namespace stagelane::run::test
