#pragma once

/// The best plan of each kind (one device, model parallel, pipelines with and without replicas,
/// copies of the whole model) as the window shows it, and as an edit of a variant. Pure; any
/// thread.

#include <QString>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "engine/base/goes_on.h"
#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/plan/experiment.h"
#include "engine/predict/prediction.h"
#include "engine/search/kinds.h"
#include "ui/session/prediction/plan_suggestions.h"

namespace stagelane::ui {

struct KindPlans {
  std::vector<search::KindPlan> plans;  ///< best first; those that do not fit last
  predict::BaseStep base;               ///< of the speed-ups
  bool complete = true;                 ///< false: the search was canceled, kinds are missing
  /// 0 if there is no base.
  [[nodiscard]] double speedup(const search::KindPlan& plan) const;
};
using KindPlansPtr = std::shared_ptr<const KindPlans>;

/// What is compared, and what is told meanwhile.
struct KindQuestion {
  const plan::Experiment* experiment = nullptr;
  const predict::CostTable* costs = nullptr;  ///< null: estimates
  PlanSuggestionsPtr suggestions;             ///< their pipelines are candidates; null: none known
  GoesOn goesOn = {};                         ///< if false, the kinds found so far are returned
  std::function<void(const search::KindsProgress&)> progress = {};
};
/// With the costs that the suggestions have, or estimates if the table does not cover all plans.
/// @errors Invalid: the experiment cannot be predicted
[[nodiscard]] Result<KindPlansPtr> kindPlansFor(const KindQuestion& question);

/// The strategy, and its replicas: `pipeline × 2`.
[[nodiscard]] QString kindTitle(plan::Strategy strategy, int replicas);
/// What tells the kind apart: the strategy, or `pipeline.2`. The number of replicas of the whole
/// model is no kind.
[[nodiscard]] QString kindName(const search::KindPlan& plan);
/// Whether the variant is this plan.
[[nodiscard]] bool isPlan(const plan::Variant& variant, const search::KindPlan& plan);

/// Makes variant `index` this plan; it keeps its name. What the plan was not predicted with
/// (recomputed activations, sizes of buckets) is removed.
[[nodiscard]] Json withKind(Json document, std::size_t index, const plan::Experiment& experiment,
                            const search::KindPlan& plan);
/// Adds the plan behind variant `index`, named by its kind.
[[nodiscard]] Json withKindBeside(Json document, std::size_t index,
                                  const plan::Experiment& experiment, const search::KindPlan& plan);

}  // namespace stagelane::ui
