#include "engine/model/shapes.h"

#include <algorithm>

#include "engine/model/detail/checked.h"
#include "engine/model/detail/flow.h"

namespace stagelane::model {
namespace {

constexpr Bytes kIntegerBufferBytes = 8;
/// An exbibyte: more than any device has, and small enough to be added to.
constexpr Bytes kMostBytes = Bytes{1} << 60;

void addOwned(const Layer& layer, std::int64_t elementBytes, BlockCost& cost) {
  for (const OwnedTensor& tensor : ownedTensors(layer.spec)) {
    const std::int64_t elements = detail::elementCount(tensor.shape).value_or(detail::kMaxElements);
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

/// The part of a block's input that a stage beginning there keeps beyond the block's saved bytes.
Bytes stageInputBytes(const detail::Flow& flow, std::size_t index) {
  const detail::FlowBlock& block = flow.blocks[index];
  Bytes bytes = block.overwrittenInput;
  for (const std::size_t input : block.inputs) {
    const detail::FlowStorage& storage = flow.storages[flow.values[input].storage];
    if (storage.savedBy != index) bytes += flow.values[input].bytes;
  }
  return bytes;
}

BlockCost costOf(const Model& model, const detail::Flow& flow, std::size_t index,
                 std::int64_t elementBytes) {
  const detail::FlowBlock& block = flow.blocks[index];
  BlockCost cost;
  for (const std::size_t layer : model.blocks[index].layers) {
    addOwned(model.layers[layer], elementBytes, cost);
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
  const auto flow = detail::traceFlow(model, input, dtype);
  if (!flow) return tl::make_unexpected(flow.error());
  ModelShapes shapes;
  shapes.input = input;
  for (const detail::FlowCall& call : flow->calls) shapes.calls.push_back(callShape(*flow, call));
  for (std::size_t index = 0; index < flow->blocks.size(); ++index) {
    shapes.blocks.push_back(costOf(model, *flow, index, bytesPerElement(dtype)));
  }
  return shapes;
}

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
  need.gradients = need.parameters;
  need.optimizer = need.parameters * optimizerStates;
  const auto activations = detail::Checked(perLiveMicroBatch).multiply(liveMicroBatches).value();
  need.activations = std::min(activations.value_or(kMostBytes), kMostBytes);
  return need;
}

}  // namespace stagelane::model
