#pragma once

/// How a schedule assigns the stages of a model to devices. Rows are device numbers, in the order
/// of the stages.

#include <cstddef>
#include <vector>

namespace stagelane::schedule {

/// The stage layout that a schedule requires.
enum class StageLayout {
  Free,          ///< as in the plan
  OnePerDevice,  ///< stage s on row s
  Loop,          ///< stage s on row s mod p, v stages per row
  V,             ///< stages d and 2p−1−d on row d
};

struct ScheduleLayout {
  StageLayout layout = StageLayout::Free;
  int chunks = 1;  ///< default number of stages per device
};

/// Maximum number of stages per device.
inline constexpr int kMostChunks = 1024;

/// Rows of the stages, in stage order; `Free` is laid out as `Loop`. @pre chunks is 1 for
/// OnePerDevice, 2 for V
[[nodiscard]] std::vector<int> rowsOfStages(StageLayout layout, int devices, int chunks);

/// The number of stages in each run of blocks, where consecutive stages on one device form one run;
/// empty if the runs are on other devices. `rows` and `runs` are device numbers.
[[nodiscard]] std::vector<std::size_t> stagesInRuns(const std::vector<int>& rows,
                                                    const std::vector<int>& runs);

}  // namespace stagelane::schedule
