#include "engine/run/step/stage_work.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/run/step/data.h"
#include "engine/run/step/fixed_marker.h"
#include "engine/run/step/precision.h"
#include "engine/run/step/remote_rows.h"
#include "engine/run/step/stage_inputs.h"
#include "engine/trace/recorder.h"

namespace stagelane::run {
namespace {

/// A gradient for each input: those found for its differentiable inputs, in order, and zeros
/// elsewhere.
std::vector<at::Tensor> gradientsOf(const std::vector<at::Tensor>& inputs,
                                    const std::vector<at::Tensor>& found) {
  std::vector<at::Tensor> gradients;
  std::size_t next = 0;
  for (const at::Tensor& input : inputs) {
    const at::Tensor gradient = input.requires_grad() ? found.at(next++) : at::Tensor();
    gradients.push_back(gradient.defined() ? gradient : at::zeros_like(input));
  }
  return gradients;
}

/// The edges keep the graph alive, so that an unneeded output is freed once it is sent.
std::vector<torch::autograd::Edge> rootsOf(const std::vector<at::Tensor>& outputs) {
  std::vector<torch::autograd::Edge> roots;
  for (const at::Tensor& output : outputs) {
    roots.push_back(output.requires_grad() ? torch::autograd::impl::gradient_edge(output)
                                           : torch::autograd::Edge());
  }
  return roots;
}

/// Roots and gradients at which the engine starts.
struct Start {
  torch::autograd::edge_list roots;
  torch::autograd::variable_list gradients;
};

/// Moves roots and gradients out of the slot, except outputs without a graph (a first stage without
/// parameters) and unused outputs.
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

/// A stage's own copies of the initial values.
StageTensors tensorsOf(const StepPlan& plan, int stage, const InitialValues& values,
                       at::Device device) {
  const plan::Stage& range = plan.variant->stages[static_cast<std::size_t>(stage)];
  return {*plan.experiment->model,      range.firstBlock, range.lastBlock, values, device,
          plan.experiment->memoryFormat};
}

/// How many micro-batches of the stage this process has.
int microBatchesHere(const StepPlan& plan, int stage) {
  const schedule::Schedule& schedule = plan.lowered->source;
  int count = 0;
  for (int microBatch = 0; microBatch < schedule.microBatches; ++microBatch) {
    count += plan.remote->isRemote(schedule.rows.of(stage, microBatch)) ? 0 : 1;
  }
  return count;
}

}  // namespace

StageWork::StageWork(const StepPlan& plan, int stage, const InitialValues& values,
                     at::Device device)
    : StageWork(plan, stage, tensorsOf(plan, stage, values, device)) {
  if (!plan.reducesByBackend) return;
  std::vector<at::Tensor> parameters;
  std::vector<at::Tensor> buffers;
  for (const auto& named : m_tensors.parameters()) parameters.push_back(named.second);
  for (const auto& named : m_tensors.buffers()) buffers.push_back(named.second);
  m_reducer =
      plan.remote->reducerOf(stage, *plan.variant, std::move(parameters), std::move(buffers));
  m_backwards = microBatchesHere(plan, stage);
}

StageWork::StageWork(const StepPlan& plan, int stage, StageTensors tensors)
    : m_plan(plan), m_stage(stage), m_tensors(std::move(tensors)) {
  const plan::Experiment& experiment = *plan.experiment;
  std::vector<at::Tensor> parameters;
  for (const auto& named : m_tensors.parameters()) parameters.push_back(named.second);
  m_optimizer = makeOptimizer(experiment.optimizer, std::move(parameters));
  if (experiment.batchNorm == plan::BatchNormMode::Deferred) {
    m_deferred =
        std::make_unique<DeferredStatistics>(static_cast<int>(plan.microBatchSizes.size()));
  }
}

void StageWork::stepBegins(const StepTag& tag, const StepInput& input) {
  m_step = tag.step;
  m_sizes = input.sizes;
  if (!m_reducer) return;
  m_left = m_backwards;
  m_buckets.clear();
  throwIfFailed(m_reducer->prepareForward());
}

/// Before the last backward of the step only: an earlier one would reduce too little.
void StageWork::reduceWithLast() {
  if (m_reducer && m_left == 1) {
    throwIfFailed(m_reducer->prepareLastBackward(std::exchange(m_lastOutputs, {})));
  }
}

void StageWork::finishReducing() {
  if (!m_reducer || --m_left > 0) return;
  m_reducedNs = trace::monotonicNs();
  auto spans = m_reducer->finish();
  throwIfFailed(spans ? Status{} : tl::make_unexpected(spans.error()));
  m_buckets = std::move(*spans);
  // The last bucket starts when its last gradient is there.
  m_computedNs = 0;
  for (const BucketSpan& span : m_buckets) m_computedNs = std::max(m_computedNs, span.startNs);
  if (m_computedNs == 0) m_computedNs = m_reducedNs;
}

Moved StageWork::reduced() const {
  Moved moved{std::make_shared<FixedMarker>(m_computedNs),
              std::make_shared<FixedMarker>(m_reducedNs), 0};
  for (const BucketSpan& span : m_buckets) moved.bytes += span.bytes;
  return moved;
}

std::vector<at::Tensor> StageWork::run(const Slot& slot, int microBatch, Pass pass) const {
  const plan::Stage& range = m_plan.variant->stages[static_cast<std::size_t>(m_stage)];
  ForwardMode mode = forwardModeOf(*m_plan.experiment);
  mode.updateStatistics = pass == Pass::First;
  mode.deferred = m_deferred.get();
  mode.step = m_step;
  mode.firstSample =
      std::accumulate(m_sizes.begin(), m_sizes.begin() + microBatch, std::int64_t{0});
  return runBlocks(*m_plan.experiment->model, range.firstBlock, range.lastBlock, m_tensors,
                   slot.inputs, mode);
}

bool StageWork::recomputes(int microBatch) const {
  switch (m_plan.variant->recompute) {
    case plan::Recompute::Never: return false;
    case plan::Recompute::Always: return true;
    case plan::Recompute::ExceptLast: break;
  }
  return microBatch + 1 < static_cast<int>(m_plan.microBatchSizes.size());
}

void StageWork::forward(Slot& slot, int microBatch, std::vector<at::Tensor> inputs) {
  slot.live = true;
  // The gradient of the first stage's inputs is not needed.
  slot.inputs = m_stage > 0 ? asInputs(std::move(inputs)) : std::move(inputs);
  slot.recompute = !m_plan.forwardOnly() && recomputes(microBatch);
  const bool differentiates = !slot.recompute && !m_plan.forwardOnly();
  const c10::AutoGradMode gradients(differentiates);
  const std::vector<at::Tensor> outputs = run(slot, microBatch, Pass::First);
  if (differentiates) slot.roots = rootsOf(outputs);
  if (differentiates && m_reducer && m_plan.variant->reduce.findUnused) m_lastOutputs = outputs;
  if (m_plan.forwardOnly()) slot.inputs.clear();
  for (const at::Tensor& output : outputs) slot.outputs.push_back(output.detach());
}

/// Reruns the forward of a micro-batch that kept only its inputs. Computes the same numbers and
/// does not update running statistics again.
void StageWork::ensureGraph(Slot& slot, int microBatch) const {
  if (slot.recompute) {
    slot.recompute = false;
    slot.roots = rootsOf(run(slot, microBatch, Pass::Again));
  }
}

void StageWork::backward(Slot& slot, int microBatch) {
  ensureGraph(slot, microBatch);
  Start start = takeStart(slot);
  reduceWithLast();
  if (!start.roots.empty()) {
    torch::autograd::Engine::get_default_engine().execute(start.roots, start.gradients,
                                                          /*keep_graph=*/false,
                                                          /*create_graph=*/false,
                                                          /*accumulate_grad=*/true);
  }
  finishReducing();
  if (m_stage > 0) {
    std::vector<at::Tensor> gradients;
    for (const at::Tensor& input : differentiable(slot.inputs)) {
      gradients.push_back(takeGradient(input));
    }
    slot.inputGradients = gradientsOf(slot.inputs, gradients);
  }
  slot.inputs.clear();
  slot.live = false;
}

void StageWork::inputGradient(Slot& slot, int microBatch) {
  if (m_stage == 0) return;
  ensureGraph(slot, microBatch);
  Start start = takeStart(slot);
  const std::vector<at::Tensor> inputs = differentiable(slot.inputs);
  std::vector<at::Tensor> gradients(inputs.size());
  if (!start.roots.empty()) {
    InputGradients half = inputHalf(std::move(start.roots), std::move(start.gradients), inputs);
    gradients = std::move(half.gradients);
    slot.weights = std::move(half.weights);
  }
  slot.inputGradients = gradientsOf(slot.inputs, gradients);
  slot.inputs.clear();
}

void StageWork::weightGradient(Slot& slot, int microBatch) {
  if (m_stage == 0) return backward(slot, microBatch);
  slot.weights.accumulate();
  slot.live = false;
}

void StageWork::optimize(const StepTag& tag) {
  m_optimizer->step();
  if (!tag.keepGradients) m_optimizer->dropGradients();
}

void LossWork::stepBegins(const StepInput& input) {
  m_losses.clear();
  m_sizes = input.sizes;
}

at::Tensor LossWork::take(std::size_t number, const at::Tensor& output, const at::Tensor& target) {
  at::Tensor loss;
  {
    const AutocastGuard autocast(m_plan.experiment->precision, output.device().type());
    const auto samples = std::accumulate(m_sizes.begin(), m_sizes.end(), std::int64_t{0});
    loss = scaledLoss(m_plan.experiment->loss, output, target, samples);
  }
  if (m_plan.options.lossFactor != 1.0) loss = loss.mul(m_plan.options.lossFactor);
  m_losses.resize(std::max(m_losses.size(), number + 1));
  m_losses[number] = loss.detach();
  at::Tensor gradient = torch::autograd::grad({loss}, {output}).front();
  // The Reducer takes the mean over the replicas; the losses add up already.
  return m_plan.reducesByBackend
             ? gradient.mul(static_cast<double>(m_plan.lowered->source.rows.replicas(0)))
             : gradient;
}

void LossWork::ofMicroBatch(Slot& slot, int microBatch, const at::Tensor& target) {
  const at::Tensor output = slot.outputs.front().requires_grad_(true);
  slot.outputs.clear();
  slot.outputGradients = {take(static_cast<std::size_t>(microBatch), output, target)};
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
  outputs.clear();
  const std::vector<at::Tensor> pieces = cut(take(0, whole, target), m_sizes);
  for (int i = 0; i < count; ++i) {
    slots.of(stage, i).outputGradients = {pieces[static_cast<std::size_t>(i)]};
  }
}

}  // namespace stagelane::run
