#pragma once

/// Placement of a model's blocks: cuts by time (exact, with links and memory), by parameters,
/// evenly, by torchgpipe's heuristic, or as accelerate does. The simulator compares the best cuts
/// with the plan's own schedule and memory. Devices get their blocks in list order. Pure.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/goes_on.h"
#include "engine/base/result.h"
#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"
#include "engine/predict/prediction.h"
#include "engine/search/partition.h"

namespace stagelane::search {

enum class PlacementMode {
  Optimal,
  Parameters,
  Uniform,
  BlockPartition,
  Auto,  ///< accelerate's modes start here
  Balanced,
  BalancedLow0,
  Sequential,
};
/// `optimal`, `parameters`, `uniform`, `block-partition`, then `plan::kAccelerateModes`.
[[nodiscard]] const std::vector<std::string>& placementModes();
[[nodiscard]] std::string_view word(PlacementMode mode);
[[nodiscard]] std::optional<PlacementMode> placementModeFrom(std::string_view word);

struct PlacementTask {
  const plan::Experiment* experiment = nullptr;  ///< model, batch, optimizer and devices
  const predict::CostTable* table = nullptr;     ///< null: estimates
  /// Schedule, split, recompute; its stages are the unknown. With groups, each stage has the
  /// replicas of its device's group.
  plan::Variant variant;
  /// Device of each stage, by position in the list. Empty: one stage per device; `optimal` leaves
  /// out devices if the simulated step of several micro-batches is shorter without them.
  std::vector<int> rowOfStage;
  std::size_t candidates = 12;  ///< number of cuts to simulate for a set of devices
  double effort = 0.1;          ///< of the search for an order if the schedule is `auto`
  GoesOn goesOn = {};           ///< if false, no more cuts are simulated
};

/// With the simulated step of the plan. If it does not fit, no tried cut does.
struct Placement : predict::StepPrediction {
  std::vector<plan::Stage> stages;
  /// Slowest stage or link of `stages`, F + B (for inference F) of one micro-batch.
  TimeNs bottleneckNs = 0;
  TimeNs leastBottleneckNs = 0;  ///< exact minimum over all cuts into these stages
  /// No order is shorter, and no cut into the stages of the task, or without such stages: no cut
  /// over all devices in their order, with or without each of them.
  TimeNs lowerBoundNs = 0;
  double gap = 0.0;  ///< as predict::gapOf
};

/// accelerate's modes may leave devices at the end of the list without blocks.
/// @errors Invalid: the table lacks a block or device, fewer blocks than stages, the schedule does
/// not suit the stages, or accelerate would put a block on the CPU or disk for lack of memory
[[nodiscard]] Result<Placement> place(const PlacementTask& task, PlacementMode mode);

}  // namespace stagelane::search
