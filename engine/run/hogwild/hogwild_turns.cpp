#include "engine/run/hogwild/hogwild_turns.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "engine/base/text.h"
#include "engine/run/hogwild/futex.h"
#include "engine/run/hogwild/worker_program.h"

namespace stagelane::run {
namespace {

constexpr std::chrono::milliseconds kSlice{2};
/// A new process loads LibTorch, whatever the stall limit is.
constexpr TimeNs kLongestStartNs = 60'000'000'000;
/// If a slice of the wait takes longer, this process was suspended itself.
constexpr TimeNs kSuspendedNs = 100'000'000;
/// Processes end a stopped round at their next update.
constexpr TimeNs kGraceNs = 1'000'000'000;

}  // namespace

/// Watches the processes during a round.
class HogwildTurns::Watch {
 public:
  Watch(const VariantRun& run, Session& session, RunControl& control)
      : m_run(run),
        m_session(session),
        m_control(control),
        m_seen(static_cast<std::size_t>(session.shared->header().processes)) {}

  /// Waits until all processes have reached the round. False: the run was stopped.
  /// @errors of a process
  [[nodiscard]] Result<bool> until(std::atomic<std::uint32_t> WorkerSlot::*word,
                                   std::uint32_t round, TimeNs leastLimitNs);
  /// Waits until all have ended the round, or the grace is over.
  void settle(std::uint32_t round);

 private:
  struct Seen {
    std::int64_t beats = -1;
    TimeNs quietNs = 0;
  };
  [[nodiscard]] Status check(std::atomic<std::uint32_t> WorkerSlot::*word, std::uint32_t round,
                             TimeNs limitNs);
  [[nodiscard]] std::optional<Error> stalled(int process, TimeNs limitNs);
  [[nodiscard]] Error rankLost(int process, const std::string& what, const std::string& hint);
  [[nodiscard]] Error named(int process, Error error) const;
  [[nodiscard]] bool all(std::atomic<std::uint32_t> WorkerSlot::*word, std::uint32_t round) const;

  const VariantRun& m_run;
  Session& m_session;
  RunControl& m_control;
  std::vector<Seen> m_seen;
  std::set<int> m_gone;  ///< processes that will not end the round
  TimeNs m_lastNs = trace::monotonicNs();
  TimeNs m_sliceNs = 0;
};

bool HogwildTurns::Watch::all(std::atomic<std::uint32_t> WorkerSlot::*word,
                              std::uint32_t round) const {
  const SharedState& shared = *m_session.shared;
  for (int process = 0; process < shared.header().processes; ++process) {
    const bool there = (shared.slot(process).*word).load(std::memory_order_acquire) == round;
    if (!there && m_gone.count(process) == 0) return false;
  }
  return true;
}

Error HogwildTurns::Watch::named(int process, Error error) const {
  error.failure.variant = m_run.variant->id;
  error.failure.rank = process;
  error.failure.device = m_run.tracks.at(static_cast<std::size_t>(process));
  return error;
}

Error HogwildTurns::Watch::rankLost(int process, const std::string& what, const std::string& hint) {
  m_gone.insert(process);
  Error error{ErrorCode::EngineFailure, m_session.crew->nameOf(process) + " " + what, "", hint};
  error.failure.kind = FailureKind::RankLost;
  return named(process, std::move(error));
}

/// A process without progress for longer than the limit.
std::optional<Error> HogwildTurns::Watch::stalled(int process, TimeNs limitNs) {
  Seen& seen = m_seen[static_cast<std::size_t>(process)];
  const std::int64_t beats = m_session.shared->slot(process).beats.load();
  seen.quietNs = beats == seen.beats ? seen.quietNs + m_sliceNs : 0;
  seen.beats = beats;
  if (seen.quietNs <= limitNs) return std::nullopt;
  return rankLost(process, "has not responded for " + humanTime(static_cast<double>(seen.quietNs)),
                  "if its updates take longer, increase stall_timeout_s");
}

Status HogwildTurns::Watch::check(std::atomic<std::uint32_t> WorkerSlot::*word, std::uint32_t round,
                                  TimeNs limitNs) {
  const TimeNs nowNs = trace::monotonicNs();
  m_sliceNs = std::min(nowNs - m_lastNs, kSuspendedNs);
  m_lastNs = nowNs;
  const SharedState& shared = *m_session.shared;
  for (int process = 0; process < shared.header().processes; ++process) {
    const WorkerSlot& slot = shared.slot(process);
    if (auto error = reportedBy(slot)) {
      return tl::make_unexpected(named(process, std::move(*error)));
    }
    m_control.actionQueued(slot.longestNs.load());
    if ((slot.*word).load(std::memory_order_acquire) == round) continue;
    if (auto error = stalled(process, limitNs)) return tl::make_unexpected(std::move(*error));
  }
  if (const auto lost = m_session.crew->lost()) {
    return tl::make_unexpected(
        rankLost(lost->process, lost->how,
                 "if the system ended it because memory ran out, use fewer processes"));
  }
  return {};
}

Result<bool> HogwildTurns::Watch::until(std::atomic<std::uint32_t> WorkerSlot::*word,
                                        std::uint32_t round, TimeNs leastLimitNs) {
  while (!all(word, round)) {
    if (m_control.stopped()) return false;
    STAGELANE_CHECK(check(word, round, std::max(leastLimitNs, m_control.stallLimitNs())));
    std::this_thread::sleep_for(kSlice);
  }
  // A process may have reported an error just before it ended the round.
  STAGELANE_CHECK(check(word, round, std::max(leastLimitNs, m_control.stallLimitNs())));
  return true;
}

void HogwildTurns::Watch::settle(std::uint32_t round) {
  m_session.shared->header().stop.store(true);
  wakeAll(m_session.shared->header().go);
  const TimeNs startNs = trace::monotonicNs();
  while (!all(&WorkerSlot::ended, round) && trace::monotonicNs() - startNs < kGraceNs) {
    if (const auto lost = m_session.crew->lost()) m_gone.insert(lost->process);
    std::this_thread::sleep_for(kSlice);
  }
}

/// The memory with the batches, and the workers.
Result<HogwildTurns::Session> HogwildTurns::begin(const plan::Variant& variant) const {
  Session session;
  std::vector<Batch> batches;
  const Status made = guarded("preparing the shared parameters", [&]() -> Status {
    const at::ScalarType dtype = scalarType(m_experiment);
    session.values = drawInitialValues(*m_experiment.model, m_experiment.data.seed, dtype);
    SyntheticData data(m_experiment, dtype);
    for (std::int64_t i = 0; i < m_experiment.data.batches; ++i) batches.push_back(data.next());
    const std::int64_t updates =
        variant.hogwild.updates > 0 ? variant.hogwild.updates : m_experiment.data.batches;
    STAGELANE_TRY(shared, SharedState::create({*m_experiment.model, m_experiment.memoryFormat,
                                               session.values, batches, variant.hogwild.processes,
                                               updates, workerDocument(m_experiment, variant)}));
    session.shared = std::move(*shared);
    return {};
  });
  STAGELANE_CHECK(made);
  auto crew = variant.hogwild.threads ? startThreads(m_experiment, variant, session.shared)
                                      : startProcesses(m_program, session.shared);
  STAGELANE_CHECK(crew);
  session.crew = std::move(*crew);
  return session;
}

Result<HogwildTurns::Session*> HogwildTurns::sessionOf(const VariantRun& run) {
  const auto known = m_sessions.find(run.variant->id);
  if (known != m_sessions.end()) return &known->second;
  STAGELANE_TRY(session, begin(*run.variant));
  return &m_sessions.emplace(run.variant->id, std::move(*session)).first->second;
}

void HogwildTurns::endSession(const VariantRun& run) {
  const auto found = m_sessions.find(run.variant->id);
  if (found == m_sessions.end()) return;
  found->second.crew->end();
  m_threadsLeft = m_threadsLeft || found->second.crew->threadsLeft();
  m_sessions.erase(found);
}

/// Lets all processes begin together. @returns that time, or 0 if the run was stopped before
Result<TimeNs> HogwildTurns::startRound(Session& session, Watch& watch, int repeat) {
  SharedHeader& header = session.shared->header();
  session.shared->reset(*m_experiment.model, session.values);
  header.repeat.store(std::max(repeat, 0));
  const std::uint32_t round = header.round.fetch_add(1) + 1;
  wakeAll(header.round);
  STAGELANE_TRY(ready, watch.until(&WorkerSlot::ready, round, kLongestStartNs));
  if (!*ready) return TimeNs{0};
  const TimeNs startNs = trace::monotonicNs();
  header.go.store(round);
  wakeAll(header.go);
  return startNs;
}

Result<std::optional<RepeatMeasurement>> HogwildTurns::take(VariantRun& run, int repeat) {
  STAGELANE_TRY(session, sessionOf(run));
  const std::shared_ptr<SharedState> shared = (*session)->shared;
  Watch watch(run, **session, m_control);
  const auto startNs = startRound(**session, watch, repeat);
  const std::uint32_t round = shared->header().round.load();
  Result<bool> went = startNs ? Result<bool>(*startNs > 0) : tl::make_unexpected(startNs.error());
  if (went && *went) went = watch.until(&WorkerSlot::ended, round, 0);
  const bool complete = went && *went;
  if (!complete) watch.settle(round);
  Collected collected = collect(*shared, startNs ? *startNs : 0);
  collected.threads = run.variant->hogwild.threads;
  if (complete) {
    for (std::size_t i = 0; i < run.peakBytes.size(); ++i) {
      run.peakBytes[i] = std::max(run.peakBytes[i], collected.peakBytes.at(i));
    }
    return measurementOf(collected, repeat, m_experiment.data.batches);
  }
  endSession(run);
  const bool first = repeat >= 0 && run.repeats.empty();
  if (first && collected.updates > 0) run.result.hogwild = hogwildResult(collected);
  if (!went) return tl::make_unexpected(went.error());
  return std::nullopt;
}

}  // namespace stagelane::run
