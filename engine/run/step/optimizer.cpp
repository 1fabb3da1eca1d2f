#include "engine/run/step/optimizer.h"

#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>

namespace stagelane::run {
namespace {

class Sgd final : public Optimizer {
 public:
  Sgd(const plan::OptimizerSpec& spec, std::vector<at::Tensor> parameters)
      : Optimizer(std::move(parameters)), m_spec(spec) {}

 private:
  void update(std::size_t index, at::Tensor& parameter) override {
    at::Tensor direction = parameter.grad();
    if (m_spec.weightDecay != 0.0) direction = direction.add(parameter, m_spec.weightDecay);
    if (m_spec.momentum != 0.0) {
      m_momentum.resize(std::max(m_momentum.size(), index + 1));
      at::Tensor& momentum = m_momentum[index];
      momentum = momentum.defined() ? momentum.mul_(m_spec.momentum).add_(direction)
                                    : direction.detach().clone();
      direction = momentum;
    }
    parameter.add_(direction, -m_spec.learningRate);
  }

  plan::OptimizerSpec m_spec;
  std::vector<at::Tensor> m_momentum;
};

/// Adam; AdamW differs in where the weight decay acts.
class Adam final : public Optimizer {
 public:
  enum class Decay { OfGradient, OfParameter };

  Adam(const plan::OptimizerSpec& spec, Decay decay, std::vector<at::Tensor> parameters)
      : Optimizer(std::move(parameters)), m_spec(spec), m_decay(decay) {}

 private:
  struct State {
    at::Tensor mean;     ///< running mean of the gradient
    at::Tensor squares;  ///< running mean of its squares
    double steps = 0.0;  ///< of this parameter: a step without a gradient does not count
  };

  void update(std::size_t index, at::Tensor& parameter) override {
    m_states.resize(std::max(m_states.size(), index + 1));
    State& state = m_states[index];
    if (!state.mean.defined()) {
      state.mean = at::zeros_like(parameter);
      state.squares = at::zeros_like(parameter);
    }
    state.steps += 1.0;
    const at::Tensor gradient = decayed(parameter);
    const auto [beta1, beta2] = m_spec.betas;
    state.mean.lerp_(gradient, 1.0 - beta1);
    state.squares.mul_(beta2).addcmul_(gradient, gradient, 1.0 - beta2);
    // As computed in Python, where ** is pow, also for the root.
    const double correction1 = 1.0 - std::pow(beta1, state.steps);
    const double correction2 = 1.0 - std::pow(beta2, state.steps);
    const at::Tensor denominator =
        state.squares.sqrt().div(std::pow(correction2, 0.5)).add_(m_spec.eps);
    parameter.addcdiv_(state.mean, denominator, -(m_spec.learningRate / correction1));
  }

  /// The gradient to use; with decoupled weight decay, decays the parameter itself.
  [[nodiscard]] at::Tensor decayed(at::Tensor& parameter) const {
    if (m_spec.weightDecay == 0.0) return parameter.grad();
    if (m_decay == Decay::OfGradient) return parameter.grad().add(parameter, m_spec.weightDecay);
    parameter.mul_(1.0 - m_spec.learningRate * m_spec.weightDecay);
    return parameter.grad();
  }

  plan::OptimizerSpec m_spec;
  Decay m_decay;
  std::vector<State> m_states;
};

}  // namespace

void Optimizer::step() {
  const c10::AutoGradMode noGrad(false);
  for (std::size_t i = 0; i < m_parameters.size(); ++i) {
    if (m_parameters[i].grad().defined()) update(i, m_parameters[i]);
  }
}

void Optimizer::dropGradients() {
  for (at::Tensor& parameter : m_parameters) parameter.mutable_grad() = at::Tensor();
}

std::unique_ptr<Optimizer> makeOptimizer(const plan::OptimizerSpec& spec,
                                         std::vector<at::Tensor> parameters) {
  if (spec.kind == "adam") {
    return std::make_unique<Adam>(spec, Adam::Decay::OfGradient, std::move(parameters));
  }
  if (spec.kind == "adamw") {
    return std::make_unique<Adam>(spec, Adam::Decay::OfParameter, std::move(parameters));
  }
  return std::make_unique<Sgd>(spec, std::move(parameters));
}

}  // namespace stagelane::run
