#include "engine/model/detail/flow.h"

#include <algorithm>

#include "engine/model/detail/checked.h"
#include "engine/model/detail/layer_shapes.h"

namespace stagelane::model::detail {
namespace {

constexpr Bytes kIndexBytes = 8;      ///< max pooling keeps int64 indices
constexpr Bytes kStatisticBytes = 4;  ///< batch norm keeps its statistics at least in float32

bool isInPlace(const Layer& layer) {
  const auto* relu = std::get_if<ReLU>(&layer.spec);
  return relu != nullptr && relu->inplace;
}

/// PyTorch computes a 1×1 adaptive pooling as a mean, which keeps nothing.
bool isMean(const AdaptiveAvgPool2d& pool) { return pool.output[0] == 1 && pool.output[1] == 1; }

class Tracer {
 public:
  Tracer(const Model& model, DType dtype)
      : m_model(model), m_elementBytes(bytesPerElement(dtype)) {}

  Result<Flow> trace(const Shape& input) {
    std::vector<std::size_t> values{newValue(input, std::nullopt, false)};
    Status status = checkTotal("the input " + shapeText(input));
    for (std::size_t index = 0; index < m_model.blocks.size() && status; ++index) {
      status = traceBlock(index, values);
    }
    if (!status) return tl::make_unexpected(status.error());
    return std::move(m_flow);
  }

 private:
  /// `values` are the block's inputs, and afterwards its outputs.
  Status traceBlock(std::size_t index, std::vector<std::size_t>& values) {
    const Block& block = m_model.blocks[index];
    FlowBlock flowBlock;
    flowBlock.inputs = values;
    flowBlock.firstCall = m_flow.calls.size();
    for (std::size_t call = 0; call < block.calls.size(); ++call) {
      FlowCall flowCall;
      flowCall.block = index;
      flowCall.call = call;
      for (const std::size_t input : block.calls[call].inputs) {
        flowCall.inputs.push_back(values[input]);
      }
      if (Status status = traceCall(block.calls[call], flowCall, flowBlock); !status) return status;
      values.push_back(flowCall.output);
      m_flow.calls.push_back(std::move(flowCall));
    }
    flowBlock.endCall = m_flow.calls.size();
    for (const std::size_t output : block.outputs) flowBlock.outputs.push_back(values[output]);
    values = flowBlock.outputs;
    m_flow.blocks.push_back(std::move(flowBlock));
    return {};
  }

  Status traceCall(const Call& call, FlowCall& flowCall, FlowBlock& block) {
    const FlowValue first = m_flow.values[flowCall.inputs.front()];
    if (call.kind == CallKind::Flatten) {
      flowCall.output = newValue(flattened(first.shape, 1), first.storage, first.requiresGrad);
      return {};
    }
    if (call.kind == CallKind::AddInPlace) return traceAdd(flowCall, block);
    const Layer& layer = m_model.layers[call.layer];
    auto shape = outputShape(layer, first.shape);
    if (!shape) return tl::make_unexpected(shape.error());
    const bool sharesStorage = isInPlace(layer) || std::holds_alternative<Flatten>(layer.spec);
    if (isInPlace(layer)) {
      if (Status status = overwrite("layer '" + layer.name + "'", first, block); !status) {
        return status;
      }
    }
    flowCall.parameterBytes = parameterBytes(layer);
    flowCall.output =
        newValue(std::move(*shape), sharesStorage ? std::optional(first.storage) : std::nullopt,
                 first.requiresGrad || flowCall.parameterBytes > 0);
    if (Status status = checkTotal("the output of layer '" + layer.name + "'"); !status) {
      return status;
    }
    const auto macs = multiplyAccumulates(layer, m_flow.values[flowCall.output].shape);
    if (!macs) return tl::make_unexpected(macs.error());
    flowCall.macs = *macs;
    if (!m_totalMacs.add(*macs).value()) {
      return fail(ErrorCode::Invalid,
                  "the model takes more multiply-accumulates than 64 bits count", "",
                  "Use smaller sizes");
    }
    save(layer, flowCall);
    return {};
  }

  Status traceAdd(FlowCall& flowCall, FlowBlock& block) {
    const FlowValue sum = m_flow.values[flowCall.inputs[0]];
    const FlowValue other = m_flow.values[flowCall.inputs[1]];
    const std::string name = "the addition in '" + m_model.blocks[flowCall.block].name + "'";
    if (sum.shape != other.shape) {
      return fail(ErrorCode::Invalid,
                  name + " gets " + shapeText(sum.shape) + " and " + shapeText(other.shape));
    }
    flowCall.output = newValue(sum.shape, sum.storage, sum.requiresGrad || other.requiresGrad);
    return overwrite(name, sum, block);
  }

  /// Autograd refuses to go backward through a tensor that was written to after it was kept.
  Status overwrite(const std::string& what, const FlowValue& value, FlowBlock& block) {
    if (m_flow.storages[value.storage].savedBy) {
      return fail(
          ErrorCode::Invalid,
          what + " writes in place to a tensor that an earlier layer needs for its backward", "",
          "Set \"inplace\" to false there");
    }
    for (const std::size_t input : block.inputs) {
      if (m_flow.values[input].storage == value.storage) {
        block.overwrittenInput = m_flow.storages[value.storage].bytes;
      }
    }
    return {};
  }

  /// What autograd keeps for the backward of a layer.
  void save(const Layer& layer, FlowCall& call) {
    const FlowValue& input = m_flow.values[call.inputs.front()];
    const FlowValue& output = m_flow.values[call.output];
    if (!output.requiresGrad) return;
    if (std::holds_alternative<Conv2d>(layer.spec) || std::holds_alternative<Linear>(layer.spec)) {
      keep(input.storage, call);
    } else if (const auto* norm = std::get_if<BatchNorm2d>(&layer.spec)) {
      keep(input.storage, call);
      call.savedBytes += 2 * norm->features * std::max(m_elementBytes, kStatisticBytes);
    } else if (std::holds_alternative<ReLU>(layer.spec)) {
      keep(output.storage, call);
    } else if (std::holds_alternative<MaxPool2d>(layer.spec)) {
      keep(input.storage, call);
      call.savedBytes += output.bytes / m_elementBytes * kIndexBytes;
    } else if (const auto* pool = std::get_if<AdaptiveAvgPool2d>(&layer.spec)) {
      if (!isMean(*pool)) keep(input.storage, call);
    }
  }

  void keep(std::size_t storage, FlowCall& call) {
    FlowStorage& kept = m_flow.storages[storage];
    if (kept.savedBy) return;
    kept.savedBy = call.block;
    call.savedBytes += kept.bytes;
  }

  std::size_t newValue(Shape shape, std::optional<std::size_t> storage, bool requiresGrad) {
    const std::int64_t elements = elementCount(shape).value_or(kMaxElements);
    m_totalElements.add(elements);
    const Bytes bytes = elements * m_elementBytes;
    if (!storage) {
      storage = m_flow.storages.size();
      m_flow.storages.push_back({bytes, std::nullopt});
    }
    m_flow.values.push_back({std::move(shape), bytes, *storage, requiresGrad});
    return m_flow.values.size() - 1;
  }

  Status checkTotal(const std::string& what) const {
    const auto total = m_totalElements.value();
    if (total && *total < kMaxElements) return {};
    return fail(ErrorCode::Invalid, what + " makes the tensors too large to count", "",
                "All outputs together have at most 2^48 elements; use smaller sizes");
  }

  Bytes parameterBytes(const Layer& layer) const {
    std::int64_t elements = 0;
    for (const OwnedTensor& tensor : ownedTensors(layer.spec)) {
      if (tensor.role != OwnedTensor::Role::Parameter) continue;
      elements += elementCount(tensor.shape).value_or(kMaxElements);
    }
    return elements * m_elementBytes;
  }

  const Model& m_model;
  std::int64_t m_elementBytes;
  Flow m_flow;
  Checked m_totalElements, m_totalMacs;
};

}  // namespace

Result<Flow> traceFlow(const Model& model, const Shape& input, DType dtype) {
  const bool isPositive = std::all_of(
      input.begin(), input.end(), [](std::int64_t size) { return size >= 1 && size <= kMaxSize; });
  if (input.size() < 2 || !isPositive) {
    return fail(ErrorCode::Invalid, "the input shape " + shapeText(input) + " is not usable", "",
                "Write a batch and at least one size, each from 1 to " + std::to_string(kMaxSize));
  }
  return Tracer(model, dtype).trace(input);
}

}  // namespace stagelane::model::detail
