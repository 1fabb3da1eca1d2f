#include "engine/run/detail/stage_work.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/zeros_like.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/variable.h>

#include "engine/run/detail/data.h"

namespace stagelane::run {
namespace {

/// Boundary tensors as leaves of this stage's piece of graph.
std::vector<at::Tensor> asLeaves(std::vector<at::Tensor> received) {
  for (at::Tensor& tensor : received) {
    tensor = tensor.detach();
    if (tensor.is_floating_point()) {
      tensor.requires_grad_(true);
    }
  }
  return received;
}

/// Gradients that arrived at the leaves; zeros where the stage made no use of one.
std::vector<at::Tensor> gradientsOf(const std::vector<at::Tensor>& leaves) {
  std::vector<at::Tensor> gradients;
  gradients.reserve(leaves.size());
  for (const at::Tensor& leaf : leaves) {
    gradients.push_back(leaf.grad().defined() ? leaf.grad() : at::zeros_like(leaf));
  }
  return gradients;
}

/// Where the engine begins, and with what.
struct Start {
  torch::autograd::edge_list roots;
  torch::autograd::variable_list gradients;
};

/// Takes roots and gradients out of the slot, without those that nothing hangs on: the outputs of a
/// first stage without parameters, and outputs that nobody made use of.
Start takeStart(Slot& slot) {
  Start start;
  slot.outputGradients.resize(slot.roots.size());
  for (std::size_t i = 0; i < slot.roots.size(); ++i) {
    if (slot.roots[i].is_valid() && slot.outputGradients[i].defined()) {
      start.roots.push_back(std::move(slot.roots[i]));
      start.gradients.push_back(std::move(slot.outputGradients[i]));
    }
  }
  slot.roots.clear();
  slot.outputGradients.clear();
  return start;
}

}  // namespace

StageWork::StageWork(const StepPlan& plan, int stage, const InitialValues& values,
                     at::Device device)
    : m_plan(plan), m_stage(stage) {
  const plan::Experiment& experiment = *plan.experiment;
  const plan::Stage& range = plan.variant->stages[static_cast<std::size_t>(stage)];
  m_tensors = StageTensors(*experiment.model, range.firstBlock, range.lastBlock, values, device,
                           experiment.memoryFormat);
  std::vector<at::Tensor> parameters;
  for (const auto& named : m_tensors.parameters()) {
    parameters.push_back(named.second);
  }
  m_optimizer = Sgd(experiment.optimizer, std::move(parameters));
}

void StageWork::forward(Slot& slot, std::vector<at::Tensor> inputs) {
  if (m_stage > 0) {
    inputs = asLeaves(std::move(inputs));
    slot.inputs = inputs;
  }
  const plan::Stage& range = m_plan.variant->stages[static_cast<std::size_t>(m_stage)];
  const std::vector<at::Tensor> outputs = runBlocks(*m_plan.experiment->model, range.firstBlock,
                                                    range.lastBlock, m_tensors, std::move(inputs));
  // The graph is held by its edges, so that an output that the graph itself does not need is freed
  // as soon as it was handed on.
  for (const at::Tensor& output : outputs) {
    slot.roots.push_back(output.requires_grad() ? torch::autograd::impl::gradient_edge(output)
                                                : torch::autograd::Edge());
    slot.outputs.push_back(output.detach());
  }
}

void StageWork::backward(Slot& slot) {
  Start start = takeStart(slot);
  if (!start.roots.empty()) {
    torch::autograd::Engine::get_default_engine().execute(start.roots, start.gradients,
                                                          /*keep_graph=*/false,
                                                          /*create_graph=*/false,
                                                          /*accumulate_grad=*/true);
  }
  slot.inputGradients = gradientsOf(slot.inputs);
  slot.inputs.clear();
}

void StageWork::optimize(const StepTag& tag) {
  m_optimizer.step();
  if (!tag.keepGradients) {
    m_optimizer.dropGradients();
  }
}

at::Tensor LossWork::take(const at::Tensor& output, const at::Tensor& target) {
  at::Tensor loss =
      scaledLoss(m_plan.experiment->loss, output, target, m_plan.experiment->data.batchSize);
  if (m_plan.options.lossFactor != 1.0) {
    loss = loss.mul(m_plan.options.lossFactor);
  }
  m_losses.push_back(loss.detach());
  return torch::autograd::grad({loss}, {output}).front();
}

void LossWork::ofMicroBatch(Slot& slot, const at::Tensor& target) {
  const at::Tensor output = slot.outputs.front().requires_grad_(true);
  slot.outputs.clear();
  slot.outputGradients = {take(output, target)};
}

void LossWork::ofWholeBatch(Slots& slots, const at::Tensor& target) {
  std::vector<at::Tensor> outputs;
  const int stage = m_plan.lastStage();
  const auto count = static_cast<int>(m_plan.microBatchSizes.size());
  for (int i = 0; i < count; ++i) {
    std::vector<at::Tensor>& own = slots.of(stage, i).outputs;
    outputs.push_back(std::move(own.front()));
    own.clear();
  }
  const at::Tensor whole = at::cat(outputs, 0).requires_grad_(true);
  const std::vector<at::Tensor> pieces = cut(take(whole, target), m_plan.microBatchSizes);
  for (int i = 0; i < count; ++i) {
    slots.of(stage, i).outputGradients = {pieces[static_cast<std::size_t>(i)]};
  }
}

}  // namespace stagelane::run
