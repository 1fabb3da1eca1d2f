#pragma once

/// Where a step's time went, per device, by the definitions of docs/reference/analysis.md: disjoint
/// parts that sum to the step in integer nanoseconds.

#include <array>
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/json.h"
#include "engine/trace/cause.h"
#include "engine/trace/trace.h"

namespace stagelane::analysis {

using trace::Cause;
using trace::isBusy;
using trace::kCauseCount;
using trace::kIdleCauses;
using trace::kShownIdleCauses;
using trace::word;

/// A piece of one device's step, for shading.
struct Piece {
  TimeNs startNs = 0;
  TimeNs endNs = 0;
  Cause cause = Cause::Unattributed;
  std::int32_t blamed = -1;  ///< starved: device index, -1 if the producer is unknown
  std::int64_t event = -1;   ///< busy: the event; starved: the producer or the synchronization;
                             ///< transfer: the copy or collective; host: the action that could
                             ///< have started; else -1
};

struct DeviceStep {
  std::int32_t device = -1;
  /// Not a device: only host events while others have actions or kernels, or no work at all (a
  /// profiler's marks) while others have operators.
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

/// The steps of a trace. Without marked steps, one step over all its actions, else over its
/// kernels, copies and collectives, else over its operators. Empty for an empty trace.
[[nodiscard]] std::vector<trace::Step> stepsOf(const trace::Trace& trace);

/// Rules in addition to docs/reference/analysis.md, all deterministic:
/// - Events are cut to the step. Overlapping busy time counts once, for the event that started
/// first (at equal starts the longer one, then by column order). Of the events before the step's
/// start, the one that reaches furthest into the step counts.
/// - The awaited tensor of F at stage s is its RECV_F on the device; without one, the F of stage
///   s-1 on another device. B and I: RECV_B, else B or I of stage s+1. Of several candidates the
///   one that ended last before the wait's end counts, else the one that ends first. If the
///   producer is on the same device, nothing was awaited. LOSS, W and OPT await nothing (`host`).
/// - Without the producer in the trace, the device is starved by the RECV's peer until the RECV
/// starts (data ready). Without producer and RECV, the wait is `unattributed`.
/// - Compute of zero length is not busy, but the wait before it counts.
/// - A REDUCE turns `host` and `unattributed` of the tensor rule into `transfer`. If it names the
/// replica that arrived last as its peer, `host` becomes `starved` by that device.
/// - A wait before compute without a stage is explained by the device's copies (also those of
/// others with it as their peer), receives and collectives including NCCL kernels (`transfer`),
/// then by its synchronization records (`starved` by an unknown device), else unattributed.
[[nodiscard]] StepBreakdown breakDown(const trace::Trace& trace, const trace::Step& step);
/// Index into stepsOf of the median step (lower middle by duration, timed repeats only).
[[nodiscard]] std::size_t medianStep(const std::vector<trace::Step>& steps);

/// A part of a device's idle time, also of length zero; together they are its idle time.
struct IdlePart {
  Cause cause = Cause::Unattributed;
  std::string by;  ///< the device that it was starved by; "" if not known
  TimeNs timeNs = 0;
  int percent = 0;  ///< of the step; with the busy time they add up (largest remainder)
};
/// `device` indexes step.devices; empty beyond them.
[[nodiscard]] std::vector<IdlePart> idleParts(const trace::Trace& trace, const StepBreakdown& step,
                                              std::size_t device);

/// "cuda:1 idle 38 %: 21 warm-up, 12 starved by cuda:0, 5 transfer": integer percentages that add
/// up (largest remainder), without those that round to 0. `device` indexes step.devices.
[[nodiscard]] std::string idleSentence(const trace::Trace& trace, const StepBreakdown& step,
                                       std::size_t device);

/// The JSON of `analyze --json` (docs/reference/json.md): sums over the timed steps, or the extra
/// ones if there are no others. `compute` is a cause only if it is not zero.
[[nodiscard]] Json analyzeJson(const trace::Trace& trace);
/// `--definitions pipeline`: analyzes the plain pipeline form (docs/reference/analysis.md).
/// @errors Invalid with the JSON pointer
[[nodiscard]] Result<Json> analyzePipelineForm(const Json& timeline);

}  // namespace stagelane::analysis
