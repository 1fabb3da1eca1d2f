#pragma once

/// How a schedule wants the stages of a variant: how many on each device, and in which order the
/// devices come. Internal to engine/plan.

#include <string>
#include <vector>

#include "engine/plan/reading.h"
#include "engine/plan/schedule_names.h"

namespace stagelane::plan::detail {

struct WantedStages {
  StageLayout layout = StageLayout::Free;
  int chunks = 1;             ///< stages a device
  bool fewer = false;         ///< a model of fewer blocks may have fewer stages
  std::vector<int> fileRows;  ///< row of each stage of a CSV schedule
  std::string pointer;        ///< the key that asks for so many stages
};

/// @errors Invalid at `chunks` when the schedule does not have so many
[[nodiscard]] Result<WantedStages> wantedStages(const FileVariant& variant,
                                                const std::string& schedule);

/// Device number of each stage over `devices` devices of the plan.
[[nodiscard]] std::vector<int> devicesOfStages(const WantedStages& wanted, int devices);

/// Runs of blocks as stages: where the layout has stages in a row on one device (the turn of a V,
/// or one device with several chunks), that device's run is split so that the largest part is
/// smallest. Runs that the layout does not have are left as they are: lowering names the rule.
/// `costs` is a cost for each block.
[[nodiscard]] std::vector<Stage> splitRuns(const std::vector<Stage>& runs,
                                           const WantedStages& wanted,
                                           const std::vector<double>& costs);

/// With `chunks` given, that the stages are as many on each device.
/// @errors Invalid at `chunks`
[[nodiscard]] Status checkCount(const FileVariant& variant, const WantedStages& wanted,
                                const std::vector<Stage>& stages);

}  // namespace stagelane::plan::detail
