#include "engine/run/measure/turn.h"

#include <algorithm>
#include <fstream>
#include <limits>

#include "engine/run/device/allocator.h"

namespace stagelane::run {
namespace {

// Fetching more than this from the system within a repeat takes noticeable time: 8192 pages, 10 ms.
constexpr Bytes kColdBytes = Bytes{32} << 20;

/// Whether less than a quarter of the host's memory is available.
bool memoryIsTight() {
  std::ifstream file("/proc/meminfo");
  std::string key;
  std::int64_t kib = 0;
  std::int64_t total = 0;
  std::int64_t available = -1;
  while (file >> key >> kib) {
    if (key == "MemTotal:") {
      total = kib;
    } else if (key == "MemAvailable:") {
      available = kib;
    }
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return available >= 0 && available < total / 4;
}

std::vector<std::optional<double>> partsOf(const std::vector<at::Tensor>& losses) {
  std::vector<std::optional<double>> parts;
  for (const at::Tensor& loss : losses) {
    parts.push_back(loss.defined() ? std::optional(loss.item<double>()) : std::nullopt);
  }
  return parts;
}

double secondsSince(TimeNs startNs) {
  return static_cast<double>(trace::monotonicNs() - startNs) * 1e-9;
}

/// Bytes fetched so far for the host and for the devices of a variant.
Bytes fetchedBy(const VariantRun& run) {
  Bytes sum = fetchedBytes();
  for (Worker* worker : run.workers) sum += worker->backend().fetchedFromDevice();
  return sum;
}

}  // namespace

Status TurnTaker::prepare() {
  return guarded("drawing initial values and data", [this]() -> Status {
    const at::ScalarType dtype = scalarType(m_experiment);
    m_values = drawInitialValues(*m_experiment.model, m_experiment.data.seed, dtype);
    if (m_experiment.timing == plan::Timing::Steady) {
      SyntheticData data(m_experiment, dtype);
      for (std::int64_t i = 0; i < m_experiment.data.batches; ++i) m_batches.push_back(data.next());
    }
    return {};
  });
}

StepPlan TurnTaker::planOf(const VariantRun& run, int repeat) const {
  StepPlan plan = run.stepPlan(m_experiment);
  plan.options = m_options;
  plan.keepSizes = repeat == 0 && m_experiment.source.value("print_sizes", false) &&
                   plan::strategyRow(run.variant->strategy).replicates;
  return plan;
}

Result<std::optional<RepeatMeasurement>> TurnTaker::take(VariantRun& run, int repeat) {
  if (!run.remote) return takeHere(run, repeat);
  STAGELANE_CHECK(run.remote->ask(
      {{"do", "turn"}, {"variant", run.variant->id}, {"repeat", repeat}}, m_control));
  auto measured = takeHere(run, repeat);
  if (measured && !*measured) return measured;
  Status status = measured ? addOthers(run, **measured) : tl::make_unexpected(measured.error());
  if (!status) return tl::make_unexpected(run.remote->team().causeOf(std::move(status.error())));
  return measured;
}

Status TurnTaker::addOthers(VariantRun& run, RepeatMeasurement& measured) const {
  STAGELANE_TRY(answers, run.remote->answers(m_control));
  int rank = 1;
  for (const std::string& answer : *answers) {
    STAGELANE_TRY(turn, unpackedTurn(answer));
    run.remote->putOnFirstClock(rank++, turn->measured);
    for (std::size_t row = 0; row < turn->peakBytes.size() && row < run.peakBytes.size(); ++row) {
      run.peakBytes[row] = std::max(run.peakBytes[row], turn->peakBytes[row]);
    }
    addPart(std::move(turn->measured), measured);
  }
  return {};
}

Result<RankTurn> TurnTaker::follow(VariantRun& run, int repeat) {
  RankTurn turn;
  STAGELANE_TRY(measured, takeHere(run, repeat));
  turn.stopped = !measured->has_value();
  if (*measured) turn.measured = std::move(**measured);
  turn.peakBytes = run.peakBytes;
  return turn;
}

Status TurnTaker::meet(const Executor& executor) const {
  RemoteRows* const remote = executor.plan().remote;
  return remote == nullptr || m_control.stopped() ? Status{} : remote->meet(m_control);
}

Result<std::optional<RepeatMeasurement>> TurnTaker::takeHere(VariantRun& run, int repeat) {
  if (memoryIsTight()) releaseCachedBlocks();
  beginAllocationTurn();
  Executor executor(planOf(run, repeat), m_control);
  RepeatMeasurement measured;
  const Bytes fetched = fetchedBy(run);
  auto went = train(executor, repeat, measured);
  // Touching new pages would count as this variant's time. The memory stays cached, so that a
  // second turn finds it warm.
  const bool cold = !run.remote && fetchedBy(run) - fetched > kColdBytes;
  if (went && *went == Went::On && cold && m_experiment.timing == plan::Timing::Steady &&
      repeat >= 0) {
    measured = {};
    went = train(executor, repeat, measured);
  }
  STAGELANE_CHECK(went);
  if (*went == Went::Stopped) return std::nullopt;
  const std::vector<Bytes> peaks = executor.peakBytes();
  for (std::size_t row = 0; row < peaks.size(); ++row) {
    run.peakBytes[row] = std::max(run.peakBytes[row], peaks[row]);
  }
  measured.records = executor.takeRecords();
  measured.copies = executor.takeCopies();
  for (const std::vector<at::Tensor>& losses : m_losses) {
    measured.lossParts.push_back(partsOf(losses));
  }
  addLosses(measured);
  m_losses.clear();
  measured.sizes = std::exchange(m_sizes, {});
  return measured;
}

/// Trains all batches once from the initial values; the records contain only this time.
Result<TurnTaker::Went> TurnTaker::train(Executor& executor, int repeat,
                                         RepeatMeasurement& measured) {
  STAGELANE_CHECK(executor.build(m_values));
  m_losses.clear();
  m_sizes.clear();
  static_cast<void>(executor.takeRecords());
  static_cast<void>(executor.takeCopies());
  executor.resetPeakBytes();
  return m_experiment.timing == plan::Timing::Steady ? steady(executor, repeat, measured)
                                                     : tutorial(executor, repeat, measured);
}

Result<TurnTaker::Went> TurnTaker::steady(Executor& executor, int repeat,
                                          RepeatMeasurement& measured) {
  std::vector<StepInput> inputs;
  for (const Batch& batch : m_batches) {
    STAGELANE_TRY(input, executor.prepare(batch));
    inputs.push_back(std::move(*input));
  }
  STAGELANE_TRY(synchronized, executor.synchronize());
  STAGELANE_CHECK(meet(executor));
  const TimeNs startNs = trace::monotonicNs();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto went = step(executor, inputs[i], {repeat, static_cast<int>(i), false});
    if (!went || *went == Went::Stopped) return went;
  }
  synchronized = executor.synchronize();
  if (synchronized) synchronized = meet(executor);
  measured.seconds = secondsSince(startNs);
  return synchronized ? Result<Went>(Went::On) : tl::make_unexpected(synchronized.error());
}

Result<TurnTaker::Went> TurnTaker::tutorial(Executor& executor, int repeat,
                                            RepeatMeasurement& measured) {
  SyntheticData data(m_experiment, scalarType(m_experiment));
  STAGELANE_TRY(synchronized, executor.synchronize());
  STAGELANE_CHECK(meet(executor));
  const TimeNs startNs = trace::monotonicNs();
  data.startRepeat();
  for (std::int64_t i = 0; i < m_experiment.data.batches; ++i) {
    STAGELANE_TRY(input, executor.prepare(data.next()));
    const auto went = step(executor, *input, {repeat, static_cast<int>(i), false});
    if (!went || *went == Went::Stopped) return went;
  }
  synchronized = executor.synchronize();
  if (synchronized) synchronized = meet(executor);
  measured.seconds = secondsSince(startNs);
  return synchronized ? Result<Went>(Went::On) : tl::make_unexpected(synchronized.error());
}

Result<TurnTaker::Went> TurnTaker::step(Executor& executor, const StepInput& input, StepTag tag) {
  STAGELANE_TRY(outcome, executor.step(input, tag));
  if (executor.plan().keepSizes) m_sizes.push_back(executor.sizes());
  m_losses.push_back(executor.losses());
  return *outcome == Executor::Outcome::Done ? Went::On : Went::Stopped;
}

}  // namespace stagelane::run
