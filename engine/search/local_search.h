#pragma once

/// Improves one order by small changes: an action moves a few places on its device, I and its W
/// become B, B becomes I and W.

#include "engine/base/goes_on.h"
#include "engine/search/random.h"
#include "engine/search/workload.h"

namespace stagelane::search {

struct Timed {
  Orders orders;
  TimeNs stepNs = kNever;
};

struct ClimbLimits {
  std::int64_t plays = 0;  ///< timings
  GoesOn goesOn = {};      ///< asked every few of them
};

/// The best order met within the limits, never slower than the start, and one that fits the
/// workload.
/// @source late acceptance: Burke and Bykov, "The late acceptance hill-climbing heuristic",
/// European Journal of Operational Research 258 (2017); moves along the critical path: van
/// Laarhoven, Aarts and Lenstra, "Job shop scheduling by simulated annealing", Operations Research
/// 40 (1992)
[[nodiscard]] Timed improve(const Workload& workload, Timed start, const ClimbLimits& limits,
                            Random& random);

/// Joins I and W that stand together into B where that makes the step no longer.
[[nodiscard]] Timed joined(const Workload& workload, Timed start);

}  // namespace stagelane::search
