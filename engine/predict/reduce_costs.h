#pragma once

/// Cost of REDUCE for each stage of a plan: the sum of the gradients of its replicas, and of the
/// stages that share a parameter with it. Private to engine/predict.

#include <string>
#include <vector>

#include "engine/plan/experiment.h"
#include "engine/predict/all_reduce.h"
#include "engine/predict/block_costs.h"

namespace stagelane::predict::detail {

struct ReduceCost {
  double ns = 0.0;         ///< after the last gradient of the last replica
  double allNs = 0.0;      ///< with what a backward hides
  double stretchNs = 0.0;  ///< by which it makes the last backward of each replica longer
  double moved = 0.0;      ///< bytes sent and received by each replica
  Bytes held = 0;          ///< additional memory of a replica, from REDUCE to the end of OPT
  double gradients = 0.0;  ///< bytes that the replicas sum
};

/// The rules by which replicas sum gradients:
/// - CPU workers of one process share memory. Each of n replicas adds an n-th of the gradients: n
///   reads and one write, limited by the memory. Nothing is copied.
/// - Other devices of one process and pipelines: an all-reduce over their links.
/// - Processes that have the whole model: an all-reduce by buckets, which starts during the
///   backward. ns is the part that remains after it. Between CPU workers it costs what a
///   calibration has measured, which includes that both share the cores.
class ReduceCosts {
 public:
  /// All outlive it.
  ReduceCosts(const plan::Experiment& experiment, const plan::Variant& variant,
              BlockCostSource& source);
  /// @errors as BlockCostSource::blocks
  [[nodiscard]] Result<ReduceCost> of(std::size_t stage);

 private:
  [[nodiscard]] const plan::DeviceGroup& groupOf(std::size_t stage) const {
    return m_variant.stages[stage].group;
  }
  [[nodiscard]] double bytesOf(const std::string& parameter) const;
  /// Bytes of the stage's parameters that other stages share.
  [[nodiscard]] double sharedBytes(std::size_t stage) const;
  /// Time to receive their gradients from all other copies.
  [[nodiscard]] double receiveNs(std::size_t stage) const;
  [[nodiscard]] Ring ringOf(std::size_t stage) const;
  [[nodiscard]] bool areCpuWorkers(std::size_t stage) const;
  [[nodiscard]] bool spansRanks(std::size_t stage) const;
  [[nodiscard]] bool sharesMemory(std::size_t stage) const {
    return !m_ownProcesses && areCpuWorkers(stage) && !spansRanks(stage);
  }
  Result<double> additionsNs(std::size_t stage, double bytes);
  /// Adds the buckets of processes. @errors as of
  Status overlap(std::size_t stage, ReduceCost& cost);
  [[nodiscard]] std::vector<GradientBytes> gradientsOf(std::size_t stage, std::size_t microBatch,
                                                       const std::vector<BlockTimes>& blocks,
                                                       double& backwardNs) const;
  /// The last micro-batch of the replica with the most work.
  Result<std::size_t> lastMicroBatch(std::size_t stage);
  [[nodiscard]] Place placeOf(std::size_t stage, std::size_t microBatch) const {
    const plan::DeviceGroup& group = groupOf(stage);
    return {group[microBatch % group.size()], m_variant.threads};
  }

  const plan::Experiment& m_experiment;
  const plan::Variant& m_variant;
  BlockCostSource& m_source;
  bool m_ownProcesses;
  std::vector<std::int64_t> m_sizes;
  plan::SharedParameters m_shared;
};

}  // namespace stagelane::predict::detail
