#include "engine/run/detail/optimizer.h"

#include <c10/core/GradMode.h>

namespace stagelane::run {

Sgd::Sgd(const plan::OptimizerSpec& spec, std::vector<at::Tensor> parameters)
    : m_spec(spec), m_parameters(std::move(parameters)) {
  if (stateTensors(spec) > 0) {
    m_momentum.resize(m_parameters.size());
  }
}

int Sgd::stateTensors(const plan::OptimizerSpec& spec) { return spec.momentum != 0.0 ? 1 : 0; }

void Sgd::step() {
  const c10::AutoGradMode noGrad(false);
  for (std::size_t i = 0; i < m_parameters.size(); ++i) {
    if (m_parameters[i].grad().defined()) {
      update(i);
    }
  }
}

void Sgd::update(std::size_t index) {
  at::Tensor& parameter = m_parameters[index];
  at::Tensor direction = parameter.grad();
  if (m_spec.weightDecay != 0.0) {
    direction = direction.add(parameter, m_spec.weightDecay);
  }
  if (!m_momentum.empty()) {
    at::Tensor& momentum = m_momentum[index];
    momentum = momentum.defined() ? momentum.mul_(m_spec.momentum).add_(direction)
                                  : direction.detach().clone();
    direction = momentum;
  }
  parameter.add_(direction, -m_spec.learningRate);
}

void Sgd::dropGradients() {
  for (at::Tensor& parameter : m_parameters) {
    parameter.mutable_grad() = at::Tensor();
  }
}

}  // namespace stagelane::run
