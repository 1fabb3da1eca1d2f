#pragma once

/// A plan that ran out of memory although it was predicted to fit: whether it is still the plan
/// that was run, on which device it was, and the edit that needs less memory there. Pure.

#include <optional>

#include "ui/plan/plan_problems.h"
#include "ui/session/session.h"

namespace stagelane::ui {

/// Why the current variant's plan, as it is, ran out of memory in the last run; empty where it did
/// not, or was changed since. Edits of other variants leave it as it was run.
[[nodiscard]] QString memoryFailureOf(const Session& session);

/// On the device that the reason begins with; on none where it names none of the plan's.
[[nodiscard]] PlanProblem problemOfFailure(const PlanQuestion& question);

/// Fewer micro-batches at a time, else smaller ones, else activations computed twice. Nothing for
/// plans without micro-batches, whose batch is part of what is asked, and for sweeps.
[[nodiscard]] std::optional<PlanFix> mendOfFailure(const PlanQuestion& question);

}  // namespace stagelane::ui
