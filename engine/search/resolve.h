#pragma once

/// Turns an experiment as written in its file into one with all stages and orders fixed. Everything
/// that shows, runs or exports a plan starts from this result; no later step searches.

#include <map>
#include <string>
#include <vector>

#include "engine/base/goes_on.h"
#include "engine/base/result.h"
#include "engine/plan/experiment.h"
#include "engine/plan/stage_layout.h"
#include "engine/predict/cost_table.h"

namespace stagelane::search {

/// Finds the stages that variants of one experiment leave open, and caches cuts that variants
/// share. Single-threaded; experiment and table must outlive it.
class StageSearch {
 public:
  /// `table` may be null: estimates. After `goesOn` returns false, the results are meaningless.
  StageSearch(const plan::Experiment& experiment, const predict::CostTable* table,
              GoesOn goesOn = {});

  /// The stages of a variant; its own if they are fixed.
  [[nodiscard]] std::vector<plan::Stage> find(const plan::Variant& variant);
  /// A quick preliminary result: cut by block times alone, in the first of its layouts.
  [[nodiscard]] std::vector<plan::Stage> rough(const plan::Variant& variant) const;

 private:
  using Stages = std::vector<plan::Stage>;
  [[nodiscard]] Stages layOut(const plan::OpenStages& open, const plan::WantedStages& wanted);
  [[nodiscard]] Stages played(const plan::OpenStages& open, const plan::WantedStages& wanted);
  [[nodiscard]] Stages cutByTime(const plan::OpenStages& open,
                                 const plan::WantedStages& wanted) const;
  [[nodiscard]] Stages split(const plan::OpenStages& open, const plan::WantedStages& wanted) const;
  [[nodiscard]] std::vector<double> timesOn(const plan::DeviceSpec& device,
                                            std::int64_t samples) const;
  [[nodiscard]] Stages fastest(const plan::Variant& variant, const std::vector<Stages>& layouts);

  const plan::Experiment& m_experiment;
  const predict::CostTable* m_table;
  GoesOn m_goesOn;
  std::map<std::string, Stages> m_played;
};

/// Approximate number of actions that `StageSearch::find` simulates for the variant.
[[nodiscard]] double searchWork(const plan::Experiment& experiment, const plan::Variant& variant);

/// Fixes all stages. @thread any; blocks for the time of the searches
[[nodiscard]] plan::Experiment resolveStages(plan::Experiment experiment,
                                             const predict::CostTable* table,
                                             const GoesOn& goesOn = {});

/// Fixes all stages, and the orders of the included variants. If the table lacks a cost, the search
/// for an order uses estimates.
/// @errors Invalid: an included variant has no order, and why
/// @thread any; blocks for the time of the searches
[[nodiscard]] Result<plan::Experiment> resolve(plan::Experiment experiment,
                                               const predict::CostTable* table,
                                               const GoesOn& goesOn = {});

}  // namespace stagelane::search
