#pragma once

/// Suggests the split size, schedule and placement of a pipeline with the shortest step: tries
/// every useful split, every suitable schedule, and the experiment's placements besides the optimal
/// ones on all devices and on those that are fast enough to help, simulated within the devices'
/// memory. The closed form selects the first candidates and is reported with the result. Beside it,
/// the best plan of each other kind (kinds.h). Pure.

#include <optional>
#include <string>
#include <vector>

#include "engine/base/goes_on.h"
#include "engine/base/result.h"
#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"
#include "engine/predict/prediction.h"
#include "engine/search/kinds.h"

namespace stagelane::search {

/// Split sizes that give different numbers of micro-batches, the largest of each, ascending; if
/// there are many, those 15 % apart.
[[nodiscard]] std::vector<std::int64_t> splitsToTry(std::int64_t batch);

struct ScheduleStep : predict::StepPrediction {
  std::string schedule;
};
/// The best generated schedule that the variant's strategy allows, for its stages and split size;
/// empty if none suits. After `goesOn` returns false, the best so far.
/// @errors as predict::planCosts and predict::playStep
[[nodiscard]] Result<std::optional<ScheduleStep>> bestSchedule(const plan::Experiment& experiment,
                                                               plan::Variant variant,
                                                               const predict::CostTable* table,
                                                               const GoesOn& goesOn = {});

/// The best plan of one split size.
struct SuggestedPlan : ScheduleStep {
  std::int64_t splitSize = 0;
  std::vector<plan::Stage> stages;
  std::string placedBy;  ///< `optimal`, or the name of the variant with these stages
};

/// Time of the slowest stage for a micro-batch of b samples, fitted as α + βb, and the split that
/// minimizes (B/b + p − 1)(α + βb): √(αB / (β(p − 1))).
struct ClosedForm {
  double alphaNs = 0.0;
  double betaNs = 0.0;
  double splitSize = 0.0;  ///< 0: one device, or no fit
};
/// Least squares with α ≥ 0. @pre at least one point
[[nodiscard]] ClosedForm closedForm(const std::vector<std::pair<double, double>>& samplesAndNs,
                                    std::int64_t batch, int stages);

struct LargestBatch {
  std::int64_t batch = 0;      ///< 0: not even one sample per micro-batch fits
  std::int64_t splitSize = 0;  ///< for the suggestion's number of micro-batches
  bool limited = false;        ///< whether any device has a limit
};

struct Suggestion {
  SuggestedPlan best;
  std::vector<SuggestedPlan> curve;  ///< the best plan of each split, ascending
  ClosedForm closedForm;
  TimeNs lowerBoundNs = 0;  ///< over all orders of the best plan's stages
  double gap = 0.0;
  predict::Basis basis = predict::Basis::Estimate;
  std::optional<SuggestedPlan> asWritten;  ///< the best of the experiment's own variants
  std::vector<KindPlan> kinds;             ///< the best plan of each kind, best first; if asked for
};

struct SuggestTask {
  const plan::Experiment* experiment = nullptr;
  const predict::CostTable* table = nullptr;  ///< null: estimates
  std::size_t searched =
      3;  ///< number of best plans tried with `auto`, in addition to those of each split
  GoesOn goesOn = {};  ///< if false, the best result so far is returned
  bool kinds = true;   ///< also find the best plan of each kind
};
/// @errors Invalid: the table lacks a block or device; no split can be trained (batch norm)
[[nodiscard]] Result<Suggestion> suggest(const SuggestTask& task);

/// The pipelines that were found, as candidates for `bestOfKinds`: the best of each split.
[[nodiscard]] std::vector<KindPlan> pipelinesOf(const Suggestion& suggestion);

/// The largest batch for the plan's stages, schedule and number of micro-batches.
[[nodiscard]] Result<LargestBatch> largestBatch(const SuggestTask& task, const SuggestedPlan& plan);

}  // namespace stagelane::search
