#pragma once

/// Rounds the parts of a whole so that the displayed values add up.

#include <cstdint>
#include <vector>

#include "engine/base/ids.h"

namespace stagelane {

/// Distributes `units` in proportion to `parts`, by largest remainder; all zero if `parts` sum to
/// zero.
[[nodiscard]] std::vector<std::int64_t> apportioned(const std::vector<TimeNs>& parts,
                                                    std::int64_t units);

/// Percentages of a step, `busy` first, then `idle`, that add up to exactly 100. Each group also
/// adds up to its own rounded total, so a summary and its breakdown agree.
[[nodiscard]] std::vector<double> roundedBusyAndIdle(const std::vector<TimeNs>& busy,
                                                     const std::vector<TimeNs>& idle, int decimals);

}  // namespace stagelane
