#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/plan/rows.h"
#include "engine/predict/block_costs.h"
#include "engine/predict/plan_costs.h"
#include "engine/predict/shared_work.h"
#include "engine/predict/simulator.h"

namespace stagelane::predict {
namespace {

constexpr double kMost = std::numeric_limits<double>::infinity();

class CutBound {
 public:
  CutBound(const plan::Experiment& experiment, const plan::Variant& variant,
           BlockCostSource& source)
      : m_trains(experiment.task == plan::Task::Train),
        m_sizes(plan::microBatchSizes(experiment.data.batchSize, variant.splitSize)),
        m_devices(plan::rowsOf(variant)),
        m_threads(variant.threads),
        m_source(source) {}
  Result<TimeNs> compute();

 private:
  Status addSize(std::int64_t samples);
  void addBlocks(const std::vector<BlockTimes>& blocks, std::vector<double>& work,
                 std::vector<double>& way) const;

  bool m_trains;
  std::vector<std::int64_t> m_sizes;
  std::vector<DeviceId> m_devices;
  int m_threads;
  BlockCostSource& m_source;
  /// Per device, over the whole step: F, the whole backward and the optimizer of each block; the
  /// loss at the end.
  std::vector<std::vector<double>> m_work;
  double m_chain =
      0.0;  ///< one micro-batch through all blocks and back, each on its fastest device
};

/// Adds the work of one micro-batch on one device.
void CutBound::addBlocks(const std::vector<BlockTimes>& blocks, std::vector<double>& work,
                         std::vector<double>& way) const {
  const bool first = work.empty();
  work.resize(blocks.size() + 1, 0.0);
  way.resize(blocks.size(), kMost);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const BlockTimes& block = blocks[i];
    const double halves = block.backwardInput + block.backwardWeight;
    work[i] += block.forward + (m_trains ? std::min(block.backward, halves) : 0.0);
    if (first && m_trains) work[i] += block.optimizer;
    // The first block has no input gradient, and weight halves are not on the critical path.
    const double back = m_trains && i > 0 ? std::min(block.backward, block.backwardInput) : 0.0;
    way[i] = std::min(way[i], block.forward + back);
  }
}

/// Adds a micro-batch with this number of samples.
Status CutBound::addSize(std::int64_t samples) {
  std::vector<double> way;
  double leastLoss = m_trains ? kMost : 0.0;
  for (std::size_t device = 0; device < m_devices.size(); ++device) {
    const Place place{m_devices[device], m_threads};
    STAGELANE_TRY(blocks, m_source.blocks(place, samples));
    addBlocks(**blocks, m_work[device], way);
    if (m_trains) {
      const double loss = m_source.lossNs(place, samples);
      m_work[device].back() += loss;
      leastLoss = std::min(leastLoss, loss);
    }
  }
  m_chain = std::max(m_chain, std::accumulate(way.begin(), way.end(), leastLoss));
  return {};
}

Result<TimeNs> CutBound::compute() {
  m_work.assign(m_devices.size(), {});
  for (const std::int64_t samples : m_sizes) STAGELANE_CHECK(addSize(samples));
  double answer = std::max(leastShare(m_work), m_chain);
  for (std::size_t block = 0; block + 1 < m_work.front().size(); ++block) {
    double least = kMost;
    for (const std::vector<double>& device : m_work) least = std::min(least, device[block]);
    answer = std::max(answer, least);
  }
  return static_cast<TimeNs>(std::floor(answer));
}

}  // namespace

Result<TimeNs> cutBound(const plan::Experiment& experiment, const plan::Variant& variant,
                        const CostTable* table, const WhatIf& whatIf) {
  const CostTable* used = covers(experiment, variant, table) ? table : nullptr;
  BlockCostSource source(experiment, used, whatIf);
  const auto answer = CutBound(experiment, variant, source).compute();
  if (!answer || used == nullptr) return answer;
  const double fastest = 1.0 + (leastFactor(used->contention) - 1.0) * whatIf.contention;
  return static_cast<TimeNs>(std::floor(static_cast<double>(*answer) * fastest));
}

}  // namespace stagelane::predict
