#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/add.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/flatten.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/tanh.h>
#include <ATen/record_function.h>
#include <c10/core/GradMode.h>

#include <set>
#include <stdexcept>
#include <string>

#include "engine/plan/device.h"
#include "engine/run/device/gpu_platform.h"
#include "engine/run/step/precision.h"
#include "engine/run/step/tensors.h"

namespace stagelane::run {
namespace {

/// A tensor that flows through the blocks.
struct Value {
  at::Tensor tensor;
  /// Whether an in-place operator may overwrite it. Not allowed for a stage's boundary tensor (the
  /// sender shares its storage, and autograd forbids it for leaves), for a tensor that shares
  /// storage with one, and for outputs that autograd saves for the backward, such as a ReLU's. The
  /// out-of-place form computes the same numbers, so results do not depend on the stage boundaries.
  bool writable = true;
};

/// Converts sizes to the operators' argument type.
at::IntArrayRef sizes(const std::array<std::int64_t, 2>& pair) { return {pair.data(), 2}; }

/// The location of a call, and the data shared by all calls of the forward.
struct Scope {
  const model::Model& model;
  const StageTensors& tensors;
  const ForwardMode& mode;
  std::size_t block = 0;
  std::size_t call = 0;

  [[nodiscard]] std::size_t layer() const { return model.blocks[block].calls[call].layer; }
  /// Name of the layer, or of the block for a functional call (an addition).
  [[nodiscard]] const char* name() const {
    const bool isLayer = model.blocks[block].calls[call].kind == model::CallKind::Layer;
    return (isLayer ? model.layers[layer()].name : model.blocks[block].name).c_str();
  }
};

/// A separate generator on the device.
at::Generator newGenerator(at::Device device) {
  if (device.is_cpu()) return at::make_generator<at::CPUGeneratorImpl>();
  return at::globalContext()
      .getAcceleratorHooksInterface(device.type())
      .getNewGenerator(device.index());
}

/// One round of splitmix64: equal inputs give equal seeds, and neighboring inputs unrelated ones.
std::uint64_t mixed(std::uint64_t state, std::uint64_t value) {
  std::uint64_t mix = state + value + 0x9e3779b97f4a7c15ULL;
  mix = (mix ^ (mix >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  mix = (mix ^ (mix >> 27U)) * 0x94d049bb133111ebULL;
  return mix ^ (mix >> 31U);
}

/// Whether equal seeds may draw unequal values on the devices: GPUs have another generator than the
/// host, and use it according to their number of multiprocessors.
bool drawUnlike(const std::vector<plan::DeviceSpec>& devices) {
  std::set<std::string> names;
  for (const plan::DeviceSpec& spec : devices) {
    const auto device = plan::parseDevice(spec.id);
    if (!device || device->kind == plan::DeviceKind::Imagined) continue;
    const bool onHost = device->kind == plan::DeviceKind::CpuWorker || gpuPlatform() == nullptr;
    names.insert(onHost ? "" : gpuPlatform()->model(device->index));
  }
  return names.size() > 1;
}

/// The factor of each value, 0 or 1/(1 - p), drawn per sample from the sample's own seed
/// (docs/reference/models.md, "Dropout").
at::Tensor dropoutFactors(const model::Dropout& dropout, const at::Tensor& input,
                          const Scope& scope) {
  const c10::AutoGradMode noGrad(false);
  std::uint64_t seed = 0;
  for (const std::uint64_t part :
       {scope.mode.seed, static_cast<std::uint64_t>(scope.mode.step),
        static_cast<std::uint64_t>(scope.block), static_cast<std::uint64_t>(scope.call)}) {
    seed = mixed(seed, part);
  }
  const bool onHost = scope.mode.devices != nullptr && drawUnlike(*scope.mode.devices);
  const at::Device device = onHost ? at::Device(at::kCPU) : input.device();
  at::Generator generator = newGenerator(device);
  at::Tensor factors = at::empty_like(input, input.options().device(device));
  for (std::int64_t sample = 0; sample < input.size(0); ++sample) {
    generator.set_current_seed(
        mixed(seed, static_cast<std::uint64_t>(scope.mode.firstSample + sample)));
    factors.select(0, sample).bernoulli_(1.0 - dropout.p, generator);
  }
  return factors.div_(1.0 - dropout.p).to(input.device());
}

/// Runs one leaf layer on `input`; returns a new tensor, or `input` if the layer works in place.
class LayerRunner {
 public:
  LayerRunner(const LayerTensors& own, const Value& input, const Scope& scope)
      : m_own(own.tensors), m_input(input), m_scope(scope), m_mode(scope.mode) {}

  Value operator()(const model::Conv2d& conv) const {
    return {at::conv2d(m_input.tensor, m_own.at(0), optional(conv.bias, 1), sizes(conv.stride),
                       sizes(conv.padding), sizes(dilationOf(conv)), conv.groups)};
  }
  /// The dilation passed to LibTorch. For a 1x1 filter the value is irrelevant to the result, but
  /// LibTorch uses oneDNN at every batch size only for dilated convolutions. With dilation 1, one
  /// thread and fewer than 16 samples it uses MKL's matrix product instead, which makes small
  /// micro-batches of ResNet-50 up to 1.4 times slower per image than large ones.
  [[nodiscard]] std::array<std::int64_t, 2> dilationOf(const model::Conv2d& conv) const {
    constexpr std::array<std::int64_t, 2> kPoint{1, 1};
    const bool host = m_input.tensor.is_cpu() && m_input.tensor.scalar_type() == at::kFloat;
    return host && conv.kernel == kPoint ? std::array<std::int64_t, 2>{2, 2} : conv.dilation;
  }
  Value operator()(const model::BatchNorm2d& norm) const {
    const bool update = m_mode.training && m_mode.updateStatistics;
    if (update && m_mode.deferred != nullptr) {
      m_mode.deferred->see(m_scope.layer(), {m_own.at(2), m_own.at(3), m_own.at(4), norm.momentum},
                           m_mode.firstSample, m_input.tensor);
    } else if (update) {
      // A buffer does not require grad, so this is not part of the graph.
      at::Tensor(m_own.at(4)).add_(1);
    }
    // In training, the operator updates the running statistics passed to it.
    const bool given = !m_mode.training || (update && m_mode.deferred == nullptr);
    return {at::batch_norm(m_input.tensor, m_own.at(0), m_own.at(1), optional(given, 2),
                           optional(given, 3), m_mode.training, norm.momentum, norm.eps,
                           /*cudnn_enabled=*/true)};
  }
  Value operator()(const model::Linear& linear) const {
    return {at::linear(m_input.tensor, m_own.at(0), optional(linear.bias, 1))};
  }
  Value operator()(const model::ReLU& relu) const {
    if (relu.inplace && m_input.writable) {
      at::Tensor tensor = m_input.tensor;
      return {at::relu_(tensor), false};
    }
    return {at::relu(m_input.tensor), false};
  }
  Value operator()(const model::MaxPool2d& pool) const {
    return {at::max_pool2d(m_input.tensor, sizes(pool.kernel), sizes(pool.stride),
                           sizes(pool.padding))};
  }
  Value operator()(const model::AdaptiveAvgPool2d& pool) const {
    return {at::adaptive_avg_pool2d(m_input.tensor, sizes(pool.output))};
  }
  Value operator()(const model::Flatten& flatten) const {
    return {at::flatten(m_input.tensor, flatten.startDim), m_input.writable};
  }
  Value operator()(const model::Embedding&) const {
    return {at::embedding(m_own.at(0), m_input.tensor)};
  }
  Value operator()(const model::PositionEmbedding&) const {
    return {at::add(m_input.tensor, m_own.at(0).narrow(0, 0, m_input.tensor.size(1)))};
  }
  Value operator()(const model::LayerNorm& norm) const {
    return {at::layer_norm(m_input.tensor, norm.shape, m_own.at(0), m_own.at(1), norm.eps)};
  }
  Value operator()(const model::GELU& gelu) const {
    return {at::gelu(m_input.tensor, gelu.tanhApproximation ? "tanh" : "none")};
  }
  // Autograd saves the result, as for ReLU.
  Value operator()(const model::Tanh&) const { return {at::tanh(m_input.tensor), false}; }
  Value operator()(const model::Dropout& dropout) const {
    if (!m_mode.training || dropout.p == 0.0) return m_input;
    return {at::mul(m_input.tensor, dropoutFactors(dropout, m_input.tensor, m_scope))};
  }
  Value operator()(const model::CausalSelfAttention& attention) const {
    const std::int64_t batch = m_input.tensor.size(0);
    const std::int64_t length = m_input.tensor.size(1);
    const std::int64_t width = m_input.tensor.size(2) / 3;
    std::vector<at::Tensor> parts = m_input.tensor.chunk(3, -1);
    for (at::Tensor& part : parts) {
      part = part.view({batch, length, attention.heads, width / attention.heads}).transpose(1, 2);
    }
    const at::Tensor result =
        at::scaled_dot_product_attention(parts[0], parts[1], parts[2], /*attn_mask=*/{},
                                         /*dropout_p=*/0.0, /*is_causal=*/true);
    // Autograd saves the result, and this is a view of it.
    return {result.transpose(1, 2).reshape({batch, length, width}), false};
  }

 private:
  std::optional<at::Tensor> optional(bool present, std::size_t index) const {
    return present ? std::optional<at::Tensor>(m_own.at(index)) : std::nullopt;
  }

  const std::vector<at::Tensor>& m_own;
  const Value& m_input;
  const Scope& m_scope;
  const ForwardMode& m_mode;
};

bool worksInPlace(const model::LayerSpec& spec) {
  const auto* relu = std::get_if<model::ReLU>(&spec);
  return relu != nullptr && relu->inplace;
}

Value addInPlace(Value& target, const Value& other) {
  if (target.writable) return {target.tensor.add_(other.tensor)};
  // Converts to the target's type, as the in-place form does; they differ only under autocast.
  return {at::add(target.tensor, other.tensor).to(target.tensor.scalar_type())};
}

/// Runs one call. If its definition overwrites inputs[0], later readers get the result.
Value runCall(const Scope& scope, const model::Call& call, std::vector<Value>& values) {
  Value& input = values.at(call.inputs.at(0));
  switch (call.kind) {
    case model::CallKind::AddInPlace:
      return input = addInPlace(input, values.at(call.inputs.at(1)));
    case model::CallKind::Add: return {at::add(input.tensor, values.at(call.inputs.at(1)).tensor)};
    case model::CallKind::Flatten: return {at::flatten(input.tensor, 1), input.writable};
    case model::CallKind::Layer: {
      const model::LayerSpec& spec = scope.model.layers.at(call.layer).spec;
      Value result = std::visit(LayerRunner(scope.tensors.layer(call.layer), input, scope), spec);
      if (worksInPlace(spec)) input = result;
      return result;
    }
  }
  throw std::logic_error("a block has a call without an operator");
}

std::vector<Value> runBlock(Scope scope, std::vector<Value> values) {
  const model::Block& block = scope.model.blocks.at(scope.block);
  if (values.size() != block.inputNames.size()) {
    throw std::logic_error("block '" + block.name + "' takes " +
                           std::to_string(block.inputNames.size()) + " tensors, not " +
                           std::to_string(values.size()));
  }
  values.reserve(values.size() + block.calls.size());
  for (scope.call = 0; scope.call < block.calls.size(); ++scope.call) {
    // Names the operators for a recorder; without one it costs a single check.
    RECORD_USER_SCOPE(scope.name());
    values.push_back(runCall(scope, block.calls[scope.call], values));
  }
  std::vector<Value> outputs;
  outputs.reserve(block.outputs.size());
  for (const std::size_t number : block.outputs) outputs.push_back(values.at(number));
  return outputs;
}

std::vector<at::Tensor> tensorsOf(std::vector<Value> values) {
  std::vector<at::Tensor> tensors;
  tensors.reserve(values.size());
  for (Value& value : values) tensors.push_back(std::move(value.tensor));
  return tensors;
}

c10::DeviceType deviceTypeOf(const std::vector<at::Tensor>& tensors) {
  return tensors.empty() ? c10::DeviceType::CPU : tensors.front().device().type();
}

}  // namespace

std::vector<at::Tensor> runBlocks(const model::Model& model, std::size_t firstBlock,
                                  std::size_t lastBlock, const StageTensors& tensors,
                                  std::vector<at::Tensor> inputs, const ForwardMode& mode) {
  const AutocastGuard autocast(mode.precision, deviceTypeOf(inputs));
  std::vector<Value> values;
  for (at::Tensor& input : inputs) values.push_back({std::move(input), false});
  for (std::size_t block = firstBlock; block <= lastBlock; ++block) {
    values = runBlock({model, tensors, mode, block}, std::move(values));
    if (mode.afterBlock) mode.afterBlock(block, tensorsOf(values));
  }
  if (mode.deferred != nullptr && mode.training && mode.updateStatistics) {
    mode.deferred->endForward();
  }
  return tensorsOf(std::move(values));
}

}  // namespace stagelane::run
