#include "engine/schedule/forward_only.h"

#include <algorithm>

namespace stagelane::schedule {

Schedule forwardOnly(Schedule schedule) {
  for (std::vector<Action>& row : schedule.actions) {
    row.erase(
        std::remove_if(row.begin(), row.end(),
                       [](const Action& action) { return action.kind != ActionKind::Forward; }),
        row.end());
  }
  schedule.lossMode = LossMode::None;
  return schedule;
}

}  // namespace stagelane::schedule
