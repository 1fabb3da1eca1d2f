#include "engine/run/device/gpu_platform.h"

#include <utility>

#ifdef STAGELANE_WITH_CUDA
#include "engine/run/device/cuda_platform.h"
#endif

namespace stagelane::run {
namespace {

std::unique_ptr<GpuPlatform> platformOfThisBuild() {
#ifdef STAGELANE_WITH_CUDA
  return makeCudaPlatform();
#else
  return nullptr;
#endif
}

std::unique_ptr<GpuPlatform>& current() {
  static std::unique_ptr<GpuPlatform> platform = platformOfThisBuild();
  return platform;
}

}  // namespace

GpuPlatform* gpuPlatform() { return current().get(); }

std::unique_ptr<GpuPlatform> setGpuPlatform(std::unique_ptr<GpuPlatform> platform) {
  return std::exchange(current(), std::move(platform));
}

}  // namespace stagelane::run
