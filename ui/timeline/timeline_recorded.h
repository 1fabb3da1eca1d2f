#pragma once

/// Operators and kernels are recorded in an extra, untimed repeat, so the step that is shown first
/// may have none. Pure. @thread any

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/trace/trace.h"

namespace stagelane::ui {

/// The step with recorded operators or kernels, if the shown one has none: the one with the same
/// number within its repeat, else the first. Nothing if the shown one has some, or none has. @pre
/// `shown` < steps.size()
[[nodiscard]] std::optional<std::size_t> stepWithOperators(const trace::Trace& trace,
                                                           const std::vector<trace::Step>& steps,
                                                           std::size_t shown);

}  // namespace stagelane::ui
