#pragma once

/// How long processes with CPU workers take to sum tensors (an all-reduce), alone and while they
/// compute. Holds data, its JSON form, and the interpolation between sizes.

#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::predict {

/// An all-reduce while nothing else runs.
struct SumPoint {
  Bytes bytes = 0;
  TimeNs ns = 0;
};

/// Sums between processes of one host. A CPU has no engine for copies: a sum in progress and the
/// computation share its cores, so each makes the other slower.
struct ProcessSums {
  int processes = 2;             ///< that took part in the measurement
  std::vector<SumPoint> points;  ///< ascending bytes, at least one
  double busyFactor = 1.0;       ///< on a sum while the processes compute
  double computeFactor = 1.0;    ///< on a computation while a sum is in progress
  /// Of gradients to the buckets and back; 0: free. @units bytes per second
  double copyBytesPerSecond = 0.0;

  /// Time of an all-reduce between so many processes, from that of the measured number by the
  /// rounds of a ring (all_reduce.h). Linear between the points and beyond the last two; constant
  /// below the first. @pre at least one point, two replicas @units nanoseconds
  [[nodiscard]] double ns(double bytes, int replicas) const;
  /// Time to copy between gradients and buckets. @units nanoseconds
  [[nodiscard]] double copyNs(double bytes) const {
    return copyBytesPerSecond > 0.0 ? 1e9 * bytes / copyBytesPerSecond : 0.0;
  }
};

/// @errors Invalid, with the JSON pointer
[[nodiscard]] Result<ProcessSums> processSumsFromJson(const Json& json, const std::string& pointer);
[[nodiscard]] Json toJson(const ProcessSums& sums);

}  // namespace stagelane::predict
