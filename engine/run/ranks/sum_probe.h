#pragma once

/// All-reduces for a calibration: between members in this process, as between processes on this
/// host (local_ranks.h), or between the ranks of a group.

#include <memory>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/run/ranks/rank_groups.h"

namespace stagelane::run {

/// The median time of an all-reduce of so many bytes of float32 zeros, after a first one.
/// @errors EngineFailure @thread any, all members together; blocks
[[nodiscard]] Result<TimeNs> timeSums(RankGroup& group, Bytes bytes);

/// @thread one at a time
class SumProbe {
 public:
  /// @pre at least two members @errors EngineFailure: they cannot connect. @thread any; blocks
  [[nodiscard]] static Result<std::unique_ptr<SumProbe>> create(int members);
  ~SumProbe();
  SumProbe(const SumProbe&) = delete;
  SumProbe& operator=(const SumProbe&) = delete;

  /// Sums float32 tensors of so many bytes, one of each member, and returns how long it takes from
  /// the first start to the last end. @errors EngineFailure @thread any; blocks
  [[nodiscard]] Result<TimeNs> sum(Bytes bytes);

 private:
  struct Impl;
  explicit SumProbe(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> m_impl;
};

}  // namespace stagelane::run
