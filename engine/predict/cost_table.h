#pragma once

/// What was measured: per block and device the times at several micro-batch sizes, links,
/// optimizer, contention; from a calibration or a file. Data and its JSON form; what one plan costs
/// is plan_costs.h.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::predict {

enum class Basis { Estimate, Calibrated, Stale, File, Measured };
[[nodiscard]] std::string_view word(Basis basis);

/// A size that the file does not say: the model's own figure counts.
inline constexpr Bytes kUnknownBytes = -1;

/// One block at one micro-batch size, as measured.
struct CostPoint {
  std::int64_t samples = 0;
  TimeNs forward = 0;
  TimeNs backwardInput = 0;
  TimeNs backwardWeight = 0;
  TimeNs backward = 0;
  Bytes savedBytes = 0;
  Bytes temporaryBytes = 0;
  Bytes outputBytes = 0;
  double noise = 0.0;  ///< interquartile range of forward + backward over their median
};
struct BlockCosts {
  std::string name;
  std::optional<DeviceId> device;  ///< none: the same on all
  int threads = 0;                 ///< of the CPU worker that was measured; 0: of any
  std::vector<CostPoint> points;   ///< ascending samples, at least one
  /// What B (or W) takes longer on every micro-batch but the step's first: its gradients are added
  /// to those that are there. Not part of the points.
  TimeNs accumulateNs = 0;
  std::optional<TimeNs> optimizerNs;  ///< none: what CostTable::optimizerNs says
};
struct LinkCost {
  DeviceId from;
  DeviceId to;
  TimeNs latencyNs = 0;
  double bytesPerSecond = 0.0;  ///< 0: bytes cost nothing, the latency remains
};
/// Contents of a cost file (contracts.md, "Cost file").
struct CostTable {
  Basis basis = Basis::File;
  std::vector<BlockCosts> blocks;
  std::vector<LinkCost> links;                ///< none for a pair: free
  std::map<std::string, TimeNs> optimizerNs;  ///< by block
  /// Busy CPU workers → factor on their durations meanwhile. In between it is interpolated, above
  /// the largest it stays.
  std::map<int, double> contention;
  std::vector<CostPoint> loss;  ///< LOSS; forward only; optional
  TimeNs actionOverheadNs = 0;  ///< host time per action. Optional in the file
  Json origin;                  ///< what it was measured on, when, how steady
};
/// `source` (a path) begins the place that errors name.
/// @errors Invalid with path and JSON pointer
[[nodiscard]] Result<CostTable> costTableFromJson(const Json& document, const std::string& source);
[[nodiscard]] Result<CostTable> readCostTable(const std::string& path);
[[nodiscard]] Json toJson(const CostTable& table);

}  // namespace stagelane::predict
