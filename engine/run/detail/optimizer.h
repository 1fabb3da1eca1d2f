#pragma once

/// Stochastic gradient descent, update for update what `torch.optim.SGD` does (dampening 0, no
/// Nesterov). One optimizer per stage, so that a stage steps as soon as its last weight gradient is
/// there. Owns the momentum, not the parameters.

#include <ATen/core/Tensor.h>

#include <vector>

#include "engine/plan/experiment.h"

namespace stagelane::run {

class Sgd {
 public:
  Sgd() = default;
  Sgd(const plan::OptimizerSpec& spec, std::vector<at::Tensor> parameters);

  /// Updates the parameters that have a gradient, in place.
  void step();
  /// Drops the gradients (`set_to_none`).
  void dropGradients();
  /// State tensors a parameter has beside its gradient: 0, with momentum 1.
  [[nodiscard]] static int stateTensors(const plan::OptimizerSpec& spec);

 private:
  void update(std::size_t index);

  plan::OptimizerSpec m_spec;
  std::vector<at::Tensor> m_parameters;
  std::vector<at::Tensor> m_momentum;  ///< empty without momentum
};

}  // namespace stagelane::run
