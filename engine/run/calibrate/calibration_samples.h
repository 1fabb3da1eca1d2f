#pragma once

/// What a calibration collects, and the cost table that it comes to: medians over the visits, with
/// their interquartile range as the noise. Pure functions of recorded values.

#include <map>
#include <string>
#include <vector>

#include "engine/predict/cost_table.h"
#include "engine/run/calibrate/calibration_plan.h"
#include "engine/run/calibrate/pass_times.h"

namespace stagelane::run {

/// (third quartile − first quartile) / median; 0 for fewer than two values.
[[nodiscard]] double relativeSpread(const std::vector<double>& values);

/// Everything that was measured on one kind of worker.
struct KindSamples {
  WorkerKind kind;
  /// By samples; of the whole chain, its halves without the first block.
  std::map<std::int64_t, std::vector<PassTimes>> passes;
  std::map<std::int64_t, std::vector<predict::CostPoint>> bytes;  ///< by samples, a point a block
  std::map<std::int64_t, std::vector<TimeNs>> loss;               ///< by samples
  std::vector<std::vector<TimeNs>> optimizer;                     ///< a visit: by block
  std::vector<TimeNs> overhead;                                   ///< of an action
  std::map<int, std::vector<double>> contention;                  ///< busy workers → factors
};

/// Time in blocks of a pass.
[[nodiscard]] double totalNs(const PassTimes& pass);

/// Forward and backward of a block alone, by the clock: what contention is counted against. 0 where
/// the size was not measured.
[[nodiscard]] double wholeNs(const KindSamples& samples, std::int64_t size, std::size_t block);

/// Cuts the chain into so many ranges that take about the same time; none for fewer blocks than
/// ranges.
[[nodiscard]] std::vector<BlockRange> evenRanges(const std::vector<double>& blockNs,
                                                 std::size_t ranges);

/// Blocks of one kind as the table has them, in the order of the model.
[[nodiscard]] std::vector<predict::BlockCosts> blockCosts(const KindSamples& samples,
                                                          const std::vector<std::string>& names);

/// The whole table. Losses, overhead and contention are those of the first kind.
/// @pre at least one kind
[[nodiscard]] predict::CostTable costTable(const std::vector<KindSamples>& kinds,
                                           std::vector<predict::LinkCost> links,
                                           const std::vector<std::string>& blockNames);

}  // namespace stagelane::run
