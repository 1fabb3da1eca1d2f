#pragma once

/// What a calibration has to measure for an experiment's variants, decided before anything runs:
/// kinds of workers, micro-batch sizes, links, and how the time is shared out. Pure.

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/plan/experiment.h"

namespace stagelane::run {

/// Workers that one measurement stands for: CPU workers with the same number of threads, or one
/// GPU.
struct WorkerKind {
  bool cpu = true;
  int threads = 1;                    ///< of a CPU worker
  DeviceId device;                    ///< the GPU; of CPU workers the one to measure on
  std::vector<DeviceId> together;     ///< CPU workers that a plan may keep busy at once
  std::vector<std::int64_t> samples;  ///< micro-batch sizes, ascending
  std::set<std::int64_t> occurring;   ///< those of them that a variant has
  std::int64_t typical = 0;           ///< a size in the middle of those that occur

  friend bool operator==(const WorkerKind&, const WorkerKind&) = default;
};

struct CalibrationPlan {
  std::vector<WorkerKind> kinds;
  std::vector<std::pair<DeviceId, DeviceId>> links;  ///< each direction by itself

  friend bool operator==(const CalibrationPlan&, const CalibrationPlan&) = default;
};

/// `neighbours`: half and double of the sizes that occur as well, so that a plan with other splits
/// finds points on both sides. @errors Invalid: no variant is included
[[nodiscard]] Result<CalibrationPlan> planCalibration(const plan::Experiment& experiment,
                                                      bool neighbours);

/// What a visit of the chain takes: a part that does not depend on the size (small micro-batches
/// are all overhead and optimizer) and one for each sample.
struct VisitCost {
  double fixedSeconds = 0.0;
  double secondsPerSample = 0.0;

  [[nodiscard]] double seconds(std::int64_t samples) const {
    return fixedSeconds + secondsPerSample * static_cast<double>(samples);
  }
};
/// The line through two visits; the same size twice says nothing of the fixed part.
/// @pre sizes ascending
[[nodiscard]] VisitCost visitCost(std::pair<std::int64_t, double> small,
                                  std::pair<std::int64_t, double> large);

/// The sizes, and below them halves of the smallest until two of them can be measured within a
/// time: a whole batch on one device may be too dear, and half of it says nearly as much.
[[nodiscard]] std::vector<std::int64_t> withAffordable(std::vector<std::int64_t> samples,
                                                       const VisitCost& cost, double budgetSeconds);

/// The sizes that fit into a time, and how often each can be measured.
struct Rounds {
  std::vector<std::int64_t> samples;  ///< of WorkerKind::samples; at least two where it has two
  int rounds = 0;
};
/// Sizes that do not fit are left out: first those that no variant has, the largest of them first;
/// then those between others, since between two points a table is nearly right and beyond its ends
/// it is not; the largest last.
/// @param fixedSeconds of one round, whatever its sizes
[[nodiscard]] Rounds roundsWithin(const WorkerKind& kind, const VisitCost& cost,
                                  double fixedSeconds, double budgetSeconds);

}  // namespace stagelane::run
