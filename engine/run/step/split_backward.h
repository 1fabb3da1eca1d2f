#pragma once

/// Splits the backward of one stage and micro-batch into two halves (zero bubble, arXiv:2401.10241,
/// section 3): input gradients now, weight gradients later. Walks the autograd graph once, finds
/// the nodes where parameters join the input path, captures the gradients arriving there, and cuts
/// the graph there. The cut keeps shared weights correct: without it the weight half of a late use
/// would continue down the input path into earlier uses.

#include <ATen/core/Tensor.h>
#include <torch/csrc/autograd/edge.h>

#include <vector>

namespace stagelane::run {

/// The state for the weight half: captured gradients and their nodes. Tensors needed only by the
/// input half are already freed.
class PendingWeights {
 public:
  PendingWeights() = default;

  /// Adds the weight gradients to the parameters' `grad`, in the same order as the full backward,
  /// and clears itself. @thread the row's worker
  void accumulate();
  [[nodiscard]] bool empty() const { return m_roots.empty(); }
  /// Bytes of captured gradients.
  [[nodiscard]] std::int64_t capturedBytes() const;

 private:
  friend class InputHalf;
  std::vector<torch::autograd::Edge> m_roots;
  std::vector<at::Tensor> m_gradients;  ///< of each root
};

struct InputGradients {
  std::vector<at::Tensor> gradients;  ///< of each leaf; undefined if the stage did not use it
  PendingWeights weights;
};

/// Computes the input half. Consumes the graph, which can then only be used for the weight half.
/// `leaves` must not be empty. May throw. @thread the row's worker
[[nodiscard]] InputGradients inputHalf(std::vector<torch::autograd::Edge> roots,
                                       std::vector<at::Tensor> outputGradients,
                                       const std::vector<at::Tensor>& leaves);

}  // namespace stagelane::run
