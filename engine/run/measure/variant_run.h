#pragma once

/// State of a variant during a run: what to play, measurements, and results so far. Updated by the
/// run loop.

#include <memory>
#include <optional>
#include <vector>

#include "engine/plan/experiment.h"
#include "engine/record/run_record.h"
#include "engine/run/device/worker_pool.h"
#include "engine/run/measure/measure.h"
#include "engine/run/measure/recorded_turns.h"
#include "engine/run/step/ranked_rows.h"

namespace stagelane::run {

struct VariantRun {
  const plan::Variant* variant = nullptr;
  schedule::LoweredSchedule lowered;
  std::vector<std::int64_t> microBatchSizes;
  std::vector<DeviceId> rows;
  std::vector<DeviceId> tracks;        ///< devices of the records: `plan::recordedDevices`
  std::vector<Worker*> workers;        ///< of the rows; empty for a variant of other ranks
  std::shared_ptr<RankedRows> remote;  ///< null: all rows are in this process
  std::vector<RepeatMeasurement> repeats;
  std::vector<Bytes> peakBytes;  ///< per track, the highest of the timed repeats
  std::optional<RecordedTurns> recorded;
  std::vector<double> secondsBefore;  ///< repeats measured by an earlier process of this run
  bool tracedOnly = false;            ///< `repeats` has one that was timed before
  trace::TracePtr trace;              ///< trace of the median repeat, once there are results
  record::VariantResult result;

  /// Whether the repeat (from 0; negative: a warm-up) is still missing.
  [[nodiscard]] bool lacks(std::int64_t repeat, std::int64_t repeats) const;
  /// Whether it takes turns: neither excluded nor failed.
  [[nodiscard]] bool active() const { return result.status == record::RunStatus::Running; }
  /// Whether there is no common step (StrategyRow::asynchronous).
  [[nodiscard]] bool asynchronous() const {
    return plan::strategyRow(variant->strategy).asynchronous;
  }
  [[nodiscard]] StepPlan stepPlan(const plan::Experiment& experiment) const;
  /// One unsplit device: a candidate for the base.
  [[nodiscard]] bool onOneDevice() const { return rows.size() == 1; }
};

/// What prepareVariants needs besides the experiment. The pointers outlive the variants.
struct PrepareOptions {
  const predict::CostTable* costs = nullptr;  ///< null: estimates
  RankTeam* team = nullptr;                   ///< null: one process
  bool dealt = false;                         ///< as in plan::ranksOfRows
};

/// Lowers and checks every variant, decides which ones fit, and creates their workers.
/// @errors Invalid (also an order that is still open), DeviceMissing
[[nodiscard]] Result<std::vector<VariantRun>> prepareVariants(const plan::Experiment& experiment,
                                                              WorkerPool& pool,
                                                              const PrepareOptions& options = {});

}  // namespace stagelane::run
