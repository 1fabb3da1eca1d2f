#include "engine/record/device_times.h"

namespace stagelane::record {

DeviceResult deviceTimes(const std::vector<std::string>& names, std::size_t index, TimeNs wallNs,
                         const std::array<TimeNs, trace::kCauseCount>& causeNs,
                         const std::vector<std::pair<std::int32_t, TimeNs>>& starvedBy) {
  DeviceResult device;
  device.id = names.at(index);
  for (std::size_t i = 0; i < trace::kCauseCount; ++i) {
    const auto cause = static_cast<trace::Cause>(i);
    if (cause == trace::Cause::Compute && causeNs[i] == 0) continue;
    auto& parts = trace::isBusy(cause) ? device.busy : device.idle;
    parts[std::string(trace::word(cause))] = causeNs[i];
    if (trace::isBusy(cause)) device.busyNs += causeNs[i];
  }
  if (wallNs > 0) {
    device.utilisation = static_cast<double>(device.busyNs) / static_cast<double>(wallNs);
  }
  for (const auto& [blamed, ns] : starvedBy) {
    if (blamed >= 0) device.starvedBy[names.at(static_cast<std::size_t>(blamed))] += ns;
  }
  return device;
}

}  // namespace stagelane::record
