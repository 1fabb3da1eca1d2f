#pragma once

/// Estimates the cost of an unmeasured block: multiply-accumulates, moved bytes and calls, divided
/// by the rates of the device kind. Every number derived from these is marked "estimate".

#include <vector>

#include "engine/model/shapes.h"
#include "engine/plan/device.h"

namespace stagelane::plan {

/// Effective rates of one device, as one number each.
struct DeviceRates {
  double macsPerSecond = 1.0;
  double bytesPerSecond = 1.0;        ///< memory traffic of element-wise and normalization layers
  double callNs = 0.0;                ///< fixed cost of a call (dispatch, launch)
  double weightBytesPerSecond = 1.0;  ///< weight bytes of a micro-batch's weight gradient
  double updateBytesPerSecond = 1.0;  ///< optimizer: streams over parameters and gradients
};
/// `threads` counts for CPU workers only.
[[nodiscard]] DeviceRates estimatedRates(const ParsedDevice& device, int threads);

/// Estimated nanoseconds of one block at the micro-batch of the shapes.
struct BlockEstimate {
  double forwardNs = 0.0;
  double backwardInputNs = 0.0;   ///< arithmetic of the forward, half of the backward's traffic
  double backwardWeightNs = 0.0;  ///< the same, plus accumulating the weight gradient
  [[nodiscard]] double totalNs() const { return forwardNs + backwardInputNs + backwardWeightNs; }
};
[[nodiscard]] std::vector<BlockEstimate> estimateBlocks(const model::ModelShapes& shapes,
                                                        const DeviceRates& rates);

/// Estimated nanoseconds of F, I and W of each block on one device.
[[nodiscard]] std::vector<double> estimatedCosts(const model::ModelShapes& shapes,
                                                 const DeviceSpec& device, int threadsPerCpuWorker);

}  // namespace stagelane::plan
