#pragma once

/// Derives the memory use of a stage's actions from that of its blocks.

#include <vector>

#include "engine/predict/cost_table.h"
#include "engine/predict/plan_costs.h"

namespace stagelane::predict::detail {

/// One block of a stage at one micro-batch size.
struct BlockFigures {
  Bytes kept = 0;       ///< by autograd, per micro-batch
  Bytes output = 0;     ///< size of its boundary, and of the boundary's gradient
  Bytes gradients = 0;  ///< size of its weight gradients
  BlockMemory memory;
};

/// What a stage keeps of its micro-batches.
enum class Keeping { Everything, Inputs };

/// All figures except those of the optimizer and the output's gradient. `before` is the output size
/// of the previous block, 0 for the first stage. With `Keeping::Inputs` the forward runs again
/// before the backward.
[[nodiscard]] StageBytes stageBytes(const std::vector<BlockFigures>& blocks, Bytes before,
                                    Keeping keeping);

}  // namespace stagelane::predict::detail
