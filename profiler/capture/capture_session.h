#pragma once

/// Recording below the level of actions while a repeat runs: operators and kernels. One interface
/// for all sessions, so that the engine can pass any to a run. If a session fails, only its tracks
/// are missing; the run continues.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/trace/trace_builder.h"

namespace stagelane::capture {

struct CaptureConfig {
  /// Names by the run's device index, which is trace::threadDevice() of a worker.
  std::vector<std::string> devices;
  /// Subtracted from every time (trace::monotonicNs of the run's start).
  TimeNs originNs = 0;
  /// Maximum events per thread; further ones are dropped and counted.
  std::size_t mostEventsPerThread = std::size_t{1} << 20;
};

struct CaptureReport {
  std::uint64_t events = 0;
  std::uint64_t dropped = 0;      ///< all missing records, including:
  std::uint64_t withoutTime = 0;  ///< records with times of zero
  std::uint64_t cutOff = 0;       ///< records without an end
  std::uint64_t wrongTime =
      0;  ///< records with times outside the recording, or with an end before the start
  std::string problem;  ///< why records are missing, or ""
};

class CaptureSession {
 public:
  virtual ~CaptureSession() = default;
  /// @errors Invalid. @pre not started
  [[nodiscard]] virtual Status configure(const CaptureConfig& config) = 0;
  /// @errors EngineFailure if a session of this kind is already recording
  [[nodiscard]] virtual Status start() = 0;
  /// Stops recording and adds the recorded events below the device tracks. @pre no worker is
  /// running an operator. @errors EngineFailure if not started
  [[nodiscard]] virtual Result<CaptureReport> stop(trace::TraceBuilder& into) = 0;
};

/// Operators of all threads through at::RecordFunction, on the tracks `ops` of the threads' devices
/// (or a track `ops` without a device). User scopes are layers: the events around their operators,
/// and the backward of the autograd nodes that they created in the same thread, have the category
/// `layer` (trace::kLayerWord) and the scope's name.
[[nodiscard]] std::unique_ptr<CaptureSession> makeOperatorSession();

/// Kernels, copies, memory sets and CUDA calls through CUPTI, on the tracks `stream N` and `CUDA
/// calls` of the devices, with the stage and micro-batch of the action that launched them
/// (trace::ActionScope). Without CUDA, a driver or a usable CUPTI, its start() fails with the
/// reason; CUPTI supports one session per process, and none while Nsight is attached.
[[nodiscard]] std::unique_ptr<CaptureSession> makeKernelSession();

/// Several sessions as one. Sessions that do not start are skipped, with the reason in the report;
/// start() fails only if none starts.
[[nodiscard]] std::unique_ptr<CaptureSession> makeSessionGroup(
    std::vector<std::unique_ptr<CaptureSession>> sessions);

/// Measures the recording overhead per operator in its thread: nanoseconds, at least 0. @pre no
/// session is recording
[[nodiscard]] double operatorCostNs();

}  // namespace stagelane::capture
