#include "engine/run/detail/row.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>

#include "engine/base/text.h"
#include "engine/run/detail/data.h"

namespace stagelane::run {
namespace {

/// Boundary tensors as leaves of the next piece of graph.
std::vector<at::Tensor> asLeaves(std::vector<at::Tensor> received) {
  for (at::Tensor& tensor : received) {
    tensor = tensor.detach();
    if (tensor.is_floating_point()) {
      tensor.requires_grad_(true);
    }
  }
  return received;
}

std::vector<at::Tensor> detached(const std::vector<at::Tensor>& tensors) {
  std::vector<at::Tensor> result;
  result.reserve(tensors.size());
  for (const at::Tensor& tensor : tensors) {
    result.push_back(tensor.detach());
  }
  return result;
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

bool isSend(ActionKind kind) {
  return kind == ActionKind::SendForward || kind == ActionKind::SendBackward;
}

}  // namespace

Row::Row(const StepPlan& plan, int row) : m_plan(plan), m_row(row) {
  const schedule::Schedule& source = plan.lowered->source;
  m_slots.resize(static_cast<std::size_t>(source.stages) *
                 static_cast<std::size_t>(source.microBatches));
  m_timings.reserve(plan.lowered->actions[static_cast<std::size_t>(row)].size() * 4);
}

void Row::build(const InitialValues& values) {
  const plan::Experiment& experiment = *m_plan.experiment;
  const at::Device device =
      m_plan.workers[static_cast<std::size_t>(m_row)]->backend().torchDevice();
  for (int stage = 0; stage <= m_plan.lastStage(); ++stage) {
    if (!holds(stage)) {
      continue;
    }
    const plan::Stage& range = m_plan.variant->stages[static_cast<std::size_t>(stage)];
    StageTensors tensors(*experiment.model, range.firstBlock, range.lastBlock, values, device,
                         experiment.memoryFormat);
    std::vector<at::Tensor> parameters;
    for (const auto& named : tensors.parameters()) {
      parameters.push_back(named.second);
    }
    m_optimizers[stage] = Sgd(experiment.optimizer, std::move(parameters));
    m_stages[stage] = std::move(tensors);
  }
}

Status Row::play(const StepInput& input, const StepTag& tag, Exchange& exchange,
                 RunControl& control) {
  const c10::AutoGradMode withGradients(true);
  m_losses.clear();
  for (const schedule::LoweredAction& action :
       m_plan.lowered->actions[static_cast<std::size_t>(m_row)]) {
    if (control.stopped()) {
      break;
    }
    m_current = &action;
    const Result<bool> played = playOne(action, input, tag, exchange, control);
    if (!played) {
      return tl::make_unexpected(played.error());
    }
    if (!*played) {
      break;
    }
  }
  m_current = nullptr;
  return {};
}

Result<bool> Row::playOne(const schedule::LoweredAction& action, const StepInput& input,
                          const StepTag& tag, Exchange& exchange, RunControl& control) {
  if (m_plan.options.beforeAction) {
    m_plan.options.beforeAction(m_row, action);
  }
  Timing timing{action, nullptr, nullptr, 0, tag};
  if (isTransfer(action.kind)) {
    Result<std::optional<Moved>> moved = isSend(action.kind)
                                             ? std::optional<Moved>(send(action, exchange))
                                             : receive(action, exchange, control);
    if (!moved) {
      return tl::make_unexpected(moved.error());
    }
    if (!*moved) {
      return false;
    }
    timing.start = std::move((*moved)->start);
    timing.end = std::move((*moved)->end);
    timing.bytes = (*moved)->bytes;
  } else {
    Backend& backend = m_plan.workers[static_cast<std::size_t>(m_row)]->backend();
    const TimeNs beganNs = trace::monotonicNs();
    timing.start = backend.mark();
    compute(action, input, tag);
    timing.end = backend.mark();
    control.actionDone(trace::monotonicNs() - beganNs);
  }
  m_timings.push_back(std::move(timing));
  return true;
}

void Row::compute(const schedule::LoweredAction& action, const StepInput& input,
                  const StepTag& tag) {
  switch (action.kind) {
    case ActionKind::Forward: return forward(action, input);
    case ActionKind::Loss: return loss(action, input);
    case ActionKind::Backward: return backward(action);
    case ActionKind::Optimizer: return optimize(action, tag);
    default:
      throw std::logic_error(std::string(word(action.kind)) +
                             " actions are not available in this version");
  }
}

void Row::forward(const schedule::LoweredAction& action, const StepInput& input) {
  const int stage = action.stage.value;
  Slot& own = slot(action);
  std::vector<at::Tensor> inputs;
  if (stage == 0) {
    inputs = {input.inputs[static_cast<std::size_t>(action.microBatch.value)]};
  } else {
    if (holds(stage - 1)) {
      own.received = detached(slot(stage - 1, action.microBatch.value).outputs);
    }
    inputs = asLeaves(std::move(own.received));
    own.received.clear();
    own.inputs = inputs;
  }
  const plan::Stage& range = m_plan.variant->stages[static_cast<std::size_t>(stage)];
  own.outputs = runBlocks(*m_plan.experiment->model, range.firstBlock, range.lastBlock,
                          m_stages.at(stage), std::move(inputs));
}

void Row::loss(const schedule::LoweredAction& action, const StepInput& input) {
  if (m_plan.wholeBatchLoss()) {
    return wholeBatchLoss(input);
  }
  Slot& own = slot(action);
  own.loss = scaledLoss(m_plan.experiment->loss, own.outputs.front(),
                        input.targets[static_cast<std::size_t>(action.microBatch.value)],
                        m_plan.experiment->data.batchSize);
  if (m_plan.options.lossFactor != 1.0) {
    own.loss = own.loss.mul(m_plan.options.lossFactor);
  }
  m_losses.push_back(own.loss.detach());
}

void Row::wholeBatchLoss(const StepInput& input) {
  std::vector<at::Tensor> outputs;
  const int stage = m_plan.lastStage();
  const auto count = static_cast<int>(m_plan.microBatchSizes.size());
  for (int i = 0; i < count; ++i) {
    outputs.push_back(slot(stage, i).outputs.front().detach());
  }
  const at::Tensor whole = at::cat(outputs, 0).requires_grad_(true);
  at::Tensor loss =
      scaledLoss(m_plan.experiment->loss, whole, input.target, m_plan.experiment->data.batchSize);
  if (m_plan.options.lossFactor != 1.0) {
    loss = loss.mul(m_plan.options.lossFactor);
  }
  m_losses.push_back(loss.detach());
  const at::Tensor gradient = torch::autograd::grad({loss}, {whole}).front();
  const std::vector<at::Tensor> pieces = cut(gradient, m_plan.microBatchSizes);
  for (int i = 0; i < count; ++i) {
    slot(stage, i).outputGradients = {pieces[static_cast<std::size_t>(i)]};
  }
}

void Row::backward(const schedule::LoweredAction& action) {
  const int stage = action.stage.value;
  Slot& own = slot(action);
  if (stage < m_plan.lastStage() && holds(stage + 1)) {
    own.outputGradients = std::move(slot(stage + 1, action.microBatch.value).inputGradients);
  }
  torch::autograd::variable_list roots;
  torch::autograd::variable_list gradients;
  if (own.loss.defined()) {
    roots = {own.loss};
    gradients = {at::Tensor()};
  } else {
    for (std::size_t i = 0; i < own.outputs.size(); ++i) {
      // A first stage without parameters has nothing to differentiate.
      if (own.outputs[i].requires_grad()) {
        roots.push_back(own.outputs[i]);
        gradients.push_back(own.outputGradients.at(i));
      }
    }
  }
  own.outputs.clear();
  own.outputGradients.clear();
  own.loss.reset();
  if (!roots.empty()) {
    torch::autograd::backward(roots, gradients);
  }
  own.inputGradients = gradientsOf(own.inputs);
  own.inputs.clear();
}

void Row::optimize(const schedule::LoweredAction& action, const StepTag& tag) {
  Sgd& optimizer = m_optimizers.at(action.stage.value);
  optimizer.step();
  if (!tag.keepGradients) {
    optimizer.dropGradients();
  }
}

Row::Moved Row::send(const schedule::LoweredAction& action, Exchange& exchange) {
  const bool forwards = action.kind == ActionKind::SendForward;
  Slot& own = slot(action);
  const std::vector<at::Tensor> tensors =
      forwards ? detached(own.outputs) : std::move(own.inputGradients);
  own.inputGradients.clear();

  Backend& backend = m_plan.workers[static_cast<std::size_t>(m_row)]->backend();
  Backend& receiver = m_plan.workers[static_cast<std::size_t>(action.peer)]->backend();
  Moved moved;
  Parcels parcels;
  for (const at::Tensor& tensor : tensors) {
    parcels.push_back(backend.send(tensor, receiver));
    moved.bytes += static_cast<Bytes>(tensor.nbytes());
    moved.start = moved.start ? moved.start : parcels.back().sendStart;
    moved.end = parcels.back().arrived;
  }
  const StageId takes{action.stage.value + (forwards ? 1 : -1)};
  exchange.put({forwards ? Direction::Forward : Direction::Backward, takes, action.microBatch},
               std::move(parcels));
  return moved;
}

Result<std::optional<Row::Moved>> Row::receive(const schedule::LoweredAction& action,
                                               Exchange& exchange, RunControl& control) {
  const bool forwards = action.kind == ActionKind::RecvForward;
  Exchange::Taken taken = exchange.take(
      {forwards ? Direction::Forward : Direction::Backward, action.stage, action.microBatch},
      control);
  if (taken.how == Exchange::Waited::Stopped) {
    return std::nullopt;
  }
  if (taken.how == Exchange::Waited::Stalled) {
    const std::string peer = m_plan.workers[static_cast<std::size_t>(action.peer)]->name();
    return fail(ErrorCode::EngineFailure,
                "nothing came from " + peer + ", and no action has ended anywhere for " +
                    humanTime(static_cast<double>(control.stallLimitNs())),
                "", "if single actions really take longer, raise stall_timeout_s");
  }
  Backend& backend = m_plan.workers[static_cast<std::size_t>(m_row)]->backend();
  Slot& own = slot(action);
  std::vector<at::Tensor>& place = forwards ? own.received : own.outputGradients;
  place.clear();
  Moved moved;
  for (Parcel& parcel : taken.parcels) {
    moved.start = moved.start ? moved.start : parcel.sendStart;
    moved.end = parcel.arrived;
    place.push_back(backend.receive(parcel));
    moved.bytes += static_cast<Bytes>(place.back().nbytes());
  }
  return moved;
}

void Row::drop() {
  m_current = nullptr;
  for (Slot& each : m_slots) {
    each = Slot{};
  }
}

void Row::collect(std::vector<trace::ActionRecord>& records) {
  for (const Timing& timing : m_timings) {
    trace::ActionRecord record;
    record.startNs = timing.start->timeNs();
    record.endNs = timing.end->timeNs();
    record.bytes = timing.bytes;
    record.stage = timing.action.stage.value;
    record.microBatch = timing.action.microBatch.value;
    record.repeat = timing.tag.repeat;
    record.step = timing.tag.step;
    record.device = static_cast<std::int16_t>(m_row);
    record.peer = static_cast<std::int16_t>(timing.action.peer);
    record.kind = timing.action.kind;
    records.push_back(record);
  }
  m_timings.clear();
}

bool Row::holds(int stage) const { return m_plan.deviceOfStage(stage) == m_row; }

Row::Slot& Row::slot(const schedule::LoweredAction& action) {
  return slot(action.stage.value, action.microBatch.value);
}

Row::Slot& Row::slot(int stage, int microBatch) {
  const int index = stage * m_plan.lowered->source.microBatches + microBatch;
  return m_slots.at(static_cast<std::size_t>(index));
}

}  // namespace stagelane::run
