#pragma once

/// Partitions of a GPU among the devices of a plan: which ones can be added, and the edits that do
/// it. A GPU is whole or divided in one way (docs/development/gpu.md). Pure functions.

#include <QString>
#include <vector>

#include "engine/base/json.h"
#include "engine/plan/device.h"

namespace stagelane::ui {

/// One way to have a GPU in parts: the rest of a division that the plan has already, a division of
/// a GPU that it has whole, or all parts of one that it does not have.
struct PartitionOffer {
  DeviceId gpu;
  int parts = 2;
  std::vector<DeviceId> added;
  bool divides = false;  ///< the GPU is in the plan whole: its blocks go to the first part
  friend bool operator==(const PartitionOffer&, const PartitionOffer&) = default;
};

/// "Divide cuda:0 into 2 partitions", "Add 4 partitions of cuda:0", "Add cuda:0/2of2".
[[nodiscard]] QString textOf(const PartitionOffer& offer);

/// For the GPUs that are known: those named, and those of the plan. Nothing where there is none.
[[nodiscard]] std::vector<PartitionOffer> partitionOffers(
    const std::vector<plan::DeviceSpec>& listed, const std::vector<DeviceId>& known);

/// The GPU that a device is, or is a part of; its whole name. Empty for others.
[[nodiscard]] DeviceId wholeGpu(const DeviceId& device);

/// Whether a part of that GPU is among the devices.
[[nodiscard]] bool isDivided(const std::vector<plan::DeviceSpec>& listed, const DeviceId& gpu);

/// The document with the parts at the end of its list. Of a GPU that is divided, the first part
/// takes its place, its blocks and, as all parts do, an equal share of its `max_memory`.
[[nodiscard]] Json withPartitions(Json document, const std::vector<plan::DeviceSpec>& listed,
                                  const PartitionOffer& offer);

}  // namespace stagelane::ui
