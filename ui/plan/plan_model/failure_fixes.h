#pragma once

/// A plan that ran out of memory although it was predicted to fit: whether it is still the plan of
/// that run, on which device it failed, and an edit that needs less memory there. Pure.

#include <optional>

#include "ui/plan/plan_model/plan_problems.h"

namespace stagelane::ui {

class Session;

/// The failure if the current variant's plan ran out of memory in the last run and has not changed
/// since. Edits of other variants do not matter.
[[nodiscard]] std::optional<Failure> memoryFailureOf(const Session& session);

/// The device is empty if the plan no longer contains it.
/// @pre the question has a failure
[[nodiscard]] PlanProblem problemOfFailure(const PlanQuestion& question);

/// Fewer micro-batches in flight, else smaller ones, else recomputation; recomputation before
/// smaller ones if the schedule keeps all. Nothing for sweeps and plans without micro-batches.
[[nodiscard]] std::optional<PlanFix> fixOfFailure(const PlanQuestion& question);

}  // namespace stagelane::ui
