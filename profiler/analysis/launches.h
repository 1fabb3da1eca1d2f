#pragma once

/// Launches of device work: the delay from the host's call to the start of a kernel or copy, and
/// the queue in a stream. Requires flows from calls to what they launched.

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/trace/trace.h"

namespace stagelane::analysis {

/// Index of the host call that launched a device's event: the latest of several; empty without a
/// flow.
[[nodiscard]] std::optional<std::size_t> launchOf(const trace::Trace& trace, std::size_t event);

/// Launches of one device that started to run in a step.
/// @source HTA 0.5.0: delay = max(0, start on the device − end of the call); the queue of a stream
/// grows when a call begins and shrinks when its work begins (cuda_kernel_analysis, trace_counters)
struct Launches {
  std::uint64_t count = 0;
  TimeNs totalDelayNs = 0;
  TimeNs medianDelayNs = 0;  ///< lower middle
  TimeNs mostDelayNs = 0;
  std::uint64_t longestQueue = 0;  ///< of any stream; at equal times a call counts before a start
  /// Sum of the times from call start to work start. Divided by the step's length, it is the mean
  /// number of waiting launches (Little's law).
  TimeNs queuedNs = 0;
};

/// All launches of a trace, sorted once. @thread any, immutable
class LaunchTable {
 public:
  explicit LaunchTable(const trace::Trace& trace);

  [[nodiscard]] Launches of(const trace::Step& step, std::size_t device) const;

 private:
  struct Launch {
    TimeNs startNs = 0;  ///< of the work
    TimeNs callStartNs = 0;
    TimeNs callEndNs = 0;
    std::uint16_t track = 0;
  };
  static std::uint64_t longestQueue(std::vector<Launch> launches);

  std::vector<std::vector<Launch>> m_devices;  ///< by start
};

}  // namespace stagelane::analysis
