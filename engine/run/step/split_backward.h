#pragma once

/// The backward of one stage for one micro-batch in two halves (zero bubble, arXiv:2401.10241,
/// section 3): the gradient of the inputs now, the gradients of the weights later. Walks the
/// autograd graph once, finds the nodes where parameters meet the input path, captures what arrives
/// there, and cuts the graph there. The cut is what makes shared weights right: without it the
/// weight half of a late use would run on down the input path into the earlier uses again.

#include <ATen/core/Tensor.h>
#include <torch/csrc/autograd/edge.h>

#include <memory>
#include <vector>

namespace stagelane::run {

/// What the weight half needs: captured gradients and the nodes that they arrived at. What only the
/// input half needed is gone.
class PendingWeights {
 public:
  PendingWeights() = default;

  /// Adds the weight gradients to the parameters' `grad`, in the very order of additions of the
  /// undivided backward, and forgets them. @thread the row's worker
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
  std::vector<at::Tensor>
      gradients;  ///< of each leaf; undefined where the stage made no use of one
  PendingWeights weights;
};

/// The input half. Takes the graph over: nothing but the weight half can be done with it
/// afterwards. `leaves` must not be empty. May throw. @thread the row's worker
[[nodiscard]] InputGradients inputHalf(std::vector<torch::autograd::Edge> roots,
                                       std::vector<at::Tensor> outputGradients,
                                       const std::vector<at::Tensor>& leaves);

}  // namespace stagelane::run
