#include "engine/run/calibrate/kind_calibration.h"

#include <ATen/ops/mul.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <future>
#include <numeric>
#include <set>

#include "engine/base/find.h"
#include "engine/base/quantile.h"
#include "engine/run/calibrate/sum_calibration.h"
#include "engine/run/step/await_job.h"
#include "engine/run/step/step.h"
#include "engine/trace/recorder.h"

namespace stagelane::run {
namespace {

// If a visit takes only microseconds, a round repeats it up to this long.
constexpr double kLeastSecondsOfSize = 0.02;
constexpr int kMostVisits = 20;
constexpr int kLossRepeats = 9;
constexpr std::size_t kMostProcesses = 8;

double secondsOf(TimeNs ns) { return static_cast<double>(ns) * 1e-9; }

/// Adds a visit of the whole chain, or of all but its first block.
void keep(KindSamples& samples, std::int64_t size, const ChainProbe::Visit& visit) {
  for (const PassTimes& pass : visit.passes) {
    samples.passes[size].push_back(pass);
    if (pass.kind == BackwardKind::Whole) samples.overhead.push_back(pass.overhead);
  }
  if (visit.passes.front().kind == BackwardKind::Whole) {
    samples.optimizer.push_back(visit.optimizer);
  }
}

/// A worker's job; a stop is not an error, the caller checks for it.
std::function<Status()> stoppable(std::function<void()> job) {
  return [job = std::move(job)]() -> Status {
    try {
      job();
    } catch (const ProbeStopped&) {
      return {};
    }
    return {};
  };
}

/// Two workers and all workers, if there is more than one.
std::vector<std::size_t> togetherCounts(std::size_t workers) {
  std::vector<std::size_t> counts;
  if (workers > 2) counts.push_back(2);
  if (workers > 1) counts.push_back(workers);
  return counts;
}

}  // namespace

KindCalibration::KindCalibration(const plan::Experiment& experiment, SharedCalibration& shared,
                                 std::vector<Worker*> workers)
    : m_experiment(experiment),
      m_shared(shared),
      m_control(shared.ports.stop, stallTimeoutNs(experiment)),
      m_workers(std::move(workers)) {}

KindCalibration::~KindCalibration() { static_cast<void>(tearDown()); }

bool KindCalibration::stopped() const { return m_control.canceled(); }

Status KindCalibration::tell(std::int64_t more) {
  m_shared.done += more;
  m_shared.of = std::max(m_shared.of, m_shared.done);
  return m_shared.ports.progress ? m_shared.ports.progress(m_shared.done, m_shared.of) : Status{};
}

/// A GPU that is stuck is given up; a CPU worker always comes to its end. A visit does the work of
/// a plan's longest action at most once per block and pass.
Status KindCalibration::await(std::future<Status>& job, Worker& worker) const {
  if (worker.backend().torchDevice().is_cpu()) return job.get();
  const auto actions = static_cast<TimeNs>(2 * blocks());
  return awaitJob(job, worker, m_control, m_control.stallLimitNs() * actions);
}

/// Runs in the bench's worker. `job` owns what it uses.
Status KindCalibration::in(Bench& bench, std::function<void(ChainProbe&)> job) {
  std::future<Status> end =
      bench.worker->submit(stoppable([job = std::move(job), probe = bench.probe] { job(*probe); }));
  return await(end, *bench.worker);
}

Status KindCalibration::setUp() {
  for (Worker* worker : m_workers) {
    // In a plan the device holds only a part of the chain; here it temporarily holds all of it.
    worker->backend().setMemoryLimit(0);
    m_benches.push_back({worker, nullptr});
  }
  for (Bench& bench : m_benches) {
    std::future<Status> made = bench.worker->submit([this, &bench]() -> Status {
      bench.probe =
          std::make_shared<ChainProbe>(m_experiment, bench.worker->backend(), m_shared.values,
                                       m_shared.batch, [this] { return stopped(); });
      return {};
    });
    STAGELANE_CHECK(await(made, *bench.worker));
  }
  return {};
}

/// Frees the tensors in their workers' threads.
Status KindCalibration::tearDown() {
  Status first;
  for (Bench& bench : m_benches) {
    std::future<Status> freed = bench.worker->submit([&bench]() -> Status {
      bench.probe.reset();
      return {};
    });
    Status status = await(freed, *bench.worker);
    first = first ? status : first;
  }
  // An abandoned thread may still use its probe.
  if (!first) return first;
  m_benches.clear();
  for (Worker* worker : m_workers) worker->backend().releaseCache();
  return first;
}

/// Sizes whose two micro-batches in progress leave half of the device's memory free; at least one.
std::vector<std::int64_t> KindCalibration::fitting(const std::vector<std::int64_t>& samples) const {
  std::vector<std::size_t> blocks(m_experiment.model->blocks.size());
  std::iota(blocks.begin(), blocks.end(), std::size_t{0});
  const Bytes most = m_workers.front()->backend().memoryBytes() / 2;
  std::vector<std::int64_t> answer;
  for (const std::int64_t size : samples) {
    const auto shapes = m_experiment.shapesAt(size);
    const bool fits =
        shapes && (most == 0 || model::memoryNeed(**shapes, blocks, 2, 0).total() < most);
    if (fits || answer.empty()) answer.push_back(size);
  }
  return answer;
}

Result<std::vector<ChainProbe::Visit>> KindCalibration::visit(const std::vector<BlockRange>& ranges,
                                                              std::int64_t samples,
                                                              BackwardKind kind) {
  const auto visits = std::make_shared<std::vector<ChainProbe::Visit>>(ranges.size());
  std::vector<std::future<Status>> ends;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    ends.push_back(m_benches[i].worker->submit(
        stoppable([visits, probe = m_benches[i].probe, range = ranges[i], i, samples, kind] {
          (*visits)[i] = probe->visit(samples, range, kind);
        })));
  }
  Status first;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const Status status = await(ends[i], *m_benches[i].worker);
    first = first ? status : first;
  }
  STAGELANE_CHECK(first);
  return std::move(*visits);
}

/// The time of the second of two visits, because the first one runs on cold memory.
Result<double> KindCalibration::secondsOfVisit(std::int64_t samples) {
  double seconds = 0.0;
  for (int i = 0; i < 2 && !stopped(); ++i) {
    const TimeNs start = trace::monotonicNs();
    STAGELANE_CHECK(visit({{0, blocks() - 1}}, samples, BackwardKind::Whole));
    seconds = secondsOf(trace::monotonicNs() - start);
  }
  return seconds;
}

Result<VisitCost> KindCalibration::probeCost(std::int64_t smallest, std::int64_t largest) {
  constexpr std::int64_t kFirstProbe = 4;
  constexpr std::int64_t kSecondProbe = 16;
  const std::int64_t small = std::min(smallest, kFirstProbe);
  const std::int64_t large = std::max(small, std::min(largest, kSecondProbe));
  const auto first = secondsOfVisit(small);
  STAGELANE_TRY(second, first && large > small ? secondsOfVisit(large) : first);
  return visitCost({small, *first}, {large, *second});
}

/// Allocates and warms up the memory of every size. Drops sizes that do not fit.
Status KindCalibration::firstRound(KindSamples& samples, Rounds& rounds) {
  for (std::size_t i = 0; i < rounds.samples.size() && !stopped(); ++i) {
    const std::int64_t size = rounds.samples[i];
    const auto bytes = std::make_shared<std::vector<BlockBytes>>();
    const Status weighed =
        in(m_benches.front(), [bytes, size](ChainProbe& probe) { *bytes = probe.weigh(size); });
    if (!weighed && weighed.error().code == ErrorCode::OutOfMemory && i > 0) {
      m_benches.front().worker->backend().releaseCache();
      rounds.samples.resize(i);
      return {};
    }
    STAGELANE_CHECK(weighed);
    for (const BlockBytes& block : *bytes) {
      predict::CostPoint point;
      point.savedBytes = block.saved;
      point.temporaryBytes = block.temporary;
      point.outputBytes = block.output;
      point.memory = block.memory;
      samples.bytes[size].push_back(point);
    }
    STAGELANE_CHECK(tell(size));
  }
  return {};
}

/// Visits one size for at least kLeastSecondsOfSize.
Status KindCalibration::measure(KindSamples& samples, std::int64_t size, BackwardKind kind) {
  const BlockRange range{kind == BackwardKind::Halves ? std::size_t{1} : 0, blocks() - 1};
  const TimeNs start = trace::monotonicNs();
  for (int i = 0; i < kMostVisits; ++i) {
    STAGELANE_TRY(visited, visit({range}, size, kind));
    if (stopped()) return {};
    keep(samples, size, visited->front());
    if (secondsOf(trace::monotonicNs() - start) > kLeastSecondsOfSize) break;
  }
  return tell(size);
}

Status KindCalibration::oneRound(KindSamples& samples, const Rounds& rounds, int round) {
  std::vector<std::int64_t> order = rounds.samples;
  if (round % 2 == 1) std::reverse(order.begin(), order.end());
  Status status;
  for (const std::int64_t size : order) {
    if (status && !stopped()) status = measure(samples, size, BackwardKind::Whole);
    if (status && !stopped() && splits()) status = measure(samples, size, BackwardKind::Halves);
  }
  for (const std::size_t busy : togetherCounts(m_benches.size())) {
    if (status && !stopped() && round == 0) status = contention(samples, busy, /*warmUp=*/true);
    if (status && !stopped()) status = contention(samples, busy, /*warmUp=*/false);
  }
  return status;
}

/// Each worker trains a separate part of the chain at the same time, as in a pipeline. The
/// contention is the slowdown against the same blocks measured alone within the chain.
Status KindCalibration::contention(KindSamples& samples, std::size_t busy, bool warmUp) {
  const std::int64_t size = samples.kind.typical;
  std::vector<double> alone;
  for (std::size_t block = 0; block < blocks(); ++block) {
    alone.push_back(wholeNs(samples, size, block));
  }
  const std::vector<BlockRange> ranges = evenRanges(alone, busy);
  if (ranges.empty()) return {};
  std::vector<std::vector<double>> took(busy);
  const TimeNs start = trace::monotonicNs();
  for (int i = 0; i < kMostVisits && !stopped(); ++i) {
    STAGELANE_TRY(visits, visit(ranges, size, BackwardKind::Whole));
    for (std::size_t worker = 0; worker < busy && !stopped(); ++worker) {
      for (const PassTimes& pass : (*visits)[worker].passes) took[worker].push_back(totalNs(pass));
    }
    if (secondsOf(trace::monotonicNs() - start) > kLeastSecondsOfSize) break;
  }
  double together = 0.0;
  for (const std::vector<double>& times : took) together += quantile(times, 0.5);
  const double expected = std::accumulate(alone.begin(), alone.end(), 0.0);
  if (!warmUp && expected > 0.0 && !stopped()) {
    samples.contention[static_cast<int>(busy)].push_back(together / expected);
  }
  return stopped() ? Status{} : tell(size);
}

/// Schedules that concatenate their outputs need a loss over the whole batch.
Status KindCalibration::losses(KindSamples& samples) {
  const std::int64_t batch = m_experiment.data.batchSize;
  std::set<std::int64_t> sizes{batch};
  for (const auto& [size, passes] : samples.passes) sizes.insert(size);
  const auto loss = std::make_shared<decltype(samples.loss)>();
  const Status status = in(m_benches.front(), [loss, sizes](ChainProbe& probe) {
    for (const std::int64_t size : sizes) {
      for (int i = 0; i < kLossRepeats; ++i) (*loss)[size].push_back(probe.lossOf(size));
    }
  });
  if (status) samples.loss = std::move(*loss);
  return status;
}

/// All workers copy and scale so many bytes at the same time, as replicas do with gradients.
Result<double> KindCalibration::secondsOfCopies(Bytes bytes) {
  const auto took = std::make_shared<std::vector<TimeNs>>(m_benches.size());
  std::vector<std::future<Status>> ends;
  for (std::size_t i = 0; i < m_benches.size(); ++i) {
    ends.push_back(m_benches[i].worker->submit(stoppable([took, i, bytes] {
      const at::Tensor from = at::zeros({bytes / static_cast<Bytes>(sizeof(float))}, at::kFloat);
      at::Tensor to = at::zeros_like(from);
      const TimeNs startNs = trace::monotonicNs();
      at::mul_out(to, from, at::scalar_tensor(0.5));
      (*took)[i] = trace::monotonicNs() - startNs;
    })));
  }
  Status first;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const Status status = await(ends[i], *m_benches[i].worker);
    first = first ? status : first;
  }
  STAGELANE_CHECK(first);
  return secondsOf(*std::max_element(took->begin(), took->end()));
}

/// What processes with these workers would need to sum their gradients. Predictions estimate it if
/// it cannot be measured: without a loopback interface, for example.
Status KindCalibration::sums(KindSamples& samples) {
  const bool several = samples.kind.cpu && m_benches.size() > 1;
  if (!several || m_experiment.task != plan::Task::Train || samples.passes.empty()) return {};
  const std::vector<BlockRange> whole(m_benches.size(), BlockRange{0, blocks() - 1});
  const std::int64_t size = samples.passes.begin()->first;
  Status trained;
  SumCalibrationPorts ports;
  ports.train = [&]() -> Result<double> {
    const TimeNs startNs = trace::monotonicNs();
    const auto visits = visit(whole, size, BackwardKind::Whole);
    if (!visits) trained = tl::make_unexpected(visits.error());
    STAGELANE_CHECK(visits);
    return secondsOf(trace::monotonicNs() - startNs);
  };
  ports.copy = [this](Bytes bytes) { return secondsOfCopies(bytes); };
  ports.stopped = [this] { return stopped(); };
  STAGELANE_TRY(shapes, m_experiment.shapesAt(size));
  Bytes gradients = 0;
  for (const model::BlockCost& block : (*shapes)->blocks) gradients += block.parameterBytes;
  // Each member connects with all others; more of them tell nothing new.
  const auto processes = static_cast<int>(std::min<std::size_t>(m_benches.size(), kMostProcesses));
  auto sums = calibrateSums(processes, gradients, ports);
  if (sums && !stopped()) samples.sums = std::move(*sums);
  return trained;
}

/// Number of rounds that fit the time, and the total work.
Result<Rounds> KindCalibration::planRounds(KindSamples& samples, double budgetSeconds) {
  WorkerKind& kind = samples.kind;
  kind.samples = fitting(kind.samples);
  STAGELANE_TRY(visit, probeCost(kind.samples.front(), kind.samples.back()));
  const auto counts = static_cast<std::int64_t>(togetherCounts(m_benches.size()).size());
  const std::int64_t kinds = splits() ? 2 : 1;
  const VisitCost each{static_cast<double>(kinds) * visit->fixedSeconds,
                       static_cast<double>(kinds) * visit->secondsPerSample};
  kind.samples = withAffordable(std::move(kind.samples), each, budgetSeconds);
  kind.samples = roundsWithin(kind, each, 0.0, budgetSeconds).samples;
  if (!contains(kind.samples, kind.typical)) kind.typical = kind.samples.back();
  const double together = static_cast<double>(counts) * visit->seconds(kind.typical);
  const double least =
      kLeastSecondsOfSize * static_cast<double>(kinds) * static_cast<double>(kind.samples.size());
  Rounds rounds = roundsWithin(kind, each, together + least, budgetSeconds);
  kind.typical = std::min(kind.typical, rounds.samples.back());
  const std::int64_t all =
      std::accumulate(rounds.samples.begin(), rounds.samples.end(), std::int64_t{0});
  m_shared.of += all + kinds * all * rounds.rounds + counts * kind.typical * (rounds.rounds + 1);
  return rounds;
}

Result<KindSamples> KindCalibration::run(const WorkerKind& kind, double budgetSeconds) {
  KindSamples samples;
  samples.kind = kind;
  STAGELANE_CHECK(setUp());
  STAGELANE_TRY(rounds, planRounds(samples, budgetSeconds));
  Status status = firstRound(samples, *rounds);
  for (int round = 0; status && round < rounds->rounds && !stopped(); ++round) {
    status = oneRound(samples, *rounds, round);
  }
  if (status && !stopped()) status = losses(samples);
  if (status && !stopped()) status = sums(samples);
  const Status down = tearDown();
  if (!status || !down) return tl::make_unexpected(status ? down.error() : status.error());
  return samples;
}

}  // namespace stagelane::run
