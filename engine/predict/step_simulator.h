#pragma once

/// The simulator for searches: plays many steps without allocations and returns figures instead of
/// a timeline. `simulate` (simulator.h) also returns the timeline.

#include <memory>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/predict/plan_costs.h"
#include "engine/schedule/lowering.h"

namespace stagelane::predict {

/// Figures of a played step; vectors by device row.
struct StepFigures {
  TimeNs stepNs = 0;                      ///< latest OPT (or compute) end
  std::vector<TimeNs> busyNs;             ///< stretched by contention
  std::vector<Bytes> peakBytes;           ///< resident, kept and temporary
  std::vector<int> peakLiveMicroBatches;  ///< (stage, micro-batch) pairs kept at once
};

/// Single-threaded. Reuses its buffers between steps.
class StepSimulator {
 public:
  StepSimulator();
  StepSimulator(StepSimulator&&) noexcept;
  StepSimulator& operator=(StepSimulator&&) noexcept;
  ~StepSimulator();

  /// The figures are valid until the next call.
  /// @errors Invalid if the schedule deadlocks (names device, action, micro-batch), or the costs do
  /// not cover it
  [[nodiscard]] Result<const StepFigures*> play(const schedule::LoweredSchedule& schedule,
                                                const PlanCosts& costs);

 private:
  struct Buffers;
  std::unique_ptr<Buffers> m_buffers;
};

}  // namespace stagelane::predict
