#pragma once

/// Device names as the user writes them, and the device settings of an experiment. Which devices
/// exist on this machine is determined in engine/run.

#include <optional>

#include "engine/base/ids.h"
#include "engine/base/result.h"

namespace stagelane::plan {

enum class DeviceKind { CpuWorker, Gpu, GpuPartition, Imagined };

/// A parsed device id: `cuda:0/1of4@1` → Gpu partition 1 of 4 of GPU 0 on rank 1.
struct ParsedDevice {
  DeviceKind kind = DeviceKind::CpuWorker;
  int index = 0;
  int partition = 0;
  int partitions = 1;
  int rank = 0;
};
/// @errors Invalid, with the accepted forms
[[nodiscard]] Result<ParsedDevice> parseDevice(const DeviceId& id);
/// False for an imagined device, whatever it is like, and for an id that is not valid.
[[nodiscard]] bool isCpuWorker(const DeviceId& id);
/// Likewise for a GPU or a partition of one.
[[nodiscard]] bool isGpu(const DeviceId& id);

/// One entry of the experiment's `devices`.
struct DeviceSpec {
  DeviceId id;
  std::optional<Bytes> maxMemory;
  std::optional<DeviceId> like;  ///< imagined devices only
  double speed = 1.0;            ///< imagined devices only
};

}  // namespace stagelane::plan
