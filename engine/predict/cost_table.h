#pragma once

/// What was measured: per block and device the times at several micro-batch sizes, links,
/// optimizer, contention; from a calibration or a file. Data and its JSON form; what one plan costs
/// is plan_costs.h.

#include <array>
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

/// What a device's account shows while one block of a chain works, finer than its saved and
/// temporary bytes: plans with these know what an action needs at most, and what each half of a
/// backward leaves behind. "Kept" is what autograd keeps of a micro-batch (saved_bytes).
struct BlockMemory {
  Bytes unkeptOutput = 0;  ///< of the output: what nothing keeps once the next block has read it
  /// Most beyond what there is when the forward begins, the input included.
  Bytes forwardPeak = 0;
  /// Most during the backward beyond what blocks up to this one keep and the gradient of its
  /// output; gradients of weights are there already and are added to.
  Bytes backwardPeak = 0;
  /// The same where no gradient of a weight is there yet; this block's stay.
  Bytes firstBackwardPeak = 0;
  Bytes inputPeak = 0;    ///< most during I beyond what there is when it comes to this block
  Bytes captured = 0;     ///< gradients that I leaves for W
  Bytes weightSaved = 0;  ///< of what is kept, its input included: what I leaves for W
  Bytes weightPeak = 0;   ///< most during W beyond what there is when it comes to this block
};

/// A member of BlockMemory with its name in a cost file.
struct MemoryFigure {
  const char* key;
  Bytes BlockMemory::*member;
};
inline constexpr std::array<MemoryFigure, 8> kMemoryFigures{{
    {"unkept_output_bytes", &BlockMemory::unkeptOutput},
    {"forward_peak_bytes", &BlockMemory::forwardPeak},
    {"backward_peak_bytes", &BlockMemory::backwardPeak},
    {"first_backward_peak_bytes", &BlockMemory::firstBackwardPeak},
    {"input_peak_bytes", &BlockMemory::inputPeak},
    {"captured_bytes", &BlockMemory::captured},
    {"weight_saved_bytes", &BlockMemory::weightSaved},
    {"weight_peak_bytes", &BlockMemory::weightPeak},
}};

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
  std::optional<BlockMemory> memory;  ///< none: saved and temporary bytes are all that is known
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
/// Contents of a cost file (docs/reference/experiment.md, "Cost file").
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
