#pragma once

/// What breaks a plan although it is kept: a device over its memory, an imagined device, a schedule
/// that wants each device's blocks in one run. Said of the blocks that break it, with a way out
/// that is one edit.

#include <QString>
#include <optional>
#include <vector>

#include "ui/models/plan_edits.h"
#include "ui/models/plan_suggestions.h"
#include "ui/models/prediction.h"

namespace stagelane::ui {

enum class ProblemKind { OverBudget, Imagined, Schedule };

struct PlanProblem {
  ProblemKind kind = ProblemKind::OverBudget;
  DeviceId device;
  QString brief;  ///< on a chip: "over budget"
  QString text;   ///< a sentence
};

/// What is asked about: the plan as it is shown. Null where it is not known.
struct PlanQuestion {
  const plan::Experiment* experiment = nullptr;
  const PlanShape* shape = nullptr;
  const PlanPrediction* prediction = nullptr;
  const std::optional<Error>* error = nullptr;  ///< why there is no prediction
  QString strategy;                             ///< as the document says it
};
[[nodiscard]] std::vector<PlanProblem> problemsOf(const PlanQuestion& question);

/// The blocks that a problem is about.
[[nodiscard]] std::vector<std::size_t> blocksOf(const PlanProblem& problem, const PlanShape& shape);

/// One edit that ends a problem.
struct PlanFix {
  QString text;  ///< "Move fc to cpu:0"
  std::optional<PlanShape> shape;
  std::optional<PlanSuggestion> suggestion;
};
/// Nothing where no edit is known to end it. `suggestions` may be null.
[[nodiscard]] std::optional<PlanFix> fixOf(const PlanProblem& problem, const PlanQuestion& question,
                                           const PlanSuggestions* suggestions);

/// Each device's blocks in one run, in the order in which the devices come, as many as before.
[[nodiscard]] PlanShape inRuns(const PlanShape& shape);

}  // namespace stagelane::ui
