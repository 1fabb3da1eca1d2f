#pragma once

/// What a compute action waited for: the tensor, its producer and its arrival. Internal to
/// profiler/analysis.

#include <cstdint>

#include "profiler/analysis/idle.h"
#include "profiler/analysis/trace_index.h"

namespace stagelane::analysis::detail {

/// The tensor that an action waited for.
struct Awaited {
  TimeNs producedNs = 0;       ///< the action is starved until here
  TimeNs arrivedNs = 0;        ///< and waits for the transfer until here
  std::int32_t producer = -1;  ///< producing device
  std::int64_t producerEvent = -1;
  std::int64_t transferEvent = -1;
};
enum class AwaitKind {
  Nothing,  ///< the action was ready: host
  Tensor,
  Unknown,  ///< not recorded
};
struct AwaitAnswer {
  AwaitKind kind = AwaitKind::Unknown;
  Awaited tensor{};
};

/// A compute event of a device, cut to the step.
struct Busy {
  TimeNs startNs = 0;
  TimeNs endNs = 0;
  std::uint32_t event = 0;
  std::int32_t device = -1;
  Cause cause = Cause::Compute;
};

/// What `action` waited for, by the rules of idle.h.
[[nodiscard]] AwaitAnswer awaitedBy(const TraceIndex& index, const trace::Step& step,
                                    const Busy& action);

/// The device whose replica was last to reach this REDUCE, -1 if the trace does not name it as
/// peer.
[[nodiscard]] std::int32_t lastReplicaOf(const trace::Trace& trace, std::int64_t event);

/// The busy cause of an event's category; Compute for kernels and operators.
[[nodiscard]] Cause busyCause(trace::Category category);

/// The compute of a device in a step: its actions, else its kernels, else its operators.
[[nodiscard]] const Cover& computeOf(const DeviceCovers& covers, const trace::Step& step);

}  // namespace stagelane::analysis::detail
