#pragma once

/// Which one device trains the whole model fastest: what speed-ups over a single device are said
/// against where devices differ. By estimates, which every reader of an experiment has alike, and
/// not by what was measured, which only some have.

#include <cstdint>
#include <vector>

#include "engine/plan/experiment.h"

namespace stagelane::plan {

/// Whether one of the devices may be faster than another, or hold what another does not, as far as
/// the experiment says.
[[nodiscard]] bool devicesDiffer(const Experiment& experiment);

/// Whether the devices are of one kind and speed.
[[nodiscard]] bool equallyFast(const Experiment& experiment, const std::vector<DeviceId>& devices);

enum class SingleDevices {
  Any,   ///< to predict with
  Real,  ///< to run on: no imagined ones
};
/// The fastest device that holds the whole model with micro-batches of `split` samples; of equals,
/// and where none holds it, the first of the list.
[[nodiscard]] DeviceId bestSingleDevice(const Experiment& experiment, std::int64_t split,
                                        SingleDevices among);

}  // namespace stagelane::plan
