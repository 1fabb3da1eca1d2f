#include "engine/predict/cost_table.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/plan/block_estimate.h"
#include "engine/predict/simulator.h"

namespace stagelane::predict {
namespace {

// Links where nothing was measured: PCIe 4 ×16 at what a pinned copy reaches, and the time that a
// copy takes however small it is. CPU workers share their memory, so nothing moves between them.
constexpr double kLinkBytesPerSecond = 20e9;
constexpr double kLinkLatencyNs = 10e3;

TimeNs rounded(double nanoseconds) { return static_cast<TimeNs>(std::llround(nanoseconds)); }

plan::DeviceKind kindOf(const DeviceId& device) {
  const auto parsed = plan::parseDevice(device);
  return parsed ? parsed->kind : plan::DeviceKind::CpuWorker;
}

TimeNs transferNs(const DeviceId& from, const DeviceId& to, Bytes bytes) {
  const bool shared =
      kindOf(from) == plan::DeviceKind::CpuWorker && kindOf(to) == plan::DeviceKind::CpuWorker;
  if (shared || from == to) return 0;
  return rounded(kLinkLatencyNs + 1e9 * static_cast<double>(bytes) / kLinkBytesPerSecond);
}

/// Estimates the stages of one variant at one micro-batch size.
class StageEstimator {
 public:
  StageEstimator(const plan::Experiment& experiment, const plan::Variant& variant)
      : m_experiment(experiment), m_variant(variant) {}

  Result<std::vector<StageCost>> at(std::int64_t samples) const;
  [[nodiscard]] plan::DeviceRates ratesOf(const plan::Stage& stage) const {
    const int threads =
        m_variant.threads > 0 ? m_variant.threads : m_experiment.threadsPerCpuWorker;
    return plan::estimatedRates(kindOf(stage.device), threads);
  }

 private:
  [[nodiscard]] StageCost stageCost(std::size_t stage, const model::ModelShapes& shapes) const;
  void addTransfers(std::vector<StageCost>& costs) const;

  const plan::Experiment& m_experiment;
  const plan::Variant& m_variant;
};

StageCost StageEstimator::stageCost(std::size_t stage, const model::ModelShapes& shapes) const {
  const plan::Stage& place = m_variant.stages[stage];
  const plan::DeviceRates rates = ratesOf(place);
  const std::vector<plan::BlockEstimate> blocks = plan::estimateBlocks(shapes, rates);
  StageCost cost;
  double forward = 0.0, backwardInput = 0.0, backwardWeight = 0.0, updated = 0.0;
  for (std::size_t i = place.firstBlock; i <= place.lastBlock; ++i) {
    forward += blocks[i].forwardNs;
    backwardInput += blocks[i].backwardInputNs;
    backwardWeight += blocks[i].backwardWeightNs;
    updated += static_cast<double>(shapes.blocks[i].parameterBytes);
    cost.savedBytes += shapes.blocks[i].savedBytes;
  }
  cost.forward = rounded(forward);
  cost.backward = rounded(backwardInput + backwardWeight);
  // The first stage has no input gradient: I does nothing and W is the whole backward.
  cost.backwardInput = stage == 0 ? 0 : rounded(backwardInput);
  cost.backwardWeight = cost.backward - cost.backwardInput;
  cost.boundaryBytes = shapes.blocks[place.lastBlock].outputBytes;
  // Parameters and gradients are read, parameters written; momentum is read and written too.
  const double streams = m_experiment.optimizer.momentum > 0.0 ? 5.0 : 3.0;
  cost.optimizer = rounded(1e9 * streams * updated / rates.updateBytesPerSecond);
  if (stage + 1 == m_variant.stages.size()) {
    cost.loss = rounded(rates.callNs +
                        3e9 * static_cast<double>(cost.boundaryBytes) / rates.bytesPerSecond);
  }
  return cost;
}

void StageEstimator::addTransfers(std::vector<StageCost>& costs) const {
  for (std::size_t stage = 0; stage + 1 < costs.size(); ++stage) {
    const DeviceId& here = m_variant.stages[stage].device;
    const DeviceId& next = m_variant.stages[stage + 1].device;
    costs[stage].sendForward = transferNs(here, next, costs[stage].boundaryBytes);
    costs[stage + 1].sendBackward = transferNs(next, here, costs[stage].boundaryBytes);
  }
}

Result<std::vector<StageCost>> StageEstimator::at(std::int64_t samples) const {
  model::Shape input = m_experiment.input;
  input.insert(input.begin(), samples);
  const auto shapes = model::inferShapes(*m_experiment.model, input, m_experiment.dtype);
  if (!shapes) return tl::make_unexpected(shapes.error());
  std::vector<StageCost> costs;
  for (std::size_t stage = 0; stage < m_variant.stages.size(); ++stage) {
    costs.push_back(stageCost(stage, *shapes));
  }
  addTransfers(costs);
  return costs;
}

/// What each row holds all the time: parameters, gradients, optimizer state, buffers, and the
/// largest temporary.
Result<std::vector<Bytes>> residentBytes(const plan::Experiment& experiment,
                                         const plan::Variant& variant) {
  model::Shape input = experiment.input;
  input.insert(input.begin(), std::min(variant.splitSize, experiment.data.batchSize));
  const auto shapes = model::inferShapes(*experiment.model, input, experiment.dtype);
  if (!shapes) return tl::make_unexpected(shapes.error());
  std::vector<Bytes> answer;
  for (const DeviceId& device : rowsOf(variant)) {
    std::vector<std::size_t> blocks;
    for (const plan::Stage& stage : variant.stages) {
      if (stage.device != device) continue;
      for (std::size_t i = stage.firstBlock; i <= stage.lastBlock; ++i) blocks.push_back(i);
    }
    answer.push_back(
        model::memoryNeed(*shapes, blocks, 0, plan::optimizerStates(experiment.optimizer)).total());
  }
  return answer;
}

}  // namespace

std::string_view word(Basis basis) {
  switch (basis) {
    case Basis::Estimate: return "estimate";
    case Basis::Calibrated: return "calibrated";
    case Basis::Stale: return "stale";
    case Basis::File: return "file";
    case Basis::Measured: break;
  }
  return "measured";
}

Result<PlanCosts> estimateCosts(const plan::Experiment& experiment, const plan::Variant& variant) {
  const StageEstimator estimator(experiment, variant);
  const std::vector<std::int64_t> sizes =
      microBatchSizes(experiment.data.batchSize, variant.splitSize);
  std::map<std::int64_t, std::vector<StageCost>> bySize;
  for (const std::int64_t samples : sizes) {
    if (bySize.count(samples) != 0) continue;
    auto costs = estimator.at(samples);
    if (!costs) return tl::make_unexpected(costs.error());
    bySize.emplace(samples, std::move(*costs));
  }
  PlanCosts plan;
  plan.basis = Basis::Estimate;
  plan.stage.resize(variant.stages.size());
  for (const std::int64_t samples : sizes) {
    const std::vector<StageCost>& costs = bySize.at(samples);
    for (std::size_t stage = 0; stage < costs.size(); ++stage) {
      plan.stage[stage].push_back(costs[stage]);
    }
  }
  auto resident = residentBytes(experiment, variant);
  if (!resident) return tl::make_unexpected(resident.error());
  plan.residentBytes = std::move(*resident);
  return plan;
}

Result<PlanCosts> planCosts(const plan::Experiment& experiment, const plan::Variant& variant,
                            const CostTable* table) {
  if (table != nullptr) {
    return fail(ErrorCode::Invalid, "cost tables are not available in this version");
  }
  return estimateCosts(experiment, variant);
}

}  // namespace stagelane::predict
