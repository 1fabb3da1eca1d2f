#include "engine/schedule/layout.h"

#include <algorithm>

namespace stagelane::schedule {

std::vector<int> rowsOfStages(StageLayout layout, int devices, int chunks) {
  std::vector<int> rows;
  for (int stage = 0; stage < devices * chunks; ++stage) {
    rows.push_back(layout == StageLayout::V ? std::min(stage, 2 * devices - 1 - stage)
                                            : stage % devices);
  }
  return rows;
}

std::vector<std::size_t> stagesInRuns(const std::vector<int>& rows, const std::vector<int>& runs) {
  std::vector<std::size_t> counts;
  std::size_t stage = 0;
  for (const int run : runs) {
    const std::size_t begin = stage;
    while (stage < rows.size() && rows[stage] == run) ++stage;
    if (stage == begin) return {};
    counts.push_back(stage - begin);
  }
  return stage == rows.size() ? counts : std::vector<std::size_t>{};
}

}  // namespace stagelane::schedule
