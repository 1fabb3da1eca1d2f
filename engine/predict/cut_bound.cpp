#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
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

/// The largest number of devices that share a stage's micro-batches.
std::size_t replicasOf(const plan::Variant& variant) {
  std::size_t most = 1;
  for (const plan::Stage& stage : variant.stages) most = std::max(most, stage.group.size());
  return most;
}

class CutBound {
 public:
  CutBound(const plan::Experiment& experiment, const plan::Variant& variant,
           BlockCostSource& source)
      : m_trains(experiment.task == plan::Task::Train),
        m_devices(plan::rowsOf(variant)),
        m_threads(variant.threads),
        m_replicas(replicasOf(variant)),
        m_source(source) {
    const auto sizes = plan::microBatchSizes(experiment.data.batchSize, variant.splitSize);
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      ++m_counts[sizes[k]];
      if (k % m_replicas == 0) ++m_countsOfFirst[sizes[k]];
    }
  }
  Result<TimeNs> compute(Cuts cuts);

 private:
  Status addSize(std::int64_t samples, double count);
  void addBlocks(const std::vector<BlockTimes>& blocks, std::size_t device, double count,
                 std::vector<double>& way);
  void addUpdates(const std::vector<BlockTimes>& blocks, std::size_t device);
  Status addAllUpdates();
  Result<double> costliestBlock();
  [[nodiscard]] double inOrder(Cuts cuts) const;

  bool m_trains;
  /// Number of micro-batches of each size, and of those of the first replica of a stage, which has
  /// at least as many as the others.
  std::map<std::int64_t, double> m_counts;
  std::map<std::int64_t, double> m_countsOfFirst;
  std::vector<DeviceId> m_devices;
  int m_threads;
  std::size_t m_replicas;  ///< of each stage
  BlockCostSource& m_source;
  /// Per device, over the whole step: F, the whole backward and the optimizer of each block; the
  /// loss at the end.
  std::vector<std::vector<double>> m_work;
  /// Likewise: F and the part of the backward that produces the gradient.
  std::vector<std::vector<double>> m_handedOn;
  /// Of one micro-batch, per block.
  std::vector<double> m_leastForward;
  std::vector<double> m_leastInput;
  /// By block, λ of addUpdates; negative: the block takes no time on the first device.
  std::vector<double> m_updateShare;
  double m_chain =
      0.0;  ///< one micro-batch through all blocks and back, each on its fastest device
};

double workOf(const BlockTimes& block, bool trains) {
  const double halves = block.backwardInput + block.backwardWeight;
  return block.forward + (trains ? std::min(block.backward, halves) : 0.0);
}

/// Adds the work of `count` equal micro-batches on one device.
void CutBound::addBlocks(const std::vector<BlockTimes>& blocks, std::size_t device, double count,
                         std::vector<double>& way) {
  std::vector<double>& work = m_work[device];
  work.resize(blocks.size() + 1, 0.0);
  m_handedOn[device].resize(blocks.size(), 0.0);
  way.resize(blocks.size(), kMost);
  m_leastForward.resize(blocks.size(), kMost);
  m_leastInput.resize(blocks.size(), kMost);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const BlockTimes& block = blocks[i];
    work[i] += count * workOf(block, m_trains);
    // The first block has no input gradient, and weight halves are not on the critical path.
    const double back = m_trains && i > 0 ? std::min(block.backward, block.backwardInput) : 0.0;
    way[i] = std::min(way[i], block.forward + back);
    m_handedOn[device][i] += count * (block.forward + back);
    m_leastForward[i] = std::min(m_leastForward[i], block.forward);
    m_leastInput[i] = std::min(m_leastInput[i], back);
  }
}

/// Adds the optimizer, which every replica of a block runs. If a device runs a part f of a block's
/// work w and its optimizer o, with n replicas, then f·w + o is at least a part of the sum w + n·o,
/// and these parts add up to 1 over the devices: (f + λ/n)/(1 + λ) for any λ ≥ 0, of the sum
/// (1 + λ)·min(w, n·o/λ). λ = n·o/w of the first device makes it exact for devices that differ by a
/// factor.
void CutBound::addUpdates(const std::vector<BlockTimes>& blocks, std::size_t device) {
  const auto replicas = static_cast<double>(m_replicas);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    double& work = m_work[device][i];
    const double update = blocks[i].optimizer;
    const double share = m_updateShare[i];
    if (m_replicas == 1 || share < 0.0) {
      work += update;
    } else if (share > 0.0) {
      work = (1.0 + share) * std::min(work, replicas * update / share);
    }
  }
}

/// Adds micro-batches with this number of samples.
Status CutBound::addSize(std::int64_t samples, double count) {
  std::vector<double> way;
  double leastLoss = m_trains ? kMost : 0.0;
  for (std::size_t device = 0; device < m_devices.size(); ++device) {
    const Place place{m_devices[device], m_threads};
    STAGELANE_TRY(blocks, m_source.blocks(place, samples));
    addBlocks(**blocks, device, count, way);
    if (m_trains) {
      const double loss = m_source.lossNs(place, samples);
      m_work[device].back() += count * loss;
      leastLoss = std::min(leastLoss, loss);
    }
  }
  m_chain = std::max(m_chain, std::accumulate(way.begin(), way.end(), leastLoss));
  return {};
}

/// The most expensive block: all micro-batches of its first replica, on the fastest device.
Result<double> CutBound::costliestBlock() {
  std::vector<double> least(m_leastForward.size(), kMost);
  for (const DeviceId& device : m_devices) {
    std::vector<double> own(least.size(), 0.0);
    for (const auto& [samples, count] : m_countsOfFirst) {
      STAGELANE_TRY(blocks, m_source.blocks({device, m_threads}, samples));
      for (std::size_t i = 0; i < own.size(); ++i) {
        own[i] += count * workOf((**blocks)[i], m_trains);
      }
    }
    STAGELANE_TRY(blocks, m_source.blocks({device, m_threads}, m_counts.rbegin()->first));
    for (std::size_t i = 0; i < own.size(); ++i) {
      least[i] = std::min(least[i], own[i] + (m_trains ? (**blocks)[i].optimizer : 0.0));
    }
  }
  return *std::max_element(least.begin(), least.end());
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

Status CutBound::addAllUpdates() {
  if (!m_trains) return {};
  const std::int64_t samples = m_counts.rbegin()->first;
  const std::vector<double> firstWork = m_work.front();
  for (std::size_t device = 0; device < m_devices.size(); ++device) {
    STAGELANE_TRY(blocks, m_source.blocks({m_devices[device], m_threads}, samples));
    if (m_updateShare.empty()) {
      for (std::size_t i = 0; i < (*blocks)->size(); ++i) {
        const double all = static_cast<double>(m_replicas) * (**blocks)[i].optimizer;
        m_updateShare.push_back(firstWork[i] > 0.0 ? all / firstWork[i] : -1.0);
      }
    }
    addUpdates(**blocks, device);
  }
  return {};
}

Result<TimeNs> CutBound::compute(Cuts cuts) {
  m_work.assign(m_devices.size(), {});
  m_handedOn.assign(m_devices.size(), {});
  for (const auto& [samples, count] : m_counts) STAGELANE_CHECK(addSize(samples, count));
  STAGELANE_CHECK(addAllUpdates());
  STAGELANE_TRY(block, costliestBlock());
  double answer = std::max({leastShare(m_work), m_chain, *block});
  // The order of the devices is that of stages without replicas.
  if (cuts != Cuts::Any && m_replicas == 1) answer = std::max(answer, inOrder(cuts));
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
