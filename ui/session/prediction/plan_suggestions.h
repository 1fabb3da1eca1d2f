#pragma once

/// Changes that would shorten a plan's step: another split size, schedule or placement, or all
/// three. Each is predicted with the plan's own costs and compared with the current plan. Pure
/// functions for another thread; applying a suggestion is an edit of the document.

#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/base/goes_on.h"
#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"
#include "engine/predict/prediction.h"
#include "engine/search/kinds.h"

namespace stagelane::ui {

/// The plan with another split size: a point of the curve.
struct SplitPoint {
  std::int64_t splitSize = 0;
  TimeNs stepNs = 0;
  bool overBudget = false;
};

enum class SuggestionKind { Split, Schedule, Placement, Everything };

/// A predicted plan and what it changes.
struct PlanSuggestion : predict::StepPrediction {
  SuggestionKind kind = SuggestionKind::Split;
  std::int64_t splitSize = 0;
  std::string schedule;
  std::vector<plan::Stage> stages;
  bool asItIs = false;  ///< same as the current plan
  /// For placements of plans whose stages take turns: whether it is the search's answer, which
  /// balances the stages. (The shortest step of such a plan leaves all but one device idle.)
  std::optional<bool> balanced;
  TimeNs lowerBoundNs = 0;  ///< Placement: of search::Placement; Everything: of search::Suggestion
  double gap = 0.0;         ///< as predict::gapOf
};

/// With the step of the current plan.
struct PlanSuggestions : predict::StepPrediction {
  std::int64_t ownSplit = 0;       ///< of the current plan
  std::vector<SplitPoint> splits;  ///< ascending; of a pipeline
  std::vector<PlanSuggestion> found;
  std::vector<search::KindPlan> pipelines;  ///< the best of each split
  bool fromTable = false;                   ///< predicted with measured costs, not with estimates
  [[nodiscard]] const PlanSuggestion* of(SuggestionKind kind) const;
  /// How much shorter a suggestion's step is than the plan's, as a fraction of it; 0 for none.
  [[nodiscard]] double gain(const PlanSuggestion& suggestion) const;
  /// It fits and the plan does not.
  [[nodiscard]] bool fixes(const PlanSuggestion& suggestion) const;
  /// The gain or the fix justifies an edit.
  [[nodiscard]] bool worthAnEdit(const PlanSuggestion& suggestion) const;
  /// The point of `splits` to take: the plan's own unless another justifies an edit; nothing if no
  /// split fits.
  [[nodiscard]] std::optional<std::size_t> bestSplit() const;
};
using PlanSuggestionsPtr = std::shared_ptr<const PlanSuggestions>;

/// Uses the table if it covers all that is compared, else estimates; null: estimates. Returns what
/// was found so far once `goesOn` returns false.
/// @thread any; pure. @errors Invalid: the plan itself cannot be predicted
[[nodiscard]] Result<PlanSuggestionsPtr> suggestionsFor(const plan::Experiment& experiment,
                                                        const plan::Variant& variant,
                                                        const predict::CostTable* costs,
                                                        const GoesOn& goesOn);

/// Applies the suggestion to variant `index`. A sweep becomes one plan.
[[nodiscard]] Json withSuggestion(Json document, std::size_t index, const model::Model& model,
                                  const PlanSuggestion& suggestion);

/// Adds the suggestion for variant `index`, a sweep, as a plan of its own at `index` + 1, named by
/// its settings ("zb-h1 8").
[[nodiscard]] Json withSuggestionBeside(Json document, std::size_t index, const model::Model& model,
                                        const PlanSuggestion& suggestion);

/// "Split size 12", "Schedule zb-h1", "Optimal placement", "Best pipeline found": the name of the
/// step.
[[nodiscard]] QString suggestionTitle(const PlanSuggestion& suggestion);
/// Title of a suggested placement that the plan already has. The curve of cuts may show a faster
/// one if the difference is below the accuracy of the costs.
[[nodiscard]] QString ownPlacementTitle(const PlanSuggestion& placement);
/// A sentence on the suggestion: the proof of a placement, what is changed.
[[nodiscard]] QString suggestionText(const PlanSuggestion& suggestion);

}  // namespace stagelane::ui
