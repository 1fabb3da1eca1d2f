#include "engine/run/detail/executor.h"

#include <future>

namespace stagelane::run {
namespace {

/// In the device's memory and in the layout that the model runs in.
at::Tensor placed(const at::Tensor& tensor, at::Device device, plan::MemoryFormat format) {
  at::Tensor result = tensor.to(device);
  if (format == plan::MemoryFormat::ChannelsLast && result.dim() == 4) {
    result = result.contiguous(at::MemoryFormat::ChannelsLast);
  }
  return result;
}

}  // namespace

Executor::Executor(StepPlan plan, RunControl& control)
    : m_plan(std::move(plan)),
      m_control(control),
      m_exchange(m_plan.lowered->source.stages, m_plan.lowered->source.microBatches) {
  for (std::size_t i = 0; i < m_plan.workers.size(); ++i) {
    m_rows.push_back(std::make_unique<Row>(m_plan, static_cast<int>(i)));
  }
}

Executor::~Executor() {
  m_exchange.clear();
  // Nothing is left to do about a device that cannot even give its memory back.
  static_cast<void>(onEveryRow([this](std::size_t index) -> Status {
    m_rows[index].reset();
    return {};
  }));
}

/// Runs job(index) in the thread of every row and waits for all of them.
template <class Job>
Status Executor::onEveryRow(const Job& job) {
  std::vector<std::future<Status>> outcomes;
  for (std::size_t i = 0; i < m_plan.workers.size(); ++i) {
    outcomes.push_back(m_plan.workers[i]->submit([&job, i] { return job(i); }));
  }
  Status first;
  for (std::future<Status>& outcome : outcomes) {
    Status status = outcome.get();
    if (!status && first) {
      first = std::move(status);
    }
  }
  return first;
}

Status Executor::build(const InitialValues& values) {
  return onEveryRow([&](std::size_t index) -> Status {
    m_rows[index]->build(values);
    return {};
  });
}

Result<at::Tensor> Executor::copyTo(int row, const at::Tensor& tensor, const char* name) {
  Worker& worker = *m_plan.workers[static_cast<std::size_t>(row)];
  BatchCopy copy{name, row, 0, 0, static_cast<Bytes>(tensor.nbytes())};
  at::Tensor result;
  const Status status = worker
                            .submit([&]() -> Status {
                              copy.startNs = trace::monotonicNs();
                              result = placed(tensor, worker.backend().torchDevice(),
                                              m_plan.experiment->memoryFormat);
                              copy.endNs = trace::monotonicNs();
                              return {};
                            })
                            .get();
  if (!status) {
    return tl::make_unexpected(status.error());
  }
  m_copies.push_back(copy);
  return result;
}

Result<StepInput> Executor::prepare(const Batch& batch) {
  auto input = copyTo(m_plan.deviceOfStage(0), batch.input, "inputs");
  if (!input) {
    return tl::make_unexpected(input.error());
  }
  auto target = copyTo(m_plan.deviceOfStage(m_plan.lastStage()), batch.target, "labels");
  if (!target) {
    return tl::make_unexpected(target.error());
  }
  StepInput result;
  result.inputs = cut(*input, m_plan.microBatchSizes);
  result.targets = cut(*target, m_plan.microBatchSizes);
  result.target = std::move(*target);
  return result;
}

Status Executor::playRow(std::size_t index, const StepInput& input, const StepTag& tag) {
  Row& row = *m_rows[index];
  const std::string& device = m_plan.workers[index]->name();
  Status status =
      guarded(device, [&]() -> Status { return row.play(input, tag, m_exchange, m_control); });
  if (status) {
    return status;
  }
  Error error = status.error();
  if (const schedule::LoweredAction* action = row.current()) {
    error.context = "variant " + m_plan.variant->id + ", " + device + ", " + describe(*action);
  }
  m_control.fail(error);
  return tl::make_unexpected(std::move(error));
}

Result<Executor::Outcome> Executor::step(const StepInput& input, const StepTag& tag) {
  m_control.stepBegins();
  const Status status = onEveryRow([&](std::size_t index) { return playRow(index, input, tag); });
  if (status && !m_control.stopped()) {
    return Outcome::Done;
  }
  m_exchange.clear();
  static_cast<void>(onEveryRow([this](std::size_t index) -> Status {
    m_rows[index]->drop();
    return {};
  }));
  if (const std::optional<Error> error = m_control.error()) {
    return tl::make_unexpected(*error);
  }
  return Outcome::Stopped;
}

Status Executor::synchronize() {
  return onEveryRow([this](std::size_t index) -> Status {
    m_plan.workers[index]->backend().synchronize();
    return {};
  });
}

const std::vector<at::Tensor>& Executor::losses() const {
  const int row = m_plan.deviceOfStage(m_plan.lastStage());
  return m_rows[static_cast<std::size_t>(row)]->losses();
}

std::vector<trace::ActionRecord> Executor::takeRecords() {
  std::vector<trace::ActionRecord> records;
  for (const std::unique_ptr<Row>& row : m_rows) {
    row->collect(records);
  }
  return records;
}

std::vector<BatchCopy> Executor::takeCopies() { return std::exchange(m_copies, {}); }

void Executor::resetPeakBytes() {
  for (Worker* worker : m_plan.workers) {
    worker->backend().resetPeakBytes();
  }
}

std::vector<int> Executor::peakLiveMicroBatches() const {
  std::vector<int> peaks;
  for (const std::unique_ptr<Row>& row : m_rows) {
    peaks.push_back(row->peakLiveMicroBatches());
  }
  return peaks;
}

std::vector<Bytes> Executor::peakBytes() const {
  std::vector<Bytes> peaks;
  for (Worker* worker : m_plan.workers) {
    peaks.push_back(worker->backend().peakBytes());
  }
  return peaks;
}

}  // namespace stagelane::run
