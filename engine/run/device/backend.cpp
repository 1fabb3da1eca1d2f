#include "engine/run/device/backend.h"

#include "engine/run/device/cpu_backend.h"
#ifdef STAGELANE_WITH_CUDA
#include "engine/run/device/gpu_backend.h"
#endif

namespace stagelane::run {
namespace {

Result<std::unique_ptr<Backend>> makeGpu(const DeviceId& id, const plan::ParsedDevice& device) {
#ifdef STAGELANE_WITH_CUDA
  return makeGpuBackend(id, device);
#else
  static_cast<void>(device);
  return fail(
      ErrorCode::DeviceMissing, "device '" + id.value + "' needs an engine with CUDA", "devices",
      "this engine was built without CUDA; use CPU workers (cpu:0, cpu:1, ...), or build with "
      "-DSTAGELANE_CUDA=ON");
#endif
}

}  // namespace

Result<std::unique_ptr<Backend>> makeBackend(const DeviceId& id, const BackendOptions& options) {
  STAGELANE_TRY(device, plan::parseDevice(id));
  if (device->rank != 0) {
    return fail(ErrorCode::Invalid,
                "device '" + id.value +
                    "': runs of several processes are not available in this "
                    "version",
                "devices", "use a device of this process, without '@'");
  }
  switch (device->kind) {
    case plan::DeviceKind::CpuWorker: return makeCpuBackend(options);
    case plan::DeviceKind::Gpu:
    case plan::DeviceKind::GpuPartition: return makeGpu(id, *device);
    case plan::DeviceKind::Imagined: break;
  }
  return fail(ErrorCode::Invalid, "device '" + id.value + "' is imagined and cannot run", "devices",
              "use it only for predictions; run on cpu:N or cuda:N");
}

}  // namespace stagelane::run
