#pragma once

/// Imagined devices predict the cost of a plan on hardware that is not present. Each resembles a
/// real device, with a relative speed and optionally another memory size. They never run.

#include <optional>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/plan/device.h"

namespace stagelane::plan {

struct Experiment;
struct Variant;

/// Limit of the speed factor between an imagined device and its model.
inline constexpr double kMostSpeed = 1e6;

[[nodiscard]] bool isImagined(const DeviceSpec& device);
/// The device whose times and links apply to `device`: the one it is like if it is imagined and
/// listed, else itself.
[[nodiscard]] DeviceId realDevice(const DeviceSpec& device);
[[nodiscard]] DeviceId realDevice(const std::vector<DeviceSpec>& devices, const DeviceId& device);
/// Whether it is a CPU worker, or imagined like one.
[[nodiscard]] bool isCpuWorker(const std::vector<DeviceSpec>& devices, const DeviceId& device);

/// The first imagined device on which a variant has a stage; empty if the variant can run.
[[nodiscard]] std::optional<DeviceId> imaginedDeviceOf(const Experiment& experiment,
                                                       const Variant& variant);

/// Checks that included variants use real devices only. @errors Invalid, at the imagined device
[[nodiscard]] Status requireReal(const Experiment& experiment);

}  // namespace stagelane::plan
