#pragma once

/// Partitions of a GPU among a plan's devices: those that can be added, and the edits that add
/// them. A GPU is either whole or divided in one way (docs/development/gpu.md). Pure functions.

#include <QString>
#include <vector>

#include "engine/base/json.h"
#include "engine/plan/device.h"

namespace stagelane::ui {

/// One way to use a GPU in parts: the rest of a division that the plan has, a division of a GPU
/// that it has whole, or all parts of a GPU that it does not have.
struct PartitionOffer {
  DeviceId gpu;
  int parts = 2;
  std::vector<DeviceId> added;
  bool divides = false;  ///< the plan has the GPU whole: its blocks move to the first part
  friend bool operator==(const PartitionOffer&, const PartitionOffer&) = default;
};

/// "Divide cuda:0 into 2 partitions", "Add 4 partitions of cuda:0", "Add cuda:0/2of2".
[[nodiscard]] QString textOf(const PartitionOffer& offer);

/// For the named GPUs and those of the plan. Empty if there are none.
[[nodiscard]] std::vector<PartitionOffer> partitionOffers(
    const std::vector<plan::DeviceSpec>& listed, const std::vector<DeviceId>& known);

/// The whole GPU that a device is or belongs to; empty for other devices.
[[nodiscard]] DeviceId wholeGpu(const DeviceId& device);

/// Whether a part of that GPU is among the devices.
[[nodiscard]] bool isDivided(const std::vector<plan::DeviceSpec>& listed, const DeviceId& gpu);

/// The document with the parts appended. For a GPU that is divided, the first part takes its
/// position and blocks, and each part an equal share of its `max_memory`.
[[nodiscard]] Json withPartitions(Json document, const std::vector<plan::DeviceSpec>& listed,
                                  const PartitionOffer& offer);

}  // namespace stagelane::ui
