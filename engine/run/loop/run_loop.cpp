#include "engine/run/loop/run_loop.h"

#include <algorithm>
#include <set>
#include <thread>

#include "engine/model/shapes.h"
#include "engine/plan/device.h"
#include "engine/plan/fixed_plan.h"
#include "engine/predict/simulator.h"
#include "engine/run/device/allocator.h"
#include "engine/run/loop/early_stop.h"
#include "engine/run/loop/take_over.h"
#include "engine/run/step/await_job.h"
#include "engine/run/step/precision.h"

namespace stagelane::run {
namespace {

std::int64_t warmups(const plan::Experiment& experiment) {
  return experiment.timing == plan::Timing::Tutorial ? 0 : experiment.warmup;
}

/// A warning if the machine is too busy for measurements; else "".
std::string loadWarning() {
  double load = 0.0;
  if (getloadavg(&load, 1) != 1) return "";
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  if (load < 0.75 * cores) return "";
  char text[160];
  std::snprintf(text, sizeof(text),
                "the machine is busy: load average %.1f on %u cores. Times will be longer and "
                "vary more than on an idle machine",
                load, cores);
  return text;
}

/// The longest estimated action, so that a slow first step is not reported as a stall.
TimeNs longestExpectedNs(const plan::Experiment& experiment, const plan::Variant& variant) {
  const auto costs = predict::estimateCosts(experiment, variant);
  TimeNs longest = 0;
  if (costs) {
    for (const auto& stage : costs->stage) {
      for (const predict::StageCost& cost : stage) {
        longest = std::max({longest, cost.forward, cost.backward, cost.loss, cost.optimizer});
      }
    }
  }
  return longest;
}

/// Remarks of a run's devices about themselves and the transfers between them, each once. Also
/// prepares the transfers. @errors as prepareTransfer
Result<std::set<std::string>> remarksOf(const std::vector<VariantRun>& runs,
                                        const RunControl& control) {
  std::set<std::string> remarks;
  std::set<std::pair<Worker*, Worker*>> asked;
  for (const VariantRun& run : runs) {
    for (Worker* from : run.workers) {
      remarks.insert(from->backend().remark());
      for (Worker* to : run.workers) {
        if (from != to && asked.emplace(from, to).second) {
          STAGELANE_TRY(remark, prepareTransfer(*from, *to, control));
          remarks.insert(std::move(*remark));
        }
      }
    }
  }
  remarks.erase("");
  return remarks;
}

/// What training without locks does not guarantee; "" without such a variant.
std::string asynchronousRemark(const std::vector<VariantRun>& runs) {
  const auto found = std::find_if(runs.begin(), runs.end(), [](const VariantRun& run) {
    return run.active() && run.asynchronous();
  });
  if (found == runs.end()) return "";
  const std::string count = std::to_string(found->variant->hogwild.processes);
  return "variant \"" + found->variant->name + "\" trains without locks: the order of updates " +
         "differs from run to run, so results are not reproducible and gradients are not "
         "checked. " +
         count + " processes can act like up to " + count +
         " times the step size; use a learning rate well below the largest stable one";
}

/// Every listed device must exist, whether a variant uses it or not. CPU workers may share cores,
/// so there may be more workers than cores.
Status checkListedDevices(const plan::Experiment& experiment) {
  const int gpus = machineDevices().gpus;
  for (std::size_t i = 0; i < experiment.devices.size(); ++i) {
    const DeviceId& id = experiment.devices[i].id;
    const auto device = plan::parseDevice(id);
    const bool isGpu = plan::isGpu(id);
    const bool isWorker = plan::isCpuWorker(id);
    if (device && device->rank > 0) continue;  // that rank's process checks it
    if ((isGpu && device->index >= gpus) || (isWorker && device->index >= kMaxOwners)) {
      return fail(ErrorCode::DeviceMissing,
                  "device '" + id.value + "' is not on this machine" +
                      (isGpu ? ": it has " + std::to_string(gpus) + " usable GPUs" : ""),
                  "/devices/" + std::to_string(i),
                  "`stagelane devices` lists the devices; {\"auto\": 2} uses what is available",
                  {FailureKind::DeviceMissing, "", id});
    }
  }
  return {};
}

/// The sizes of two tensors that are joined along the first dimension.
std::vector<std::int64_t> addedRows(std::vector<std::int64_t> sizes,
                                    const std::vector<std::int64_t>& more) {
  sizes.front() += more.front();
  return sizes;
}

/// Attributes the error to the variant whose turn it was, unless the error names one.
Failure failureIn(const VariantRun& run, const Error& error) {
  Failure failure = failureOf(error);
  if (failure.variant.empty()) failure.variant = run.variant->id;
  return failure;
}

}  // namespace

RunLoop::RunLoop(const plan::Experiment& experiment, const RunPorts& ports,
                 ExecutorOptions executorOptions)
    : m_experiment(experiment),
      m_ports(ports),
      m_executorOptions(std::move(executorOptions)),
      m_control(ports.stop, stallTimeoutNs(experiment)),
      m_pool(m_experiment),
      m_turns(m_experiment, m_control, m_executorOptions),
      m_asynchronousTurns(m_experiment, m_control),
      m_checks({m_experiment, m_ports, m_executorOptions, m_control, m_pool, m_runs}),
      m_startNs(trace::monotonicNs()),
      m_captures(ports.capture.start && ports.capture.stop) {}

Result<RunOutcome> RunLoop::run() {
  Result<RunOutcome> outcome = runHere();
  if (m_ports.team == nullptr) return outcome;
  if (!outcome) {
    m_ports.team->sayFailed(outcome.error());
    return outcome;
  }
  if (*outcome == RunOutcome::Canceled) m_ports.team->sayCanceled();
  static_cast<void>(m_ports.team->ask({{"do", "end"}}));
  return outcome;
}

/// The processes follow the same plan.
Status RunLoop::meetRanks() const {
  if (m_ports.team == nullptr) return {};
  Status agreed =
      agree(m_ports.team->store(), "plan", plan::fixedPlan(m_experiment).dump(),
            /*limitNs=*/60'000'000'000, [this] { return m_ports.team->lost().has_value(); });
  if (const std::optional<Error> lost = m_ports.team->lost()) return tl::make_unexpected(*lost);
  return agreed;
}

/// Compares the clocks now and then, for their drift.
Status RunLoop::compareClocks() {
  constexpr TimeNs kIntervalNs = 5'000'000'000;
  const TimeNs nowNs = trace::monotonicNs();
  if (m_ports.team == nullptr || nowNs - m_comparedNs < kIntervalNs) return {};
  m_comparedNs = nowNs;
  STAGELANE_CHECK(m_ports.team->ask({{"do", "clocks"}}));
  STAGELANE_CHECK(m_ports.team->compare());
  STAGELANE_CHECK(m_ports.team->answers([this] { return m_control.failed(); }));
  return say("ranks", {{"ranks", m_ports.team->table()}});
}

/// The processes of the variants across ranks.
void RunLoop::fillRanks(record::RunStatus status) {
  if (m_ports.team == nullptr) return;
  const std::vector<ClockEstimate> clocks = m_ports.team->clocks();
  for (VariantRun& run : m_runs) {
    if (!run.remote) continue;
    run.result.ranks.clear();
    for (const RankHello& member : m_ports.team->members()) {
      const ClockEstimate& clock = clocks[static_cast<std::size_t>(member.rank)];
      record::RankResult rank{member.rank,
                              member.host,
                              member.pid,
                              std::string(record::word(status)),
                              record::ClockResult{clock.offsetNs(trace::monotonicNs()),
                                                  clock.errorNs(), clock.drift() * 1e6},
                              {}};
      for (std::size_t row = 0; row < run.rows.size(); ++row) {
        if (run.remote->ranks()[row] == member.rank) rank.devices.push_back(run.rows[row].value);
      }
      run.result.ranks.push_back(std::move(rank));
    }
  }
}

Result<RunOutcome> RunLoop::runHere() {
  STAGELANE_TRY(status, prepare());
  status = meetRanks();
  if (status) status = announce();
  // If nothing fits, the data may not fit either, which is not a failure.
  if (status && anyActive()) status = m_turns.prepare();
  if (status) status = repeats();
  if (status && !m_control.canceled()) status = traceAgain();
  if (status && !m_control.canceled()) {
    // Save the measurements before the checks, which need much time and memory.
    status = publish(record::RunStatus::Done, "");
  }
  if (status && m_experiment.verifyGradients && !m_control.canceled()) {
    status = m_checks.run();
    m_current = m_checks.current() != nullptr ? m_checks.current() : m_current;
  }
  // A worker that did not stop in time was abandoned, which is no failure of a canceled run.
  const bool canceled = m_control.canceled() && !m_control.failed();
  if (!status && !(canceled && threadsLeft())) return tl::make_unexpected(failed(status.error()));
  if (m_control.canceled()) return cancel();
  if (!m_checks.mismatches().empty()) return tl::make_unexpected(m_checks.mismatches().front());
  status = say("finished", Json::object());
  STAGELANE_CHECK(status);
  return RunOutcome::Done;
}

Status RunLoop::prepare() {
  STAGELANE_CHECK(checkListedDevices(m_experiment));
  setProcessPrecision(m_experiment.precision);
  STAGELANE_TRY(runs, prepareVariants(m_experiment, m_pool,
                                      {m_ports.costs.get(), m_ports.team, m_ports.dealt}));
  m_runs = std::move(*runs);
  if (m_ports.before != nullptr) takeOver(m_experiment, *m_ports.before, m_runs);
  leaveOutHopeless(m_experiment, m_ports.costs.get(), m_runs);
  for (const VariantRun& run : m_runs) {
    if (run.active()) m_control.expectAction(longestExpectedNs(m_experiment, *run.variant));
  }
  return {};
}

bool RunLoop::anyActive() const {
  return std::any_of(m_runs.begin(), m_runs.end(),
                     [](const VariantRun& run) { return run.active(); });
}

Status RunLoop::announce() {
  record::RunResult plan;
  plan.name = m_experiment.name;
  plan.timing = m_experiment.timing == plan::Timing::Tutorial ? "tutorial" : "steady";
  for (const plan::DeviceSpec& device : m_experiment.devices) {
    plan.devices.push_back(device.id.value);
  }
  if (m_ports.team != nullptr && m_ports.dealt) plan.ranks = m_ports.team->size();
  for (const VariantRun& run : m_runs) plan.variants.push_back(run.result);
  // A run that ended before its first event starts like a new one.
  const bool resumed = m_ports.before != nullptr && !m_ports.before->variants.empty();
  Status status =
      resumed ? say("resumed", Json::object()) : say("started", record::startedMembers(plan));
  for (const std::string& warning : m_experiment.warnings) {
    status = status ? warn("experiment", warning) : status;
  }
  const std::string load = loadWarning();
  if (status && !load.empty()) status = warn("load", load);
  STAGELANE_CHECK(status);
  STAGELANE_TRY(remarks, remarksOf(m_runs, m_control));
  for (const std::string& remark : *remarks) status = status ? warn("device", remark) : status;
  const std::string remark = asynchronousRemark(m_runs);
  if (status && !remark.empty()) status = warn("hogwild", remark);
  for (const VariantRun& run : m_runs) {
    if (status && run.result.status == record::RunStatus::NotRun) {
      status = say("variant_done", record::variantDoneMembers(run.result));
    }
  }
  return status;
}

Status RunLoop::repeats() {
  const std::int64_t rounds = warmups(m_experiment) + m_experiment.repeat;
  for (const VariantRun& run : m_runs) {
    for (std::int64_t round = 0; round < rounds; ++round) m_turnsInAll += lacks(run, round) ? 1 : 0;
  }
  m_turnsStartNs = trace::monotonicNs();
  for (std::int64_t round = 0; round < rounds; ++round) {
    stopHopeless(m_experiment, m_runs);
    for (const std::size_t index : turnOrder(m_experiment.data.seed, round, m_runs.size())) {
      if (!lacks(m_runs[index], round)) continue;
      Status status = turn(m_runs[index], round);
      if (!status && endsAlone(m_runs[index], status.error())) {
        status = endAlone(m_runs[index], status.error());
      }
      if (!status || m_control.canceled()) return status;
    }
  }
  return {};
}

bool RunLoop::lacks(const VariantRun& run, std::int64_t round) const {
  return run.lacks(round - warmups(m_experiment), m_experiment.repeat);
}

bool RunLoop::endsAlone(const VariantRun& run, const Error& error) const {
  if (!m_experiment.source.value("skip_out_of_memory", false) ||
      error.code != ErrorCode::OutOfMemory || m_pool.anyAbandoned()) {
    return false;
  }
  return std::any_of(m_runs.begin(), m_runs.end(), [&run](const VariantRun& one) {
    const bool waits = &one != &run && one.active();
    return waits || !one.repeats.empty() || !one.result.seconds.empty();
  });
}

/// Ends one variant; its results are published with the others'.
Status RunLoop::endAlone(VariantRun& run, const Error& error) {
  run.result.status = record::RunStatus::Failed;
  run.result.reason = describe(error);
  run.result.failure = failureIn(run, error);
  m_control.recover();
  // Its cached blocks have sizes that other variants may never use.
  releaseCachedBlocks();
  return warn("out_of_memory",
              "variant '" + run.variant->id + "' is not run further: " + run.result.reason);
}

/// An earlier process measured all repeats of a variant but was killed before it stored the
/// results: repeats one step for analysis only.
Status RunLoop::traceAgain() {
  for (VariantRun& run : m_runs) {
    if (!run.active() || run.secondsBefore.empty() || !run.repeats.empty()) continue;
    m_current = &run;
    auto taken = take(run, static_cast<int>(m_experiment.repeat) - 1);
    if (!taken && endsAlone(run, taken.error())) {
      STAGELANE_CHECK(endAlone(run, taken.error()));
      continue;
    }
    STAGELANE_CHECK(taken);
    if (!*taken) return {};
    run.repeats.push_back(std::move(**taken));
    run.tracedOnly = true;
  }
  return {};
}

Status RunLoop::turn(VariantRun& run, std::int64_t round) {
  STAGELANE_CHECK(compareClocks());
  m_current = &run;
  const std::int64_t repeat = round - warmups(m_experiment);
  Json progress{{"variant", run.variant->id},
                {"repeat", std::max<std::int64_t>(repeat, 0) + 1},
                {"of", m_experiment.repeat},
                {"eta_s", m_turnsDone > 0 ? Json(secondsLeft()) : Json()},
                {"longest_action_s", static_cast<double>(m_control.longestActionNs()) * 1e-9}};
  if (repeat < 0) progress["warmup"] = true;
  STAGELANE_TRY(status, say("progress", std::move(progress)));
  // Alternates recorded turns before and after the timed ones, so that drift of the machine cancels
  // out.
  const bool records = repeat >= 0 && recordsTurn(run, repeat);
  if (records && repeat % 2 == 1) status = recordedTurn(run);
  if (status && !m_control.canceled()) status = timedTurn(run, repeat);
  if (status && !m_control.canceled() && records && repeat % 2 == 0) status = recordedTurn(run);
  if (status && !m_control.canceled() && records && run.recorded) {
    run.recorded->seconds.emplace_back(run.repeats.back().seconds, run.recorded->last.seconds);
  }
  return status;
}

Result<std::optional<RepeatMeasurement>> RunLoop::take(VariantRun& run, int repeat) {
  return run.asynchronous() ? m_asynchronousTurns.take(run, repeat) : m_turns.take(run, repeat);
}

Status RunLoop::timedTurn(VariantRun& run, std::int64_t repeat) {
  STAGELANE_TRY(measured, take(run, repeat < 0 ? -1 : static_cast<int>(repeat)));
  ++m_turnsDone;
  if (!*measured || repeat < 0) return {};
  STAGELANE_CHECK(saySizes(run, **measured));
  const double seconds = (*measured)->seconds;
  run.repeats.push_back(std::move(**measured));
  const Status said = say(
      "measurement", {{"variant", run.variant->id}, {"repeat", repeat + 1}, {"seconds", seconds}});
  const bool traced = m_ports.appendTrace && m_experiment.trace != plan::TraceDepth::None;
  return said && traced
             ? m_ports.appendTrace(run.variant->id, *traceOf(run, run.repeats.back(), m_startNs))
             : said;
}

/// The sizes of the batches and of their parts, for experiments that print them.
Status RunLoop::saySizes(const VariantRun& run, const RepeatMeasurement& measured) {
  for (std::size_t batch = 0; batch < measured.sizes.size(); ++batch) {
    Json replicas = Json::array();
    std::vector<std::int64_t> input;
    std::vector<std::int64_t> output;
    for (const MicroBatchSizes& part : measured.sizes[batch]) {
      replicas.push_back({{"device", run.rows[static_cast<std::size_t>(part.row)].value},
                          {"input", part.input},
                          {"output", part.output}});
      const bool first = input.empty();
      input = first ? part.input : addedRows(std::move(input), part.input);
      output = first ? part.output : addedRows(std::move(output), part.output);
    }
    STAGELANE_CHECK(say("sizes", {{"variant", run.variant->id},
                                  {"batch", batch},
                                  {"input", input},
                                  {"output", output},
                                  {"replicas", std::move(replicas)}}));
  }
  return {};
}

/// What other processes do cannot be recorded in depth.
bool RunLoop::recordsTurn(const VariantRun& run, std::int64_t repeat) const {
  return m_captures && !run.asynchronous() && repeat < plan::recordedTurns(m_experiment);
}

/// If capturing fails, only its tracks are missing; the run continues.
Status RunLoop::recordedTurn(VariantRun& run) {
  std::vector<std::string> devices;
  for (const plan::DeviceSpec& device : m_experiment.devices) devices.push_back(device.id.value);
  if (const Status started = m_ports.capture.start(devices, m_startNs); !started) {
    m_captures = false;
    return warn("capture", started.error().message);
  }
  auto measured = take(run, recordedRepeat(m_experiment));
  if (threadsLeft()) {
    // The end of a recording would wait for the device that was abandoned.
    return measured ? Status{} : tl::make_unexpected(measured.error());
  }
  auto captured = m_ports.capture.stop();
  STAGELANE_CHECK(measured);
  if (!captured) {
    m_captures = false;
    return warn("capture", captured.error().message);
  }
  if (*measured) {
    RecordedTurns& recorded = run.recorded ? *run.recorded : run.recorded.emplace();
    recorded.last = std::move(**measured);
    recorded.captured = std::move(captured->trace);
    recorded.problem = captured->problem;
  }
  // Reports a problem once, because later turns would repeat it.
  const bool isNew = captured->problem != m_captureProblem;
  m_captureProblem = captured->problem;
  return isNew && !m_captureProblem.empty() ? warn("capture", m_captureProblem) : Status{};
}

Status RunLoop::publish(record::RunStatus status, const std::string& reason,
                        const Failure* failure) {
  Status first;
  for (VariantRun& run : m_runs) {
    const Status filled = fillMeasured(m_experiment, m_ports, m_startNs, run);
    if (!filled && first) first = filled;
  }
  fillSpeedups(m_experiment, m_runs);
  fillRanks(status);
  for (VariantRun& run : m_runs) {
    if (!run.active()) continue;
    // If the run ends early, variants with all their turns still count as complete.
    const bool complete =
        static_cast<std::int64_t>(run.result.seconds.size()) == m_experiment.repeat &&
        run.result.stepNs > 0;
    run.result.status = complete ? record::RunStatus::Done : status;
    run.result.reason = complete ? "" : reason;
    run.result.failure = complete || failure == nullptr ? std::nullopt : std::optional(*failure);
  }
  for (VariantRun& run : m_runs) {
    if (run.result.status == record::RunStatus::NotRun) continue;
    const Status published = publishOne(run);
    if (!published && first) first = published;
  }
  return first;
}

Status RunLoop::publishOne(VariantRun& run) {
  if (run.trace && m_ports.storeTrace && m_experiment.trace != plan::TraceDepth::None) {
    STAGELANE_CHECK(m_ports.storeTrace(run.variant->id, *run.trace));
  }
  return say("variant_done", record::variantDoneMembers(run.result));
}

Result<RunOutcome> RunLoop::cancel() {
  Status status = warn("canceling", "stopped at an action boundary; measurements are kept");
  if (status) status = publish(record::RunStatus::Canceled, "canceled");
  if (status) status = say("canceled", Json::object());
  STAGELANE_CHECK(status);
  return RunOutcome::Canceled;
}

/// Keeps the measurements made before the failure, and the first error.
Error RunLoop::failed(Error error) {
  if (m_current != nullptr) {
    error.context += (error.context.empty() ? "variant " : ", variant ") + m_current->variant->id;
    error.failure = failureIn(*m_current, error);
  }
  if (m_current != nullptr && m_current->active() && error.code != ErrorCode::CannotWrite) {
    m_current->result.status = record::RunStatus::Failed;
    m_current->result.reason = describe(error);
    m_current->result.failure = error.failure;
  }
  const Failure failure = failureOf(error);
  static_cast<void>(
      publish(record::RunStatus::Failed, "the run ended early: " + describe(error), &failure));
  return error;
}

Status RunLoop::say(const std::string& event, Json members) const {
  return m_ports.event(event, std::move(members));
}

Status RunLoop::warn(const std::string& code, const std::string& message) const {
  return say("warning", {{"code", code}, {"message", message}});
}

double RunLoop::secondsLeft() const {
  const double each = static_cast<double>(trace::monotonicNs() - m_turnsStartNs) * 1e-9 /
                      static_cast<double>(m_turnsDone);
  return each * static_cast<double>(m_turnsInAll - m_turnsDone);
}

}  // namespace stagelane::run
