#pragma once

/// From one variant and lists of values to the experiments that measure all their combinations.
/// What variants of one experiment can differ in (split size, schedule, placement, recompute) is
/// measured in one run, in turns; each batch size is a run of its own. Pure. @thread any

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::plan {

/// An empty list: as the variant has it.
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
  std::string label;  ///< "batch 60"; "" where there is but one
  Json experiment;
};

/// The document's single-device variants stay as the base of the speed-ups; of its others those
/// stay, not included, to which a placement refers. The members are called `NAME sweep …`.
/// @errors Invalid (no such variant, one that cannot be swept, a value that is none)
[[nodiscard]] Result<std::vector<SweepJob>> sweepJobs(const Json& document, const SweepSpec& spec);

}  // namespace stagelane::plan
