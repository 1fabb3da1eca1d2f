#pragma once

/// Why a plan cannot run: a device over its memory, as predicted or in the last run, an imagined
/// device, devices of several hosts, or a schedule that requires other stages or another number of
/// micro-batches. Each problem names its device and may have a fix.

#include <QString>
#include <functional>
#include <optional>
#include <vector>

#include "ui/session/document/plan_edits.h"
#include "ui/session/prediction/plan_suggestions.h"
#include "ui/session/prediction/prediction.h"

namespace stagelane::ui {

enum class ProblemKind { OverBudget, Imagined, Hosts, Schedule, Failed };

struct PlanProblem {
  ProblemKind kind = ProblemKind::OverBudget;
  DeviceId device;  ///< empty: the problem is in the variant, not on a device
  QString brief;    ///< on a chip: "over budget"
  QString text;     ///< a sentence
};

/// The shown plan. Null members are unknown.
struct PlanQuestion {
  const plan::Experiment* experiment = nullptr;
  const PlanShape* shape = nullptr;
  const PlanPrediction* prediction = nullptr;
  const std::optional<Error>* error = nullptr;  ///< why there is no prediction
  const Json* document = nullptr;  ///< contains the plan as variant `index`; may be null
  std::size_t index = 0;
  const plan::Variant* variant = nullptr;  ///< null if it cannot be read
  std::string baseFolder;                  ///< of the document
  std::vector<double> weights;             ///< time of each block, for balancing stages
  std::optional<Failure> failure{};        ///< if this plan ran out of memory in the last run
  /// Whether a suggestion may be applied. Null: all may.
  std::function<bool(const PlanSuggestion&)> mayTake{};
};
[[nodiscard]] std::vector<PlanProblem> problemsOf(const PlanQuestion& question);

/// The blocks that a problem concerns.
[[nodiscard]] std::vector<std::size_t> blocksOf(const PlanProblem& problem, const PlanShape& shape);

/// One edit that fixes a problem.
struct PlanFix {
  QString text;  ///< "Move fc to cpu:0"
  std::optional<PlanShape> shape;
  std::optional<PlanSuggestion> suggestion;
  std::optional<Json> document;  ///< the whole document after the edit
  QString problem{};             ///< text of the problem that it fixes
};
/// Nothing if no fix is known; a fix that may not be applied only if there is no other.
/// `suggestions` may be null.
[[nodiscard]] std::optional<PlanFix> fixOf(const PlanProblem& problem, const PlanQuestion& question,
                                           const PlanSuggestions* suggestions);

}  // namespace stagelane::ui
