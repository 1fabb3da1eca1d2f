#pragma once

/// The predicted time of a repeat for each pipeline of an experiment: the line that the split-size
/// chart shows for unmeasured variants.

#include <map>
#include <string>

#include "engine/base/goes_on.h"
#include "engine/base/json.h"
#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"

namespace stagelane::ui {

/// The costs if they suffice, else estimates; null costs are estimates.
struct RepeatBasis {
  const predict::CostTable* costs = nullptr;
  plan::MachineDevices machine = {};  ///< for documents that leave their devices to the machine
  GoesOn goesOn = {};                 ///< if it returns false, the results so far are returned
};

/// Seconds by variant id, without variants that cannot be predicted or read. `folder` resolves
/// relative paths.
/// @thread any, blocks while predicting
[[nodiscard]] std::map<std::string, double> predictedRepeats(const Json& experiment,
                                                             const std::string& folder,
                                                             const RepeatBasis& basis = {});

}  // namespace stagelane::ui
