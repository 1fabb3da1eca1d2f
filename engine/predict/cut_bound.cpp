#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

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
  Result<TimeNs> compute(Cuts cuts);

 private:
  Status addSize(std::int64_t samples);
  void addBlocks(const std::vector<BlockTimes>& blocks, std::size_t device,
                 std::vector<double>& way);
  [[nodiscard]] double inOrder(Cuts cuts) const;

  bool m_trains;
  std::vector<std::int64_t> m_sizes;
  std::vector<DeviceId> m_devices;
  int m_threads;
  BlockCostSource& m_source;
  /// Per device, over the whole step: F, the whole backward and the optimizer of each block; the
  /// loss at the end.
  std::vector<std::vector<double>> m_work;
  /// Likewise: F and the part of the backward that produces the gradient.
  std::vector<std::vector<double>> m_handedOn;
  /// Of one micro-batch, per block.
  std::vector<double> m_leastForward;
  std::vector<double> m_leastInput;
  double m_chain =
      0.0;  ///< one micro-batch through all blocks and back, each on its fastest device
};

/// Adds the work of one micro-batch on one device.
void CutBound::addBlocks(const std::vector<BlockTimes>& blocks, std::size_t device,
                         std::vector<double>& way) {
  std::vector<double>& work = m_work[device];
  const bool first = work.empty();
  work.resize(blocks.size() + 1, 0.0);
  m_handedOn[device].resize(blocks.size(), 0.0);
  way.resize(blocks.size(), kMost);
  m_leastForward.resize(blocks.size(), kMost);
  m_leastInput.resize(blocks.size(), kMost);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const BlockTimes& block = blocks[i];
    const double halves = block.backwardInput + block.backwardWeight;
    work[i] += block.forward + (m_trains ? std::min(block.backward, halves) : 0.0);
    if (first && m_trains) work[i] += block.optimizer;
    // The first block has no input gradient, and weight halves are not on the critical path.
    const double back = m_trains && i > 0 ? std::min(block.backward, block.backwardInput) : 0.0;
    way[i] = std::min(way[i], block.forward + back);
    m_handedOn[device][i] += block.forward + back;
    m_leastForward[i] = std::min(m_leastForward[i], block.forward);
    m_leastInput[i] = std::min(m_leastInput[i], back);
  }
}

/// Adds a micro-batch with this number of samples.
Status CutBound::addSize(std::int64_t samples) {
  std::vector<double> way;
  double leastLoss = m_trains ? kMost : 0.0;
  for (std::size_t device = 0; device < m_devices.size(); ++device) {
    const Place place{m_devices[device], m_threads};
    STAGELANE_TRY(blocks, m_source.blocks(place, samples));
    addBlocks(**blocks, device, way);
    if (m_trains) {
      const double loss = m_source.lossNs(place, samples);
      m_work[device].back() += loss;
      leastLoss = std::min(leastLoss, loss);
    }
  }
  m_chain = std::max(m_chain, std::accumulate(way.begin(), way.end(), leastLoss));
  return {};
}

/// The best cut by its slowest device. A device cannot begin before the blocks before its own have
/// run, and training cannot end before its last gradient has passed back through them.
double CutBound::inOrder(Cuts cuts) const {
  const std::size_t blocks = m_leastForward.size();
  std::vector<double> best(blocks + 1, kMost);
  best[0] = 0.0;
  for (std::size_t device = 0; device < m_devices.size(); ++device) {
    std::vector<double> next(blocks + 1, kMost);
    if (cuts == Cuts::OneStageAtMost) next = best;
    double arrival = 0.0;  // forward of one micro-batch through the blocks before `begin`
    double after = 0.0;    // and back through them
    for (std::size_t begin = 0; begin < blocks; ++begin) {
      double work = arrival;
      double back = arrival + after;
      for (std::size_t end = begin; end < blocks; ++end) {
        work += m_work[device][end];
        back += m_handedOn[device][end];
        next[end + 1] = std::min(next[end + 1], std::max({best[begin], work, back}));
      }
      arrival += m_leastForward[begin];
      after += m_leastInput[begin];
    }
    best = std::move(next);
  }
  return best[blocks];
}

Result<TimeNs> CutBound::compute(Cuts cuts) {
  m_work.assign(m_devices.size(), {});
  m_handedOn.assign(m_devices.size(), {});
  for (const std::int64_t samples : m_sizes) STAGELANE_CHECK(addSize(samples));
  double answer = std::max(leastShare(m_work), m_chain);
  for (std::size_t block = 0; block + 1 < m_work.front().size(); ++block) {
    double least = kMost;
    for (const std::vector<double>& device : m_work) least = std::min(least, device[block]);
    answer = std::max(answer, least);
  }
  if (cuts != Cuts::Any) answer = std::max(answer, inOrder(cuts));
  return static_cast<TimeNs>(std::floor(answer));
}

}  // namespace

Result<TimeNs> cutBound(const plan::Experiment& experiment, const plan::Variant& variant,
                        const CostTable* table, const WhatIf& whatIf, Cuts cuts) {
  const CostTable* used = covers(experiment, variant, table) ? table : nullptr;
  BlockCostSource source(experiment, used, whatIf);
  return cutBound(experiment, variant, used, whatIf, cuts, source);
}

Result<TimeNs> cutBound(const plan::Experiment& experiment, const plan::Variant& variant,
                        const CostTable* table, const WhatIf& whatIf, Cuts cuts,
                        BlockCostSource& source) {
  const auto answer = CutBound(experiment, variant, source).compute(cuts);
  if (!answer || table == nullptr) return answer;
  const double fastest = 1.0 + (leastFactor(table->contention) - 1.0) * whatIf.contention;
  return static_cast<TimeNs>(std::floor(static_cast<double>(*answer) * fastest));
}

}  // namespace stagelane::predict
