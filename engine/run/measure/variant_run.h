#pragma once

/// A variant on its way through a run: what will be played, what was measured, what is known so
/// far. Values; the run loop moves them forward.

#include <optional>
#include <vector>

#include "engine/plan/experiment.h"
#include "engine/record/run_record.h"
#include "engine/run/device/worker_pool.h"
#include "engine/run/measure/measure.h"
#include "engine/run/measure/recorded_turns.h"

namespace stagelane::run {

struct VariantRun {
  const plan::Variant* variant = nullptr;
  schedule::LoweredSchedule lowered;
  std::vector<std::int64_t> microBatchSizes;
  std::vector<DeviceId> rows;
  std::vector<Worker*> workers;  ///< of the rows
  std::vector<RepeatMeasurement> repeats;
  std::vector<Bytes> peakBytes;  ///< per row, the highest of the timed repeats
  std::optional<RecordedTurns> recorded;
  std::vector<double> secondsBefore;  ///< of repeats that an earlier process of this run measured
  bool tracedOnly = false;            ///< `repeats` has one whose time was taken before
  trace::TracePtr trace;              ///< of the median repeat, once there are results
  record::VariantResult result;

  /// Whether the repeat (from 0; before the first: a warm-up) is still to be taken.
  [[nodiscard]] bool lacks(std::int64_t repeat, std::int64_t repeats) const;
  /// Takes turns: neither left out nor failed.
  [[nodiscard]] bool active() const { return result.status == record::RunStatus::Running; }
  [[nodiscard]] StepPlan stepPlan(const plan::Experiment& experiment) const;
  /// One device, not split over others: a candidate for the base.
  [[nodiscard]] bool onOneDevice() const { return rows.size() == 1; }
};

/// Lowers and checks every variant, decides which fit, and makes their workers.
/// `costs`, by which `auto` is searched for as in predictions, may be null. @errors Invalid,
/// DeviceMissing
[[nodiscard]] Result<std::vector<VariantRun>> prepareVariants(
    const plan::Experiment& experiment, WorkerPool& pool,
    const predict::CostTable* costs = nullptr);

}  // namespace stagelane::run
