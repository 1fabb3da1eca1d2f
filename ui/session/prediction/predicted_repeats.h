#pragma once

/// What a repeat of each pipeline of an experiment is predicted to take: the line that the
/// split-size chart shows before anything is measured, and of what was not measured.

#include <map>
#include <string>

#include "engine/base/goes_on.h"
#include "engine/base/json.h"
#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"

namespace stagelane::ui {

/// What to predict by: the costs where they suffice, else estimates; null costs are estimates.
struct RepeatBasis {
  const predict::CostTable* costs = nullptr;
  plan::MachineDevices machine = {};  ///< for a document that leaves its devices to the machine
  GoesOn goesOn = {};                 ///< where it says no, those so far are the answer
};

/// Seconds by variant id. What cannot be predicted is left out, so is everything of a document that
/// cannot be read. `folder` is where its paths begin.
/// @thread any, blocks as long as the predictions take
[[nodiscard]] std::map<std::string, double> predictedRepeats(const Json& experiment,
                                                             const std::string& folder,
                                                             const RepeatBasis& basis = {});

}  // namespace stagelane::ui
