#pragma once

/// Derives figures from the workers' records: the median repeat, its trace, measured action times
/// as costs for the bound. Pure functions of recorded values; no devices, no clocks.

#include <optional>
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
  std::vector<double> losses;  ///< per batch; of an asynchronous variant, of as many equal parts
  /// Per batch and micro-batch, as far as this process has computed them: the leader of several
  /// ranks adds them in order.
  std::vector<std::vector<std::optional<double>>> lossParts;
  /// Steps of an asynchronous variant, monotonic; empty: those of the records.
  std::vector<trace::Step> steps;
  std::optional<record::HogwildResult> hogwild;
  /// Per batch, of its micro-batches; empty unless the experiment prints them.
  std::vector<std::vector<MicroBatchSizes>> sizes;
};

/// Indices of the middle repeats by time: one for an odd count, two for an even one, the faster
/// first. @pre not empty
[[nodiscard]] std::vector<std::size_t> middleRepeats(const std::vector<RepeatMeasurement>& repeats);

/// The all-reduces of a step; empty without any. Exposed is the median over the steps of the time
/// from the last gradient of a row to its last mean, of the row that waits the shortest: the others
/// wait for its backward as well, which is no cost of an all-reduce.
[[nodiscard]] std::optional<record::AllReduceResult> allReduceOf(const RepeatMeasurement& repeat,
                                                                 std::size_t rows);

/// A step (batch) of a repeat.
struct MeasuredStep {
  const RepeatMeasurement* repeat = nullptr;
  int step = 0;
};

/// Action and transfer times of the median step, per (stage, micro-batch): those of the middle
/// step, or the means of the two. Medians over all steps would not do, because a bound from other
/// steps could exceed the step. @pre one step or two
[[nodiscard]] predict::PlanCosts measuredCosts(const schedule::LoweredSchedule& lowered,
                                               const std::vector<MeasuredStep>& steps);

/// Adds a repeat to a trace: actions, and the copies of inputs and labels to their devices. Times
/// are relative to `originNs`; `extra` marks the repeat's steps as such. `devices` are those of the
/// records.
void addRepeat(trace::TraceBuilder& builder, const std::vector<DeviceId>& devices,
               const RepeatMeasurement& repeat, TimeNs originNs, bool extra = false);

/// Logical bytes that each row sent and received in a step (CPU workers share storage).
[[nodiscard]] std::vector<Bytes> transferBytesPerStep(std::size_t rows,
                                                      const RepeatMeasurement& repeat);

/// Time of each micro-batch of a repeat from the start of its first forward to the end of its last,
/// in seconds, ascending.
[[nodiscard]] std::vector<double> forwardLatencies(const RepeatMeasurement& repeat);

/// Whether the standard deviation exceeds 5 % of the mean.
[[nodiscard]] bool isNoisy(double mean, double std);

/// The order in which `count` variants take their turns in a repeat, derived from the seed.
[[nodiscard]] std::vector<std::size_t> turnOrder(std::uint64_t seed, std::int64_t repeat,
                                                 std::size_t count);

}  // namespace stagelane::run
