#include "engine/run/step/executor.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "engine/run/step/remote_rows.h"
#include "engine/run/step/tensors.h"

namespace stagelane::run {

Executor::Parts::Parts(StepPlan stepPlan)
    : plan(std::move(stepPlan)),
      exchange(plan.lowered->source.rows, plan.lowered->source.microBatches, plan.remote),
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

bool Executor::isHere(std::size_t row) const {
  const RemoteRows* remote = m_parts->plan.remote;
  return remote == nullptr || !remote->isRemote(static_cast<int>(row));
}

/// Runs job(index) in the thread of every row of this process and waits for all of them.
template <class Job>
Status Executor::onEveryRow(const Job& job) {
  const std::vector<Worker*>& workers = m_parts->plan.workers;
  std::vector<std::future<Status>> outcomes;
  for (std::size_t i = 0; i < workers.size(); ++i) {
    if (isHere(i)) outcomes.push_back(workers[i]->submit([&job, i] { return job(i); }));
  }
  Status first;
  for (std::future<Status>& outcome : outcomes) {
    Status status = outcome.get();
    if (!status && first) first = std::move(status);
  }
  return first;
}

Status Executor::build(const InitialValues& values) {
  return onEveryRow([&](std::size_t index) -> Status {
    m_parts->rows[index]->build(values);
    return {};
  });
}

/// The job owns what it uses, as its thread may be abandoned: copies wait for the device's queue.
Result<at::Tensor> Executor::copyTo(int row, const at::Tensor& tensor, const char* name) {
  struct Copy {
    at::Tensor from;
    at::Tensor to;
    BatchCopy record;
  };
  const auto copy = std::make_shared<Copy>();
  copy->from = tensor;
  copy->record = {name, row, 0, 0, static_cast<Bytes>(tensor.nbytes())};
  const auto index = static_cast<std::size_t>(row);
  std::future<Status> outcome =
      m_parts->plan.workers[index]->submit([parts = m_parts, copy, index]() -> Status {
        copy->record.startNs = trace::monotonicNs();
        copy->to = placed(copy->from, parts->plan.workers[index]->backend().torchDevice(),
                          parts->plan.experiment->memoryFormat);
        copy->record.endNs = trace::monotonicNs();
        return {};
      });
  STAGELANE_CHECK(m_parts->rows[index]->hasQueued() ? await(outcome, index) : outcome.get());
  m_copies.push_back(copy->record);
  return copy->to;
}

Result<std::vector<at::Tensor>> Executor::scatter(int stage, const at::Tensor& whole,
                                                  const std::vector<std::int64_t>& sizes,
                                                  const char* name) {
  const schedule::StageRows& rows = m_parts->plan.lowered->source.rows;
  if (rows.replicas(stage) == 1) {
    if (!isHere(static_cast<std::size_t>(rows.row(stage)))) return cut(whole, sizes);
    STAGELANE_TRY(copy, copyTo(rows.row(stage), whole, name));
    return cut(*copy, sizes);
  }
  std::vector<at::Tensor> pieces = cut(whole, sizes);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (!isHere(static_cast<std::size_t>(rows.of(stage, static_cast<int>(i))))) continue;
    STAGELANE_TRY(piece, copyTo(rows.of(stage, static_cast<int>(i)), pieces[i], name));
    pieces[i] = std::move(*piece);
  }
  return pieces;
}

Result<StepInput> Executor::prepare(const Batch& batch) {
  const StepPlan& plan = m_parts->plan;
  StepInput result;
  result.sizes = sizesOf(plan, batch.input.size(0));
  STAGELANE_TRY(inputs, scatter(0, batch.input, result.sizes, "inputs"));
  result.inputs = std::move(*inputs);
  if (plan.forwardOnly()) {
    return result;  // labels are not used
  }
  const bool lossIsHere = isHere(static_cast<std::size_t>(plan.rowOf(plan.lastStage(), 0)));
  if (plan.wholeBatchLoss() && lossIsHere) {
    STAGELANE_TRY(target, copyTo(plan.rowOf(plan.lastStage(), 0), batch.target, "labels"));
    result.target = std::move(*target);
    return result;
  }
  STAGELANE_TRY(targets, scatter(plan.lastStage(), batch.target, result.sizes, "labels"));
  result.targets = std::move(*targets);
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
  Outcomes outcomes;
  for (std::size_t i = 0; i < workers.size(); ++i) {
    if (!isHere(i)) continue;
    outcomes.emplace_back(
        i, workers[i]->submit([parts = m_parts, given, tag, i, control = &m_control] {
          return playRow(*parts, i, *given, tag, *control);
        }));
  }
  return awaitAll(outcomes);
}

Status Executor::awaitAll(Outcomes& outcomes) {
  Status first;
  for (auto& [row, outcome] : outcomes) {
    Status status = await(outcome, row);
    if (!status && first) first = std::move(status);
  }
  return first;
}

/// Waits for the end of a row's job, within a time limit once the run has stopped.
Status Executor::await(std::future<Status>& outcome, std::size_t row) {
  constexpr auto kSlice = std::chrono::milliseconds(20);
  beginWatch();
  while (outcome.wait_for(kSlice) != std::future_status::ready) {
    watch();
    if (graceEnded()) {
      abandon(row);
      break;
    }
  }
  if (const std::optional<Error> error = m_control.error()) return tl::make_unexpected(*error);
  if (m_parts->plan.workers[row]->abandoned()) {
    return fail(ErrorCode::EngineFailure,
                m_parts->plan.workers[row]->name() + " did not stop and was abandoned");
  }
  return outcome.get();
}

void Executor::beginWatch() { m_watchedNs = trace::monotonicNs(); }

/// Looks at the rows, several times a second while something is awaited.
void Executor::watch() {
  // If the wait pauses for so long, the process was suspended, and the workers with it.
  constexpr TimeNs kSuspendedNs = 1'000'000'000;
  if (trace::monotonicNs() - m_watchedNs > kSuspendedNs) {
    m_control.stepBegins();
    m_stoppedNs.reset();
  }
  for (const std::unique_ptr<Row>& row : m_parts->rows) row->watch(m_control);
  stopIfStalled();
  m_watchedNs = trace::monotonicNs();
  if (m_control.stopped() && !m_stoppedNs) m_stoppedNs = m_watchedNs;
}

void Executor::stopIfStalled() {
  const TimeNs quietNs = m_control.quietNs();
  if (m_control.stopped() || quietNs <= m_control.stallLimitNs()) return;
  std::vector<RowActivity> rows;
  bool playing = false;
  for (const std::unique_ptr<Row>& row : m_parts->rows) {
    rows.push_back(row->oldestActivity());
    playing = playing || rows.back().action != nullptr;
  }
  if (playing) m_control.fail(stallError(m_parts->plan, rows, quietNs));
}

bool Executor::anyQueued() const {
  return std::any_of(m_parts->rows.begin(), m_parts->rows.end(),
                     [](const std::unique_ptr<Row>& row) { return row->hasQueued(); });
}

/// Whether the rows have had enough time to reach their next action boundary since the stop.
bool Executor::graceEnded() const {
  constexpr TimeNs kGraceNs = 2'000'000'000;
  if (!m_stoppedNs) return false;
  const TimeNs stoppedNs = trace::monotonicNs() - *m_stoppedNs;
  const std::optional<Error> error = m_control.error();
  const TimeNs longerNs = std::max(kGraceNs, 2 * m_control.longestActionNs());
  // A canceled process ends in order.
  if (!error) return stoppedNs > longerNs;
  // Other variants may use the workers, so a device may end all that it has queued.
  if (error->code == ErrorCode::OutOfMemory) {
    return std::min(stoppedNs, m_control.quietNs()) > longerNs;
  }
  // The process ends at once, so a thread in a long operator need not be waited for.
  return stoppedNs > kGraceNs;
}

/// After a stop: waits until the devices have ended what is queued, and abandons those that do not.
void Executor::settle() {
  constexpr auto kSlice = std::chrono::milliseconds(5);
  beginWatch();
  watch();
  while (anyQueued() && !graceEnded()) {
    m_stoppedNs = m_stoppedNs.value_or(m_watchedNs);
    std::this_thread::sleep_for(kSlice);
    watch();
  }
  for (std::size_t row = 0; row < m_parts->rows.size(); ++row) {
    if (m_parts->rows[row]->hasQueued()) abandon(row);
  }
}

void Executor::abandon(std::size_t row) {
  m_stuck = true;
  Worker& worker = *m_parts->plan.workers[row];
  if (!worker.abandoned()) worker.abandon();
}

/// What the rows of this process do: the action that has run longest.
Json Executor::doing(const Parts& parts) {
  const Row* longest = nullptr;
  RowActivity activity;
  for (const std::unique_ptr<Row>& row : parts.rows) {
    const RowActivity now = row ? row->activity() : RowActivity{};
    if (now.action == nullptr || (longest != nullptr && activity.sinceNs <= now.sinceNs)) continue;
    longest = row.get();
    activity = now;
  }
  if (longest == nullptr) return Json::object();
  return {{"device", parts.plan.workers[static_cast<std::size_t>(longest->number())]->name()},
          {"stage", activity.action->stage.value},
          {"micro_batch", activity.action->microBatch.value},
          {"action", std::string(word(activity.action->kind))}};
}

Result<Executor::Outcome> Executor::step(const StepInput& input, const StepTag& tag) {
  // A device that is still at earlier steps has made no progress by the start of another one.
  if (!anyQueued()) m_control.stepBegins();
  m_parts->norms.clear();
  RemoteRows* remote = m_parts->plan.remote;
  if (remote != nullptr) remote->stepBegins(m_control, [parts = m_parts] { return doing(*parts); });
  const Status status = playAll(input, tag);
  if (remote != nullptr) remote->stepEnds();
  if (status && !m_control.stopped()) return Outcome::Done;
  settle();
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

/// Blocks as long as the device works: the caller's thread watches, and abandons this one if need
/// be. A device reports errors of earlier work here; they are given the place of the oldest action
/// that is not known to have ended.
Status Executor::awaitDevice(Parts& parts, std::size_t index, RunControl& control) {
  Worker& worker = *parts.plan.workers[index];
  Status status = guarded(worker.name(), [&]() -> Status {
    worker.backend().synchronize();
    return {};
  });
  if (status) return status;
  Error error = std::move(status.error());
  if (const schedule::LoweredAction* action = parts.rows[index]->oldestActivity().action) {
    setPlace(error, parts.plan, index, *action);
  }
  control.fail(error);
  return tl::make_unexpected(std::move(error));
}

Status Executor::synchronize() {
  Outcomes outcomes;
  for (std::size_t i = 0; i < m_parts->rows.size(); ++i) {
    if (!isHere(i)) continue;
    outcomes.emplace_back(
        i, m_parts->plan.workers[i]->submit([parts = m_parts, i, control = &m_control] {
          return awaitDevice(*parts, i, *control);
        }));
  }
  Status status = awaitAll(outcomes);
  if (!status || m_control.stopped()) {
    settle();
    return status;
  }
  for (const std::unique_ptr<Row>& row : m_parts->rows) row->synchronized();
  return status;
}

std::vector<at::Tensor> Executor::losses() const {
  std::vector<at::Tensor> losses;
  for (const std::unique_ptr<Row>& row : m_parts->rows) {
    const std::vector<at::Tensor>& own = row->losses();
    losses.resize(std::max(losses.size(), own.size()));
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (own[i].defined()) losses[i] = own[i];
    }
  }
  return losses;
}

std::map<int, at::Tensor> Executor::outputs() const {
  std::map<int, at::Tensor> outputs;
  for (const std::unique_ptr<Row>& row : m_parts->rows) {
    outputs.insert(row->outputs().begin(), row->outputs().end());
  }
  return outputs;
}

std::vector<trace::ActionRecord> Executor::takeRecords() {
  std::vector<trace::ActionRecord> records;
  for (const std::unique_ptr<Row>& row : m_parts->rows) row->collect(records);
  return records;
}

std::vector<BatchCopy> Executor::takeCopies() {
  for (const std::unique_ptr<Row>& row : m_parts->rows) row->collectBuckets(m_copies);
  return std::exchange(m_copies, {});
}

std::vector<MicroBatchSizes> Executor::sizes() const {
  std::vector<MicroBatchSizes> sizes;
  for (const std::unique_ptr<Row>& row : m_parts->rows) {
    sizes.insert(sizes.end(), row->sizes().begin(), row->sizes().end());
  }
  std::sort(sizes.begin(), sizes.end(),
            [](const MicroBatchSizes& one, const MicroBatchSizes& other) {
              return one.microBatch < other.microBatch;
            });
  return sizes;
}

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
