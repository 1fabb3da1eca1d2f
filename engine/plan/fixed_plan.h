#pragma once

/// The stages and orders found for an experiment, as a separate file that the window passes to the
/// engine and that the run folder keeps. The experiment itself stays as the user wrote it.

#include <string>

#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/plan/experiment.h"

namespace stagelane::plan {

/// `{"stagelane_plan": 1, "variants": {ID: {"stages": […], "order": TEXT}}}`: the variants with
/// fixed stages; `order` if `auto` is resolved.
[[nodiscard]] Json fixedPlan(const Experiment& experiment);

/// Fixes the open parts of the experiment that the plan contains; everything else is unchanged.
/// `source` (a path) is the prefix of error places.
/// @errors Invalid: not a valid plan, or its stages do not match the model
[[nodiscard]] Status applyFixedPlan(const Json& plan, const std::string& source,
                                    Experiment& experiment);

}  // namespace stagelane::plan
