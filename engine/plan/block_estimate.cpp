#include "engine/plan/block_estimate.h"

#include <algorithm>

#include "engine/plan/imagined.h"

namespace stagelane::plan {
namespace {

// A CPU worker, fitted to LibTorch 2.11 (oneDNN, float32) on one core of the 2-core reference
// machine: forward and backward of each of ResNet-50's 22 blocks at 128² (minimum of six processor
// times). At micro-batch 8 a bottleneck takes 16 + 26 ms in layer1, 11 + 21 in layer3 and 13 + 32
// in layer4 for the same arithmetic: layer1 moves four times the bytes of layer3, and layer4 has
// four times its weights, whose gradient is accumulated in every micro-batch. A small linear layer
// takes 6 µs; SGD streams 50 GB/s in the caches and half of that outside. The first three rates
// include a common factor of 1.48, fitted to the median `predicted.error` of the twelve variants of
// `stagelane run tutorial-resnet50-quick`.
constexpr DeviceRates kCpuCore{89e9, 19e9, 6e3, 3e9, 25e9};
// A data-center GPU in float32 without TF32: a third to a half of published peaks.
constexpr DeviceRates kGpu{15e12, 1.5e12, 8e3, 0.5e12, 1.5e12};

}  // namespace

DeviceRates estimatedRates(const ParsedDevice& device, int threads) {
  if (device.kind != DeviceKind::CpuWorker) {
    DeviceRates rates = kGpu;
    // A partition has its share of the multiprocessors; memory and caches are shared.
    rates.macsPerSecond /= std::max(1, device.partitions);
    return rates;
  }
  DeviceRates rates = kCpuCore;
  rates.macsPerSecond *= std::max(1, threads);
  rates.bytesPerSecond *= std::max(1, threads);
  rates.weightBytesPerSecond *= std::max(1, threads);
  return rates;
}

std::vector<BlockEstimate> estimateBlocks(const model::ModelShapes& shapes,
                                          const DeviceRates& rates) {
  std::vector<double> calls(shapes.blocks.size(), 0.0);
  for (const model::CallShape& call : shapes.calls) calls[call.block] += 1.0;
  std::vector<BlockEstimate> answer;
  for (std::size_t i = 0; i < shapes.blocks.size(); ++i) {
    const model::BlockCost& block = shapes.blocks[i];
    // Each call's output is written once and read once.
    const double movedBytes = 2.0 * static_cast<double>(block.activationBytes);
    const double movingNs = 1e9 * movedBytes / rates.bytesPerSecond;
    const double arithmeticNs =
        1e9 * static_cast<double>(block.macs) / rates.macsPerSecond + calls[i] * rates.callNs;
    const double weightNs =
        1e9 * static_cast<double>(block.parameterBytes) / rates.weightBytesPerSecond;
    answer.push_back({arithmeticNs + movingNs, arithmeticNs + 0.5 * movingNs,
                      arithmeticNs + 0.5 * movingNs + weightNs});
  }
  return answer;
}

std::vector<double> estimatedCosts(const model::ModelShapes& shapes, const DeviceSpec& device,
                                   int threadsPerCpuWorker) {
  const auto parsed = parseDevice(realDevice(device));
  std::vector<double> costs;
  for (const BlockEstimate& block : estimateBlocks(
           shapes, estimatedRates(parsed.value_or(ParsedDevice{}), threadsPerCpuWorker))) {
    costs.push_back(block.totalNs() / device.speed);
  }
  return costs;
}

}  // namespace stagelane::plan
