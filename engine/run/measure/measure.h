#pragma once

/// From what the workers recorded to figures: the median repeat, its trace, measured action times
/// as costs for the bound. Pure functions of recorded values; no devices, no clocks.

#include <vector>

#include "engine/predict/plan_costs.h"
#include "engine/record/run_record.h"
#include "engine/run/step/executor.h"
#include "engine/schedule/lowering.h"
#include "engine/trace/recorder.h"
#include "engine/trace/trace_builder.h"

namespace stagelane::run {

/// One repeat of a variant: all its batches.
struct RepeatMeasurement {
  double seconds = 0.0;
  std::vector<trace::ActionRecord> records;
  std::vector<BatchCopy> copies;
  std::vector<double> losses;  ///< per batch
};

/// Indices of the repeats in the middle by time: one of an odd number, two of an even one, the
/// faster first. @pre not empty
[[nodiscard]] std::vector<std::size_t> middleRepeats(const std::vector<RepeatMeasurement>& repeats);

/// A step (batch) of a repeat.
struct MeasuredStep {
  const RepeatMeasurement* repeat = nullptr;
  int step = 0;
};

/// The times of the actions and transfers of the median step, per (stage, micro-batch): of the step
/// in the middle, or the means of the two. Not medians over all steps: a bound from other steps
/// could lie above the step that it bounds. @pre one step or two
[[nodiscard]] predict::PlanCosts measuredCosts(const schedule::LoweredSchedule& lowered,
                                               const std::vector<MeasuredStep>& steps);

/// Adds a repeat to a trace: actions, and the copies of inputs and labels to their devices. Times
/// count from `originNs`; `extra` marks the repeat's steps as such.
void addRepeat(trace::TraceBuilder& builder, const std::vector<DeviceId>& rows,
               const RepeatMeasurement& repeat, TimeNs originNs, bool extra = false);

/// Bytes that each row sent and received in a step (logical ones: CPU workers share storage).
[[nodiscard]] std::vector<Bytes> transferBytesPerStep(std::size_t rows,
                                                      const RepeatMeasurement& repeat);

/// How long each micro-batch of a repeat took from its first forward's start to its last forward's
/// end, in seconds, ascending.
[[nodiscard]] std::vector<double> forwardLatencies(const RepeatMeasurement& repeat);

/// The standard deviation is more than 5 % of the mean.
[[nodiscard]] bool isNoisy(double mean, double std);

/// The order in which `count` variants take their turns in a repeat; drawn from the seed.
[[nodiscard]] std::vector<std::size_t> turnOrder(std::uint64_t seed, std::int64_t repeat,
                                                 std::size_t count);

}  // namespace stagelane::run
