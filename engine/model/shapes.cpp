#include "engine/model/shapes.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/model/checked.h"
#include "engine/model/flow.h"

namespace stagelane::model {
namespace {

constexpr Bytes kIntegerBufferBytes = 8;
/// An exbibyte: more than any device has, and small enough to add without overflow.
constexpr Bytes kMostBytes = Bytes{1} << 60;

/// Blocks of the tensors that others are tied to.
std::map<std::string, std::size_t> ownerBlocks(const Model& model) {
  std::map<std::string, std::size_t> blocks;
  for (const auto& tie : model.ties) blocks[tie.second] = 0;
  for (std::size_t block = 0; block < model.blocks.size() && !blocks.empty(); ++block) {
    for (const std::size_t layer : model.blocks[block].layers) {
      for (const OwnedTensor& tensor : ownedTensors(model.layers[layer].spec)) {
        const auto owner = blocks.find(model.layers[layer].name + "." + tensor.name);
        if (owner != blocks.end()) owner->second = block;
      }
    }
  }
  return blocks;
}

/// The inputs from which the costs of all blocks are derived.
struct Sources {
  const Model& model;
  const detail::Flow& flow;
  std::int64_t elementBytes = 0;
  std::map<std::string, std::size_t> owners;
};

void borrow(const Sources& sources, std::size_t block, BorrowedParameter parameter,
            BlockCost& cost) {
  parameter.ownerBlock = sources.owners.at(parameter.owner);
  const bool isKnown =
      parameter.ownerBlock == block ||
      std::any_of(cost.borrowed.begin(), cost.borrowed.end(),
                  [&](const auto& other) { return other.owner == parameter.owner; });
  if (!isKnown) cost.borrowed.push_back(std::move(parameter));
}

void addOwned(const Sources& sources, std::size_t block, const Layer& layer, BlockCost& cost) {
  const std::int64_t elementBytes = sources.elementBytes;
  for (const OwnedTensor& tensor : ownedTensors(layer.spec)) {
    const std::int64_t elements = detail::elementCount(tensor.shape).value_or(detail::kMaxElements);
    const std::string name = layer.name + "." + tensor.name;
    if (const std::string& owner = sources.model.ownerOf(name); owner != name) {
      borrow(sources, block, {owner, 0, elements * elementBytes}, cost);
      continue;
    }
    switch (tensor.role) {
      case OwnedTensor::Role::Parameter:
        cost.parameters += elements;
        cost.parameterBytes += elements * elementBytes;
        break;
      case OwnedTensor::Role::Buffer:
        cost.bufferElements += elements;
        cost.bufferBytes += elements * elementBytes;
        break;
      case OwnedTensor::Role::IntegerBuffer:
        cost.bufferElements += elements;
        cost.bufferBytes += elements * kIntegerBufferBytes;
        break;
    }
  }
}

/// Part of the input that a stage beginning with the block saves besides its saved bytes.
Bytes stageInputBytes(const detail::Flow& flow, std::size_t index) {
  const detail::FlowBlock& block = flow.blocks[index];
  Bytes bytes = block.overwrittenInput;
  for (const std::size_t input : block.inputs) {
    const detail::FlowStorage& storage = flow.storages[flow.values[input].storage];
    if (storage.savedBy != index) bytes += flow.values[input].bytes;
  }
  return bytes;
}

BlockCost costOf(const Sources& sources, std::size_t index) {
  const detail::Flow& flow = sources.flow;
  const detail::FlowBlock& block = flow.blocks[index];
  BlockCost cost;
  for (const std::size_t layer : sources.model.blocks[index].layers) {
    addOwned(sources, index, sources.model.layers[layer], cost);
  }
  for (std::size_t i = block.firstCall; i < block.endCall; ++i) {
    const detail::FlowCall& call = flow.calls[i];
    cost.macs += call.macs;
    cost.activationBytes += flow.values[call.output].bytes;
    cost.savedBytes += call.savedBytes;
  }
  for (const std::size_t output : block.outputs) {
    cost.outputShapes.push_back(flow.values[output].shape);
    cost.outputBytes += flow.values[output].bytes;
  }
  for (const std::size_t input : block.inputs) cost.inputBytes += flow.values[input].bytes;
  cost.stageInputBytes = stageInputBytes(flow, index);
  cost.temporaryBytes = detail::temporaryBytes(flow, block);
  return cost;
}

CallShape callShape(const detail::Flow& flow, const detail::FlowCall& call) {
  CallShape shape;
  shape.block = call.block;
  shape.call = call.call;
  for (const std::size_t input : call.inputs) shape.inputs.push_back(flow.values[input].shape);
  shape.output = flow.values[call.output].shape;
  shape.outputBytes = flow.values[call.output].bytes;
  shape.macs = call.macs;
  shape.savedBytes = call.savedBytes;
  return shape;
}

}  // namespace

std::int64_t bytesPerElement(DType dtype) {
  switch (dtype) {
    case DType::Float32: return 4;
    case DType::Float64: return 8;
    case DType::BFloat16: return 2;
  }
  return 4;
}

Result<ModelShapes> inferShapes(const Model& model, const Shape& input, DType dtype) {
  STAGELANE_TRY(flow, detail::traceFlow(model, input, dtype));
  ModelShapes shapes;
  shapes.input = input;
  for (const detail::FlowCall& call : flow->calls) shapes.calls.push_back(callShape(*flow, call));
  const Sources sources{model, *flow, bytesPerElement(dtype), ownerBlocks(model)};
  for (std::size_t index = 0; index < flow->blocks.size(); ++index) {
    shapes.blocks.push_back(costOf(sources, index));
  }
  return shapes;
}

namespace {

/// Bytes of the copies of tied parameters that the stages hold.
Bytes copiedParameters(const ModelShapes& shapes, const std::vector<std::size_t>& blocks) {
  Bytes bytes = 0;
  std::set<std::string> seen;
  std::size_t firstOfStage = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (i == 0 || blocks[i] != blocks[i - 1] + 1) {
      seen.clear();
      firstOfStage = blocks[i];
    }
    for (const BorrowedParameter& parameter : shapes.blocks.at(blocks[i]).borrowed) {
      const bool isOwn = parameter.ownerBlock >= firstOfStage && parameter.ownerBlock <= blocks[i];
      if (!isOwn && seen.insert(parameter.owner).second) bytes += parameter.bytes;
    }
  }
  return bytes;
}

}  // namespace

MemoryNeed memoryNeed(const ModelShapes& perMicroBatch, const std::vector<std::size_t>& blocks,
                      std::int64_t liveMicroBatches, int optimizerStates) {
  MemoryNeed need;
  Bytes perLiveMicroBatch = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const BlockCost& cost = perMicroBatch.blocks.at(blocks[i]);
    const bool beginsStage = i == 0 || blocks[i] != blocks[i - 1] + 1;
    need.parameters += cost.parameterBytes;
    need.buffers += cost.bufferBytes;
    perLiveMicroBatch += cost.savedBytes + (beginsStage ? cost.stageInputBytes : 0);
    need.temporary = std::max(need.temporary, cost.temporaryBytes);
  }
  need.parameters += copiedParameters(perMicroBatch, blocks);
  need.gradients = need.parameters;
  need.optimizer = need.parameters * optimizerStates;
  const auto activations = detail::Checked(perLiveMicroBatch).multiply(liveMicroBatches).value();
  need.activations = std::min(activations.value_or(kMostBytes), kMostBytes);
  return need;
}

}  // namespace stagelane::model
