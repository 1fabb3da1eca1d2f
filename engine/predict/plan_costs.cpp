#include "engine/predict/plan_costs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

#include "engine/plan/imagined.h"
#include "engine/plan/rank_layout.h"
#include "engine/plan/rows.h"
#include "engine/predict/block_costs.h"
#include "engine/predict/reduce_costs.h"
#include "engine/predict/shared_cores.h"
#include "engine/predict/simulator.h"
#include "engine/predict/stage_bytes.h"

namespace stagelane::predict {
namespace {

// Limits of the total times and bytes of a step (116 days, 10 PB). With contention (at most 100)
// and summation in the simulator they stay far from overflow.
constexpr double kMostInAStep = 1e16;

/// Number of tensors of the output's size that LOSS allocates, including the output's gradient.
double tensorsOfLoss(plan::LossKind kind) {
  // Log-softmax, its gradient and the output's gradient; a mean squared error has only the last.
  return kind == plan::LossKind::CrossEntropy ? 3.0 : 1.0;
}

std::int64_t rounded(double value) { return std::llround(value); }

/// Parameters (with the stage's own copies of tied ones) and buffers of a stage.
model::MemoryNeed staticNeed(const model::ModelShapes& shapes, const plan::Stage& stage) {
  std::vector<std::size_t> blocks(stage.lastBlock - stage.firstBlock + 1);
  std::iota(blocks.begin(), blocks.end(), stage.firstBlock);
  return model::memoryNeed(shapes, blocks, 0, 0);
}

/// The figures of a stage's blocks, summed before rounding.
struct StageSum {
  BlockTimes times;
  double inputBytes = 0.0;  ///< size of the stage's input
  /// Memory use per block; empty unless the costs have it for every block.
  std::vector<detail::BlockFigures> memory;
  double copiedInput = 0.0;    ///< part of savedBytes
  Bytes gradients = 0;         ///< with the stage's own copies of tied parameters
  double firstBackward = 0.0;  ///< StageCost::firstBackwardBytes
};

/// What a block needs in a backward.
struct BlockNeed {
  double saved = 0.0;
  double temporary = 0.0;
  double gradients = 0.0;
};

/// The most that the first backward of a stage adds to what is held when it begins: block by block
/// from the last, gradients come and kept tensors go. Within a block, both happen in step.
double firstBackward(const std::vector<BlockNeed>& blocks) {
  double level = 0.0;
  double most = 0.0;
  for (auto block = blocks.rbegin(); block != blocks.rend(); ++block) {
    const double more = std::max(0.0, block->gradients - block->saved);
    most = std::max(most, level + more + block->temporary);
    level += block->gradients - block->saved;
  }
  return most;
}

/// Builds the costs of one variant from the costs of its blocks.
class PlanBuilder {
 public:
  PlanBuilder(const plan::Experiment& experiment, const plan::Variant& variant,
              BlockCostSource& source)
      : m_experiment(experiment),
        m_variant(variant),
        m_source(source),
        m_reduces(experiment, variant, source),
        m_rows(plan::stageRowsOf(variant.stages)),
        m_sizes(plan::microBatchSizes(experiment.data.batchSize, variant.splitSize)) {}

  Result<PlanCosts> build();

 private:
  Status addStage(std::size_t stage, PlanCosts& plan);
  Result<StageSum> sumOf(std::size_t stage, std::size_t microBatch);
  /// Adds the stage's cost of `often` micro-batches like this one to the step's sums.
  /// @errors Invalid: too large
  Status count(std::size_t stage, std::size_t microBatch, const StageSum& sum, double often);
  [[nodiscard]] double transfersNs(std::size_t stage, std::size_t microBatch,
                                   const StageSum& sum) const;
  [[nodiscard]] StageCost costOf(std::size_t stage, std::size_t microBatch, const StageSum& sum);
  [[nodiscard]] StageCost timesOf(std::size_t stage, std::size_t microBatch, const StageSum& sum);
  void addBytes(std::size_t stage, std::size_t microBatch, const StageSum& sum, StageCost& cost);
  void addTransfers(std::size_t stage, std::size_t microBatch, const StageSum& sum,
                    StageCost& cost) const;
  void addRecompute(std::size_t stage, std::size_t microBatch, const StageSum& sum,
                    StageCost& cost) const;
  void addAllReduce(PlanCosts& plan) const;
  Result<std::vector<Bytes>> residentBytes(const PlanCosts& plan);
  Result<std::vector<StageUpdate>> updates(const PlanCosts& plan);
  /// The device that runs a micro-batch of a stage.
  [[nodiscard]] const DeviceId& deviceOf(std::size_t stage, std::size_t microBatch) const {
    const int replica = m_rows.replicaOf(static_cast<int>(stage), static_cast<int>(microBatch));
    return m_variant.stages[stage].group[static_cast<std::size_t>(replica)];
  }
  /// Micro-batches of one size cost the same on the same rows of this stage and its neighbors.
  using Likeness = std::array<std::int64_t, 4>;
  [[nodiscard]] Likeness likenessOf(std::size_t stage, std::size_t microBatch) const {
    const auto here = static_cast<int>(stage);
    const auto k = static_cast<int>(microBatch);
    return {m_sizes[microBatch], m_rows.of(here, k), stage > 0 ? m_rows.of(here - 1, k) : 0,
            isLast(stage) ? 0 : m_rows.of(here + 1, k)};
  }
  [[nodiscard]] Place placeOf(std::size_t stage, std::size_t microBatch) const {
    return {deviceOf(stage, microBatch), m_variant.threads};
  }
  [[nodiscard]] bool isLast(std::size_t stage) const {
    return stage + 1 == m_variant.stages.size();
  }
  [[nodiscard]] bool trains() const { return m_experiment.task == plan::Task::Train; }
  /// CPU workers of one process share the storage of a boundary tensor; other receivers have a
  /// copy.
  [[nodiscard]] bool inputIsCopied(std::size_t stage, std::size_t microBatch) const {
    if (stage == 0) return false;
    const DeviceId& from = deviceOf(stage - 1, microBatch);
    const DeviceId& to = deviceOf(stage, microBatch);
    const auto& devices = m_experiment.devices;
    const bool workers = plan::isCpuWorker(devices, from) && plan::isCpuWorker(devices, to);
    return from != to && (!workers || m_source.acrossRanks(from, to));
  }

  [[nodiscard]] bool recomputes(std::size_t microBatch) const {
    const bool last = microBatch + 1 == m_sizes.size();
    return m_variant.recompute == plan::Recompute::Always ||
           (m_variant.recompute == plan::Recompute::ExceptLast && !last);
  }
  /// Micro-batches that differ in nothing of their cost: whether their gradients are added to those
  /// of earlier ones, and whether gradients are summed beside their backward.
  using Alike = std::tuple<Likeness, bool, bool, bool>;
  [[nodiscard]] Alike alikeOf(std::size_t stage, std::size_t microBatch) const {
    return {likenessOf(stage, microBatch), accumulates(stage, microBatch), recomputes(microBatch),
            isLastOfReplica(stage, microBatch)};
  }
  [[nodiscard]] bool isLastOfReplica(std::size_t stage, std::size_t microBatch) const {
    return microBatch + m_variant.stages[stage].group.size() >= m_sizes.size();
  }
  [[nodiscard]] bool accumulates(std::size_t stage, std::size_t microBatch) const {
    return microBatch >= m_variant.stages[stage].group.size();
  }
  /// Whether gradients are views of buckets that exist all the time.
  [[nodiscard]] bool viewsBuckets() const {
    return hasBuckets() && m_variant.reduce.gradientAsBucketView;
  }
  /// DistributedDataParallel keeps a copy of all gradients in its buckets.
  [[nodiscard]] bool hasBuckets() const {
    const plan::StrategyRow& row = plan::strategyRow(m_variant.strategy);
    return trains() && row.replicates && row.ownProcesses;
  }
  /// Bytes of the largest parameter of a stage.
  [[nodiscard]] Bytes largestParameter(std::size_t stage) const;
  /// Memory that OPT of each stage allocates.
  [[nodiscard]] Result<std::vector<Bytes>> optimizerPeaks();
  /// Optimizer state exists before a step, except before the first one, which creates it.
  [[nodiscard]] bool statesAreThere() const { return m_experiment.data.batches > 1; }

  const plan::Experiment& m_experiment;
  const plan::Variant& m_variant;
  BlockCostSource& m_source;
  detail::ReduceCosts m_reduces;
  detail::ReduceCost m_reduce;  ///< of the stage that is being added
  schedule::StageRows m_rows;
  std::vector<std::int64_t> m_sizes;
  std::vector<Bytes> m_optimizerPeaks;  ///< by stage; none without training
  double m_stepNs = 0.0;                ///< of all actions and transfers
  double m_stepBytes = 0.0;             ///< kept, temporary and moved
};

Result<StageSum> PlanBuilder::sumOf(std::size_t stage, std::size_t microBatch) {
  const std::int64_t samples = m_sizes[microBatch];
  STAGELANE_TRY(blocks, m_source.blocks(placeOf(stage, microBatch), samples));
  STAGELANE_TRY(shapes, m_source.shapes(samples));
  const plan::Stage& range = m_variant.stages[stage];
  StageSum sum;
  std::vector<BlockNeed> needs;
  bool known = true;
  for (std::size_t i = range.firstBlock; i <= range.lastBlock; ++i) {
    const BlockTimes& block = (**blocks)[i];
    sum.times.forward += block.forward;
    sum.times.backwardInput += block.backwardInput;
    sum.times.backwardWeight += block.backwardWeight;
    sum.times.backward += block.backward;
    sum.times.accumulate += block.accumulate;
    sum.times.optimizer += block.optimizer;
    sum.times.savedBytes += block.savedBytes;
    sum.times.temporaryBytes = std::max(sum.times.temporaryBytes, block.temporaryBytes);
    const auto parameters = static_cast<double>((*shapes)->blocks[i].parameterBytes);
    needs.push_back({block.savedBytes, block.temporaryBytes, parameters});
    known = known && block.memory.has_value();
    if (known) {
      sum.memory.push_back({rounded(block.savedBytes), rounded(block.outputBytes),
                            trains() ? (*shapes)->blocks[i].parameterBytes : 0, *block.memory});
    }
  }
  if (!known) sum.memory.clear();
  sum.gradients = staticNeed(**shapes, range).parameters;
  sum.firstBackward =
      std::min(firstBackward(needs), static_cast<double>(sum.gradients) + sum.times.temporaryBytes);
  sum.times.outputBytes = (**blocks)[range.lastBlock].outputBytes;
  if (stage > 0) sum.inputBytes = (**blocks)[range.firstBlock - 1].outputBytes;
  if (inputIsCopied(stage, microBatch)) {
    // Chain measurements count a boundary with the block that produces it.
    sum.copiedInput = sum.memory.empty()
                          ? static_cast<double>((*shapes)->blocks[range.firstBlock].stageInputBytes)
                          : sum.inputBytes;
    sum.times.savedBytes += sum.copiedInput;
  }
  return sum;
}

double PlanBuilder::transfersNs(std::size_t stage, std::size_t microBatch,
                                const StageSum& sum) const {
  const DeviceId& here = deviceOf(stage, microBatch);
  double time = 0.0;
  if (!isLast(stage)) {
    time += m_source.transferNs(here, deviceOf(stage + 1, microBatch), sum.times.outputBytes);
  }
  if (stage > 0) time += m_source.transferNs(here, deviceOf(stage - 1, microBatch), sum.inputBytes);
  return time;
}

Status PlanBuilder::count(std::size_t stage, std::size_t microBatch, const StageSum& sum,
                          double often) {
  const std::int64_t samples = m_sizes[microBatch];
  const BlockTimes& times = sum.times;
  double time = 2.0 * times.forward + times.backward + times.backwardInput + times.backwardWeight +
                times.accumulate + times.optimizer + transfersNs(stage, microBatch, sum) +
                m_reduce.allNs + m_reduce.stretchNs;
  if (isLast(stage)) time += m_source.lossNs(placeOf(stage, microBatch), samples);
  m_stepNs += often * time;
  m_stepBytes += often * (times.savedBytes + times.temporaryBytes + times.outputBytes);
  if (m_stepNs <= kMostInAStep && m_stepBytes <= kMostInAStep) return {};
  const model::Model& model = *m_experiment.model;
  return fail(ErrorCode::Invalid,
              std::string("the costs add up to a step of more than ") +
                  (m_stepNs > kMostInAStep ? "1e16 ns (116 days)" : "1e16 bytes") + " at block \"" +
                  model.blocks[m_variant.stages[stage].lastBlock].name + "\" with " +
                  std::to_string(samples) + " samples",
              m_variant.pointer,
              "Fix the cost file: times are in nanoseconds, link speeds in bytes per second");
}

void PlanBuilder::addTransfers(std::size_t stage, std::size_t microBatch, const StageSum& sum,
                               StageCost& cost) const {
  const DeviceId& here = deviceOf(stage, microBatch);
  if (!isLast(stage)) {
    const DeviceId& next = deviceOf(stage + 1, microBatch);
    cost.sendForward = rounded(m_source.transferNs(here, next, sum.times.outputBytes));
  }
  if (stage > 0 && trains()) {
    const DeviceId& before = deviceOf(stage - 1, microBatch);
    cost.sendBackward = rounded(m_source.transferNs(here, before, sum.inputBytes));
  }
}

/// The stage keeps only its input and reruns its forward before the backward, or in W if it has no
/// input gradient. The first stage's input is part of the batch, so it needs no memory.
void PlanBuilder::addRecompute(std::size_t stage, std::size_t microBatch, const StageSum& sum,
                               StageCost& cost) const {
  if (!recomputes(microBatch)) return;
  cost.recompute = cost.forward;
  cost.backward += cost.forward;
  (stage == 0 ? cost.backwardWeight : cost.backwardInput) += cost.forward;
  const Bytes kept = stage == 0 ? 0 : rounded(sum.inputBytes);
  cost.recomputedBytes = std::max<Bytes>(0, cost.savedBytes - kept);
  cost.savedBytes = kept;
}

/// Memory use of the stage's actions, if the costs have it.
void PlanBuilder::addBytes(std::size_t stage, std::size_t microBatch, const StageSum& sum,
                           StageCost& cost) {
  if (sum.memory.empty()) return;
  const bool again = trains() && recomputes(microBatch);
  const Bytes output = rounded(sum.times.outputBytes);
  StageBytes bytes =
      detail::stageBytes(sum.memory, stage > 0 ? rounded(sum.inputBytes) : 0,
                         again ? detail::Keeping::Inputs : detail::Keeping::Everything);
  bytes.inputGradient = trains() ? bytes.inputGradient : 0;
  if (stage == 0) {
    // No input gradient: I does nothing and W is the whole backward.
    bytes.weightPeak = bytes.backwardPeak;
    bytes.firstWeightPeak = bytes.firstBackwardPeak;
    bytes.inputPeak = bytes.captured = 0;
  }
  bytes.optimizerPeak = m_optimizerPeaks.empty() ? 0 : m_optimizerPeaks[stage];
  if (viewsBuckets()) {
    bytes.gradients = 0;
    bytes.firstBackwardPeak = bytes.backwardPeak;
    bytes.firstWeightPeak = bytes.weightPeak;
  }
  cost.outputBytes = again ? output : sum.memory.back().memory.unkeptOutput;
  if (!trains()) {
    cost.savedBytes = 0;
  } else if (isLast(stage)) {
    bytes.outputGradient = output;
  }
  if (again) {
    cost.savedBytes = rounded(sum.copiedInput);
    cost.recomputedBytes = 0;
  }
  cost.bytes = bytes;
}

StageCost PlanBuilder::costOf(std::size_t stage, std::size_t microBatch, const StageSum& sum) {
  StageCost cost = timesOf(stage, microBatch, sum);
  addBytes(stage, microBatch, sum, cost);
  return cost;
}

StageCost PlanBuilder::timesOf(std::size_t stage, std::size_t microBatch, const StageSum& sum) {
  const BlockTimes& times = sum.times;
  StageCost cost;
  cost.forward = rounded(times.forward);
  cost.boundaryBytes = rounded(times.outputBytes);
  cost.temporaryBytes = rounded(times.temporaryBytes);
  addTransfers(stage, microBatch, sum, cost);
  if (!trains()) return cost;
  const double accumulate = accumulates(stage, microBatch) ? times.accumulate : 0.0;
  const double stretch = isLastOfReplica(stage, microBatch) ? m_reduce.stretchNs : 0.0;
  cost.backward = rounded(times.backward + accumulate + stretch);
  // The first stage has no input gradient: I does nothing and W is the whole backward.
  cost.backwardInput = stage == 0 ? 0 : rounded(times.backwardInput);
  cost.backwardWeight = stage == 0 ? cost.backward : rounded(times.backwardWeight + accumulate);
  cost.savedBytes = rounded(times.savedBytes);
  if (m_source.basis() == Basis::Estimate && sum.memory.empty()) {
    cost.gradientBytes = viewsBuckets() ? 0 : sum.gradients;
    cost.firstBackwardBytes = rounded(sum.firstBackward);
  }
  cost.optimizer = rounded(times.optimizer);
  cost.reduce = rounded(m_reduce.ns);
  cost.reduceBytes = rounded(m_reduce.moved);
  cost.reduceHeldBytes = m_reduce.held;
  if (isLast(stage)) {
    cost.loss = rounded(m_source.lossNs(placeOf(stage, microBatch), m_sizes[microBatch]));
    cost.outputBytes = cost.boundaryBytes;
    cost.lossBytes = rounded(tensorsOfLoss(m_experiment.loss) * times.outputBytes);
  }
  addRecompute(stage, microBatch, sum, cost);
  return cost;
}

Status PlanBuilder::addStage(std::size_t stage, PlanCosts& plan) {
  STAGELANE_TRY(reduce, m_reduces.of(stage));
  m_reduce = *reduce;
  std::map<Likeness, double> often;
  for (std::size_t i = 0; i < m_sizes.size(); ++i) often[likenessOf(stage, i)] += 1.0;
  std::map<Likeness, StageSum> sums;
  std::map<Alike, StageCost> costs;
  for (std::size_t i = 0; i < m_sizes.size(); ++i) {
    const Likeness likeness = likenessOf(stage, i);
    auto known = sums.find(likeness);
    if (known == sums.end()) {
      STAGELANE_TRY(sum, sumOf(stage, i));
      STAGELANE_CHECK(count(stage, i, *sum, often[likeness]));
      known = sums.emplace(likeness, *sum).first;
    }
    auto cost = costs.find(alikeOf(stage, i));
    if (cost == costs.end()) {
      cost = costs.emplace(alikeOf(stage, i), costOf(stage, i, known->second)).first;
    }
    plan.stage[stage].push_back(cost->second);
  }
  if (hasBuckets()) addAllReduce(plan);
  return {};
}

void PlanBuilder::addAllReduce(PlanCosts& plan) const {
  const double hidden = m_reduce.allNs > 0.0 ? 100.0 * (1.0 - m_reduce.ns / m_reduce.allNs) : 0.0;
  plan.allReduce = AllReduceCost{rounded(m_reduce.gradients), rounded(m_reduce.ns), hidden};
}

Bytes PlanBuilder::largestParameter(std::size_t stage) const {
  const model::Model& model = *m_experiment.model;
  const plan::Stage& range = m_variant.stages[stage];
  double most = 0.0;
  for (std::size_t block = range.firstBlock; block <= range.lastBlock; ++block) {
    for (const std::size_t layer : model.blocks[block].layers) {
      for (const model::OwnedTensor& owned : model::ownedTensors(model.layers[layer].spec)) {
        double bytes = static_cast<double>(model::bytesPerElement(m_experiment.dtype));
        for (const std::int64_t size : owned.shape) bytes *= static_cast<double>(size);
        most = std::max(most, bytes);
      }
    }
  }
  return rounded(most);
}

Result<std::vector<Bytes>> PlanBuilder::optimizerPeaks() {
  std::vector<Bytes> answer;
  if (!trains()) return answer;
  STAGELANE_TRY(shapes, m_source.shapes(m_sizes.front()));
  const plan::OptimizerSpec& optimizer = m_experiment.optimizer;
  const bool isSgd = optimizer.kind == "sgd";
  // Adam takes and divides by the root of the squares; a decayed gradient is a separate tensor.
  const int tensors = (isSgd ? 0 : 2) + (optimizer.weightDecay != 0.0 ? 1 : 0);
  for (std::size_t stage = 0; stage < m_variant.stages.size(); ++stage) {
    const plan::Stage& range = m_variant.stages[stage];
    Bytes bytes = tensors * largestParameter(stage);
    for (std::size_t i = range.firstBlock; i <= range.lastBlock && !statesAreThere(); ++i) {
      bytes += plan::optimizerStates(optimizer) * (*shapes)->blocks[i].parameterBytes;
    }
    answer.push_back(bytes);
  }
  return answer;
}

/// Memory that each row always holds: parameters, gradients, optimizer state, buffers.
Result<std::vector<Bytes>> PlanBuilder::residentBytes(const PlanCosts& plan) {
  STAGELANE_TRY(shapes, m_source.shapes(m_sizes.front()));
  const int states = plan::optimizerStates(m_experiment.optimizer);
  std::vector<Bytes> answer(static_cast<std::size_t>(m_rows.rows()), 0);
  for (std::size_t stage = 0; stage < m_variant.stages.size(); ++stage) {
    // With measured actions, gradients are counted there.
    const bool known = plan.stage[stage].front().bytes.has_value();
    int copies = !trains() ? 1 : !known ? 2 + states : 1 + (statesAreThere() ? states : 0);
    // Buckets, in place of the gradients if these are views of them.
    if (hasBuckets() && (known || !viewsBuckets())) ++copies;
    const model::MemoryNeed need = staticNeed(**shapes, m_variant.stages[stage]);
    const auto number = static_cast<int>(stage);
    for (int replica = 0; replica < m_rows.replicas(number); ++replica) {
      answer[static_cast<std::size_t>(m_rows.row(number, replica))] +=
          need.parameters * copies + need.buffers;
    }
  }
  return answer;
}

Result<std::vector<StageUpdate>> PlanBuilder::updates(const PlanCosts& plan) {
  std::vector<StageUpdate> answer(plan.stage.size());
  if (!trains()) return answer;
  STAGELANE_TRY(shapes, m_source.shapes(m_sizes.front()));
  for (std::size_t stage = 0; stage < answer.size(); ++stage) {
    StageUpdate& update = answer[stage];
    const Bytes parameters = staticNeed(**shapes, m_variant.stages[stage]).parameters;
    update.gradients = viewsBuckets() ? 0 : parameters;
    const Bytes firstStates =
        statesAreThere() ? 0 : plan::optimizerStates(m_experiment.optimizer) * parameters;
    const bool known = plan.stage[stage].front().bytes.has_value();
    update.early = known ? 0 : update.gradients + firstStates;
    update.optimizerPeak = m_optimizerPeaks[stage] - firstStates;
  }
  return answer;
}

Result<PlanCosts> PlanBuilder::build() {
  if (m_sizes.empty() || m_variant.stages.empty()) {
    return fail(ErrorCode::Invalid, "the plan has no stages or no micro-batches");
  }
  PlanCosts plan;
  plan.basis = m_source.basis();
  plan.forwardOnly = !trains();
  plan.optimizerWaitsForAll = trains() && m_experiment.clipGradNorm.has_value();
  plan.stage.resize(m_variant.stages.size());
  STAGELANE_TRY(peaks, optimizerPeaks());
  m_optimizerPeaks = std::move(*peaks);
  for (std::size_t stage = 0; stage < plan.stage.size(); ++stage) {
    STAGELANE_CHECK(addStage(stage, plan));
  }
  STAGELANE_TRY(resident, residentBytes(plan));
  plan.residentBytes = std::move(*resident);
  STAGELANE_TRY(update, updates(plan));
  plan.updates = std::move(*update);
  return plan;
}

void addHostAndContention(const plan::Experiment& experiment, const plan::Variant& variant,
                          const CostTable& table, const WhatIf& whatIf, PlanCosts& plan) {
  plan.actionOverheadNs = rounded(static_cast<double>(table.actionOverheadNs) * whatIf.host);
  for (const auto& [busy, factor] : table.contention) {
    plan.contention[busy] = 1.0 + (factor - 1.0) * whatIf.contention;
  }
  for (const DeviceId& device : plan::rowsOf(variant)) {
    plan.contends.push_back(plan::isCpuWorker(experiment.devices, device));
  }
}

/// Without enough processes a run is refused; predict as the names of the devices say.
void deal(const plan::Experiment& experiment, const plan::Variant& variant,
          BlockCostSource& source) {
  if (experiment.dealtRanks < 2) return;
  const auto ranks = plan::ranksOfRows(experiment, variant, experiment.dealtRanks, /*dealt=*/true);
  if (ranks) source.dealTo(plan::rowsOf(variant), *ranks);
}

}  // namespace

bool covers(const plan::Experiment& experiment, const plan::Variant& variant,
            const CostTable* table) {
  if (table == nullptr) return false;
  const bool ownThreads = variant.threads > 0 && variant.threads != experiment.threadsPerCpuWorker;
  if (!ownThreads) return true;
  const BlockCostSource source(experiment, table);
  const std::vector<DeviceId> rows = plan::rowsOf(variant.stages);
  return std::all_of(rows.begin(), rows.end(), [&](const DeviceId& row) {
    return source.covers({row, variant.threads});
  });
}

Result<PlanCosts> estimateCosts(const plan::Experiment& experiment, const plan::Variant& variant) {
  return planCosts(experiment, variant, nullptr);
}

Result<PlanCosts> planCosts(const plan::Experiment& experiment, const plan::Variant& variant,
                            const CostTable* table, const WhatIf& whatIf) {
  if (!covers(experiment, variant, table)) table = nullptr;
  BlockCostSource source(experiment, table, whatIf);
  deal(experiment, variant, source);
  auto plan = PlanBuilder(experiment, variant, source).build();
  if (plan) plan->estimatesProcesses = table != nullptr && source.estimatedProcesses();
  if (plan && table != nullptr) addHostAndContention(experiment, variant, *table, whatIf, *plan);
  if (plan) shareCores(experiment, variant, whatIf, *plan);
  return plan;
}

}  // namespace stagelane::predict
