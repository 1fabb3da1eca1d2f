#include "engine/plan/imagined.h"

#include "engine/base/json.h"
#include "engine/plan/experiment.h"
#include "engine/plan/rows.h"

namespace stagelane::plan {
bool isImagined(const DeviceSpec& device) {
  const auto parsed = parseDevice(device.id);
  return device.like.has_value() || (parsed && parsed->kind == DeviceKind::Imagined);
}

DeviceId realDevice(const DeviceSpec& device) { return device.like.value_or(device.id); }

DeviceId realDevice(const std::vector<DeviceSpec>& devices, const DeviceId& device) {
  const DeviceSpec* spec = findDevice(devices, device);
  return spec != nullptr ? realDevice(*spec) : device;
}

bool isCpuWorker(const std::vector<DeviceSpec>& devices, const DeviceId& device) {
  return isCpuWorker(realDevice(devices, device));
}

std::optional<DeviceId> imaginedDeviceOf(const Experiment& experiment, const Variant& variant) {
  for (const DeviceId& row : rowsOf(variant)) {
    const DeviceSpec* device = findDevice(experiment.devices, row);
    if (device != nullptr && isImagined(*device)) return device->id;
  }
  return std::nullopt;
}

Status requireReal(const Experiment& experiment) {
  for (const Variant& variant : experiment.variants) {
    const auto device =
        variant.include ? imaginedDeviceOf(experiment, variant) : std::optional<DeviceId>();
    if (!device) continue;
    const auto place = static_cast<std::size_t>(findDevice(experiment.devices, *device) -
                                                experiment.devices.data());
    return fail(ErrorCode::Invalid,
                "variant \"" + variant.name + "\" uses \"" + device->value +
                    "\", an imagined device, which works for predictions but not for runs",
                childPointer("/devices", place),
                "Move its blocks to a device of this machine, or set \"include\": false in "
                "the variant; use `stagelane predict` for its predicted time");
  }
  return {};
}

}  // namespace stagelane::plan
