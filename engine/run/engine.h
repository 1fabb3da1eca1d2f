#pragma once

/// The engine's interface for its program: runs experiments on real devices and lists devices. The
/// only public header of engine/run besides the device list; torch stays inside the .cpp files.

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"
#include "engine/record/run_record.h"
#include "engine/trace/trace.h"

namespace stagelane::run {

/// A device of this machine, for `stagelane devices`.
struct DeviceInfo {
  std::string id;
  std::string kind;  ///< `cpu`, `gpu`
  std::string name;  ///< "Intel … , 1 core", "NVIDIA H200"
  Bytes memory = 0;
  bool usable = true;
  std::string reason;  ///< why it is unusable, and what it needs
  Json details;        ///< driver, peers, other users, cores
};
[[nodiscard]] Result<std::vector<DeviceInfo>> listDevices();
[[nodiscard]] plan::MachineDevices machineDevices();
/// Versions of torch, CUDA, MKL, compiler, git revision: environment.json.
[[nodiscard]] Json environmentJson();

/// Recording below the level of actions (profiler/capture), which the engine only starts and stops.
/// Without functions nothing is recorded.
struct CapturePort {
  /// @param devices names by trace::threadDevice() of the workers
  /// @param originNs subtracted from every time
  std::function<Status(const std::vector<std::string>& devices, TimeNs originNs)> start;
  struct Captured {
    trace::TracePtr trace;  ///< tracks below the devices, including the count of dropped events
    std::string problem;    ///< why data is missing, "" if complete
  };
  std::function<Result<Captured>()> stop;
  /// Measured cost of recording one event on this machine.
  std::function<double()> eventCostNs;
};

class RankTeam;

/// What the engine needs from outside: where to write events and traces, and how to analyze a
/// trace. app/stagelane_engine.cpp implements these with engine/record and profiler; tests use
/// fakes.
struct RunPorts {
  /// One event line. A failure stops the run. @thread the run's thread
  std::function<Status(const std::string& event, Json members)> event;
  /// Adds the trace of a timed repeat of a variant, so that it is available if the run is killed.
  std::function<Status(const std::string& variantId, const trace::Trace& trace)> appendTrace;
  /// Replaces the traces of a variant with its final one (median timed repeat and the extra one).
  std::function<Status(const std::string& variantId, const trace::Trace& trace)> storeTrace;
  /// Busy and idle time per device in a trace's median step.
  std::function<std::vector<record::DeviceResult>(const trace::Trace& trace)> analyze;
  /// True once SIGTERM, SIGINT or SIGHUP has arrived; the run stops at the next action boundary.
  const std::atomic<bool>* stop = nullptr;
  /// Measured costs, for `auto` schedules, predictions and stall limits; null: estimates.
  std::shared_ptr<const predict::CostTable> costs;
  /// Earlier measurements of this run, which is now resumed; null: a new run.
  const record::RunResult* before = nullptr;
  /// For the trace depths `ops` and `kernels`.
  CapturePort capture;
  /// The processes of the run, which this one leads; null: only this one.
  RankTeam* team = nullptr;
  /// Pipelines are dealt to the processes, because those were asked for (plan::ranksOfRows).
  bool dealt = false;
};

enum class RunOutcome { Done, Canceled };

/// Runs every included variant, interleaved. Blocks until done.
/// @errors DeviceMissing, OutOfMemory, EngineFailure, GradientMismatch (after everything was
/// measured and stored), CannotWrite
[[nodiscard]] Result<RunOutcome> runExperiment(const plan::Experiment& experiment,
                                               const RunPorts& ports);

/// What the processes of a team do together.
enum class RankWork { Run, Calibration };

/// Takes part in the work that another process leads, until it ends. Blocks until done.
/// @errors as runExperiment, and those of the team
[[nodiscard]] Result<RunOutcome> followExperiment(const plan::Experiment& experiment,
                                                  RankTeam& team, bool dealt, RankWork work,
                                                  const std::atomic<bool>& stop);

/// Options and callbacks of a calibration.
struct CalibrationPorts {
  /// Called for each measured part; `of` may grow until the durations are known. An error ends the
  /// calibration. @thread the caller's
  std::function<Status(std::int64_t done, std::int64_t of)> progress;
  const std::atomic<bool>* stop = nullptr;
  /// Approximate time limit. If it is too short for three rounds, the largest micro-batch sizes are
  /// skipped; at least two sizes are always measured.
  double budgetSeconds = 60.0;
  /// Also measures half and double of the occurring sizes, for plans with other splits.
  bool neighbors = true;
};
/// Measures the costs of the experiment's variants: per block and device F, I, W, B, saved and
/// temporary bytes at the occurring micro-batch sizes (and around them), loss, optimizer,
/// transfers, and contention with all workers busy. Blocks until done; empty if stopped.
/// @errors DeviceMissing, OutOfMemory, EngineFailure
[[nodiscard]] Result<std::optional<predict::CostTable>> calibrate(
    const plan::Experiment& experiment, const CalibrationPorts& ports);

/// Figures that depend on the processes of a team.
struct BetweenRanks {
  std::vector<predict::ProcessLink> links;  ///< between devices of different ranks
  /// Sums of gradients between ranks on several hosts, without anything beside them; none if all
  /// are on this host, where `calibrate` measures them in this process.
  std::vector<predict::SumPoint> sums;
  int summing = 0;  ///< number of these ranks
};
struct RankCalibrationPorts {
  RankTeam* team = nullptr;  ///< which this process leads
  bool dealt = false;        ///< as in RunPorts
  const std::atomic<bool>* stop = nullptr;
};
/// Measures between the processes of the team: messages in both directions of each two ranks whose
/// devices a variant uses together, one pair at a time (of more than four ranks, one pair for each
/// two hosts), and sums of gradients if the ranks are on several hosts. Then the other processes
/// end. Blocks until done; empty if stopped.
/// @errors EngineFailure (a rank is lost), Invalid (fewer processes than a variant needs)
[[nodiscard]] Result<std::optional<BetweenRanks>> calibrateBetweenRanks(
    const plan::Experiment& experiment, const RankCalibrationPorts& ports);

/// What a process of a Hogwild variant is started with.
struct HogwildWorkerArguments {
  int memory = -1;   ///< descriptor of the shared memory
  int process = -1;  ///< its number
  int parent = 0;    ///< process id of the engine that started it
};
/// The whole life of such a process; blocks until its engine tells it to quit, or has ended.
/// @returns its exit code @pre the allocator is not installed
[[nodiscard]] int hogwildWorker(const HogwildWorkerArguments& arguments);

/// Must be the first call of `main`: installs the caching and accounting CPU allocator.
void installAllocator(plan::AllocatorKind kind);

}  // namespace stagelane::run
