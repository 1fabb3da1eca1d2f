#pragma once

/// The best plan of each kind: one device, the whole batch on several devices, a pipeline, copies
/// of the whole model, and pipelines with replicas. Private to engine/search; see suggestion.h.

#include <functional>
#include <string>
#include <vector>

#include "engine/base/goes_on.h"
#include "engine/base/result.h"
#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"
#include "engine/predict/prediction.h"

namespace stagelane::search {

/// The best plan of a strategy and a number of replicas.
struct KindPlan : predict::StepPrediction {
  plan::Strategy strategy{};
  std::string schedule;
  std::int64_t splitSize = 0;
  int replicas = 1;
  std::vector<plan::Stage> stages;
  Bytes peakBytes = 0;   ///< of the device that needs most
  Bytes bytesMoved = 0;  ///< sent and received in a step, over all devices
  std::string reason;    ///< one sentence, without a full stop
};

/// How much of the search is done, from 0 to 1, and the kind that is tried next.
struct KindsProgress {
  double fraction = 0.0;
  plan::Strategy strategy{};
  int replicas = 1;
};

/// What `bestOfKinds` may try.
struct KindsTask {
  const plan::Experiment* experiment = nullptr;
  const predict::CostTable* table = nullptr;  ///< null: estimates
  GoesOn goesOn = {};                         ///< if false, kinds not tried yet are left out
  std::vector<KindPlan> known;                ///< plans of an earlier search: candidates
  /// Called before each kind and each split of it. @thread that of the search
  std::function<void(const KindsProgress&)> progress = {};
};

/// The best first: those that fit, by their step. A kind that the experiment does not allow (too
/// few devices, blocks or micro-batches) is left out. Pure; blocks. @errors Invalid: no costs
[[nodiscard]] Result<std::vector<KindPlan>> bestOfKinds(const KindsTask& task);

}  // namespace stagelane::search
