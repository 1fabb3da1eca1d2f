#pragma once

/// The devices that run one stage. schedule/stage_rows.h says how its replicas share a batch.

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/ids.h"

namespace stagelane::plan {

/// One device for each replica of the stage: copies that share weights and split the batch.
class DeviceGroup {
 public:
  DeviceGroup() : DeviceGroup(DeviceId{}) {}
  /// A device is a group of one.
  DeviceGroup(DeviceId device) : m_devices{std::move(device)} {}  // NOLINT(google-explicit-*)
  /// @pre at least one device
  explicit DeviceGroup(std::vector<DeviceId> replicas) : m_devices(std::move(replicas)) {}

  [[nodiscard]] std::size_t size() const { return m_devices.size(); }
  [[nodiscard]] auto begin() const { return m_devices.begin(); }
  [[nodiscard]] auto end() const { return m_devices.end(); }
  /// The device of the first replica: the only one in a group of one.
  [[nodiscard]] const DeviceId& first() const { return m_devices.front(); }
  [[nodiscard]] const DeviceId& operator[](std::size_t replica) const { return m_devices[replica]; }
  [[nodiscard]] bool contains(const DeviceId& device) const {
    return std::find(begin(), end(), device) != end();
  }
  /// `cpu:0`, and `cpu:0+cpu:1` for two replicas.
  [[nodiscard]] std::string text() const {
    std::string text = first().value;
    for (std::size_t replica = 1; replica < size(); ++replica)
      text += "+" + m_devices[replica].value;
    return text;
  }
  friend bool operator==(const DeviceGroup&, const DeviceGroup&) = default;

 private:
  std::vector<DeviceId> m_devices;
};

}  // namespace stagelane::plan
