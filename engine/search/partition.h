#pragma once

/// Cuts a chain of blocks so that the slowest device is as fast as possible. Pure search over
/// costs, independent of models and schedules. Every part has at least one block, and parts are
/// assigned to the devices in order.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/ids.h"

namespace stagelane::search {

/// Memory limits of the parts and needs of the blocks. All lists are per block except the last two.
struct CutMemory {
  std::vector<Bytes> resident;     ///< parameters, gradients, optimizer state, buffers
  std::vector<Bytes> saved;        ///< kept of one micro-batch from forward to backward
  std::vector<Bytes> stageInput;   ///< also kept if a part begins with the block
  std::vector<Bytes> temporary;    ///< extra while the block works; a part needs its largest
  std::vector<std::int64_t> live;  ///< per device: micro-batches that are kept at once
  std::vector<std::optional<Bytes>> room;  ///< per device
};

struct CutProblem {
  /// timeOn[d][b]: time of block b on device d, not negative.
  std::vector<std::vector<double>> timeOn;
  /// linkBefore[d][b]: time of the transfers between device d − 1 and device d if d's part begins
  /// with block b (α + n/β, both directions). Empty: links are free.
  std::vector<std::vector<double>> linkBefore;
  /// A blocking copy occupies both its ends; otherwise a link is a separate resource, which can be
  /// the bottleneck.
  bool linksBlock = false;
  std::optional<CutMemory> memory;
};

/// A cut: the first block of each part, and the time of its slowest part or link.
struct Cut {
  std::vector<std::size_t> firsts;
  double bottleneck = 0.0;
};

/// The `count` cuts with the smallest bottlenecks over all contiguous cuts into min(devices,
/// blocks) parts, best first. The first is the exact minimum, with the smallest sum of squares
/// among equals, so that the remaining work is spread evenly. Empty if no cut fits the memory.
/// O(devices · blocks²) for one cut.
/// @pre every list over blocks has the same length
/// @source dynamic programming over prefixes: Bokhari, "Partitioning problems in parallel,
/// pipelined and distributed computing", IEEE Transactions on Computers 37 (1988); links between
/// parts as in PipeDream, arXiv:1806.03377, section 3.2
[[nodiscard]] std::vector<Cut> bestCuts(const CutProblem& problem, std::size_t count = 1);

/// The bottleneck of a given cut. Ignores memory.
[[nodiscard]] double bottleneckOf(const CutProblem& problem,
                                  const std::vector<std::size_t>& firsts);

/// First blocks of the best cut by time alone. @pre as for `bestCuts`
[[nodiscard]] std::vector<std::size_t> minBottleneckCut(
    const std::vector<std::vector<double>>& costOn);

/// The contiguous cut with the smallest largest sum of weights, which are equal for all devices: by
/// parameters, as device maps do.
[[nodiscard]] std::vector<std::size_t> balancedCut(const std::vector<double>& weights,
                                                   std::size_t parts);

/// The balancing heuristic of torchgpipe, for comparison: boundaries move while that reduces the
/// largest part, until largest and smallest differ by at most the largest weight.
/// @source Bárány and Grinberg, "Block partitions of sequences", arXiv:1308.2452
[[nodiscard]] std::vector<std::size_t> blockPartition(const std::vector<double>& weights,
                                                      std::size_t parts);

}  // namespace stagelane::search
