#pragma once

/// What a compute action waited for: the tensor, where it was made and when it came. Internal to
/// profiler/analysis.

#include <cstdint>

#include "profiler/analysis/idle.h"
#include "profiler/analysis/trace_index.h"

namespace stagelane::analysis::detail {

/// The tensor that an action waited for.
struct Awaited {
  TimeNs producedNs = 0;       ///< until here starved
  TimeNs arrivedNs = 0;        ///< until here transfer
  std::int32_t producer = -1;  ///< device to blame
  std::int64_t producerEvent = -1;
  std::int64_t transferEvent = -1;
};
enum class AwaitKind {
  Nothing,  ///< the action could have started: host
  Tensor,
  Unknown,  ///< no record says
};
struct AwaitAnswer {
  AwaitKind kind = AwaitKind::Unknown;
  Awaited tensor{};
};

/// An event that a device computes with, cut to the step.
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

/// The device whose replica came last to this REDUCE, -1 where the trace does not name it as peer.
[[nodiscard]] std::int32_t lastReplicaOf(const trace::Trace& trace, std::int64_t event);

/// The cause that an event of this category is busy with; Compute for kernels and operators.
[[nodiscard]] Cause busyCause(trace::Category category);

/// What counts as compute of a device in a step: its actions, without any its kernels, without
/// those its operators.
[[nodiscard]] const Cover& computeOf(const DeviceCovers& covers, const trace::Step& step);

}  // namespace stagelane::analysis::detail
