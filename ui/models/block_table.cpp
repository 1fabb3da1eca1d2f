#include "ui/models/block_table.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "engine/plan/block_estimate.h"
#include "ui/models/formatting.h"

namespace stagelane::ui {
namespace {

plan::DeviceRates ratesOfFirstDevice(const plan::Experiment& experiment) {
  plan::DeviceKind kind = plan::DeviceKind::CpuWorker;
  if (!experiment.devices.empty()) {
    if (const auto parsed = plan::parseDevice(experiment.devices.front().id)) {
      kind = parsed->kind;
    }
  }
  return plan::estimatedRates(kind, experiment.threadsPerCpuWorker);
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
                       const plan::BlockEstimate& estimate) {
  BlockFigures figures;
  figures.name = qstring(block.name);
  figures.className = qstring(block.className);
  figures.parameters = cost.parameters;
  figures.macs = cost.macs;
  figures.forwardNs = std::llround(estimate.forwardNs);
  figures.backwardNs = std::llround(estimate.backwardInputNs + estimate.backwardWeightNs);
  figures.keptBytes = cost.savedBytes;
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

Result<BlockTablePtr> makeBlockTable(const plan::Experiment& experiment, std::int64_t microBatch) {
  model::Shape input = experiment.input;
  input.insert(input.begin(), std::max<std::int64_t>(1, microBatch));
  const auto shapes = model::inferShapes(*experiment.model, input, experiment.dtype);
  if (!shapes) {
    return tl::make_unexpected(shapes.error());
  }
  const auto estimates = plan::estimateBlocks(*shapes, ratesOfFirstDevice(experiment));
  auto table = std::make_shared<BlockTable>();
  table->model = experiment.model;
  table->microBatch = microBatch;
  for (std::size_t block = 0; block < experiment.model->blocks.size(); ++block) {
    table->blocks.push_back(
        figuresOf(experiment.model->blocks[block], shapes->blocks[block], estimates[block]));
  }
  for (const model::Layer& layer : experiment.model->layers) {
    table->layerParameters.push_back(parametersOf(layer.spec));
  }
  return BlockTablePtr(std::move(table));
}

}  // namespace stagelane::ui
