#pragma once

/// The events of one step, cut to it and sorted into what each question needs: a device's compute,
/// the tensors that are produced and received, and the records that explain waits. Internal to
/// profiler/analysis.

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "profiler/analysis/idle.h"

namespace stagelane::analysis::detail {

/// One event, cut to the step where `cut` says so.
struct Span {
  TimeNs startNs = 0;
  TimeNs endNs = 0;
  std::int64_t event = -1;
  std::int32_t device = -1;
  Cause cause = Cause::Unattributed;
  [[nodiscard]] bool empty() const { return startNs >= endNs; }
};

struct DeviceEvents {
  std::vector<Span> compute;  ///< by start, at one start: empty ones, then longest first
  std::vector<Span> reduces;  ///< REDUCE
  std::vector<Span> copies;   ///< RECV_F, RECV_B, copies and REDUCE
  std::vector<Span> syncs;
  bool anyStage = false;  ///< some compute of the device has a stage
};

/// (forward?, stage, micro-batch)
using TensorKey = std::tuple<bool, std::int32_t, std::int32_t>;

struct StepEvents {
  std::vector<DeviceEvents> devices;
  std::map<TensorKey, std::vector<Span>> producers;  ///< F; B and I, by their own stage; not cut
  std::map<TensorKey, std::vector<Span>> receives;   ///< by the stage that takes it; not cut
};

[[nodiscard]] StepEvents collect(const trace::Trace& trace, const trace::Step& step);

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
  Awaited tensor;
};

/// What `action` (an event of `device`, starting at `startNs`) waited for.
[[nodiscard]] AwaitAnswer awaitedBy(const trace::Trace& trace, const StepEvents& events,
                                    const Span& action);

}  // namespace stagelane::analysis::detail
