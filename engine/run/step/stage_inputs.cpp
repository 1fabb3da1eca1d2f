#include "engine/run/step/stage_inputs.h"

#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace stagelane::run {
namespace {

/// The end of a stage's graph at one input: keeps the gradient that arrives.
class InputEnd final : public torch::autograd::Node {
 public:
  torch::autograd::variable_list apply(torch::autograd::variable_list&& gradients) override {
    m_gradient = std::move(gradients.front());
    return {};
  }
  [[nodiscard]] at::Tensor take() { return std::exchange(m_gradient, {}); }

 private:
  at::Tensor m_gradient;
};

}  // namespace

std::vector<at::Tensor> asInputs(std::vector<at::Tensor> received) {
  for (at::Tensor& tensor : received) {
    tensor = tensor.detach();
    if (!tensor.is_floating_point()) continue;
    const auto end = std::make_shared<InputEnd>();
    const std::uint32_t index = end->add_input_metadata(tensor);
    torch::autograd::impl::set_gradient_edge(tensor, {end, index});
  }
  return received;
}

std::vector<at::Tensor> differentiable(const std::vector<at::Tensor>& inputs) {
  std::vector<at::Tensor> found;
  std::copy_if(inputs.begin(), inputs.end(), std::back_inserter(found),
               [](const at::Tensor& input) { return input.requires_grad(); });
  return found;
}

at::Tensor takeGradient(const at::Tensor& input) {
  auto* const end = dynamic_cast<InputEnd*>(input.grad_fn().get());
  return end == nullptr ? at::Tensor() : end->take();
}

}  // namespace stagelane::run
