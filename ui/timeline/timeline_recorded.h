#pragma once

/// Operators and kernels are recorded in a repeat that no time is taken from, so that the step
/// which a person looks at first may have none. Pure. @thread any

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/trace/trace.h"

namespace stagelane::ui {

/// The step in which operators or kernels are recorded, where the one shown has none of them: the
/// one with the same number within its repeat, else the first. Nothing where the shown one has
/// some, or none has. @pre `shown` < steps.size()
[[nodiscard]] std::optional<std::size_t> stepWithOperators(const trace::Trace& trace,
                                                           const std::vector<trace::Step>& steps,
                                                           std::size_t shown);

}  // namespace stagelane::ui
