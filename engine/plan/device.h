#pragma once

/// Devices as a person names them, and what an experiment says about them. Knows nothing of which
/// exist on this machine (engine/run does).

#include <cstdint>
#include <optional>
#include <string>

#include "engine/base/ids.h"
#include "engine/base/result.h"

namespace stagelane::plan {

enum class DeviceKind { CpuWorker, Gpu, GpuPartition, Imagined };

/// A device id taken apart: `cuda:0/1of4@1` → Gpu partition 1 of 4 of GPU 0 on rank 1.
struct ParsedDevice {
  DeviceKind kind = DeviceKind::CpuWorker;
  int index = 0;
  int partition = 0;
  int partitions = 1;
  int rank = 0;
};
/// @errors Invalid, with the forms that are understood
[[nodiscard]] Result<ParsedDevice> parseDevice(const DeviceId& id);
/// False for what is no device. An imagined one is none, whatever it is like.
[[nodiscard]] bool isCpuWorker(const DeviceId& id);

/// One entry of the experiment's `devices`.
struct DeviceSpec {
  DeviceId id;
  std::optional<Bytes> maxMemory;
  std::optional<DeviceId> like;  ///< imagined devices only
  double speed = 1.0;            ///< imagined devices only
};

}  // namespace stagelane::plan
