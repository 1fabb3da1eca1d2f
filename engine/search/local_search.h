#pragma once

/// Improves an order by small changes: moving an action a few places on its device, merging I and
/// its W into B, splitting B into I and W.

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
  GoesOn goesOn = {};      ///< polled every few timings
};

/// The best order found within the limits, never slower than the start; it fits the workload.
/// @source late acceptance: Burke and Bykov, "The late acceptance hill-climbing heuristic",
/// European Journal of Operational Research 258 (2017); moves along the critical path: van
/// Laarhoven, Aarts and Lenstra, "Job shop scheduling by simulated annealing", Operations Research
/// 40 (1992)
[[nodiscard]] Timed improve(const Workload& workload, Timed start, const ClimbLimits& limits,
                            Random& random);

/// Merges adjacent I and W into B where that does not lengthen the step: one after another, of more
/// than `plays` either all at once or the first ones.
[[nodiscard]] Timed joined(const Workload& workload, Timed start, std::int64_t plays);

}  // namespace stagelane::search
