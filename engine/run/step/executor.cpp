#include "engine/run/step/executor.h"

#include <algorithm>
#include <chrono>

#include "engine/run/step/tensors.h"

namespace stagelane::run {

Executor::Parts::Parts(StepPlan stepPlan)
    : plan(std::move(stepPlan)),
      exchange(plan.lowered->source.stages, plan.lowered->source.microBatches,
               static_cast<int>(plan.workers.size())),
      norms(plan.lowered->source.stages) {
  for (std::size_t i = 0; i < plan.workers.size(); ++i) {
    rows.push_back(std::make_unique<Row>(plan, static_cast<int>(i)));
  }
}

Executor::Executor(StepPlan plan, RunControl& control)
    : m_parts(std::make_shared<Parts>(std::move(plan))), m_control(control) {}

Executor::~Executor() {
  if (m_stuck) return;
  m_parts->exchange.clear();
  // If a device cannot free its memory, nothing more can be done.
  static_cast<void>(onEveryRow([this](std::size_t index) -> Status {
    m_parts->rows[index].reset();
    return {};
  }));
}

/// Runs job(index) in the thread of every row and waits for all of them.
template <class Job>
Status Executor::onEveryRow(const Job& job) {
  const std::vector<Worker*>& workers = m_parts->plan.workers;
  std::vector<std::future<Status>> outcomes;
  for (std::size_t i = 0; i < workers.size(); ++i) {
    outcomes.push_back(workers[i]->submit([&job, i] { return job(i); }));
  }
  Status first;
  for (std::future<Status>& outcome : outcomes) {
    Status status = outcome.get();
    if (!status && first) first = std::move(status);
  }
  return first;
}

Status Executor::build(const InitialValues& values) {
  STAGELANE_CHECK(schedule::requireSingle(m_parts->plan.lowered->source.rows));
  return onEveryRow([&](std::size_t index) -> Status {
    m_parts->rows[index]->build(values);
    return {};
  });
}

Result<at::Tensor> Executor::copyTo(int row, const at::Tensor& tensor, const char* name) {
  Worker& worker = *m_parts->plan.workers[static_cast<std::size_t>(row)];
  BatchCopy copy{name, row, 0, 0, static_cast<Bytes>(tensor.nbytes())};
  at::Tensor result;
  const Status status = worker
                            .submit([&]() -> Status {
                              copy.startNs = trace::monotonicNs();
                              result = placed(tensor, worker.backend().torchDevice(),
                                              m_parts->plan.experiment->memoryFormat);
                              copy.endNs = trace::monotonicNs();
                              return {};
                            })
                            .get();
  STAGELANE_CHECK(status);
  m_copies.push_back(copy);
  return result;
}

Result<StepInput> Executor::prepare(const Batch& batch) {
  STAGELANE_TRY(input, copyTo(m_parts->plan.rowOfStage(0), batch.input, "inputs"));
  StepInput result;
  result.inputs = cut(*input, m_parts->plan.microBatchSizes);
  if (m_parts->plan.forwardOnly()) {
    return result;  // labels are not used
  }
  STAGELANE_TRY(
      target, copyTo(m_parts->plan.rowOfStage(m_parts->plan.lastStage()), batch.target, "labels"));
  result.targets = cut(*target, m_parts->plan.microBatchSizes);
  result.target = std::move(*target);
  return result;
}

Status Executor::playRow(Parts& parts, std::size_t index, const StepInput& input,
                         const StepTag& tag, RunControl& control) {
  Row& row = *parts.rows[index];
  Status status = guarded(parts.plan.workers[index]->name(), [&]() -> Status {
    row.play(input, tag, {parts.exchange, parts.norms}, control);
    return {};
  });
  if (status) return status;
  Error error = status.error();
  if (const schedule::LoweredAction* action = row.activity().action) {
    setPlace(error, parts.plan, index, *action);
  }
  control.fail(error);
  return tl::make_unexpected(std::move(error));
}

/// Every row shares ownership of what it uses, because its thread may have to be abandoned.
Status Executor::playAll(const StepInput& input, const StepTag& tag) {
  const auto given = std::make_shared<const StepInput>(input);
  const std::vector<Worker*>& workers = m_parts->plan.workers;
  std::vector<std::future<Status>> outcomes;
  for (std::size_t i = 0; i < workers.size(); ++i) {
    outcomes.push_back(workers[i]->submit([parts = m_parts, given, tag, i, control = &m_control] {
      return playRow(*parts, i, *given, tag, *control);
    }));
  }
  Status first;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    Status status = await(outcomes[i], i);
    if (!status && first) first = std::move(status);
  }
  return first;
}

/// Waits for the end of a row, within a time limit.
Status Executor::await(std::future<Status>& outcome, std::size_t row) {
  constexpr auto kSlice = std::chrono::milliseconds(20);
  // Time limit for a row to reach its next action boundary after a failure.
  constexpr TimeNs kGraceNs = 3'000'000'000;
  std::optional<TimeNs> failedNs;
  TimeNs lookedNs = trace::monotonicNs();
  while (outcome.wait_for(kSlice) != std::future_status::ready) {
    // If this loop pauses for so long, the process was suspended, and the workers with it.
    constexpr TimeNs kStoppedNs = 1'000'000'000;
    const TimeNs nowLookingNs = trace::monotonicNs();
    if (nowLookingNs - std::exchange(lookedNs, nowLookingNs) > kStoppedNs) m_control.stepBegins();
    stopIfStalled();
    if (!m_control.failed()) continue;
    const TimeNs nowNs = trace::monotonicNs();
    failedNs = failedNs.value_or(nowNs);
    if (nowNs - *failedNs > std::max(kGraceNs, 2 * m_control.longestActionNs())) {
      m_stuck = true;
      m_parts->plan.workers[row]->abandon();
      return tl::make_unexpected(*m_control.error());
    }
  }
  return outcome.get();
}

void Executor::stopIfStalled() {
  const TimeNs quietNs = m_control.quietNs();
  if (m_control.stopped() || quietNs <= m_control.stallLimitNs()) return;
  std::vector<RowActivity> rows;
  bool playing = false;
  for (const std::unique_ptr<Row>& row : m_parts->rows) {
    rows.push_back(row->activity());
    playing = playing || rows.back().action != nullptr;
  }
  if (playing) m_control.fail(stallError(m_parts->plan, rows, quietNs));
}

Result<Executor::Outcome> Executor::step(const StepInput& input, const StepTag& tag) {
  m_control.stepBegins();
  m_parts->norms.clear();
  const Status status = playAll(input, tag);
  if (status && !m_control.stopped()) return Outcome::Done;
  if (!m_stuck) {
    m_parts->exchange.clear();
    static_cast<void>(onEveryRow([this](std::size_t index) -> Status {
      m_parts->rows[index]->drop();
      return {};
    }));
  }
  if (const std::optional<Error> error = m_control.error()) return tl::make_unexpected(*error);
  return Outcome::Stopped;
}

Status Executor::synchronize() {
  return onEveryRow([this](std::size_t index) -> Status {
    m_parts->plan.workers[index]->backend().synchronize();
    return {};
  });
}

const std::vector<at::Tensor>& Executor::losses() const {
  const int row = m_parts->plan.rowOfStage(m_parts->plan.lastStage());
  return m_parts->rows[static_cast<std::size_t>(row)]->losses();
}

const std::map<int, at::Tensor>& Executor::outputs() const {
  const int row = m_parts->plan.rowOfStage(m_parts->plan.lastStage());
  return m_parts->rows[static_cast<std::size_t>(row)]->outputs();
}

std::vector<trace::ActionRecord> Executor::takeRecords() {
  std::vector<trace::ActionRecord> records;
  for (const std::unique_ptr<Row>& row : m_parts->rows) row->collect(records);
  return records;
}

std::vector<BatchCopy> Executor::takeCopies() { return std::exchange(m_copies, {}); }

void Executor::resetPeakBytes() {
  for (Worker* worker : m_parts->plan.workers) worker->backend().resetPeakBytes();
}

std::vector<int> Executor::peakLiveMicroBatches() const {
  std::vector<int> peaks;
  for (const std::unique_ptr<Row>& row : m_parts->rows) {
    peaks.push_back(row->peakLiveMicroBatches());
  }
  return peaks;
}

std::vector<Bytes> Executor::peakBytes() const {
  std::vector<Bytes> peaks;
  for (Worker* worker : m_parts->plan.workers) peaks.push_back(worker->backend().peakBytes());
  return peaks;
}

}  // namespace stagelane::run
