#pragma once

/// Rounding parts of a whole so that what is shown adds up.

#include <cstdint>
#include <vector>

#include "engine/base/ids.h"

namespace stagelane {

/// `units` dealt out in proportion to `parts`, what is left over by largest remainder; all zero
/// when the parts sum to zero.
[[nodiscard]] std::vector<std::int64_t> apportioned(const std::vector<TimeNs>& parts,
                                                    std::int64_t units);

/// Percentages of a step, those of `busy` and then those of `idle`, that add up to exactly 100.
/// Each of the two groups adds up to its share as that is rounded where it stands alone: whoever
/// says only how long a device was idle says the same as whoever says of what.
[[nodiscard]] std::vector<double> roundedBusyAndIdle(const std::vector<TimeNs>& busy,
                                                     const std::vector<TimeNs>& idle, int decimals);

}  // namespace stagelane
