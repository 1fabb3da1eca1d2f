#pragma once

/// Costs of one plan: durations and bytes per stage and micro-batch, as the simulator reads them.
/// From a cost table if there is one, else estimated from multiply-accumulates and bytes; the basis
/// tells which.

#include <map>
#include <optional>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"
#include "engine/predict/what_if.h"

namespace stagelane::predict {

class BlockCostSource;

/// Memory use of a stage's actions, if the costs have it (BlockMemory). Peaks are above the memory
/// held when the action begins.
struct StageBytes {
  Bytes forwardPeak = 0;
  Bytes backwardPeak = 0;
  Bytes firstBackwardPeak = 0;  ///< if no weight gradients exist yet
  Bytes inputPeak = 0;
  Bytes weightPeak = 0;
  Bytes firstWeightPeak = 0;
  Bytes optimizerPeak = 0;
  Bytes captured = 0;        ///< memory after I minus before, until W; may be negative
  Bytes gradients = 0;       ///< weight gradients: from the first B or W to OPT
  Bytes inputGradient = 0;   ///< counted once, from the first B or I
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
  TimeNs sendForward = 0;   ///< transfer of the output to the next stage's device
  TimeNs sendBackward = 0;  ///< transfer of the input gradient to the previous stage's device
  /// REDUCE of a stage that has replicas or shares a parameter: from the last gradient of the last
  /// replica, without what a backward hides.
  TimeNs reduce = 0;
  TimeNs recompute = 0;       ///< part of backward (of I if there is an input gradient, else of W)
  Bytes savedBytes = 0;       ///< kept from F to B
  Bytes boundaryBytes = 0;    ///< bytes moved by sendForward
  Bytes reduceBytes = 0;      ///< sent and received by each replica in an all-reduce
  Bytes reduceHeldBytes = 0;  ///< kept from REDUCE to the end of OPT: sums, and parts of others
  Bytes temporaryBytes = 0;   ///< extra while an action of the stage runs
  Bytes recomputedBytes = 0;  ///< also kept, from the start of B or I to the end of B or W
  /// For the last stage, from the end of F to the start of B or I: the output, and after LOSS its
  /// gradient (which temporaryBytes counts from then on).
  Bytes outputBytes = 0;
  Bytes lossBytes = 0;  ///< of the last stage: extra while LOSS runs
  /// Part of residentBytes that the first B or W makes and OPT frees: weight gradients. 0: they are
  /// there all the time, or in `bytes`.
  Bytes gradientBytes = 0;
  /// Extra while that B or W runs, above what is held without these gradients when it begins: they
  /// come block by block while kept tensors are freed. Replaces temporaryBytes there.
  Bytes firstBackwardBytes = 0;
  /// Replaces temporaryBytes and recomputedBytes. outputBytes is then the part of the output that
  /// nothing else keeps: to the end of LOSS for the last stage, else to the start of B or I.
  std::optional<StageBytes> bytes;
};

/// Memory that a stage's update needs, for bounds of the peak (peak_bounds.h).
struct StageUpdate {
  Bytes early = 0;  ///< part of residentBytes that the step itself creates
  Bytes gradients = 0;
  Bytes optimizerPeak = 0;  ///< above gradients and states, while OPT runs
};

/// The sum of gradients between processes, which a backward hides in part.
struct AllReduceCost {
  Bytes bytes = 0;       ///< of the gradients
  TimeNs exposedNs = 0;  ///< not hidden
  double hiddenPct = 0.0;
};

/// Costs of one plan: [stage][micro-batch], plus the resident memory. An uneven tail and replicas
/// on different devices have their own costs. For OPT and REDUCE, a replica uses the cost of its
/// first micro-batch.
struct PlanCosts {
  Basis basis = Basis::Estimate;
  std::vector<std::vector<StageCost>> stage;  ///< [stage][micro-batch]
  /// Per device row: parameters, buffers, optimizer state, gradients unless in StageBytes.
  std::vector<Bytes> residentBytes;
  std::vector<StageUpdate> updates;        ///< by stage; empty: unknown
  std::optional<AllReduceCost> allReduce;  ///< of replicas with processes of their own
  bool transfersBlock = false;             ///< a copy blocks both ends
  bool forwardOnly = false;                ///< inference: nothing is kept after F
  /// Clipping needs the norm of all gradients, so OPT waits for every row's last weight gradient.
  bool optimizerWaitsForAll = false;
  /// Links between processes are estimated, because the costs do not have them.
  bool estimatesProcesses = false;
  TimeNs actionOverheadNs = 0;  ///< host time before each compute action
  /// Number of busy rows → factor on their compute durations; empty: no contention.
  std::map<int, double> contention;
  std::vector<bool> contends;  ///< per row: whether contention applies; empty: all rows
};

/// Rough estimates from MACs and bytes for CPU workers and GPUs; always marked Estimate.
/// @errors Invalid: the input does not fit the model
[[nodiscard]] Result<PlanCosts> estimateCosts(const plan::Experiment& experiment,
                                              const plan::Variant& variant);

/// From a table if there is one (piecewise interpolation between its sizes), else estimated. A
/// variant with its own thread count is also estimated if the table has no points for it.
/// @errors Invalid: the table lacks a block or a device of the plan
[[nodiscard]] Result<PlanCosts> planCosts(const plan::Experiment& experiment,
                                          const plan::Variant& variant, const CostTable* table,
                                          const WhatIf& whatIf = {});

/// Calls `work` with the table, or if that fails, with null: estimates. The rule of each fallback.
template <class Work>
[[nodiscard]] auto costsOrEstimates(const CostTable* table, const Work& work) {
  if (auto answer = work(table); answer || table == nullptr) return answer;
  return work(nullptr);
}

/// Whether planCosts uses the table for the variant: it has points for its threads.
[[nodiscard]] bool covers(const plan::Experiment& experiment, const plan::Variant& variant,
                          const CostTable* table);

/// Which cuts a bound covers. A plan with other stages can be shorter than the bounds of the last
/// two, but not than the first.
enum class Cuts {
  Any,             ///< each block on any of the devices
  OneStageAtMost,  ///< the devices in their order, any of them left out
  OneStageEach,    ///< one stage per device in their order
};

/// Lower bound over all such cuts of the model over the variant's devices and all orders, at its
/// split size: all work divided by the devices' speeds, the most expensive block, one micro-batch
/// there and back; for one stage each or at most one, also the cut whose slowest device is the
/// fastest. Exact up to the rounding of stage costs to nanoseconds. @errors those of planCosts
[[nodiscard]] Result<TimeNs> cutBound(const plan::Experiment& experiment,
                                      const plan::Variant& variant, const CostTable* table,
                                      const WhatIf& whatIf = {}, Cuts cuts = Cuts::Any);
/// The same from a source of the table's costs, which may have read them before.
[[nodiscard]] Result<TimeNs> cutBound(const plan::Experiment& experiment,
                                      const plan::Variant& variant, const CostTable* table,
                                      const WhatIf& whatIf, Cuts cuts, BlockCostSource& source);

}  // namespace stagelane::predict
