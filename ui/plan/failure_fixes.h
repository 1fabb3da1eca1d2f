#pragma once

/// A plan that ran out of memory although it was predicted to fit: whether it is still the plan
/// that was run, on which device it was, and the edit that needs less memory there. Pure.

#include <optional>

#include "ui/plan/plan_problems.h"

namespace stagelane::ui {

class Session;

/// Where the current variant's plan, as it is, ran out of memory in the last run; nothing where it
/// did not, or was changed since. Edits of other variants leave it as it was run.
[[nodiscard]] std::optional<Failure> memoryFailureOf(const Session& session);

/// On the device that ran out of memory; on none where it is none of the plan's.
/// @pre the question has a failure
[[nodiscard]] PlanProblem problemOfFailure(const PlanQuestion& question);

/// Fewer micro-batches at a time, else smaller ones, else activations computed twice. Nothing for
/// plans without micro-batches, whose batch is part of what is asked, and for sweeps.
[[nodiscard]] std::optional<PlanFix> fixOfFailure(const PlanQuestion& question);

}  // namespace stagelane::ui
