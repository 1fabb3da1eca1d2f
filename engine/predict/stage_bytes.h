#pragma once

/// From what each block does to its device's account in a chain to what a stage's actions do.

#include <vector>

#include "engine/predict/cost_table.h"
#include "engine/predict/plan_costs.h"

namespace stagelane::predict::detail {

/// One block of a stage at one micro-batch size.
struct BlockFigures {
  Bytes kept = 0;       ///< by autograd, of a micro-batch
  Bytes output = 0;     ///< of its boundary, and of the boundary's gradient
  Bytes gradients = 0;  ///< of its weights
  BlockMemory memory;
};

/// How a stage treats its micro-batches.
enum class Keeping { Everything, Inputs };

/// All figures but those of the optimizer and the output's gradient. `before` is what the block
/// before puts out, 0 for the first stage. With `Keeping::Inputs` the forward is run again before
/// the backward.
[[nodiscard]] StageBytes stageBytes(const std::vector<BlockFigures>& blocks, Bytes before,
                                    Keeping keeping);

}  // namespace stagelane::predict::detail
