#pragma once

/// What a row holds of each (stage, micro-batch) between its actions, and nothing longer than the
/// next action needs it: the bounded memory of a schedule is decided here. Values; the actions
/// themselves are in stage_work.h and transfer.h.

#include <ATen/core/Tensor.h>
#include <torch/csrc/autograd/edge.h>

#include <vector>

#include "engine/schedule/lowering.h"

namespace stagelane::run {

struct Slot {
  std::vector<at::Tensor> received;          ///< boundary tensors, from their arrival to F
  std::vector<at::Tensor> inputs;            ///< their leaves in the graph, from F to B
  std::vector<at::Tensor> outputs;           ///< detached, from F until they are handed on
  std::vector<torch::autograd::Edge> roots;  ///< of each output in the graph, from F to B
  std::vector<at::Tensor> outputGradients;   ///< of each root, from their arrival to B
  std::vector<at::Tensor> inputGradients;    ///< from B until they are handed on
};

class Slots {
 public:
  Slots(int stages, int microBatches);

  [[nodiscard]] Slot& of(int stage, int microBatch);
  [[nodiscard]] Slot& of(const schedule::LoweredAction& action) {
    return of(action.stage.value, action.microBatch.value);
  }
  /// Forgets everything (after a failed step).
  void clear();

 private:
  int m_microBatches;
  std::vector<Slot> m_slots;  ///< stage × micro-batch
};

}  // namespace stagelane::run
