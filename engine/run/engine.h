#pragma once

/// The engine as its program sees it: run an experiment on real devices, list devices. The only
/// public header of engine/run beside the device list; torch stays inside the .cpp files.

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
  std::string reason;  ///< why it is unusable, what it needs
  Json details;        ///< driver, peers, other users, cores
};
[[nodiscard]] Result<std::vector<DeviceInfo>> listDevices();
[[nodiscard]] plan::MachineDevices machineDevices();
/// Versions of torch, CUDA, MKL, compiler, git revision: environment.json.
[[nodiscard]] Json environmentJson();

/// Recording below the level of actions (profiler/capture), which the engine only switches. Empty
/// functions: nothing records.
struct CapturePort {
  /// @param devices names by trace::threadDevice() of the workers
  /// @param originNs subtracted from every time
  std::function<Status(const std::vector<std::string>& devices, TimeNs originNs)> start;
  struct Captured {
    trace::TracePtr trace;  ///< tracks below the devices; its dropped events are counted in it
    std::string problem;    ///< why something is missing, "" when nothing is
  };
  std::function<Result<Captured>()> stop;
  /// What recording one event costs, measured on this machine.
  std::function<double()> eventCostNs;
};

/// What the engine needs from outside: where to put events and traces, and how to analyse a trace.
/// `main.cpp` implements these with engine/record and profiler; tests with fakes.
struct RunPorts {
  /// One event line. A failure stops the run. @thread the run's thread
  std::function<Status(const std::string& event, Json members)> event;
  /// Adds the trace of a timed repeat of a variant, so that a run that is killed has it.
  std::function<Status(const std::string& variantId, const trace::Trace& trace)> appendTrace;
  /// Stores the trace of a variant (median timed repeat and the extra one) in place of those.
  std::function<Status(const std::string& variantId, const trace::Trace& trace)> storeTrace;
  /// Busy and idle per device of a trace's median step.
  std::function<std::vector<record::DeviceResult>(const trace::Trace& trace)> analyse;
  /// True once SIGTERM or SIGINT came; the run stops at the next action boundary.
  const std::atomic<bool>* stop = nullptr;
  /// Measured costs, for `auto` schedules, predictions and stall limits; null: estimates.
  std::shared_ptr<const predict::CostTable> costs;
  /// What an earlier process measured of this run, which goes on here; null: a new run.
  const record::RunResult* before = nullptr;
  /// For the trace depths `ops` and `kernels`.
  CapturePort capture;
};

enum class RunOutcome { Done, Canceled };

/// Runs every included variant, in turns. Blocks until done.
/// @errors DeviceMissing, OutOfMemory, EngineFailure, GradientMismatch (after everything was
/// measured and stored), CannotWrite
[[nodiscard]] Result<RunOutcome> runExperiment(const plan::Experiment& experiment,
                                               const RunPorts& ports);

/// What a calibration measures and how it is told about.
struct CalibrationPorts {
  /// One call for each measured part; `of` may grow while it is not yet known how long parts take.
  /// An error ends the calibration. @thread the caller's
  std::function<Status(std::int64_t done, std::int64_t of)> progress;
  const std::atomic<bool>* stop = nullptr;
  /// About how long it may take. Where that is not enough for three rounds, the largest
  /// micro-batch sizes are left out; two sizes are always measured.
  double budgetSeconds = 60.0;
  /// Half and double of the sizes that occur as well, for plans with other splits.
  bool neighbours = true;
};
/// Measures what the experiment's variants need: per block and device F, I, W, B, saved and
/// temporary bytes at the micro-batch sizes that occur (and around them), loss, optimizer,
/// transfers, and contention with all workers busy. Blocks until done; nothing when stopped.
/// @errors DeviceMissing, OutOfMemory, EngineFailure
[[nodiscard]] Result<std::optional<predict::CostTable>> calibrate(
    const plan::Experiment& experiment, const CalibrationPorts& ports);

/// Must be the first call of `main`: installs the caching and accounting CPU allocator.
void installAllocator(plan::AllocatorKind kind);

}  // namespace stagelane::run
