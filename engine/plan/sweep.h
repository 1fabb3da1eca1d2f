#pragma once

/// Expands one variant and lists of values into the experiments that measure all combinations.
/// Values that can differ within one experiment (split size, schedule, placement, recompute) are
/// measured in one run, interleaved; each batch size is a separate run. Pure. @thread any

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::plan {

/// An empty list keeps the variant's value.
struct SweepSpec {
  std::string variant;  ///< name of an item of `variants`
  std::vector<std::int64_t> splits;
  std::vector<std::string> schedules;
  std::vector<std::string> placements;  ///< modes, or `same as: NAME`
  std::vector<std::string> recomputes;
  std::vector<std::int64_t> batches;
  bool earlyStop = false;
};

struct SweepJob {
  std::string label;  ///< "batch 60"; "" if there is only one
  Json experiment;
};

/// The document's single-device variants remain as the base of the speed-ups. Of the others, only
/// those that a placement refers to remain, not included. The members are named `NAME sweep …`.
/// @errors Invalid (unknown variant, not sweepable, invalid value)
[[nodiscard]] Result<std::vector<SweepJob>> sweepJobs(const Json& document, const SweepSpec& spec);

}  // namespace stagelane::plan
