#include "profiler/capture/action_id.h"

namespace stagelane::capture::detail {
namespace {

constexpr std::uint64_t kShort = 0xFFFF;
constexpr std::uint64_t kLong = 0xFFFFFFFF;
constexpr int kStageShift = 32;
constexpr int kDeviceShift = 48;

/// Stores value + 1, so that 0 means no value.
std::uint64_t packed(std::int32_t value, std::uint64_t largest) {
  const auto next = static_cast<std::uint64_t>(std::int64_t{value} + 1);
  return value < 0 || next > largest ? 0 : next;
}

std::int32_t unpacked(std::uint64_t field) {
  return static_cast<std::int32_t>(static_cast<std::int64_t>(field) - 1);
}

}  // namespace

std::uint64_t packAction(const ActionTag& tag) {
  return packed(tag.device, kShort) << kDeviceShift |
         packed(tag.stage.value, kShort) << kStageShift | packed(tag.microBatch.value, kLong);
}

ActionTag unpackAction(std::uint64_t id) {
  return {unpacked(id >> kDeviceShift), StageId{unpacked(id >> kStageShift & kShort)},
          MicroBatchId{unpacked(id & kLong)}};
}

}  // namespace stagelane::capture::detail
