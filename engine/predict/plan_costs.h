#pragma once

/// What one plan costs: durations and bytes per stage and micro-batch, as the simulator reads them.
/// From a cost table where there is one, else estimated from multiply-accumulates and bytes; the
/// basis says which.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"
#include "engine/predict/what_if.h"

namespace stagelane::predict {

/// What the actions of a stage do to its device's account, where the costs say so (BlockMemory).
/// Peaks are beyond what is held when the action begins.
struct StageBytes {
  Bytes forwardPeak = 0;
  Bytes backwardPeak = 0;
  Bytes firstBackwardPeak = 0;  ///< no gradient of a weight is there yet
  Bytes inputPeak = 0;
  Bytes weightPeak = 0;
  Bytes firstWeightPeak = 0;
  Bytes optimizerPeak = 0;
  Bytes captured = 0;        ///< what is held more after I than before, until W; may be negative
  Bytes gradients = 0;       ///< of the weights: from the first B or W to OPT
  Bytes inputGradient = 0;   ///< one of them is on its way from the first B or I on
  Bytes outputGradient = 0;  ///< of the last stage: from LOSS to the end of B or I
};

/// Durations of one stage for one micro-batch.
struct StageCost {
  TimeNs forward = 0;
  TimeNs backward = 0;
  TimeNs backwardInput = 0;
  TimeNs backwardWeight = 0;
  TimeNs loss = 0;
  TimeNs optimizer = 0;
  TimeNs sendForward = 0;   ///< transfer of this stage's output to the next stage's device
  TimeNs sendBackward = 0;  ///< transfer of its input gradient to the previous stage's device
  TimeNs reduce = 0;        ///< REDUCE of a stage that has replicas or shares a parameter
  TimeNs recompute = 0;     ///< part of backward (of I where there is an input gradient, else of W)
  Bytes savedBytes = 0;     ///< kept from F to B
  Bytes boundaryBytes = 0;  ///< what sendForward moves
  Bytes reduceBytes = 0;    ///< sent and received by each replica in their all-reduce
  Bytes temporaryBytes = 0;   ///< extra while an action of the stage runs
  Bytes recomputedBytes = 0;  ///< kept besides from the start of B or I to the end of B or W
  /// Of the last stage, from the end of F to the start of B or I: the output, and after LOSS the
  /// gradient of it (which temporaryBytes counts from then on).
  Bytes outputBytes = 0;
  Bytes lossBytes = 0;  ///< of the last stage: extra while LOSS runs
  /// Takes the place of temporaryBytes and recomputedBytes; outputBytes then is what of the output
  /// nothing else keeps: of the last stage to the end of LOSS, else to the start of B or I.
  std::optional<StageBytes> bytes;
};

/// What a stage's update needs, for bounds of the peak (peak_bounds.h).
struct StageUpdate {
  Bytes early = 0;  ///< of residentBytes: what is there only when the step has made it
  Bytes gradients = 0;
  Bytes optimizerPeak = 0;  ///< beyond gradients and states, while OPT runs
};

/// Costs of one plan: [stage][micro-batch] (an uneven tail differs, and so do replicas on different
/// devices), plus what a device always holds. What a replica does once in a step (OPT, REDUCE) has
/// the cost that its first micro-batch lists.
struct PlanCosts {
  Basis basis = Basis::Estimate;
  std::vector<std::vector<StageCost>> stage;  ///< [stage][micro-batch]
  /// Per device row: parameters, buffers, optimizer state, and gradients where no StageBytes has
  /// them.
  std::vector<Bytes> residentBytes;
  std::vector<StageUpdate> updates;  ///< by stage; empty: not known
  bool transfersBlock = false;       ///< a copy blocks both ends
  bool forwardOnly = false;          ///< inference: nothing is kept after F
  /// Clipping needs the norm of all gradients: no OPT before every row's last weight gradient.
  bool optimizerWaitsForAll = false;
  TimeNs actionOverheadNs = 0;  ///< host time before each compute action
  /// Busy rows → factor on their compute durations while so many are busy; empty: no contention.
  std::map<int, double> contention;
  std::vector<bool> contends;  ///< per row: counts and is slowed; empty: all rows
};

/// Rough figures from MACs and bytes for CPU workers and GPUs; always marked Estimate.
/// @errors Invalid: the input does not fit the model
[[nodiscard]] Result<PlanCosts> estimateCosts(const plan::Experiment& experiment,
                                              const plan::Variant& variant);

/// From a table where there is one (interpolated piecewise between its sizes), else the estimate.
/// A variant with a thread count of its own that the table has no points for is estimated too.
/// @errors Invalid: the table lacks a block or a device of the plan
[[nodiscard]] Result<PlanCosts> planCosts(const plan::Experiment& experiment,
                                          const plan::Variant& variant, const CostTable* table,
                                          const WhatIf& whatIf = {});

/// Whether planCosts takes the table for the variant: there is one, and it has points of the
/// variant's threads.
[[nodiscard]] bool covers(const plan::Experiment& experiment, const plan::Variant& variant,
                          const CostTable* table);

/// What no cut of the model over the variant's devices and no order of the actions beats, at its
/// split size: all work shared by the devices' speeds, the dearest block, one micro-batch there and
/// back. Up to what rounding stage costs to nanoseconds loses. @errors those of planCosts
[[nodiscard]] Result<TimeNs> cutBound(const plan::Experiment& experiment,
                                      const plan::Variant& variant, const CostTable* table,
                                      const WhatIf& whatIf = {});

}  // namespace stagelane::predict
