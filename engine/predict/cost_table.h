#pragma once

/// What actions cost. A CostTable is what was measured: per block and device at several micro-batch
/// sizes, links, optimizer, contention; from a calibration or a file. PlanCosts is what one plan
/// needs of it: durations per stage and micro-batch. Without a table they are estimated from MACs
/// and bytes; the basis says which.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/model/shapes.h"
#include "engine/plan/experiment.h"
#include "engine/schedule/lowering.h"

namespace stagelane::predict {

enum class Basis { Estimate, Calibrated, Stale, File, Measured };
[[nodiscard]] std::string_view word(Basis basis);

/// One block at one micro-batch size, as measured.
struct CostPoint {
  std::int64_t samples = 0;
  TimeNs forward = 0;
  TimeNs backwardInput = 0;
  TimeNs backwardWeight = 0;
  TimeNs backward = 0;
  Bytes savedBytes = 0;
  Bytes temporaryBytes = 0;
  Bytes outputBytes = 0;
  double noise = 0.0;  ///< interquartile range of forward + backward over their median
};
struct BlockCosts {
  std::string name;
  std::optional<DeviceId> device;  ///< none: the same on all
  int threads = 0;                 ///< of the CPU worker that was measured; 0: of any
  std::vector<CostPoint> points;   ///< ascending samples, at least one
  /// What B (or W) takes longer on every micro-batch but the step's first: its gradients are added
  /// to those that are there. Not part of the points.
  TimeNs accumulateNs = 0;
  std::optional<TimeNs> optimizerNs;  ///< none: what CostTable::optimizerNs says
};
struct LinkCost {
  DeviceId from;
  DeviceId to;
  TimeNs latencyNs = 0;
  double bytesPerSecond = 0.0;  ///< 0: free
};
/// Contents of a cost file (contracts.md, "Cost file").
struct CostTable {
  Basis basis = Basis::File;
  std::vector<BlockCosts> blocks;
  std::vector<LinkCost> links;                ///< none for a pair: free
  std::map<std::string, TimeNs> optimizerNs;  ///< by block
  std::map<int, double> contention;           ///< busy workers → factor on every duration
  std::vector<CostPoint> loss;                ///< LOSS; forward only. Optional in the file
  TimeNs actionOverheadNs = 0;                ///< host time per action. Optional in the file
  Json origin;                                ///< what it was measured on, when, how steady
};
/// @errors Invalid with path and JSON pointer
[[nodiscard]] Result<CostTable> costTableFromJson(const Json& document, const std::string& source);
[[nodiscard]] Result<CostTable> readCostTable(const std::string& path);
[[nodiscard]] Json toJson(const CostTable& table);

/// Durations of one stage for one micro-batch.
struct StageCost {
  TimeNs forward = 0;
  TimeNs backward = 0;
  TimeNs backwardInput = 0;
  TimeNs backwardWeight = 0;
  TimeNs loss = 0;
  TimeNs optimizer = 0;
  TimeNs sendForward = 0;    ///< transfer of this stage's output to the next stage's device
  TimeNs sendBackward = 0;   ///< transfer of its input gradient to the previous stage's device
  Bytes savedBytes = 0;      ///< kept from F to B
  Bytes boundaryBytes = 0;   ///< what sendForward moves
  Bytes temporaryBytes = 0;  ///< extra while an action of the stage runs
};

/// Costs of one plan: [stage][micro-batch] (an uneven tail differs), plus what a device always
/// holds.
struct PlanCosts {
  Basis basis = Basis::Estimate;
  std::vector<std::vector<StageCost>> stage;  ///< [stage][micro-batch]
  std::vector<Bytes> residentBytes;  ///< per device row: parameters, gradients, state, buffers
  bool transfersBlock = false;       ///< a copy blocks both ends
  /// Busy rows → factor on every compute duration while so many are busy; empty: no contention.
  std::map<int, double> contention;
};

/// Rough figures from MACs and bytes for CPU workers and GPUs; always marked Estimate.
[[nodiscard]] Result<PlanCosts> estimateCosts(const plan::Experiment& experiment,
                                              const plan::Variant& variant);

/// From a table where there is one (interpolated piecewise between its sizes), else the estimate.
/// @errors Invalid: the table lacks a block or a device of the plan
[[nodiscard]] Result<PlanCosts> planCosts(const plan::Experiment& experiment,
                                          const plan::Variant& variant, const CostTable* table);

}  // namespace stagelane::predict
