#pragma once

/// Measures what the all-reduces of processes cost: alone at several sizes, beside a computation on
/// all of their cores, and how much slower that becomes.

#include <functional>
#include <vector>

#include "engine/base/result.h"
#include "engine/predict/process_sums.h"

namespace stagelane::run {

/// Sizes of the sums to measure, a factor of four apart, up to that of all gradients.
[[nodiscard]] std::vector<Bytes> sumSizes(Bytes gradients);

struct SumCalibrationPorts {
  /// All workers train at the same time, each the whole model. @returns seconds, 0 if stopped
  std::function<Result<double>()> train;
  /// All workers copy so many bytes at the same time. @returns seconds of the slowest
  std::function<Result<double>(Bytes bytes)> copy;
  std::function<bool()> stopped;
};

/// `gradients`: bytes of all of them, the size of the largest sum. Takes about a second, and twice
/// four `train` at least. @errors EngineFailure (also if the members cannot connect), and those of
/// the ports. @thread any but the workers'; blocks
[[nodiscard]] Result<predict::ProcessSums> calibrateSums(int processes, Bytes gradients,
                                                         const SumCalibrationPorts& ports);

}  // namespace stagelane::run
