#include "engine/run/hogwild/worker.h"

#include <algorithm>
#include <cmath>

#include "engine/predict/variant_schedule.h"
#include "engine/run/device/worker_pool.h"
#include "engine/run/hogwild/futex.h"
#include "engine/run/step/clip.h"
#include "engine/trace/recorder.h"

namespace stagelane::run {
namespace {

/// How often a waiting process looks whether its parent still exists.
constexpr TimeNs kLookNs = 200'000'000;

/// Wakes up regularly; may return early.
void waitFor(const std::atomic<std::uint32_t>& word, std::uint32_t wanted) {
  const std::uint32_t seen = word.load();
  if (seen != wanted) waitWhile(word, seen, kLookNs);
}

void clip(const StageTensors& tensors, double limit) {
  scaleGradients(tensors, clipFactor({onHost(gradientNorms(tensors))}, limit));
}

}  // namespace

struct HogwildWorker::Trained {
  Trained(const StepPlan& plan, StageTensors tensors)
      : work(plan, 0, std::move(tensors)), loss(plan) {}

  /// Forward, loss and backward. @returns the loss
  double gradients(const Batch& batch, const StepTag& tag, TimedUpdate& times) {
    StepInput input;
    input.sizes = {batch.input.size(0)};
    work.stepBegins(tag, input);
    loss.stepBegins(input);
    Slot slot;
    work.forward(slot, 0, {batch.input});
    times.lossNs = trace::monotonicNs();
    loss.ofMicroBatch(slot, 0, batch.target);
    const double value = loss.losses().front().item<double>();
    times.backwardNs = trace::monotonicNs();
    work.backward(slot, 0);
    times.optimizerNs = trace::monotonicNs();
    return value;
  }

  StageWork work;
  LossWork loss;
  int steps = 0;  ///< updates of this process in the round
};

HogwildWorker::HogwildWorker(const plan::Experiment& experiment, const plan::Variant& variant,
                             SharedState& shared, int process, std::function<bool()> orphaned)
    : m_experiment(experiment),
      m_variant(variant),
      m_shared(shared),
      m_process(process),
      m_orphaned(std::move(orphaned)),
      m_header(shared.header()),
      m_slot(shared.slot(process)),
      m_losses(shared.losses()),
      m_timed(shared.timed()) {}

bool HogwildWorker::ends() const {
  return m_header.quit.load(std::memory_order_relaxed) || (m_orphaned && m_orphaned());
}

void HogwildWorker::serve(int owner) {
  m_owner = owner;
  const Status begun = guarded("starting", [&]() -> Status {
    BackendOptions options;
    options.threads = threadsOf(m_experiment, m_variant);
    options.owner = owner;
    STAGELANE_TRY(backend, makeBackend(m_variant.stages.front().group.first(), options));
    m_backend = std::move(*backend);
    m_backend->enterThread();
    const DeviceId device = m_variant.stages.front().group.first();
    if (owner > 0) m_backend->setMemoryLimit(plan::memoryLimit(m_experiment, device).value_or(0));
    STAGELANE_TRY(lowered, predict::lowerVariant(m_experiment, m_variant));
    m_lowered = std::move(*lowered);
    m_plan.experiment = &m_experiment;
    m_plan.variant = &m_variant;
    m_plan.lowered = &m_lowered;
    m_plan.microBatchSizes = {m_experiment.data.batchSize};
    return {};
  });
  std::uint32_t last = 0;
  while (!ends()) {
    const std::uint32_t wanted = m_header.round.load();
    if (wanted == last) {
      waitWhile(m_header.round, last, kLookNs);
      continue;
    }
    last = wanted;
    const Status status =
        begun ? guarded("process " + std::to_string(m_process), [&] { return round(last); })
              : begun;
    if (!status) report(m_slot, status.error());
    m_slot.ended.store(last, std::memory_order_release);
  }
  if (m_backend) {
    if (owner > 0) m_backend->setMemoryLimit(0);
    m_backend->leaveThread();
  }
}

/// A repeat of the variant.
Status HogwildWorker::round(std::uint32_t number) {
  beat();
  if (!m_warm) warmUp();
  m_warm = true;
  return train(number);
}

/// The first pass of a process takes much longer than the others: libraries choose their kernels,
/// and memory is fetched. Trains a copy of the model once, which nobody else sees.
void HogwildWorker::warmUp() {
  const plan::Stage& range = m_variant.stages.front();
  Trained copy(m_plan, StageTensors(*m_experiment.model, range.firstBlock, range.lastBlock,
                                    m_shared.views(*m_experiment.model), at::kCPU,
                                    m_experiment.memoryFormat));
  TimedUpdate times;
  copy.gradients(m_shared.batch(0), {}, times);
  copy.work.optimize({});
  beat();
}

/// Whether the round begins, once all processes are ready.
bool HogwildWorker::startTogether(std::uint32_t number) {
  m_slot.ready.store(number, std::memory_order_release);
  while (m_header.go.load(std::memory_order_acquire) != number) {
    if (ends() || m_header.stop.load(std::memory_order_relaxed)) return false;
    waitFor(m_header.go, number);
  }
  return true;
}

Status HogwildWorker::train(std::uint32_t number) {
  const plan::Stage& range = m_variant.stages.front();
  Trained trained(m_plan, StageTensors::over(*m_experiment.model, range.firstBlock, range.lastBlock,
                                             m_shared.views(*m_experiment.model)));
  DataOrder order(m_experiment.data.seed, m_process, m_header.repeat.load(),
                  static_cast<std::size_t>(m_header.batches));
  if (m_owner > 0) m_backend->resetPeakBytes();
  if (!startTogether(number)) return {};
  Status status;
  while (status && !ends() && !m_header.stop.load(std::memory_order_relaxed)) {
    if (m_header.claimed.fetch_add(1) >= m_header.updates) break;
    status = update(trained, order);
  }
  if (m_owner > 0) m_slot.peakBytes.store(m_backend->peakBytes());
  return status;
}

Status HogwildWorker::update(Trained& trained, DataOrder& order) {
  TimedUpdate times;
  times.process = m_process;
  times.startNs = trace::monotonicNs();
  const std::int64_t read = m_header.done.load();
  StepTag tag;
  tag.repeat = m_header.repeat.load(std::memory_order_relaxed);
  // Dropout draws by the number of the step, so each process has numbers of its own.
  tag.step = trained.steps++ * static_cast<int>(m_header.processes) + m_process;
  const double loss = trained.gradients(m_shared.batch(order.next()), tag, times);
  if (!std::isfinite(loss)) return notFinite(loss, m_header.done.load() + 1);
  if (m_experiment.clipGradNorm) clip(trained.work.tensors(), *m_experiment.clipGradNorm);
  const std::int64_t stale = m_header.done.load() - read;
  trained.work.optimize(tag);  // without a lock, which is the point
  const std::int64_t number = m_header.done.fetch_add(1);
  times.endNs = trace::monotonicNs();
  keep(number, stale, loss, times);
  return {};
}

/// `number` counts from 0.
void HogwildWorker::keep(std::int64_t number, std::int64_t stale, double loss, TimedUpdate& times) {
  const auto place = std::min(static_cast<std::size_t>(stale), kStalenessCounts - 1);
  m_slot.staleness[place].fetch_add(1, std::memory_order_relaxed);
  m_slot.mostStale.store(std::max(m_slot.mostStale.load(), stale));
  if (number % m_header.lossStride == 0) {
    LossRecord& record = m_losses[static_cast<std::size_t>(number / m_header.lossStride)];
    record.loss = static_cast<float>(loss);
    record.writer.store(m_process + 1, std::memory_order_release);
  }
  TimedUpdate& kept = m_timed[static_cast<std::size_t>(number) % kTimedUpdates];
  kept.startNs = times.startNs;
  kept.lossNs = times.lossNs;
  kept.backwardNs = times.backwardNs;
  kept.optimizerNs = times.optimizerNs;
  kept.endNs = times.endNs;
  kept.process = times.process;
  kept.number.store(number + 1, std::memory_order_release);
  m_slot.updates.fetch_add(1, std::memory_order_relaxed);
  m_slot.longestNs.store(std::max(m_slot.longestNs.load(), times.endNs - times.startNs));
  m_slot.lastNs.store(times.endNs);
  beat();
}

Status HogwildWorker::notFinite(double loss, std::int64_t number) const {
  const std::string count = std::to_string(m_header.processes);
  return fail(ErrorCode::EngineFailure,
              "the loss became " + std::string(std::isnan(loss) ? "NaN" : "infinite") +
                  " in process " + std::to_string(m_process) + " at update " +
                  std::to_string(number) + " of " + std::to_string(m_header.updates),
              "",
              "use a smaller learning rate: " + count + " processes can act like " + count +
                  " times the step size");
}

}  // namespace stagelane::run
