#pragma once

/// What would make a plan's step shorter: another split size, another schedule, another placement,
/// or all three. Each is predicted with what the plan is predicted with and compared with the plan
/// as it is. Pure functions, for another thread; applying one is an edit of the document.

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

namespace stagelane::ui {

/// The plan with another split size: a point of the curve.
struct SplitPoint {
  std::int64_t splitSize = 0;
  TimeNs stepNs = 0;
  bool overBudget = false;
};

enum class SuggestionKind { Split, Schedule, Placement, Everything };

/// A plan that was predicted, and what it changes.
struct PlanSuggestion {
  SuggestionKind kind = SuggestionKind::Split;
  std::int64_t splitSize = 0;
  std::string schedule;
  std::vector<plan::Stage> stages;
  TimeNs stepNs = 0;
  bool overBudget = false;
  bool asItIs = false;  ///< the plan has it already
  /// Placement of a plan whose stages take turns: whether its own is what the search answers, which
  /// balances the stages. (The shortest step of such a plan leaves all but one device idle.)
  std::optional<bool> balanced;
  TimeNs lowerBoundNs = 0;  ///< Placement and Everything: no cut and no order is shorter
  double gap = 0.0;         ///< stepNs / lowerBoundNs − 1
};

struct PlanSuggestions {
  predict::Basis basis = predict::Basis::Estimate;
  TimeNs stepNs = 0;  ///< of the plan as it is
  bool overBudget = false;
  std::int64_t ownSplit = 0;       ///< of the plan as it is
  std::vector<SplitPoint> splits;  ///< ascending; of a pipeline
  std::vector<PlanSuggestion> found;
  [[nodiscard]] const PlanSuggestion* of(SuggestionKind kind) const;
  /// How much shorter a suggestion's step is than the plan's, as a share of it; 0 for none.
  [[nodiscard]] double gain(const PlanSuggestion& suggestion) const;
  /// It fits where the plan does not.
  [[nodiscard]] bool fixes(const PlanSuggestion& suggestion) const;
  /// Enough is gained, or fixed, for an edit.
  [[nodiscard]] bool worthAnEdit(const PlanSuggestion& suggestion) const;
  /// The point of `splits` to take: the plan's own unless another is worth an edit; nothing where
  /// no split fits.
  [[nodiscard]] std::optional<std::size_t> bestSplit() const;
};
using PlanSuggestionsPtr = std::shared_ptr<const PlanSuggestions>;

/// By the table where it suffices for all that is compared, else by estimates; null: estimates.
/// Where `goesOn` says no, what was found so far is the answer.
/// @thread any; pure. @errors Invalid: the plan itself cannot be predicted
[[nodiscard]] Result<PlanSuggestionsPtr> suggestionsFor(const plan::Experiment& experiment,
                                                        const plan::Variant& variant,
                                                        const predict::CostTable* costs,
                                                        const GoesOn& goesOn);

/// The document with variant `index` changed to what is suggested. A sweep becomes one plan.
[[nodiscard]] Json withSuggestion(Json document, std::size_t index, const model::Model& model,
                                  const PlanSuggestion& suggestion);

/// The document with the suggestion beside variant `index`, a sweep, as a plan of its own at
/// `index` + 1. It is named by what it is ("zb-h1 8").
[[nodiscard]] Json withSuggestionBeside(Json document, std::size_t index, const model::Model& model,
                                        const PlanSuggestion& suggestion);

/// "Split size 12", "Schedule zb-h1", "Optimal placement", "Best plan found": the name of the step.
[[nodiscard]] QString suggestionTitle(const PlanSuggestion& suggestion);
/// What a placement that the plan has already is called: it was searched for, and the curve of cuts
/// beside it may know of one that is faster by less than costs are known to.
[[nodiscard]] QString ownPlacementTitle(const PlanSuggestion& placement);
/// What there is to know about it, in a sentence: the proof of a placement, what all is changed.
[[nodiscard]] QString suggestionText(const PlanSuggestion& suggestion);

}  // namespace stagelane::ui
