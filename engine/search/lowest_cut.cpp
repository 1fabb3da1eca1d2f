// A lower bound of the step over all cuts and orders.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "engine/plan/rows.h"
#include "engine/predict/plan_costs.h"
#include "engine/search/placement.h"

namespace stagelane::search {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Sums over the blocks before each block.
struct Prefix {
  std::vector<double> work;      ///< F and the cheaper backward of all micro-batches, optimizer
  std::vector<double> handedOn;  ///< F and the part of the backward that produces the gradient
};

/// Minima over devices, summed over the blocks before each block.
struct Chain {
  std::vector<double> arrival;  ///< forward of one micro-batch
  std::vector<double> after;    ///< input gradient of one micro-batch
};

/// One stage per device, in order.
class LowestCut {
 public:
  LowestCut(const plan::Experiment& experiment, const plan::Variant& variant,
            predict::BlockCostSource& source)
      : m_variant(variant),
        m_source(source),
        m_trains(experiment.task == plan::Task::Train),
        m_factor(source.table() ? predict::leastFactor(source.table()->contention) : 1.0),
        m_blocks(experiment.model->blocks.size()) {
    for (const std::int64_t size :
         plan::microBatchSizes(experiment.data.batchSize, variant.splitSize)) {
      ++m_sizes[size];
    }
  }
  Result<TimeNs> run();

 private:
  Status addDevice(const DeviceId& device);
  [[nodiscard]] double oneStageEach() const;

  const plan::Variant& m_variant;
  predict::BlockCostSource& m_source;
  bool m_trains;
  double m_factor;  ///< of contention, at most 1
  std::size_t m_blocks;
  std::map<std::int64_t, std::int64_t> m_sizes;  ///< micro-batch size → how many
  std::vector<Prefix> m_prefix;                  ///< per device
  std::vector<double> m_leastForward;            ///< per block
  std::vector<double> m_leastInput;              ///< per block
};

Status LowestCut::addDevice(const DeviceId& device) {
  std::vector<double> work(m_blocks, 0.0);
  std::vector<double> handedOn(m_blocks, 0.0);
  m_leastForward.resize(m_blocks, kNever);
  m_leastInput.resize(m_blocks, kNever);
  for (const auto& [size, count] : m_sizes) {
    STAGELANE_TRY(times, m_source.blocks({device, m_variant.threads}, size));
    const auto many = static_cast<double>(count);
    for (std::size_t b = 0; b < m_blocks; ++b) {
      const predict::BlockTimes& block = (**times)[b];
      const double halves = block.backwardInput + block.backwardWeight;
      work[b] += many * (block.forward + (m_trains ? std::min(block.backward, halves) : 0.0));
      handedOn[b] += many * (block.forward + std::min(block.backwardInput, block.backward));
      m_leastForward[b] = std::min(m_leastForward[b], block.forward);
      m_leastInput[b] = std::min({m_leastInput[b], block.backwardInput, block.backward});
      if (m_trains && size == m_sizes.rbegin()->first) work[b] += block.optimizer;
    }
  }
  Prefix prefix{{0.0}, {0.0}};
  for (std::size_t b = 0; b < m_blocks; ++b) {
    prefix.work.push_back(prefix.work.back() + work[b]);
    prefix.handedOn.push_back(prefix.handedOn.back() + handedOn[b]);
  }
  m_prefix.push_back(std::move(prefix));
  return {};
}

/// The best cut by its slowest device. A device cannot begin before the blocks before its own have
/// run, and training cannot end before its last gradient has passed back through them.
double LowestCut::oneStageEach() const {
  Chain chain{{0.0}, {0.0}};
  for (std::size_t b = 0; b < m_blocks; ++b) {
    chain.arrival.push_back(chain.arrival.back() + m_leastForward[b]);
    // The stage of the first block computes no input gradient.
    chain.after.push_back(chain.after.back() + (b == 0 ? 0.0 : m_leastInput[b]));
  }
  std::vector<double> best(m_blocks + 1, kNever);
  best[0] = 0.0;
  for (const Prefix& device : m_prefix) {
    std::vector<double> next(m_blocks + 1, kNever);
    for (std::size_t end = 1; end <= m_blocks; ++end) {
      for (std::size_t begin = end; begin > 0; --begin) {
        const std::size_t at = begin - 1;
        const double work = chain.arrival[at] + device.work[end] - device.work[at];
        const double back =
            chain.arrival[at] + device.handedOn[end] - device.handedOn[at] + chain.after[at];
        next[end] =
            std::min(next[end], std::max({best[at], work, m_trains && at > 0 ? back : 0.0}));
      }
    }
    best = std::move(next);
  }
  return best[m_blocks];
}

Result<TimeNs> LowestCut::run() {
  for (const DeviceId& device : plan::rowsOf(m_variant)) STAGELANE_CHECK(addDevice(device));
  return static_cast<TimeNs>(std::floor(m_factor * oneStageEach()));
}

}  // namespace

Result<TimeNs> lowestStepOfAnyCut(const plan::Experiment& experiment, const plan::Variant& variant,
                                  predict::BlockCostSource& source) {
  const std::size_t devices = plan::rowsOf(variant).size();
  const std::size_t stages = variant.stages.size();
  STAGELANE_TRY(lowest, devices == stages ? LowestCut(experiment, variant, source).run()
                                          : predict::cutBound(experiment, variant, source.table()));
  // Each action of a stage is rounded to whole nanoseconds.
  const std::size_t most = stages - devices + 1;  // stages of a device
  const std::size_t microBatches =
      plan::microBatchSizes(experiment.data.batchSize, variant.splitSize).size();
  return std::max<TimeNs>(0, *lowest - static_cast<TimeNs>(2 * microBatches * most + 3 * stages));
}

}  // namespace stagelane::search
