#pragma once

/// How a schedule lays the stages of a model out over devices. Rows are numbers of devices, in the
/// order of the stages.

#include <cstddef>
#include <vector>

namespace stagelane::schedule {

/// Where a schedule wants its stages.
enum class StageLayout {
  Free,          ///< as the plan has them
  OnePerDevice,  ///< stage s on row s
  Loop,          ///< stage s on row s mod p, v stages a row
  V,             ///< stages d and 2p−1−d on row d
};

struct ScheduleLayout {
  StageLayout layout = StageLayout::Free;
  int chunks = 1;  ///< stages a device where nothing is said
};

/// Most stages of a device.
inline constexpr int kMostChunks = 1024;

/// Rows of the stages, in stage order; `Free` is laid out as `Loop`. @pre chunks is 1 for
/// OnePerDevice, 2 for V
[[nodiscard]] std::vector<int> rowsOfStages(StageLayout layout, int devices, int chunks);

/// How many stages each run of blocks holds when stages in a row on one device are one run; nothing
/// when the runs are on other devices than that. `rows` and `runs` are numbers of devices.
[[nodiscard]] std::vector<std::size_t> stagesInRuns(const std::vector<int>& rows,
                                                    const std::vector<int>& runs);

}  // namespace stagelane::schedule
