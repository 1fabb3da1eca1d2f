#include "engine/model/flow.h"

#include <algorithm>
#include <limits>

#include "engine/model/checked.h"
#include "engine/model/layer_shapes.h"

namespace stagelane::model::detail {
namespace {

constexpr Bytes kIntegerBytes = 8;    ///< int64: tokens, and the indices that max pooling keeps
constexpr Bytes kStatisticBytes = 4;  ///< batch norm keeps its statistics at least in float32

bool isInPlace(const Layer& layer) {
  const auto* relu = std::get_if<ReLU>(&layer.spec);
  return relu != nullptr && relu->inplace;
}

bool isView(const Layer& layer) {
  const auto* dropout = std::get_if<Dropout>(&layer.spec);
  return std::holds_alternative<Flatten>(layer.spec) || (dropout != nullptr && dropout->p == 0.0);
}

/// PyTorch computes a 1×1 adaptive pooling as a mean, which keeps nothing.
bool isMean(const AdaptiveAvgPool2d& pool) { return pool.output[0] == 1 && pool.output[1] == 1; }

class Tracer {
 public:
  Tracer(const Model& model, DType dtype)
      : m_model(model), m_elementBytes(bytesPerElement(dtype)) {}

  Result<Flow> trace(const Shape& input) {
    std::vector<std::size_t> values{newInput(input)};
    Status status = checkTotal("the input " + shapeText(input));
    for (std::size_t index = 0; index < m_model.blocks.size() && status; ++index) {
      status = traceBlock(index, values);
    }
    STAGELANE_CHECK(status);
    return std::move(m_flow);
  }

 private:
  /// `values` are the block's inputs on entry and its outputs on return.
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
      STAGELANE_CHECK(traceCall(block.calls[call], flowCall, flowBlock));
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
    const FlowValue& first = m_flow.values[flowCall.inputs.front()];
    switch (call.kind) {
      case CallKind::Flatten:
        flowCall.handsGradientOn = true;
        flowCall.output = newValue(flattened(first.shape, 1), first.storage, first.requiresGrad);
        return {};
      case CallKind::AddInPlace:
      case CallKind::Add: return traceAdd(call.kind, flowCall, block);
      case CallKind::Layer: break;
    }
    return traceLayer(m_model.layers[call.layer], flowCall, block);
  }

  Status traceLayer(const Layer& layer, FlowCall& flowCall, FlowBlock& block) {
    const FlowValue first = m_flow.values[flowCall.inputs.front()];
    STAGELANE_CHECK(checkTokens(layer, first));
    STAGELANE_TRY(shape, outputShape(layer, first.shape));
    const bool sharesStorage = isInPlace(layer) || isView(layer);
    flowCall.handsGradientOn =
        isView(layer) || std::holds_alternative<PositionEmbedding>(layer.spec);
    if (isInPlace(layer)) STAGELANE_CHECK(overwrite("layer '" + layer.name + "'", first, block));
    flowCall.parameterBytes = parameterBytes(layer);
    flowCall.output =
        newValue(std::move(*shape), sharesStorage ? std::optional(first.storage) : std::nullopt,
                 first.requiresGrad || flowCall.parameterBytes > 0);
    STAGELANE_CHECK(checkTotal("the output of layer '" + layer.name + "'"));
    STAGELANE_TRY(macs, multiplyAccumulates(layer, m_flow.values[flowCall.output].shape));
    flowCall.macs = *macs;
    if (!m_totalMacs.add(*macs).value()) {
      return fail(ErrorCode::Invalid, "the model's multiply-accumulates overflow 64 bits", "",
                  "Use smaller sizes");
    }
    save(layer, flowCall);
    return {};
  }

  /// Only an Embedding accepts tokens, and it accepts nothing else.
  Status checkTokens(const Layer& layer, const FlowValue& input) const {
    const bool isEmbedding = std::holds_alternative<Embedding>(layer.spec);
    if (isEmbedding == input.isTokens) return {};
    const std::string what =
        "layer '" + layer.name + "' (" + std::string(className(layer.spec)) + ")";
    return isEmbedding
               ? fail(ErrorCode::Invalid,
                      what + " takes tokens, but only the model's input can be tokens", "",
                      "Make it the first layer of the model")
               : fail(ErrorCode::Invalid,
                      what + " cannot take tokens; the model's input is read by an Embedding", "",
                      "Connect the model's input only to the Embedding");
  }

  Status traceAdd(CallKind kind, FlowCall& flowCall, FlowBlock& block) {
    const FlowValue sum = m_flow.values[flowCall.inputs[0]];
    const FlowValue other = m_flow.values[flowCall.inputs[1]];
    const std::string name = "the addition in '" + m_model.blocks[flowCall.block].name + "'";
    if (sum.isTokens || other.isTokens) {
      return fail(ErrorCode::Invalid, name + " cannot add tokens");
    }
    if (sum.shape != other.shape) {
      return fail(ErrorCode::Invalid, name + " needs equal shapes, but gets " +
                                          shapeText(sum.shape) + " and " + shapeText(other.shape));
    }
    flowCall.handsGradientOn = true;
    const bool requiresGrad = sum.requiresGrad || other.requiresGrad;
    if (kind == CallKind::Add) {
      flowCall.output = newValue(sum.shape, std::nullopt, requiresGrad);
      return checkTotal(name);
    }
    flowCall.output = newValue(sum.shape, sum.storage, requiresGrad);
    return overwrite(name, sum, block);
  }

  /// Autograd fails if a saved tensor is overwritten before its backward.
  Status overwrite(const std::string& what, const FlowValue& value, FlowBlock& block) {
    if (m_flow.storages[value.storage].savedBy) {
      return fail(
          ErrorCode::Invalid,
          what + " overwrites in place a tensor that an earlier layer needs for its backward", "",
          "Set \"inplace\" to false for this layer");
    }
    for (const std::size_t input : block.inputs) {
      if (m_flow.values[input].storage == value.storage) {
        block.overwrittenInput = m_flow.storages[value.storage].bytes;
      }
    }
    return {};
  }

  /// The bytes that autograd saves for the backward of a layer.
  void save(const Layer& layer, FlowCall& call) {
    const FlowValue& input = m_flow.values[call.inputs.front()];
    const FlowValue& output = m_flow.values[call.output];
    if (!output.requiresGrad) return;
    if (keepsInputOnly(layer)) {
      keep(input.storage, call);
    } else if (const auto* norm = std::get_if<BatchNorm2d>(&layer.spec)) {
      keep(input.storage, call);
      call.savedBytes += 2 * norm->features * std::max(m_elementBytes, kStatisticBytes);
    } else if (const auto* layerNorm = std::get_if<LayerNorm>(&layer.spec)) {
      keep(input.storage, call);
      const std::int64_t normalized = elementCount(layerNorm->shape).value_or(kMaxElements);
      call.savedBytes += 2 * (input.bytes / m_elementBytes / normalized) *
                         std::max(m_elementBytes, kStatisticBytes);
    } else if (std::holds_alternative<ReLU>(layer.spec) ||
               std::holds_alternative<Tanh>(layer.spec)) {
      keep(output.storage, call);
    } else if (std::holds_alternative<Dropout>(layer.spec)) {
      // Saves the scaled mask.
      if (!isView(layer)) call.savedBytes += output.bytes;
    } else if (const auto* attention = std::get_if<CausalSelfAttention>(&layer.spec)) {
      keepAttention(*attention, call);
    } else if (std::holds_alternative<MaxPool2d>(layer.spec)) {
      keep(input.storage, call);
      call.savedBytes += output.bytes / m_elementBytes * kIntegerBytes;
    } else if (const auto* pool = std::get_if<AdaptiveAvgPool2d>(&layer.spec)) {
      if (!isMean(*pool)) keep(input.storage, call);
    }
  }

  static bool keepsInputOnly(const Layer& layer) {
    return std::holds_alternative<Conv2d>(layer.spec) ||
           std::holds_alternative<Linear>(layer.spec) ||
           std::holds_alternative<Embedding>(layer.spec) ||
           std::holds_alternative<GELU>(layer.spec);
  }

  /// Saves queries, keys and values, the result, and the log-sum-exp of each head and position. The
  /// gradients of queries, keys and values are computed separately before they are joined.
  void keepAttention(const CausalSelfAttention& attention, FlowCall& call) {
    const FlowValue& input = m_flow.values[call.inputs.front()];
    const FlowValue& output = m_flow.values[call.output];
    keep(input.storage, call);
    keep(output.storage, call);
    call.savedBytes += input.shape[0] * input.shape[1] * attention.heads *
                       std::max(m_elementBytes, kStatisticBytes);
    call.backwardScratch = input.bytes - output.bytes;
  }

  void keep(std::size_t storage, FlowCall& call) {
    FlowStorage& kept = m_flow.storages[storage];
    if (kept.savedBy) return;
    kept.savedBy = call.block;
    call.savedBytes += kept.bytes;
  }

  std::size_t newValue(Shape shape, std::optional<std::size_t> storage, bool requiresGrad) {
    return add({std::move(shape), m_elementBytes, storage.value_or(kNewStorage), requiresGrad});
  }

  std::size_t newInput(const Shape& shape) {
    const bool isTokens = m_model.vocabulary > 0;
    return add({shape, isTokens ? kIntegerBytes : m_elementBytes, kNewStorage, false, isTokens});
  }

  /// `value.bytes` is the size of one element on entry; the total is stored.
  std::size_t add(FlowValue value) {
    const std::int64_t elements = elementCount(value.shape).value_or(kMaxElements);
    m_totalElements.add(elements);
    value.bytes *= elements;
    if (value.storage == kNewStorage) {
      value.storage = m_flow.storages.size();
      m_flow.storages.push_back({value.bytes, std::nullopt});
    }
    m_flow.values.push_back(std::move(value));
    return m_flow.values.size() - 1;
  }

  Status checkTotal(const std::string& what) const {
    const auto total = m_totalElements.value();
    if (total && *total < kMaxElements) return {};
    return fail(ErrorCode::Invalid, what + " exceeds the limit of 2^48 elements", "",
                "Use smaller sizes; the limit applies to all outputs together");
  }

  Bytes parameterBytes(const Layer& layer) const {
    std::int64_t elements = 0;
    for (const OwnedTensor& tensor : ownedTensors(layer.spec)) {
      if (tensor.role != OwnedTensor::Role::Parameter) continue;
      elements += elementCount(tensor.shape).value_or(kMaxElements);
    }
    return elements * m_elementBytes;
  }

  static constexpr std::size_t kNewStorage = std::numeric_limits<std::size_t>::max();

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
    return fail(ErrorCode::Invalid, "the input shape " + shapeText(input) + " is invalid", "",
                "Use a batch and at least one size, each from 1 to " + std::to_string(kMaxSize));
  }
  return Tracer(model, dtype).trace(input);
}

}  // namespace stagelane::model::detail
