#pragma once

/// The part of validation that considers all rows together. Internal to engine/schedule.

#include <optional>
#include <string_view>

#include "engine/base/result.h"
#include "engine/schedule/lowering.h"

namespace stagelane::schedule::detail {

/// "device row 1: 1B1 (stage 1, micro-batch 1) WHAT".
[[nodiscard]] Status unsound(std::size_t row, const LoweredAction& action, std::string_view what);

/// Runs the rows without durations. A ready action is never blocked by another one, so if this run
/// completes, every timing does.
/// @pre each row by itself is complete and in order
/// @errors Invalid naming the first row that waits forever, and where
[[nodiscard]] Status checkProgress(const LoweredSchedule& lowered,
                                   std::optional<int> channelCapacity);

}  // namespace stagelane::schedule::detail
