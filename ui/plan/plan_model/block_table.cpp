#include "ui/plan/plan_model/block_table.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "engine/predict/block_costs.h"
#include "engine/predict/plan_costs.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

DeviceId firstDevice(const plan::Experiment& experiment) {
  return experiment.devices.empty() ? DeviceId{"cpu:0"} : experiment.devices.front().id;
}

/// Block figures on the first device: from the costs where they cover the block, else estimated.
struct KnownTimes {
  std::vector<predict::BlockTimes> blocks;
  predict::Basis basis = predict::Basis::Estimate;
};

KnownTimes timesOf(const plan::Experiment& experiment, std::int64_t microBatch,
                   const predict::CostTable* costs) {
  const predict::Place place{firstDevice(experiment), 0};
  auto known = predict::costsOrEstimates(costs, [&](const predict::CostTable* table) {
    predict::BlockCostSource source(experiment, table);
    return source.blocks(place, microBatch).map([&](const std::vector<predict::BlockTimes>* times) {
      return KnownTimes{*times, source.basis()};
    });
  });
  return std::move(known).value_or(KnownTimes{
      std::vector<predict::BlockTimes>(experiment.model->blocks.size()), predict::Basis::Estimate});
}

std::int64_t parametersOf(const model::LayerSpec& spec) {
  std::int64_t count = 0;
  for (const model::OwnedTensor& tensor : model::ownedTensors(spec)) {
    if (tensor.role == model::OwnedTensor::Role::Parameter) {
      count += std::accumulate(tensor.shape.begin(), tensor.shape.end(), std::int64_t{1},
                               std::multiplies<>());
    }
  }
  return count;
}

BlockFigures figuresOf(const model::Block& block, const model::BlockCost& cost,
                       const predict::BlockTimes& times) {
  BlockFigures figures;
  figures.name = qstring(block.name);
  figures.className = qstring(block.className);
  figures.parameters = cost.parameters;
  figures.macs = cost.macs;
  figures.forwardNs = std::llround(times.forward);
  figures.backwardNs = std::llround(times.backward);
  figures.inputNs = std::llround(times.backwardInput);
  figures.weightNs = std::llround(times.backwardWeight);
  figures.activationBytes = cost.activationBytes;
  figures.keptBytes = cost.savedBytes;
  figures.parameterBytes = cost.parameterBytes;
  figures.bufferBytes = cost.bufferBytes;
  figures.residentBytes = 2 * cost.parameterBytes + cost.bufferBytes;
  figures.outputBytes = cost.outputBytes;
  return figures;
}

}  // namespace

std::string blockTableKey(const plan::Experiment& experiment, std::int64_t microBatch) {
  Json key;
  key["model"] = experiment.model->definition;
  key["input"] = experiment.input;
  key["dtype"] = static_cast<int>(experiment.dtype);
  key["threads"] = experiment.threadsPerCpuWorker;
  key["device"] = experiment.devices.empty() ? "" : experiment.devices.front().id.value;
  key["micro_batch"] = microBatch;
  return key.dump();
}

Result<BlockTablePtr> makeBlockTable(const plan::Experiment& experiment, std::int64_t microBatch,
                                     const predict::CostTable* costs) {
  STAGELANE_TRY(shapes, experiment.shapesAt(std::max<std::int64_t>(1, microBatch)));
  const KnownTimes times = timesOf(experiment, std::max<std::int64_t>(1, microBatch), costs);
  auto table = std::make_shared<BlockTable>();
  table->model = experiment.model;
  table->microBatch = microBatch;
  table->basis = times.basis;
  for (std::size_t block = 0; block < experiment.model->blocks.size(); ++block) {
    table->blocks.push_back(
        figuresOf(experiment.model->blocks[block], (*shapes)->blocks[block], times.blocks[block]));
  }
  for (const model::Layer& layer : experiment.model->layers) {
    table->layerParameters.push_back(parametersOf(layer.spec));
  }
  return BlockTablePtr(std::move(table));
}

}  // namespace stagelane::ui
