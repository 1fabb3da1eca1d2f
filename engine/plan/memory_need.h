#pragma once

/// Memory that an experiment needs on a device for a set of blocks: the model's figures with the
/// experiment's optimizer, or for inference without what only training keeps.

#include <vector>

#include "engine/model/shapes.h"
#include "engine/plan/experiment.h"

namespace stagelane::plan {

/// `perMicroBatch` is `inferShapes` at the micro-batch's size; `blocks` ascending.
[[nodiscard]] model::MemoryNeed memoryNeed(const Experiment& experiment,
                                           const model::ModelShapes& perMicroBatch,
                                           const std::vector<std::size_t>& blocks,
                                           std::int64_t liveMicroBatches);

}  // namespace stagelane::plan
