#pragma once

/// What the processes of a Hogwild variant told about a repeat, as plain values, and the results
/// made of them. Pure functions, except for `collect`, which reads the shared memory.

#include <array>
#include <cstdint>
#include <vector>

#include "engine/record/rank_results.h"
#include "engine/run/hogwild/shared_state.h"
#include "engine/run/measure/measure.h"

namespace stagelane::run {

/// A kept loss.
struct CollectedLoss {
  std::int64_t number = 0;  ///< of the update, from 0
  int process = 0;
  double loss = 0.0;
};
/// The times of an update, monotonic.
struct CollectedUpdate {
  std::int64_t number = 0;  ///< from 0
  int process = 0;
  std::array<TimeNs, 5> atNs{};  ///< starts of F, LOSS, B, OPT, and the end
};
struct Collected {
  std::int64_t processes = 1;
  bool threads = false;
  std::int64_t updates = 0;             ///< that were made
  TimeNs startNs = 0;                   ///< common start of all processes
  TimeNs endNs = 0;                     ///< of the last update
  std::vector<CollectedLoss> losses;    ///< by number
  std::vector<CollectedUpdate> timed;   ///< the last updates, by number
  std::vector<std::int64_t> staleness;  ///< count of each value; the last place: and above
  std::int64_t mostStale = 0;
  std::vector<Bytes> peakBytes;  ///< by process: its own memory and the shared tensors

  [[nodiscard]] double seconds() const { return static_cast<double>(endNs - startNs) * 1e-9; }
};
/// @pre no process trains, or they may: then of the updates so far
[[nodiscard]] Collected collect(const SharedState& shared, TimeNs startNs);

/// Median, 99 % and largest of the counted values; the smallest value that at least this share of
/// the updates does not exceed.
[[nodiscard]] record::StalenessResult stalenessOf(const Collected& collected);

/// The loss of each process over the updates, as means over at most 200 equal parts of the repeat.
[[nodiscard]] std::vector<record::LossCurve> curvesOf(const Collected& collected);

/// Mean losses over `parts` equal parts of the repeat; fewer if there are fewer losses.
[[nodiscard]] std::vector<double> partLosses(const Collected& collected, std::int64_t parts);

[[nodiscard]] record::HogwildResult hogwildResult(const Collected& collected);

/// The steps of the recorded updates: a step lasts until as many updates were made as there are
/// processes. Steps do not overlap; updates cross their limits. One step for fewer updates.
[[nodiscard]] std::vector<trace::Step> stepsOf(const Collected& collected, int repeat);

/// The repeat as the other strategies measure it. @param batches for the list of losses
[[nodiscard]] RepeatMeasurement measurementOf(const Collected& collected, int repeat,
                                              std::int64_t batches);

}  // namespace stagelane::run
