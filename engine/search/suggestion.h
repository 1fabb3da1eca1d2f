#pragma once

/// Which split size, schedule and placement make the shortest step: every split worth trying, every
/// schedule that suits, and the placements of the experiment beside the best ones, played by the
/// simulator within the devices' memory. The closed form says where to look first and is reported
/// beside the answer. Pure.

#include <optional>
#include <string>
#include <vector>

#include "engine/base/goes_on.h"
#include "engine/base/result.h"
#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"

namespace stagelane::search {

/// The best plan of one split size.
struct SuggestedPlan {
  std::int64_t splitSize = 0;
  std::string schedule;
  std::vector<plan::Stage> stages;
  std::string placedBy;  ///< `optimal`, or the name of the variant that has these stages
  TimeNs stepNs = 0;
  Bytes excess = 0;  ///< above a device's memory; 0: fits
};

/// Time of the slowest stage for a micro-batch of b samples, fitted as α + βb, and the split that
/// makes (B/b + p − 1)(α + βb) smallest: √(αB / (β(p − 1))).
struct ClosedForm {
  double alphaNs = 0.0;
  double betaNs = 0.0;
  double splitSize = 0.0;  ///< 0: one device, or no fit
};
/// Least squares; α is at least 0. @pre at least one point
[[nodiscard]] ClosedForm closedForm(const std::vector<std::pair<double, double>>& samplesAndNs,
                                    std::int64_t batch, int stages);

struct LargestBatch {
  std::int64_t batch = 0;      ///< 0: not even one sample a micro-batch fits
  std::int64_t splitSize = 0;  ///< with as many micro-batches as the suggestion has
  bool limited = false;        ///< whether any device has a limit
};

struct Suggestion {
  SuggestedPlan best;
  std::vector<SuggestedPlan> curve;  ///< the best of each split, ascending
  ClosedForm closedForm;
  TimeNs lowerBoundNs = 0;  ///< of the best plan's stages: no order is shorter
  double gap = 0.0;
  predict::Basis basis = predict::Basis::Estimate;
  std::optional<SuggestedPlan> asWritten;  ///< the best of the experiment's own variants
};

struct SuggestTask {
  const plan::Experiment* experiment = nullptr;
  const predict::CostTable* table = nullptr;  ///< null: estimates
  std::size_t searched = 3;  ///< best plans that `auto` is searched for, beside those of each split
  GoesOn goesOn = {};        ///< where it says no, the best so far is the answer
};
/// @errors Invalid: the table lacks a block or device; no split can be trained (batch norm)
[[nodiscard]] Result<Suggestion> suggest(const SuggestTask& task);

/// How large the batch can be with the plan's stages, schedule and number of micro-batches.
[[nodiscard]] Result<LargestBatch> largestBatch(const SuggestTask& task, const SuggestedPlan& plan);

}  // namespace stagelane::search
