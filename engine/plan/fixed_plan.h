#pragma once

/// The stages and orders that were found for an experiment, as a file beside it: handed to the
/// engine by whoever showed them, and kept in the run folder. The experiment itself stays as the
/// user wrote it.

#include <string>

#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/plan/experiment.h"

namespace stagelane::plan {

/// `{"stagelane_plan": 1, "variants": {ID: {"stages": […], "order": TEXT}}}`: the variants whose
/// stages are fixed, `order` where that of `auto` is.
[[nodiscard]] Json fixedPlan(const Experiment& experiment);

/// Fixes what is open in the experiment and said in the plan; leaves all else as it is. `source` (a
/// path) begins the place that errors name.
/// @errors Invalid: no such plan, or stages that are not those of the model
[[nodiscard]] Status applyFixedPlan(const Json& plan, const std::string& source,
                                    Experiment& experiment);

}  // namespace stagelane::plan
