#include "engine/plan/memory_need.h"

namespace stagelane::plan {

model::MemoryNeed memoryNeed(const Experiment& experiment, const model::ModelShapes& perMicroBatch,
                             const std::vector<std::size_t>& blocks,
                             std::int64_t liveMicroBatches) {
  model::MemoryNeed need = model::memoryNeed(perMicroBatch, blocks, liveMicroBatches,
                                             optimizerStates(experiment.optimizer));
  if (experiment.task == Task::Infer) need.gradients = need.optimizer = need.activations = 0;
  return need;
}

}  // namespace stagelane::plan
