#include "engine/predict/reduce_costs.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "engine/base/find.h"
#include "engine/plan/imagined.h"
#include "engine/plan/rows.h"

namespace stagelane::predict::detail {
namespace {

double bytesOfTensor(const plan::Experiment& experiment, const model::OwnedTensor& tensor) {
  auto bytes = static_cast<double>(model::bytesPerElement(experiment.dtype));
  for (const std::int64_t size : tensor.shape) bytes *= static_cast<double>(size);
  return bytes;
}

Bytes parametersOf(const model::ModelShapes& shapes, const plan::Stage& stage) {
  std::vector<std::size_t> blocks(stage.lastBlock - stage.firstBlock + 1);
  std::iota(blocks.begin(), blocks.end(), stage.firstBlock);
  return model::memoryNeed(shapes, blocks, 0, 0).parameters;
}

}  // namespace

ReduceCosts::ReduceCosts(const plan::Experiment& experiment, const plan::Variant& variant,
                         BlockCostSource& source)
    : m_experiment(experiment),
      m_variant(variant),
      m_source(source),
      m_ownProcesses(plan::strategyRow(variant.strategy).ownProcesses),
      m_sizes(plan::microBatchSizes(experiment.data.batchSize, variant.splitSize)),
      m_shared(plan::sharedParameters(*experiment.model, variant.stages)) {}

double ReduceCosts::bytesOf(const std::string& parameter) const {
  for (const model::Layer& layer : m_experiment.model->layers) {
    for (const model::OwnedTensor& owned : model::ownedTensors(layer.spec)) {
      if (layer.name + "." + owned.name == parameter) return bytesOfTensor(m_experiment, owned);
    }
  }
  return 0.0;
}

double ReduceCosts::sharedBytes(std::size_t stage) const {
  double bytes = 0.0;
  for (const auto& [name, stages] : m_shared) {
    if (contains(stages, static_cast<int>(stage))) bytes += bytesOf(name);
  }
  return bytes;
}

double ReduceCosts::receiveNs(std::size_t stage) const {
  std::vector<double> bytes(m_variant.stages.size(), 0.0);
  for (const auto& [name, stages] : m_shared) {
    if (!contains(stages, static_cast<int>(stage))) continue;
    for (const int other : stages) bytes[static_cast<std::size_t>(other)] += bytesOf(name);
  }
  const DeviceId& here = groupOf(stage).first();
  double time = 0.0;
  for (std::size_t other = 0; other < bytes.size(); ++other) {
    if (bytes[other] == 0.0) continue;
    for (const DeviceId& device : groupOf(other)) {
      time += m_source.transferNs(device, here, bytes[other]);
    }
  }
  return time;
}

Ring ReduceCosts::ringOf(std::size_t stage) const {
  const plan::DeviceGroup& group = groupOf(stage);
  std::set<LinkRate> links;
  for (std::size_t replica = 0; replica < group.size(); ++replica) {
    const DeviceId& next = group[(replica + 1) % group.size()];
    links.insert(m_ownProcesses ? m_source.linkOfProcesses(group[replica], next)
                                : m_source.linkOf(group[replica], next));
  }
  return {static_cast<int>(group.size()), {links.begin(), links.end()}};
}

bool ReduceCosts::areCpuWorkers(std::size_t stage) const {
  const plan::DeviceGroup& group = groupOf(stage);
  return std::all_of(group.begin(), group.end(), [&](const DeviceId& device) {
    return plan::isCpuWorker(m_source.realDevice(device));
  });
}

bool ReduceCosts::spansRanks(std::size_t stage) const {
  const plan::DeviceGroup& group = groupOf(stage);
  return std::any_of(group.begin(), group.end(), [&](const DeviceId& device) {
    return m_source.acrossRanks(group.first(), device);
  });
}

/// Reading and writing these bytes on the slowest replica. The optimizer streams the stage's
/// parameters as well, so its time, if known, gives the speed.
Result<double> ReduceCosts::additionsNs(std::size_t stage, double bytes) {
  STAGELANE_TRY(shapes, m_source.shapes(m_sizes.front()));
  const plan::Stage& range = m_variant.stages[stage];
  double parameters = 0.0;
  for (std::size_t block = range.firstBlock; block <= range.lastBlock; ++block) {
    parameters += static_cast<double>((*shapes)->blocks[block].parameterBytes);
  }
  const double streamed = plan::optimizerStreams(m_experiment.optimizer) * parameters;
  double slowest = 0.0;
  for (const DeviceId& device : range.group) {
    const Place place{device, m_variant.threads};
    STAGELANE_TRY(blocks, m_source.blocks(place, m_sizes.front()));
    double optimizer = 0.0;
    for (std::size_t block = range.firstBlock; block <= range.lastBlock; ++block) {
      optimizer += (**blocks)[block].optimizer;
    }
    const bool known = optimizer > 0.0 && streamed > 0.0;
    slowest =
        std::max(slowest, known ? optimizer * bytes / streamed : m_source.streamNs(place, bytes));
  }
  return slowest;
}

Result<std::size_t> ReduceCosts::lastMicroBatch(std::size_t stage) {
  const std::size_t replicas = groupOf(stage).size();
  std::vector<double> work(replicas, 0.0);
  std::map<std::pair<Place, std::int64_t>, double> known;
  for (std::size_t k = 0; k < m_sizes.size(); ++k) {
    const std::pair key{placeOf(stage, k), m_sizes[k]};
    auto found = known.find(key);
    if (found == known.end()) {
      STAGELANE_TRY(blocks, m_source.blocks(key.first, key.second));
      double time = 0.0;
      for (const BlockTimes& block : **blocks) time += block.forward + block.backward;
      found = known.emplace(key, time).first;
    }
    work[k % replicas] += found->second;
  }
  const auto latest =
      static_cast<std::size_t>(std::max_element(work.begin(), work.end()) - work.begin());
  std::size_t last = latest;
  while (last + replicas < m_sizes.size()) last += replicas;
  return last;
}

/// Each tensor's gradient is complete at the end of its block's backward.
std::vector<GradientBytes> ReduceCosts::gradientsOf(std::size_t stage, std::size_t microBatch,
                                                    const std::vector<BlockTimes>& blocks,
                                                    double& backwardNs) const {
  const model::Model& model = *m_experiment.model;
  const plan::Stage& range = m_variant.stages[stage];
  const bool accumulates = microBatch >= range.group.size();
  std::vector<GradientBytes> gradients;
  backwardNs = 0.0;
  const bool last = microBatch + 1 == m_sizes.size();
  const bool recomputes = m_variant.recompute == plan::Recompute::Always ||
                          (m_variant.recompute == plan::Recompute::ExceptLast && !last);
  for (std::size_t block = range.firstBlock; recomputes && block <= range.lastBlock; ++block) {
    backwardNs += blocks[block].forward;
  }
  for (std::size_t block = range.lastBlock + 1; block > range.firstBlock; --block) {
    backwardNs += blocks[block - 1].backward + (accumulates ? blocks[block - 1].accumulate : 0.0);
    const auto& layers = model.blocks[block - 1].layers;
    for (auto index = layers.rbegin(); index != layers.rend(); ++index) {
      const model::Layer& layer = model.layers[*index];
      const auto tensors = model::ownedTensors(layer.spec);
      for (auto tensor = tensors.rbegin(); tensor != tensors.rend(); ++tensor) {
        const bool counts = tensor->role == model::OwnedTensor::Role::Parameter &&
                            model.ties.count(layer.name + "." + tensor->name) == 0;
        if (counts) gradients.push_back({bytesOfTensor(m_experiment, *tensor), backwardNs});
      }
    }
  }
  return gradients;
}

Status ReduceCosts::overlap(std::size_t stage, ReduceCost& cost) {
  STAGELANE_TRY(last, lastMicroBatch(stage));
  STAGELANE_TRY(blocks, m_source.blocks(placeOf(stage, *last), m_sizes[*last]));
  double backwardNs = 0.0;
  std::vector<GradientBytes> gradients = gradientsOf(stage, *last, **blocks, backwardNs);
  SumCosts sums{ringOf(stage), std::nullopt};
  double contention = 1.0;
  if (areCpuWorkers(stage)) {
    sums.measured = m_source.processSums();
    contention = m_source.contention(sums.ring.replicas);
  }
  for (GradientBytes& gradient : gradients) gradient.atNs *= contention;
  const AllReduceTimes times =
      exposedAllReduce(gradients, m_variant.reduce, sums, contention * backwardNs);
  cost.ns = times.exposedNs;
  cost.allNs = times.allNs;
  // The simulator applies the contention to the whole backward.
  cost.stretchNs = times.stretchNs / contention;
  return {};
}

Result<ReduceCost> ReduceCosts::of(std::size_t stage) {
  ReduceCost cost;
  const std::size_t group = groupOf(stage).size();
  if (m_experiment.task != plan::Task::Train) return cost;
  if (group == 1) {
    cost.ns = cost.allNs = receiveNs(stage);
    return cost;
  }
  STAGELANE_TRY(shapes, m_source.shapes(m_sizes.front()));
  const auto replicas = static_cast<double>(group);
  const double shared = sharedBytes(stage);
  const auto all = static_cast<double>(parametersOf(**shapes, m_variant.stages[stage]));
  const double own = std::max(0.0, all - shared);
  cost.gradients = all;
  cost.moved = 4.0 * (replicas - 1.0) / replicas * own;
  if (m_ownProcesses) {
    STAGELANE_CHECK(overlap(stage, cost));
    return cost;
  }
  if (sharesMemory(stage)) {
    double copies = 0.0;
    for (const auto& [name, stages] : m_shared) {
      if (!contains(stages, static_cast<int>(stage))) continue;
      double readers = 0.0;
      for (const int other : stages) {
        readers += static_cast<double>(groupOf(static_cast<std::size_t>(other)).size());
      }
      copies += (readers + 1.0) * bytesOf(name);
    }
    STAGELANE_TRY(time, additionsNs(stage, (replicas + 1.0) / replicas * own + copies));
    cost.ns = *time;
    cost.held = std::llround(own / replicas + shared);
  } else {
    cost.ns = allReduceNs(ringOf(stage), own) + receiveNs(stage);
    cost.held = std::llround((2.0 - 1.0 / replicas) * own + shared);
  }
  cost.allNs = cost.ns;
  return cost;
}

}  // namespace stagelane::predict::detail
