#pragma once

/// Strong identifiers, and units of raw numbers. A stage cannot be passed where a micro-batch is
/// expected. Times and sizes are plain integers because they are added and compared everywhere;
/// their names carry the unit.

#include <compare>
#include <cstdint>
#include <functional>
#include <string>

namespace stagelane {

using TimeNs = std::int64_t;  ///< nanoseconds
using Bytes = std::int64_t;   ///< bytes

/// An integer that compares only with its own kind; -1 means "none".
template <class Tag>
struct IndexId {
  std::int32_t value = -1;
  [[nodiscard]] constexpr bool valid() const { return value >= 0; }
  friend constexpr auto operator<=>(const IndexId&, const IndexId&) = default;
};

using StageId = IndexId<struct StageTag>;            ///< position in the list of stages
using MicroBatchId = IndexId<struct MicroBatchTag>;  ///< position in the split batch
using BlockId = IndexId<struct BlockTag>;            ///< position in the model's chain

/// Device name as the user writes it: `cuda:0`, `cuda:0/1of4`, `cpu:1`, `sim:0`, `cuda:0@1`.
struct DeviceId {
  std::string value;
  [[nodiscard]] bool valid() const { return !value.empty(); }
  friend auto operator<=>(const DeviceId&, const DeviceId&) = default;
};

}  // namespace stagelane

template <class Tag>
struct std::hash<stagelane::IndexId<Tag>> {
  std::size_t operator()(const stagelane::IndexId<Tag>& id) const noexcept {
    return std::hash<std::int32_t>{}(id.value);
  }
};
template <>
struct std::hash<stagelane::DeviceId> {
  std::size_t operator()(const stagelane::DeviceId& id) const noexcept {
    return std::hash<std::string>{}(id.value);
  }
};
