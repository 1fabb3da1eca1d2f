#pragma once

/// Measured costs: per block and device the times at several micro-batch sizes, links, optimizer,
/// contention; from a calibration or a file. Holds data and its JSON form; plan_costs.h computes
/// the cost of a plan.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/predict/process_sums.h"

namespace stagelane::predict {

enum class Basis { Estimate, Calibrated, Stale, File, Measured };
[[nodiscard]] std::string_view word(Basis basis);

/// A size that the file does not contain; the model's computed size applies.
inline constexpr Bytes kUnknownBytes = -1;

/// Memory use of one block of a chain, more detailed than its saved and temporary bytes. It bounds
/// what each action needs and what each half of a backward leaves behind. "Kept" bytes are those
/// that autograd keeps of a micro-batch (saved_bytes).
struct BlockMemory {
  Bytes unkeptOutput = 0;  ///< part of the output that is freed once the next block has read it
  /// Peak above the memory at the start of the forward, including the input.
  Bytes forwardPeak = 0;
  /// Peak of the backward above what this and earlier blocks keep plus the gradient of its output;
  /// weight gradients already exist and are accumulated.
  Bytes backwardPeak = 0;
  /// The same if no weight gradients exist yet; those of this block stay.
  Bytes firstBackwardPeak = 0;
  Bytes inputPeak = 0;    ///< peak of I above the memory when it reaches this block
  Bytes captured = 0;     ///< gradients that I leaves for W
  Bytes weightSaved = 0;  ///< part of the kept bytes, including the input, that I leaves for W
  Bytes weightPeak = 0;   ///< peak of W above the memory when it reaches this block
};

/// A member of BlockMemory and its name in a cost file.
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

/// Measurements of one block at one micro-batch size.
struct CostPoint {
  std::int64_t samples = 0;
  TimeNs forward = 0;
  TimeNs backwardInput = 0;
  TimeNs backwardWeight = 0;
  TimeNs backward = 0;
  Bytes savedBytes = 0;
  Bytes temporaryBytes = 0;
  Bytes outputBytes = 0;
  std::optional<BlockMemory> memory;  ///< empty: only saved and temporary bytes are known
  double noise = 0.0;  ///< interquartile range of forward + backward over their median
};
struct BlockCosts {
  std::string name;
  std::optional<DeviceId> device;  ///< empty: applies to all devices
  int threads = 0;                 ///< of the measured CPU worker; 0: any
  std::vector<CostPoint> points;   ///< ascending samples, at least one
  /// Additional time of B (or W) on every micro-batch after the first, for accumulating gradients.
  /// Not part of the points.
  TimeNs accumulateNs = 0;
  std::optional<TimeNs> optimizerNs;  ///< empty: use CostTable::optimizerNs
};
struct LinkCost {
  DeviceId from;
  DeviceId to;
  TimeNs latencyNs = 0;
  double bytesPerSecond = 0.0;  ///< 0: only the latency counts
};
/// A message of a boundary tensor from one process to another.
struct ProcessLink {
  /// Empty, both: between CPU workers in any two processes of one host.
  std::optional<DeviceId> from;
  std::optional<DeviceId> to;
  TimeNs latencyNs = 0;
  double bytesPerSecond = 0.0;  ///< 0: only the latency counts
};
struct NetworkLink {
  TimeNs latencyNs = 0;
  double bytesPerSecond = 0.0;  ///< 0: only the latency counts
};
/// Links of many devices: nodes of consecutive devices of the experiment's list.
struct Network {
  std::int64_t devicesPerNode = 1;
  NetworkLink within;   ///< between two devices of a node
  NetworkLink between;  ///< between devices of different nodes
};
/// The smallest factor of `CostTable::contention`, at most 1: lower bounds of a step allow for it.
[[nodiscard]] double leastFactor(const std::map<int, double>& contention);

/// Contents of a cost file (docs/reference/experiment.md, "Cost file").
struct CostTable {
  Basis basis = Basis::File;
  std::vector<BlockCosts> blocks;
  std::vector<LinkCost> links;                ///< precede the network
  std::optional<Network> network;             ///< empty: a pair without a link is free
  std::map<std::string, TimeNs> optimizerNs;  ///< by block
  /// Number of busy CPU workers → factor on their durations. Interpolated in between, constant
  /// above the largest.
  std::map<int, double> contention;
  std::vector<CostPoint> loss;  ///< LOSS; forward only; optional
  TimeNs actionOverheadNs = 0;  ///< host time per action. Optional in the file
  /// Sums between processes with CPU workers. Optional; without it they are estimated.
  std::optional<ProcessSums> processSums;
  Json origin;                            ///< machine, time and noise of the measurement
  std::vector<ProcessLink> processLinks;  ///< for devices of different ranks
};
/// `source` (a path) is the prefix of error places.
/// @errors Invalid with path and JSON pointer
[[nodiscard]] Result<CostTable> costTableFromJson(const Json& document, const std::string& source);
[[nodiscard]] Result<CostTable> readCostTable(const std::string& path);
[[nodiscard]] Json toJson(const CostTable& table);

}  // namespace stagelane::predict
