#pragma once

/// Where the blocks of a model go: cuts by time (exact, with links and memory), by parameters,
/// evenly, by torchgpipe's heuristic, or as
/// accelerate does; the best cuts are played by the simulator with the plan's
/// own schedule and memory. Every device gets at least one block, in the order of the list. Pure.

#include <optional>
#include <string_view>
#include <vector>

#include "engine/base/goes_on.h"
#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/plan/experiment.h"
#include "engine/predict/block_costs.h"
#include "engine/predict/cost_table.h"
#include "engine/search/partition.h"

namespace stagelane::search {

enum class PlacementMode {
  Optimal,
  Parameters,
  Uniform,
  BlockPartition,
  Auto,  ///< from here on accelerate's
  Balanced,
  BalancedLow0,
  Sequential,
};
/// `optimal`, `parameters`, `uniform`, `block-partition`, `auto`, `balanced`, `balanced_low_0`,
/// `sequential`.
[[nodiscard]] std::string_view word(PlacementMode mode);
[[nodiscard]] std::optional<PlacementMode> placementModeFrom(std::string_view word);

struct PlacementTask {
  const plan::Experiment* experiment = nullptr;  ///< model, batch, optimizer and devices
  const predict::CostTable* table = nullptr;     ///< null: estimates
  plan::Variant variant;        ///< schedule, split, recompute; its stages are what is asked for
  std::vector<int> rowOfStage;  ///< device of each stage, by position in the list; empty: one each
  std::size_t candidates = 12;  ///< cuts that the simulator plays
  double effort = 0.1;          ///< of the search for an order where the schedule is `auto`
  GoesOn goesOn = {};           ///< where it says no, no more cuts are played
};

struct Placement {
  std::vector<plan::Stage> stages;
  TimeNs bottleneckNs = 0;       ///< slowest stage or link of `stages`, F + B of one micro-batch
  TimeNs leastBottleneckNs = 0;  ///< exact minimum over all cuts
  TimeNs stepNs = 0;             ///< as the simulator plays the plan
  TimeNs lowerBoundNs = 0;       ///< no cut into these stages and no order is shorter
  double gap = 0.0;              ///< stepNs / lowerBoundNs − 1
  bool fits = true;              ///< false: no cut that was tried keeps to the devices' memory
  predict::Basis basis = predict::Basis::Estimate;
};

/// accelerate's modes may leave devices at the end of the list without a block.
/// @errors Invalid: the table lacks a block or device, fewer blocks than stages, the schedule does
/// not suit the stages, or the devices have no room where accelerate would put a block elsewhere
[[nodiscard]] Result<Placement> place(const PlacementTask& task, PlacementMode mode);

/// A time that no cut into one stage a device, and no order, falls below.
/// @errors as `predict::BlockCostSource::blocks`
[[nodiscard]] Result<TimeNs> lowestStepOfAnyCut(const plan::Experiment& experiment,
                                                const plan::Variant& variant,
                                                predict::BlockCostSource& source);

}  // namespace stagelane::search
