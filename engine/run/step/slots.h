#pragma once

/// Tensors that a row holds for each (stage, micro-batch) between its actions. Nothing is kept
/// longer than the next action needs it, which bounds the memory of a schedule. The actions
/// themselves are in stage_work.h and transfer.h.

#include <ATen/core/Tensor.h>
#include <torch/csrc/autograd/edge.h>

#include <vector>

#include "engine/run/step/split_backward.h"
#include "engine/schedule/lowering.h"

namespace stagelane::run {

struct Slot {
  std::vector<at::Tensor> received;          ///< boundary tensors, from their arrival to F
  std::vector<at::Tensor> inputs;            ///< inputs of F, from F to B (I)
  std::vector<at::Tensor> outputs;           ///< detached, from F until they are sent
  std::vector<torch::autograd::Edge> roots;  ///< of each output in the graph, from F to B (I)
  std::vector<at::Tensor> outputGradients;   ///< of each root, from their arrival to B (I)
  std::vector<at::Tensor> inputGradients;    ///< from B (I) until they are sent
  PendingWeights weights;                    ///< from I to W
  bool recompute = false;                    ///< the graph must be rebuilt before B (I)
  bool live = false;                         ///< from F to B (W): counts as a live micro-batch
};

class Slots {
 public:
  Slots(int stages, int microBatches);

  [[nodiscard]] Slot& of(int stage, int microBatch);
  [[nodiscard]] Slot& of(const schedule::LoweredAction& action) {
    return of(action.stage.value, action.microBatch.value);
  }
  /// Number of live slots over all stages.
  [[nodiscard]] int live() const;
  /// Clears everything (after a failed step).
  void clear();

 private:
  int m_microBatches;
  std::vector<Slot> m_slots;  ///< stage × micro-batch
};

}  // namespace stagelane::run
