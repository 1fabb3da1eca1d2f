#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/predict/block_costs.h"
#include "engine/predict/plan_costs.h"
#include "engine/predict/simulator.h"

namespace stagelane::predict {
namespace {

/// The least that the parts of a model cost on any of some devices.
struct Least {
  double chain = 0.0;           ///< one micro-batch through all blocks and back
  std::vector<double> compute;  ///< per block, one micro-batch: F and the whole backward
  std::vector<double> update;   ///< per block: optimizer, and nothing else of the step
  double loss = 0.0;
};

class CutBound {
 public:
  CutBound(const plan::Experiment& experiment, const plan::Variant& variant,
           BlockCostSource& source)
      : m_trains(experiment.task == plan::Task::Train),
        m_sizes(microBatchSizes(experiment.data.batchSize, variant.splitSize)),
        m_devices(rowsOf(variant)),
        m_threads(variant.threads),
        m_source(source) {}
  Result<TimeNs> compute();

 private:
  Result<Least> leastAt(std::int64_t samples);

  bool m_trains;
  std::vector<std::int64_t> m_sizes;
  std::vector<DeviceId> m_devices;
  int m_threads;
  BlockCostSource& m_source;
};

Result<Least> CutBound::leastAt(std::int64_t samples) {
  constexpr double kMost = std::numeric_limits<double>::infinity();
  Least least;
  std::vector<double> way;
  least.loss = m_trains ? kMost : 0.0;
  for (const DeviceId& device : m_devices) {
    const Place place{device, m_threads};
    const auto blocks = m_source.blocks(place, samples);
    if (!blocks) return tl::make_unexpected(blocks.error());
    least.compute.resize((*blocks)->size(), kMost);
    least.update.resize((*blocks)->size(), kMost);
    way.resize((*blocks)->size(), kMost);
    for (std::size_t i = 0; i < (*blocks)->size(); ++i) {
      const BlockTimes& block = (**blocks)[i];
      const double halves = block.backwardInput + block.backwardWeight;
      const double backward = m_trains ? std::min(block.backward, halves) : 0.0;
      // The first block gives no input gradient, and weight halves need not lie on the way.
      const double back = m_trains && i > 0 ? std::min(block.backward, block.backwardInput) : 0.0;
      least.compute[i] = std::min(least.compute[i], block.forward + backward);
      least.update[i] = std::min(least.update[i], m_trains ? block.optimizer : 0.0);
      way[i] = std::min(way[i], block.forward + back);
    }
    if (m_trains) least.loss = std::min(least.loss, m_source.lossNs(place, samples));
  }
  for (const double time : way) least.chain += time;
  return least;
}

Result<TimeNs> CutBound::compute() {
  double all = 0.0, chain = 0.0;
  std::vector<double> ofBlock;
  for (const std::int64_t samples : m_sizes) {
    const auto least = leastAt(samples);
    if (!least) return tl::make_unexpected(least.error());
    if (ofBlock.empty()) {
      ofBlock = least->update;
      for (const double time : ofBlock) all += time;
    }
    for (std::size_t i = 0; i < ofBlock.size(); ++i) {
      ofBlock[i] += least->compute[i];
      all += least->compute[i];
    }
    all += least->loss;
    chain = std::max(chain, least->chain + least->loss);
  }
  double answer = std::max(all / static_cast<double>(m_devices.size()), chain);
  for (const double time : ofBlock) answer = std::max(answer, time);
  return static_cast<TimeNs>(std::floor(answer));
}

}  // namespace

Result<TimeNs> cutBound(const plan::Experiment& experiment, const plan::Variant& variant,
                        const CostTable* table, const WhatIf& whatIf) {
  const CostTable* used = covers(experiment, variant, table) ? table : nullptr;
  BlockCostSource source(experiment, used, whatIf);
  const auto answer = CutBound(experiment, variant, source).compute();
  if (!answer || used == nullptr) return answer;
  double fastest = 1.0;
  for (const auto& [busy, factor] : used->contention) fastest = std::min(fastest, factor);
  return static_cast<TimeNs>(std::floor(static_cast<double>(*answer) * fastest));
}

}  // namespace stagelane::predict
