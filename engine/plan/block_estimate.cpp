#include "engine/plan/block_estimate.h"

#include <algorithm>

#include "engine/plan/partition.h"

namespace stagelane::plan {
namespace {

// A CPU worker: measured with LibTorch 2.11 (oneDNN, float32) on one core of the 2-core reference
// machine, over the layers of ResNet-50 at 128² and micro-batches of 8 and 32. Convolutions ran at
// 80–215 GFLOP/s, batch norm and relu over tensors that leave the caches at 2–7 GB/s, a small
// linear layer took 6 µs. With these figures ResNet-50 at micro-batch 4 comes to 151 ms forward
// and 302 ms backward, where 156 and 289 were measured.
constexpr DeviceRates kCpuCore{55e9, 6e9, 6e3, 25e9};
// A data-centre GPU in float32 with TF32 off: rounded published peaks, halved.
constexpr DeviceRates kGpu{15e12, 1.5e12, 8e3, 1.5e12};

}  // namespace

DeviceRates estimatedRates(DeviceKind kind, int threads) {
  if (kind != DeviceKind::CpuWorker) return kGpu;
  DeviceRates rates = kCpuCore;
  rates.macsPerSecond *= std::max(1, threads);
  rates.bytesPerSecond *= std::max(1, threads);
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
    const double ns = 1e9 * (static_cast<double>(block.macs) / rates.macsPerSecond +
                             movedBytes / rates.bytesPerSecond) +
                      calls[i] * rates.callNs;
    answer.push_back({ns, ns, ns});
  }
  return answer;
}

std::vector<std::size_t> estimatedBestCut(const model::ModelShapes& shapes,
                                          const std::vector<DeviceSpec>& devices,
                                          int threadsPerCpuWorker) {
  std::vector<std::vector<double>> costOn;
  for (const DeviceSpec& device : devices) {
    const auto parsed = parseDevice(device.id);
    const DeviceKind kind = parsed ? parsed->kind : DeviceKind::CpuWorker;
    std::vector<double> costs;
    for (const BlockEstimate& block :
         estimateBlocks(shapes, estimatedRates(kind, threadsPerCpuWorker))) {
      costs.push_back(block.totalNs());
    }
    costOn.push_back(std::move(costs));
  }
  return minBottleneckCut(costOn);
}

}  // namespace stagelane::plan
