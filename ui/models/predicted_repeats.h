#pragma once

/// What a repeat of each pipeline of an experiment is predicted to take: the line that the
/// split-size chart shows before anything is measured, and of what was not measured.

#include <map>
#include <string>

#include "engine/base/json.h"
#include "engine/predict/cost_table.h"

namespace stagelane::ui {

/// Seconds by variant id. What cannot be predicted is left out, so is everything of a document that
/// cannot be read. `folder` is where its paths begin. By the costs where they suffice, else
/// estimated; null costs are estimates.
/// @thread any, blocks as long as the predictions take
[[nodiscard]] std::map<std::string, double> predictedRepeats(const Json& experiment,
                                                             const std::string& folder,
                                                             const predict::CostTable* costs);

}  // namespace stagelane::ui
