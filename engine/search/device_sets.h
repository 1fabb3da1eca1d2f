#pragma once

/// The sets of devices that a search tries besides all of them, because a slow device can make a
/// step longer than its absence. Pure.

#include <vector>

#include "engine/base/result.h"
#include "engine/plan/experiment.h"
#include "engine/predict/block_costs.h"

namespace stagelane::search {

/// A micro-batch through all blocks on each device, per block. @units nanoseconds
using DeviceTimes = std::vector<std::vector<double>>;
/// F + B of each block (for inference F) on each listed device.
/// @errors Invalid: the costs lack a block or device
[[nodiscard]] Result<DeviceTimes> deviceTimes(const plan::Experiment& experiment,
                                              predict::BlockCostSource& source,
                                              std::int64_t samples);

/// Sets of positions in the list, each ascending, without the set of all and the empty one: of up
/// to four devices every set, of more the k fastest for each k, since all sets would be too many.
[[nodiscard]] std::vector<std::vector<int>> deviceSets(const DeviceTimes& times);

}  // namespace stagelane::search
