#include "engine/run/step/row.h"

#include <c10/core/GradMode.h>

#include <algorithm>
#include <utility>

#include "engine/run/step/fixed_marker.h"
#include "engine/run/step/remote_rows.h"

namespace stagelane::run {

Row::Row(const StepPlan& plan, int row)
    : m_plan(plan),
      m_row(row),
      m_queues(!backend().torchDevice().is_cpu()),
      m_slots(plan.lowered->source.stages, plan.lowered->source.microBatches),
      m_loss(plan),
      m_transfer(plan, row),
      m_reduced(plan, row) {
  m_timings.reserve(plan.lowered->actions[static_cast<std::size_t>(row)].size() * 4);
}

void Row::build(const InitialValues& values) {
  const at::Device device = backend().torchDevice();
  m_stages.clear();
  for (int stage = 0; stage <= m_plan.lastStage(); ++stage) {
    if (holds(stage)) m_stages.try_emplace(stage, m_plan, stage, values, device);
  }
}

void Row::play(const StepInput& input, const StepTag& tag, Meeting meeting, RunControl& control) {
  const c10::AutoGradMode withGradients(!m_plan.forwardOnly());
  m_loss.stepBegins(input);
  m_outputs.clear();
  m_sizes.clear();
  m_clipped = false;
  m_reduced.stepBegins();
  ++m_step;
  for (auto& [stage, work] : m_stages) work.stepBegins(tag, input);
  for (const schedule::LoweredAction& action :
       m_plan.lowered->actions[static_cast<std::size_t>(m_row)]) {
    if (control.stopped()) break;
    m_sinceNs = trace::monotonicNs();
    m_current = &action;
    if (clipsBefore(action) && !clip(tag, meeting.norms, control)) break;
    if (!playOne(action, input, tag, meeting.exchange, control)) break;
  }
  m_reduced.stepBegins();
  m_current = nullptr;
}

bool Row::clipsBefore(const schedule::LoweredAction& action) const {
  return action.kind == ActionKind::Optimizer && !m_clipped &&
         m_plan.experiment->clipGradNorm.has_value();
}

bool Row::clip(const StepTag& tag, NormBoard& norms, const RunControl& control) {
  constexpr schedule::LoweredAction kOfAllStages{ActionKind::Reduce, StageId{}, MicroBatchId{}, -1};
  const trace::ActionScope scope(kOfAllStages.stage, kOfAllStages.microBatch);
  Timing timing{kOfAllStages, backend().mark(), nullptr, 0, tag};
  std::map<int, std::vector<NamedNorm>> own;
  for (const auto& [stage, work] : m_stages) own[stage] = gradientNorms(work.tensors());
  if (!backend().mark()->wait([&control] { return control.stopped(); })) return false;
  for (auto& [stage, ofStage] : own) {
    // Replicas have equal gradients.
    const bool posts = m_plan.lowered->source.rows.replicaOn(stage, m_row) == 0;
    if (!posts) continue;
    std::vector<NamedNorm> known = onHost(std::move(ofStage));
    if (m_plan.remote != nullptr) m_plan.remote->sendNorms(stage, known);
    norms.post(stage, std::move(known));
  }
  const bool receives = m_plan.remote != nullptr && m_plan.isFirstHere(m_row);
  if (receives && !m_plan.remote->receiveNorms(norms, control)) return false;
  if (!norms.wait(control)) return false;
  const at::Tensor factor = clipFactor(norms.norms(), *m_plan.experiment->clipGradNorm);
  for (const auto& stage : m_stages) scaleGradients(stage.second.tensors(), factor);
  m_clipped = true;
  timing.end = backend().mark();
  m_timings.push_back(std::move(timing));
  return true;
}

bool Row::playOne(const schedule::LoweredAction& action, const StepInput& input, const StepTag& tag,
                  Exchange& exchange, RunControl& control) {
  if (m_plan.options.beforeAction) m_plan.options.beforeAction(m_row, action);
  const trace::ActionScope scope(action.stage, action.microBatch);
  Timing timing{action, nullptr, nullptr, 0, tag};
  if (isTransfer(action.kind) || action.kind == ActionKind::Reduce) {
    std::optional<Moved> moved = move(action, exchange, control);
    if (!moved) return false;
    timing.start = std::move(moved->start);
    timing.end = std::move(moved->end);
    timing.bytes = moved->bytes;
    if (m_queues && timing.end) m_queued.add(action, m_step, timing.end);
  } else {
    const TimeNs beganNs = trace::monotonicNs();
    timing.start = backend().mark();
    compute(action, input, tag, exchange);
    timing.end = backend().mark();
    timing.liveBytes = backend().liveBytes();
    noteBuckets(action, timing);
    const TimeNs tookNs = trace::monotonicNs() - beganNs;
    if (!m_queues && timing.end->reached()) {
      control.actionDone(tookNs);
    } else {
      control.actionQueued(tookNs);
      m_queued.add(action, m_step, timing.end);
    }
  }
  m_timings.push_back(std::move(timing));
  return true;
}

std::optional<Moved> Row::move(const schedule::LoweredAction& action, Exchange& exchange,
                               const RunControl& control) {
  const int stage = action.stage.value;
  switch (action.kind) {
    case ActionKind::Reduce:
      return m_plan.reducesByBackend
                 ? m_stages.at(stage).reduced()
                 : m_reduced.reduce(stage, m_stages.at(stage), exchange, control);
    case ActionKind::SendForward:
    case ActionKind::SendBackward: return m_transfer.send(action, m_slots.of(action), exchange);
    default: return m_transfer.receive(action, m_slots.of(action), exchange, control);
  }
}

void Row::compute(const schedule::LoweredAction& action, const StepInput& input, const StepTag& tag,
                  Exchange& exchange) {
  switch (action.kind) {
    case ActionKind::Forward: return forward(action, input, tag);
    case ActionKind::Loss: return loss(action, input);
    case ActionKind::Backward:
    case ActionKind::BackwardInput:
    case ActionKind::BackwardWeight: return backward(action, exchange);
    case ActionKind::Optimizer: return m_stages.at(action.stage.value).optimize(tag);
    default:
      throw std::logic_error(std::string(word(action.kind)) +
                             " actions are not available in this version");
  }
}

void Row::forward(const schedule::LoweredAction& action, const StepInput& input,
                  const StepTag& tag) {
  const int stage = action.stage.value;
  const int microBatch = action.microBatch.value;
  Slot& own = m_slots.of(action);
  std::vector<at::Tensor> inputs;
  if (stage == 0) {
    inputs = {input.inputs[static_cast<std::size_t>(microBatch)]};
  } else {
    inputs = std::exchange(
        holds(stage - 1) ? m_slots.of(stage - 1, microBatch).outputs : own.received, {});
  }
  const bool keepsSizes = m_plan.keepSizes && stage == 0;
  if (keepsSizes) m_sizes.push_back({m_row, microBatch, inputs.front().sizes().vec(), {}});
  m_stages.at(stage).forward(own, microBatch, std::move(inputs));
  if (keepsSizes) m_sizes.back().output = own.outputs.front().sizes().vec();
  m_peakLive = std::max(m_peakLive, m_slots.live());
  if (m_plan.forwardOnly()) finishForward(action, tag);
}

void Row::finishForward(const schedule::LoweredAction& action, const StepTag& tag) {
  Slot& own = m_slots.of(action);
  own.live = false;
  if (action.stage.value != m_plan.lastStage()) return;
  if (tag.keepGradients) m_outputs[action.microBatch.value] = own.outputs.front();
  own.outputs.clear();
}

void Row::loss(const schedule::LoweredAction& action, const StepInput& input) {
  if (m_plan.wholeBatchLoss()) return m_loss.ofWholeBatch(m_slots, input.target);
  m_loss.ofMicroBatch(m_slots.of(action), action.microBatch.value,
                      input.targets[static_cast<std::size_t>(action.microBatch.value)]);
}

void Row::backward(const schedule::LoweredAction& action, Exchange& exchange) {
  const int stage = action.stage.value;
  const int microBatch = action.microBatch.value;
  Slot& own = m_slots.of(action);
  StageWork& work = m_stages.at(stage);
  if (action.kind != ActionKind::BackwardWeight && stage < m_plan.lastStage() && holds(stage + 1)) {
    own.outputGradients = std::exchange(m_slots.of(stage + 1, microBatch).inputGradients, {});
  }
  switch (action.kind) {
    case ActionKind::BackwardInput: return work.inputGradient(own, microBatch);
    case ActionKind::BackwardWeight: work.weightGradient(own, microBatch); break;
    default: work.backward(own, microBatch); break;
  }
  m_reduced.weightGradientDone(stage, work, exchange);
}

void Row::noteBuckets(const schedule::LoweredAction& action, Timing& timing) {
  if (!m_plan.reducesByBackend || action.kind != ActionKind::Backward) return;
  const StageWork& work = m_stages.at(action.stage.value);
  if (!work.reducedNow()) return;
  for (const BucketSpan& span : work.buckets()) {
    m_buckets.push_back(
        {"bucket " + std::to_string(span.bucket), m_row, span.startNs, span.endNs, span.bytes});
  }
  timing.end = std::make_shared<FixedMarker>(work.computedNs());
}

void Row::collectBuckets(std::vector<BatchCopy>& copies) {
  copies.insert(copies.end(), m_buckets.begin(), m_buckets.end());
  m_buckets.clear();
}

void Row::watch(RunControl& control) {
  if (m_queued.empty()) return;
  QueuedActions::Ended ended;
  Status status = guarded(m_plan.workers[static_cast<std::size_t>(m_row)]->name(), [&]() -> Status {
    ended = m_queued.poll();
    return {};
  });
  if (ended.count > 0) control.actionDone(ended.longestNs);
  if (status) return;
  Error error = std::move(status.error());
  if (const std::optional<RowActivity> oldest = m_queued.oldest()) {
    setPlace(error, m_plan, static_cast<std::size_t>(m_row), *oldest->action);
  }
  m_queued.clear();  // a device with an error ends none of them
  control.fail(std::move(error));
}

void Row::drop() {
  m_current = nullptr;
  m_queued.clear();
  m_slots.clear();
}

void Row::collect(std::vector<trace::ActionRecord>& records) {
  for (const Timing& timing : m_timings) {
    trace::ActionRecord record;
    record.startNs = timing.start->timeNs();
    record.endNs = timing.end->timeNs();
    record.bytes = timing.bytes;
    record.liveBytes = timing.liveBytes;
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
  synchronized();
}

}  // namespace stagelane::run
