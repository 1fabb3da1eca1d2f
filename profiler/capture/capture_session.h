#pragma once

/// Recording below the level of actions while a repeat runs: operators, later kernels. One small
/// interface, so that the engine's main can hand any session to a run. A session
/// that fails costs its own tracks, never the run.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/trace/trace_builder.h"

namespace stagelane::capture {

struct CaptureConfig {
  /// Names by the run's device index: what trace::threadDevice() of a worker says.
  std::vector<std::string> devices;
  /// Subtracted from every time (trace::monotonicNs of the run's start).
  TimeNs originNs = 0;
  /// Events of one thread beyond this are dropped and counted.
  std::size_t mostEventsPerThread = std::size_t{1} << 20;
};

struct CaptureReport {
  std::uint64_t events = 0;
  std::uint64_t dropped = 0;      ///< all that is missing, of which:
  std::uint64_t withoutTime = 0;  ///< came with times of zero
  std::uint64_t cutOff = 0;       ///< had begun and came without an end
  std::uint64_t wrongTime = 0;    ///< came with times outside the recording, or backwards
  std::string problem;            ///< why something is missing, "" when nothing is
};

class CaptureSession {
 public:
  virtual ~CaptureSession() = default;
  /// @errors Invalid. @pre not started
  [[nodiscard]] virtual Status configure(const CaptureConfig& config) = 0;
  /// @errors EngineFailure when a session of this kind is recording already
  [[nodiscard]] virtual Status start() = 0;
  /// Ends recording and adds what was recorded below the device tracks. @pre no worker is in the
  /// middle of an operator. @errors EngineFailure when it was not started
  [[nodiscard]] virtual Result<CaptureReport> stop(trace::TraceBuilder& into) = 0;
};

/// Operators of all threads through at::RecordFunction, on the tracks `ops` of the threads' devices
/// (a thread of no device: a track `ops` without one). Scopes of the user are layers: the events
/// around their operators, and the backward of the autograd nodes that they made in the same
/// thread, have the category `layer` (trace::kLayerWord) and the scope's name.
[[nodiscard]] std::unique_ptr<CaptureSession> makeOperatorSession();

/// Kernels, copies, memory sets and CUDA's calls through CUPTI: on the tracks `stream N` and
/// `CUDA calls` of the devices, with the stage and micro-batch of the action that launched them
/// (trace::ActionScope). Without CUDA, a driver or a usable CUPTI, its start() fails with the
/// reason; CUPTI serves one session of a process, and none beside Nsight.
[[nodiscard]] std::unique_ptr<CaptureSession> makeKernelSession();

/// Several sessions as one. Those that do not start are left out, and the report says why; it fails
/// only where none starts.
[[nodiscard]] std::unique_ptr<CaptureSession> makeSessionGroup(
    std::vector<std::unique_ptr<CaptureSession>> sessions);

/// What recording one operator costs its thread, measured now: nanoseconds, at least 0. The session
/// must not be recording.
[[nodiscard]] double operatorCostNs();

}  // namespace stagelane::capture
