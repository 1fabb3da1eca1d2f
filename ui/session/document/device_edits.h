#pragma once

/// Edits of an experiment's devices as pure functions on JSON. The blocks of a removed device move
/// to a neighbor in every variant. Does not judge plans.

#include <QString>
#include <vector>

#include "engine/base/json.h"
#include "engine/plan/experiment.h"

namespace stagelane::ui {

/// Whether the document names other devices than these: if it cannot be read, these are from the
/// last version that could.
[[nodiscard]] bool listsOthers(const Json& document, const std::vector<plan::DeviceSpec>& devices);
/// The document's devices, resolved one by one: `{"auto": 2}` becomes the names it stands for so
/// that one can be added or removed.
[[nodiscard]] Json withListedDevices(Json document, const std::vector<plan::DeviceSpec>& devices);
/// The document with a device (a name or an object) appended.
[[nodiscard]] Json withDevice(Json document, const std::vector<plan::DeviceSpec>& devices,
                              Json device);
/// Replaces the entry of device `index`; its name stays.
[[nodiscard]] Json withDeviceSettings(Json document, const std::vector<plan::DeviceSpec>& devices,
                                      std::size_t index, const plan::DeviceSpec& settings);
/// Without device `index`; its blocks move to the previous device, those of the first to the
/// second. @pre at least two devices
[[nodiscard]] Json withoutDevice(Json document, const std::vector<plan::DeviceSpec>& devices,
                                 std::size_t index);

/// With these devices in place of the listed ones, in their order: what was on the first is on the
/// first. Surplus listed devices are removed. @pre neither list is empty
[[nodiscard]] Json withOtherDevices(Json document, std::vector<plan::DeviceSpec> devices,
                                    const std::vector<DeviceId>& others);

/// As in the file: a name, or an object if it has other members.
[[nodiscard]] Json deviceJson(const plan::DeviceSpec& device);
/// The first CPU worker or imagined device that is not in the list. The worker is on the host of
/// the listed devices, if they are all on one.
[[nodiscard]] DeviceId nextCpuWorker(const std::vector<plan::DeviceSpec>& devices);
[[nodiscard]] DeviceId nextImagined(const std::vector<plan::DeviceSpec>& devices);

/// "CPU worker", "imagined, 2× cpu:0", "GPU": the text below a lane's name.
[[nodiscard]] QString deviceText(const plan::DeviceSpec& device);

}  // namespace stagelane::ui
