#pragma once

/// List scheduling: a device that is free takes, of what it could do now, what stands highest.
/// Rules say what stands high, how long a device waits for something better, and how much may be
/// alive.

#include <optional>
#include <vector>

#include "engine/search/random.h"
#include "engine/search/workload.h"

namespace stagelane::search {

struct ListRules {
  double backward = 3.0;  ///< rank of B and I
  double forward = 2.0;   ///< rank of F
  double weight = 1.0;    ///< rank of W
  double depth = 0.02;    ///< added to F's rank per stage
  double noise = 0.0;     ///< added to every rank: up to this, drawn anew each time
  /// How long a device waits for an action of higher rank, in durations of the one it could do.
  double patience = 0.0;
  std::vector<int> mostLive;  ///< per row, beside the workload's own limits
  std::vector<char> split;    ///< per stage: I and W instead of B
};

/// The order in which devices that follow the rules work. Each stage takes its micro-batches in
/// turn, and a device never fills itself so that the oldest micro-batch cannot pass.
/// Nothing when the limits do not let one micro-batch through.
[[nodiscard]] std::optional<Orders> listSchedule(const Workload& workload, const ListRules& rules,
                                                 Random& random);

}  // namespace stagelane::search
