#pragma once

/// From an experiment as its file says it to one whose stages and orders are all fixed. Whatever
/// shows, runs or exports a plan starts from what this returns; nothing below it searches.

#include <map>
#include <string>
#include <vector>

#include "engine/base/goes_on.h"
#include "engine/plan/experiment.h"
#include "engine/plan/stage_layout.h"
#include "engine/predict/cost_table.h"

namespace stagelane::search {

/// Finds the stages that variants of one experiment leave open. Remembers cuts that several
/// variants share. One thread; experiment and table must outlive it.
class StageSearch {
 public:
  /// `table` may be null: estimates. Once `goesOn` says no, what is found is worth nothing.
  StageSearch(const plan::Experiment& experiment, const predict::CostTable* table,
              GoesOn goesOn = {});

  /// The stages of a variant; those that it has where they are fixed.
  [[nodiscard]] std::vector<plan::Stage> find(const plan::Variant& variant);
  /// Quick, for the time being: cut by the blocks' times alone, in the first of its layouts.
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

/// About how many actions `StageSearch::find` plays for the variant.
[[nodiscard]] double searchWork(const plan::Experiment& experiment, const plan::Variant& variant);

/// All stages fixed. @thread any; blocks as long as the searches take
[[nodiscard]] plan::Experiment resolveStages(plan::Experiment experiment,
                                             const predict::CostTable* table,
                                             const GoesOn& goesOn = {});

/// All stages fixed, and the orders of the variants that are included. If the table lacks a cost,
/// an order is searched for by estimates. If no order is found, it stays open, and lowering says
/// why. @thread any; blocks as long as the searches take
[[nodiscard]] plan::Experiment resolve(plan::Experiment experiment, const predict::CostTable* table,
                                       const GoesOn& goesOn = {});

}  // namespace stagelane::search
