#pragma once

/// Imagined devices: what a plan would cost on hardware that is not there. Each is like a real
/// device, so many times as fast, perhaps with another memory. They predict and never run.

#include <optional>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/plan/device.h"

namespace stagelane::plan {

struct Experiment;
struct Variant;

/// The most that an imagined device can be faster or slower than what it is like.
inline constexpr double kMostSpeed = 1e6;

[[nodiscard]] bool isImagined(const DeviceSpec& device);
/// What times and links of `device` are looked up by: the device that it is like where it is
/// imagined and listed, else itself.
[[nodiscard]] DeviceId realDevice(const std::vector<DeviceSpec>& devices, const DeviceId& device);
/// Whether it is a CPU worker, or imagined like one.
[[nodiscard]] bool isCpuWorker(const std::vector<DeviceSpec>& devices, const DeviceId& device);

/// The first imagined device on which a variant has a stage; nothing where it can run.
[[nodiscard]] std::optional<DeviceId> imaginedDeviceOf(const Experiment& experiment,
                                                       const Variant& variant);

/// That what runs is real. @errors Invalid: an included variant has a stage on an imagined device,
/// at that device in the file
[[nodiscard]] Status requireReal(const Experiment& experiment);

}  // namespace stagelane::plan
