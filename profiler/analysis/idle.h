#pragma once

/// Where a step's time went, per device, by the definitions of docs/reference/analysis.md: disjoint
/// parts that sum to the step in integer nanoseconds.

#include <array>
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/json.h"
#include "engine/trace/trace.h"

namespace stagelane::analysis {

enum class Cause : std::uint8_t {
  Forward,
  Backward,
  BackwardInput,
  BackwardWeight,
  Optimizer,  // busy
  Warmup,
  Drain,
  Tail,
  Starved,
  TransferWait,
  Host,
  Unattributed,  // idle
  Compute,       // busy: kernels (or operators) of a trace that has no actions on that device
};
inline constexpr std::size_t kCauseCount = 13;
/// `forward backward backward_input backward_weight optimizer warmup drain tail starved transfer
/// host unattributed compute`.
[[nodiscard]] std::string_view word(Cause cause);
[[nodiscard]] constexpr bool isBusy(Cause cause) {
  return cause <= Cause::Optimizer || cause == Cause::Compute;
}

/// A piece of one device's step, for shading.
struct Piece {
  TimeNs startNs = 0;
  TimeNs endNs = 0;
  Cause cause = Cause::Unattributed;
  std::int32_t blamed = -1;  ///< starved: device index, -1 when the producer is not known
  std::int64_t event = -1;   ///< busy: the event; starved: the producer or the synchronisation;
                             ///< transfer: the copy or collective; host: the action that could
                             ///< have started; else -1
};

struct DeviceStep {
  std::int32_t device = -1;
  /// No device of its own: only host events where other devices have actions or kernels, or nothing
  /// that works at all (a profiler's own marks) where others have operators.
  bool host = false;
  std::array<TimeNs, kCauseCount> causeNs{};
  std::vector<std::pair<std::int32_t, TimeNs>> starvedBy;  ///< device index → ns
  std::vector<Piece> pieces;  ///< tile [start, end) of the step exactly
  [[nodiscard]] TimeNs busyNs() const;
  [[nodiscard]] TimeNs idleNs() const;
};

struct StepBreakdown {
  trace::Step step;
  std::vector<DeviceStep> devices;
  [[nodiscard]] TimeNs wallNs() const { return step.endNs - step.startNs; }
};

/// The steps of a trace; where it names none, one step over all its actions (without any, over its
/// kernels, copies and collectives; without those, over its operators). Empty for an empty trace.
[[nodiscard]] std::vector<trace::Step> stepsOf(const trace::Trace& trace);

/// Rules beside docs/reference/analysis.md, all deterministic:
/// - Events are cut to the step. Where busy events overlap, time counts once and belongs to the
///   event that started first (at the same start the longer one, then the order of the columns);
///   the step's beginning, to that of the earlier ones which reaches furthest into the step.
/// - The awaited tensor of F at stage s is its RECV_F on the device; without one, the F of stage
///   s-1 on another device. B and I: RECV_B, else B or I of stage s+1. Of several candidates the
///   one that ended last before the wait's end counts, else the one that ends first. A producer on
///   the device itself means that nothing was awaited. LOSS, W and OPT await nothing (`host`).
/// - A RECV whose producer is not in the trace starves the device until the RECV begins (data
///   ready), blamed on its peer. A tensor that has neither is `unattributed`.
/// - Compute of zero length is not busy, but what it waited for counts until its moment.
/// - A REDUCE explains (`transfer`) what the tensor rule leaves to host or unattributed. Where it
///   names a peer, the replica that came last, what would be host before it is `starved` by it.
/// - A wait before compute without a stage is explained by the device's copies (those of others
///   that name it as their peer, too), receives and collectives (`transfer`; a kernel of NCCL is
///   one), then by its synchronisation records (`starved`, by nobody who is known), else
///   unattributed.
[[nodiscard]] StepBreakdown breakDown(const trace::Trace& trace, const trace::Step& step);
/// Index into stepsOf of the median step (lower middle by duration, timed repeats only).
[[nodiscard]] std::size_t medianStep(const std::vector<trace::Step>& steps);

/// What a device was idle for, in words: "warm-up", "starved by cuda:0", "transfer". Those of no
/// time too; together they are its idle time. `device` indexes step.devices; none beyond them.
struct IdlePart {
  std::string words;
  TimeNs timeNs = 0;
};
[[nodiscard]] std::vector<IdlePart> idleParts(const trace::Trace& trace, const StepBreakdown& step,
                                              std::size_t device);

/// "cuda:1 idle 38 %: 21 warm-up, 12 starved by cuda:0, 5 transfer": whole percent of the step that
/// add up (largest remainder); parts that round to 0 are left out. `device` indexes step.devices.
[[nodiscard]] std::string idleSentence(const trace::Trace& trace, const StepBreakdown& step,
                                       std::size_t device);

/// The JSON of `analyze --json` (docs/reference/json.md): sums over the timed steps (over the extra
/// ones when there are no others). `compute` among the causes only where it is not zero.
[[nodiscard]] Json analyzeJson(const trace::Trace& trace);
/// `--definitions pipeline`: reads and answers the plain pipeline form
/// (docs/reference/analysis.md).
/// @errors Invalid with the JSON pointer
[[nodiscard]] Result<Json> analyzePipelineForm(const Json& timeline);

}  // namespace stagelane::analysis
