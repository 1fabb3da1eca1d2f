#pragma once

/// Edits of an experiment's devices as pure functions: JSON in, JSON out. A device that goes takes
/// no block along: its blocks move to a neighbour in every variant. Judges no plan.

#include <QString>
#include <vector>

#include "engine/base/json.h"
#include "engine/plan/experiment.h"

namespace stagelane::ui {

/// Whether the document names other devices than these, as it may where it cannot be read and
/// these are of the last one that could.
[[nodiscard]] bool listsOthers(const Json& document, const std::vector<plan::DeviceSpec>& devices);
/// The devices of the document, resolved, one by one: `{"auto": 2}` becomes the names it stands
/// for, so that one can be added or taken away.
[[nodiscard]] Json withListedDevices(Json document, const std::vector<plan::DeviceSpec>& devices);
/// The document with a device (a name, or an object) at the end of the list.
[[nodiscard]] Json withDevice(Json document, const std::vector<plan::DeviceSpec>& devices,
                              Json device);
/// What the file says of device `index` replaced; its name stays.
[[nodiscard]] Json withDeviceSettings(Json document, const std::vector<plan::DeviceSpec>& devices,
                                      std::size_t index, const plan::DeviceSpec& settings);
/// Without device `index`; its blocks go to the device before it, or the first to the second.
/// @pre at least two devices
[[nodiscard]] Json withoutDevice(Json document, const std::vector<plan::DeviceSpec>& devices,
                                 std::size_t index);

/// As the file writes it: a name, or an object where there is more to say.
[[nodiscard]] Json deviceJson(const plan::DeviceSpec& device);
/// The first CPU worker, or imagined device, that the list does not have yet.
[[nodiscard]] DeviceId nextCpuWorker(const std::vector<plan::DeviceSpec>& devices);
[[nodiscard]] DeviceId nextImagined(const std::vector<plan::DeviceSpec>& devices);

/// "CPU worker", "imagined, 2× cpu:0", "GPU": what a lane says below its name.
[[nodiscard]] QString deviceText(const plan::DeviceSpec& device);

}  // namespace stagelane::ui
