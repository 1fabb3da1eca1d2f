#pragma once

/// What a calibration has to measure for an experiment's variants, decided before anything runs:
/// kinds of workers, micro-batch sizes, links, and how the time is shared out. Pure.

#include <cstdint>
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
  std::int64_t typical = 0;           ///< the size of most micro-batches

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

/// The sizes, and below them halves of the smallest until two of them can be measured within a
/// time: a whole batch on one device may be too dear, and half of it says nearly as much.
[[nodiscard]] std::vector<std::int64_t> withAffordable(std::vector<std::int64_t> samples,
                                                       double secondsPerSample,
                                                       double budgetSeconds);

/// The sizes that fit into a time, and how often each can be measured.
struct Rounds {
  std::vector<std::int64_t> samples;  ///< of WorkerKind::samples; at least two where it has two
  int rounds = 0;
};
/// @param secondsPerSample of one visit
/// @param fixedSeconds of one round, whatever its sizes
[[nodiscard]] Rounds roundsWithin(const std::vector<std::int64_t>& samples, double secondsPerSample,
                                  double fixedSeconds, double budgetSeconds);

}  // namespace stagelane::run
