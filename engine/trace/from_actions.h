#pragma once

/// Turns what the workers recorded into a Trace: a device track with `compute` and `copy` below it,
/// names like "F3", a
/// `memory` counter where the records know it, sends joined to receives by a correlation, and a
/// step for each (repeat, step). Knows nothing of how the records came about.

#include <string>
#include <vector>

#include "engine/trace/recorder.h"
#include "engine/trace/trace_builder.h"

namespace stagelane::trace {

struct FromActionsOptions {
  /// Subtracted from every time; give the run's start, so that a trace counts from there.
  TimeNs originNs = 0;
  /// Steps of this repeat are marked `extra` (no time is taken from them); -1: none.
  std::int32_t extraRepeat = -1;
};

/// "F3", "SEND_B0", "OPT": the action's word and its micro-batch.
[[nodiscard]] std::string actionName(ActionKind kind, MicroBatchId microBatch);

/// Adds the records to a builder that already has, or will get, other events (operators, kernels).
/// `ActionRecord::device` and `peer` index `devices`. Records of unknown devices are dropped and
/// counted. A step reaches from its earliest start to its latest OPT end over all devices, without
/// OPT to the last compute.
void addActions(TraceBuilder& builder, const std::vector<std::string>& devices,
                const std::vector<ActionRecord>& records, const FromActionsOptions& options);

}  // namespace stagelane::trace
