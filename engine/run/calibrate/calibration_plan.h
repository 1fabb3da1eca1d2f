#pragma once

/// Plans the measurements of a calibration for an experiment's variants: kinds of workers,
/// micro-batch sizes, links, and the distribution of time. Pure.

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/plan/experiment.h"

namespace stagelane::run {

/// Workers that share one measurement: CPU workers with the same number of threads, or one GPU.
struct WorkerKind {
  bool cpu = true;
  int threads = 1;                    ///< for CPU workers
  DeviceId device;                    ///< the GPU, or the CPU worker to measure on
  std::vector<DeviceId> together;     ///< CPU workers that a plan may keep busy at once
  std::vector<std::int64_t> samples;  ///< micro-batch sizes, ascending
  std::set<std::int64_t> occurring;   ///< sizes that occur in a variant
  std::int64_t typical = 0;           ///< a middle one of the occurring sizes

  friend bool operator==(const WorkerKind&, const WorkerKind&) = default;
};

struct CalibrationPlan {
  std::vector<WorkerKind> kinds;
  std::vector<std::pair<DeviceId, DeviceId>> links;  ///< each direction separately

  friend bool operator==(const CalibrationPlan&, const CalibrationPlan&) = default;
};

/// `neighbors`: also half and double of the occurring sizes, so that a plan with other splits
/// finds points on both sides. @errors Invalid: no variant is included
[[nodiscard]] Result<CalibrationPlan> planCalibration(const plan::Experiment& experiment,
                                                      bool neighbors);

/// Cost of a visit of the chain: a fixed part (small micro-batches consist of overhead and
/// optimizer) and a part per sample.
struct VisitCost {
  double fixedSeconds = 0.0;
  double secondsPerSample = 0.0;

  [[nodiscard]] double seconds(std::int64_t samples) const {
    return fixedSeconds + secondsPerSample * static_cast<double>(samples);
  }
};
/// The line through two visits; two visits of the same size do not determine the fixed part.
/// @pre sizes ascending
[[nodiscard]] VisitCost visitCost(std::pair<std::int64_t, double> small,
                                  std::pair<std::int64_t, double> large);

/// The sizes, plus halves of the smallest until two sizes can be measured in the time: a whole
/// batch on one device may be too expensive, and half of it is nearly as informative.
[[nodiscard]] std::vector<std::int64_t> withAffordable(std::vector<std::int64_t> samples,
                                                       const VisitCost& cost, double budgetSeconds);

/// The sizes that fit into the time, and the number of visits of each.
struct Rounds {
  std::vector<std::int64_t> samples;  ///< of WorkerKind::samples; at least two where it has two
  int rounds = 0;
};
/// Drops sizes until the rest fit: first those that no variant has, largest first; then inner ones,
/// because interpolation in a table is more accurate than extrapolation; the largest last.
/// @param fixedSeconds of one round, whatever its sizes
[[nodiscard]] Rounds roundsWithin(const WorkerKind& kind, const VisitCost& cost,
                                  double fixedSeconds, double budgetSeconds);

}  // namespace stagelane::run
