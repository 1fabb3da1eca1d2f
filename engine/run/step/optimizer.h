#pragma once

/// The optimizers, with the same updates as `torch.optim` (`foreach=False`), bit-equal on a CPU.
/// One optimizer per stage, so that a stage can step as soon as its last weight gradient is
/// complete. An optimizer owns its states, not the parameters.

#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

#include "engine/plan/experiment.h"

namespace stagelane::run {

class Optimizer {
 public:
  explicit Optimizer(std::vector<at::Tensor> parameters) : m_parameters(std::move(parameters)) {}
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;
  virtual ~Optimizer() = default;

  /// Updates the parameters that have a gradient, in place; the others keep value and state.
  /// @thread the parameters' worker
  void step();
  /// Drops the gradients (`set_to_none`).
  void dropGradients();

 protected:
  /// Updates one parameter that has a gradient, by its index in the constructor's list.
  virtual void update(std::size_t index, at::Tensor& parameter) = 0;

 private:
  std::vector<at::Tensor> m_parameters;
};

/// Creates the experiment's optimizer: `torch.optim.SGD` (dampening 0, no Nesterov), `Adam` or
/// `AdamW` (no AMSGrad). States are allocated at a parameter's first step.
/// @source Kingma and Ba, arXiv:1412.6980; Loshchilov and Hutter, arXiv:1711.05101
[[nodiscard]] std::unique_ptr<Optimizer> makeOptimizer(const plan::OptimizerSpec& spec,
                                                       std::vector<at::Tensor> parameters);

}  // namespace stagelane::run
