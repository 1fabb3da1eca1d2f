#pragma once

/// List scheduling: a free device runs the available action of the highest rank. Rules define the
/// ranks, how long a device waits for an action of higher rank, and how much may be alive.

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
  double noise = 0.0;     ///< upper limit of a random term, drawn for each ranking
  /// How long a device waits for an action of higher rank, in durations of the available one.
  double patience = 0.0;
  std::vector<int> mostLive;  ///< per row, in addition to the workload's limits
  std::vector<char> split;    ///< per stage: I and W instead of B
};

/// The order that results if devices follow the rules. Each stage runs its micro-batches in
/// sequence, and a device always leaves room for the oldest micro-batch. Empty if the limits are
/// too small for one micro-batch.
[[nodiscard]] std::optional<Orders> listSchedule(const Workload& workload, const ListRules& rules,
                                                 Random& random);

}  // namespace stagelane::search
