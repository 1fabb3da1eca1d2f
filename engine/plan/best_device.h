#pragma once

/// The device that trains the whole model fastest, which is the base of single-device speed-ups if
/// devices differ. Uses estimates, which, unlike measurements, every reader has.

#include <cstdint>
#include <vector>

#include "engine/plan/experiment.h"

namespace stagelane::plan {

/// Whether the devices may differ in speed or memory, as far as the experiment states.
[[nodiscard]] bool devicesDiffer(const Experiment& experiment);

/// Whether the devices are of one kind and speed.
[[nodiscard]] bool equallyFast(const Experiment& experiment, const std::vector<DeviceId>& devices);

enum class SingleDevices {
  Any,   ///< for predictions
  Real,  ///< for runs: no imagined devices
};
/// The fastest device that holds the whole model with micro-batches of `split` samples; the first
/// in the list on a tie or if none holds it.
[[nodiscard]] DeviceId bestSingleDevice(const Experiment& experiment, std::int64_t split,
                                        SingleDevices among);

}  // namespace stagelane::plan
