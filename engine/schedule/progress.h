#pragma once

/// The part of validation that looks at all rows together. Internal to engine/schedule.

#include <optional>
#include <string>

#include "engine/base/result.h"
#include "engine/schedule/lowering.h"

namespace stagelane::schedule::detail {

/// "device row 1: 1B1 (stage 1, micro-batch 1) WHAT".
[[nodiscard]] tl::unexpected<Error> unsound(std::size_t row, const LoweredAction& action,
                                            const std::string& what);

/// Plays the rows without times. An action that may go can never be kept from going by another, so
/// if this play comes to its end, every timing does.
/// @pre the rows are complete and in order, each for itself
/// @errors Invalid naming the first row that waits for ever, and where
[[nodiscard]] Status checkProgress(const LoweredSchedule& lowered,
                                   std::optional<int> channelCapacity);

}  // namespace stagelane::schedule::detail
