#pragma once

/// What breaks a plan although it is kept: a device over its memory, by prediction or when it was
/// run, an imagined device, a schedule that wants other stages or another number of micro-batches.
/// Said of the devices that break it, with a way out that is one edit.

#include <QString>
#include <functional>
#include <optional>
#include <vector>

#include "ui/session/document/plan_edits.h"
#include "ui/session/prediction/plan_suggestions.h"
#include "ui/session/prediction/prediction.h"

namespace stagelane::ui {

enum class ProblemKind { OverBudget, Imagined, Schedule, Failed };

struct PlanProblem {
  ProblemKind kind = ProblemKind::OverBudget;
  DeviceId device;  ///< empty: no device breaks it, but what the variant says
  QString brief;    ///< on a chip: "over budget"
  QString text;     ///< a sentence
};

/// What is asked about: the plan as it is shown. Null where it is not known.
struct PlanQuestion {
  const plan::Experiment* experiment = nullptr;
  const PlanShape* shape = nullptr;
  const PlanPrediction* prediction = nullptr;
  const std::optional<Error>* error = nullptr;  ///< why there is no prediction
  const Json* document = nullptr;  ///< where variant `index` is the plan; null: there is none
  std::size_t index = 0;
  const plan::Variant* variant = nullptr;  ///< null where it cannot be read
  std::string baseFolder;                  ///< of the document
  std::vector<double> weights;             ///< time of each block: what even stages have even
  std::optional<Failure> failure{};        ///< this plan ran out of memory when it was run
  /// Whether a suggestion may be taken. Null: all may.
  std::function<bool(const PlanSuggestion&)> mayTake{};
};
[[nodiscard]] std::vector<PlanProblem> problemsOf(const PlanQuestion& question);

/// The blocks that a problem is about.
[[nodiscard]] std::vector<std::size_t> blocksOf(const PlanProblem& problem, const PlanShape& shape);

/// One edit that ends a problem.
struct PlanFix {
  QString text;  ///< "Move fc to cpu:0"
  std::optional<PlanShape> shape;
  std::optional<PlanSuggestion> suggestion;
  std::optional<Json> document;  ///< the whole document after the edit
  QString problem{};             ///< the sentence of what it ends
};
/// Nothing where no edit is known to end it; one that may not be made where there is no other.
/// `suggestions` may be null.
[[nodiscard]] std::optional<PlanFix> fixOf(const PlanProblem& problem, const PlanQuestion& question,
                                           const PlanSuggestions* suggestions);

}  // namespace stagelane::ui
