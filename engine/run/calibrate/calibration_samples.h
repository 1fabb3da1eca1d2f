#pragma once

/// The samples of a calibration and the resulting cost table: medians over the visits, with their
/// interquartile range as noise. Pure functions of recorded values.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/predict/cost_table.h"
#include "engine/run/calibrate/calibration_plan.h"
#include "engine/run/calibrate/pass_times.h"

namespace stagelane::run {

/// (third quartile − first quartile) / median; 0 for fewer than two values.
[[nodiscard]] double relativeSpread(const std::vector<double>& values);

/// All measurements of one kind of worker.
struct KindSamples {
  WorkerKind kind;
  /// By samples; passes of the whole chain, and of its halves without the first block.
  std::map<std::int64_t, std::vector<PassTimes>> passes;
  std::map<std::int64_t, std::vector<predict::CostPoint>>
      bytes;                                         ///< by samples, one point per block
  std::map<std::int64_t, std::vector<TimeNs>> loss;  ///< by samples
  std::vector<std::vector<TimeNs>> optimizer;        ///< per visit: by block
  std::vector<TimeNs> overhead;                      ///< of an action
  std::map<int, std::vector<double>> contention;     ///< busy workers → factors
  std::optional<predict::ProcessSums> sums;          ///< between processes with such workers
};

/// Total time in the blocks of a pass.
[[nodiscard]] double totalNs(const PassTimes& pass);

/// Wall time of forward and backward of a block alone, the reference for contention. 0 if the size
/// was not measured.
[[nodiscard]] double wholeNs(const KindSamples& samples, std::int64_t size, std::size_t block);

/// Cuts the chain into ranges of similar duration; empty if there are fewer blocks than ranges.
[[nodiscard]] std::vector<BlockRange> evenRanges(const std::vector<double>& blockNs,
                                                 std::size_t ranges);

/// Table entries of one kind's blocks, in model order.
[[nodiscard]] std::vector<predict::BlockCosts> blockCosts(const KindSamples& samples,
                                                          const std::vector<std::string>& names);

/// The whole table. Losses, overhead and contention come from the first kind, sums of processes
/// from the first one that has them.
/// @pre at least one kind
[[nodiscard]] predict::CostTable costTable(const std::vector<KindSamples>& kinds,
                                           std::vector<predict::LinkCost> links,
                                           const std::vector<std::string>& blockNames);

}  // namespace stagelane::run
