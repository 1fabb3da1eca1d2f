#pragma once

/// What a calibration measures between the processes of a run. Pure.

#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/plan/experiment.h"

namespace stagelane::run {

/// Messages in one direction between two ranks.
struct RankLinkPlan {
  int from = 0;
  int to = 0;
  /// Devices of the two ranks that a variant may send between.
  std::vector<std::pair<DeviceId, DeviceId>> devices;

  friend bool operator==(const RankLinkPlan&, const RankLinkPlan&) = default;
};

struct RankPlan {
  std::vector<RankLinkPlan> links;        ///< of each pair of ranks, both directions
  std::vector<std::vector<int>> summing;  ///< groups of ranks that sum gradients together

  friend bool operator==(const RankPlan&, const RankPlan&) = default;
};

/// `dealt` as in plan::ranksOfRows. @errors Invalid, as there
[[nodiscard]] Result<RankPlan> planBetweenRanks(const plan::Experiment& experiment, int ranks,
                                                bool dealt);

}  // namespace stagelane::run
