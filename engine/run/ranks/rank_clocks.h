#pragma once

/// The relation of the ranks' monotonic clocks, so that their records fit on one time axis. Two
/// processes of one host read the same clock; even so it is measured, not assumed.

#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/run/ranks/rank_groups.h"

namespace stagelane::run {

/// One comparison with the clock of group rank 0.
struct ClockSample {
  TimeNs atNs = 0;      ///< on the clock of rank 0
  TimeNs offsetNs = 0;  ///< the other clock minus that of rank 0
  TimeNs errorNs = 0;   ///< the true offset is within ± this: half of the round trip
};

/// A line through samples, each weighted with its error. Pure.
class ClockEstimate {
 public:
  void add(const ClockSample& sample);
  /// The other clock minus that of rank 0 at a time of rank 0. Without samples 0.
  [[nodiscard]] TimeNs offsetNs(TimeNs atNs) const;
  /// Seconds that the other clock gains in a second; 0 unless samples are apart by a second or
  /// more.
  [[nodiscard]] double drift() const;
  /// The smallest error of a sample; 0 without samples.
  [[nodiscard]] TimeNs errorNs() const;
  /// A time of the other clock on the clock of rank 0.
  [[nodiscard]] TimeNs toFirst(TimeNs otherNs) const;

 private:
  std::vector<ClockSample> m_samples;
};

/// The sample with the shortest of `rounds` round trips for each member.
/// @returns on group rank 0 a sample for each group rank (its own is zero); elsewhere nothing
/// @errors EngineFailure @thread all members together, no other messages in the group; blocks
[[nodiscard]] Result<std::vector<ClockSample>> compareClocks(RankGroup& group, int rounds = 20);

}  // namespace stagelane::run
