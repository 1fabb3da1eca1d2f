#include "engine/run/device/backend.h"

#include <utility>

#include "engine/run/device/accelerator_backend.h"
#include "engine/run/device/cpu_backend.h"

namespace stagelane::run {

void leaveOutRepeats(Parcel& parcel) {
  const std::vector<std::int64_t> sizes = parcel.tensor.sizes().vec();
  for (std::int64_t dimension = 0; dimension < parcel.tensor.dim(); ++dimension) {
    if (parcel.tensor.stride(dimension) != 0 || parcel.tensor.size(dimension) <= 1) continue;
    parcel.tensor = parcel.tensor.narrow(dimension, 0, 1);
    parcel.repeatedTo = sizes;
  }
}

at::Tensor unpacked(Parcel& parcel) {
  const at::Tensor tensor = std::move(parcel.tensor);
  return parcel.repeatedTo.empty() ? tensor : tensor.expand(parcel.repeatedTo);
}

Result<std::unique_ptr<Backend>> makeBackend(const DeviceId& id, const BackendOptions& options) {
  STAGELANE_TRY(device, plan::parseDevice(id));
  switch (device->kind) {
    case plan::DeviceKind::CpuWorker: return makeCpuBackend(options);
    case plan::DeviceKind::Gpu:
    case plan::DeviceKind::GpuPartition: return makeAcceleratorBackend(id, *device);
    case plan::DeviceKind::Imagined: break;
  }
  return fail(ErrorCode::Invalid, "device '" + id.value + "' is imagined and cannot run", "devices",
              "use it only for predictions; run on cpu:N or cuda:N");
}

}  // namespace stagelane::run
