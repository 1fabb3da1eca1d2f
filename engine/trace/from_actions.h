#pragma once

/// Converts action records into a Trace: a device track with `compute` and `copy` below it, names
/// like "F3", a `memory` counter where the records have it, flows from sends to receives by
/// correlation, and a step for each (repeat, step). Independent of how the records were made.

#include <string>
#include <vector>

#include "engine/trace/recorder.h"
#include "engine/trace/trace_builder.h"

namespace stagelane::trace {

struct FromActionsOptions {
  /// Subtracted from every time. Pass the run's start so that trace times are relative to it.
  TimeNs originNs = 0;
  /// Steps of this repeat are marked `extra` (excluded from timing); -1: none.
  std::int32_t extraRepeat = -1;
  /// False: the caller adds the steps, because the records do not give them.
  bool addSteps = true;
};

/// "F3", "SEND_B0", "OPT": the action's word and its micro-batch.
[[nodiscard]] std::string actionName(ActionKind kind, MicroBatchId microBatch);

/// Adds the records to a builder that may also hold other events (operators, kernels).
/// `ActionRecord::device` and `peer` index `devices`. Records of unknown devices are dropped and
/// counted. A step spans from its earliest start to its latest OPT end over all devices, or to the
/// last compute if it has no OPT.
void addActions(TraceBuilder& builder, const std::vector<std::string>& devices,
                const std::vector<ActionRecord>& records, const FromActionsOptions& options);

}  // namespace stagelane::trace
