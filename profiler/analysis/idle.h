#pragma once

/// Where a step's time went, per device, by the definitions of design.md section 7: disjoint parts
/// that sum to the step in integer nanoseconds.

#include <array>
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/json.h"
#include "profiler/trace/trace.h"

namespace stagelane::analysis {

enum class Cause : std::uint8_t {
  Forward, Backward, BackwardInput, BackwardWeight, Optimizer,             // busy
  Warmup, Drain, Tail, Starved, TransferWait, Host, Unattributed,          // idle
};
inline constexpr std::size_t kCauseCount = 12;
/// `forward backward backward_input backward_weight optimizer warmup drain tail starved transfer
/// host unattributed`.
[[nodiscard]] std::string_view word(Cause cause);
[[nodiscard]] constexpr bool isBusy(Cause cause) { return cause <= Cause::Optimizer; }

/// A piece of one device's step, for shading.
struct Piece {
  TimeNs startNs = 0;
  TimeNs endNs = 0;
  Cause cause = Cause::Unattributed;
  std::int32_t blamed = -1;     ///< starved: device index
  std::int64_t event = -1;      ///< busy: the event; starved/transfer/host: the awaited action
};

struct DeviceStep {
  std::int32_t device = -1;
  std::array<TimeNs, kCauseCount> causeNs{};
  std::vector<std::pair<std::int32_t, TimeNs>> starvedBy;  ///< device index → ns
  std::vector<Piece> pieces;                               ///< tile [start, end) of the step exactly
  [[nodiscard]] TimeNs busyNs() const;
  [[nodiscard]] TimeNs idleNs() const;
};

struct StepBreakdown {
  trace::Step step;
  std::vector<DeviceStep> devices;
  [[nodiscard]] TimeNs wallNs() const { return step.endNs - step.startNs; }
};

/// The steps of a trace; where it names none, one step over all compute events.
[[nodiscard]] std::vector<trace::Step> stepsOf(const trace::Trace& trace);
[[nodiscard]] StepBreakdown breakDown(const trace::Trace& trace, const trace::Step& step);
/// Index into stepsOf of the median step (lower middle by duration, timed repeats only).
[[nodiscard]] std::size_t medianStep(const std::vector<trace::Step>& steps);

/// "cuda:1 idle 38 %: 21 warm-up, 12 starved by cuda:0, 5 transfer": parts add up.
[[nodiscard]] std::string idleSentence(const trace::Trace& trace, const StepBreakdown& step,
                                       std::size_t device);

/// The JSON of `analyze --json` (contracts).
[[nodiscard]] Json analyzeJson(const trace::Trace& trace);
/// `--definitions pipeline`: reads the form of conformance/pipeline, answers in its form.
[[nodiscard]] Result<Json> analyzePipelineForm(const Json& timeline);

}  // namespace stagelane::analysis
