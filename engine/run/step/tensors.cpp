#include "engine/run/step/tensors.h"

#include <c10/core/GradMode.h>

#include <stdexcept>

#include "engine/base/find.h"
#include "engine/model/shapes.h"

namespace stagelane::run {
namespace {

const at::Tensor& valueOf(const InitialValues& values, const std::string& name) {
  const auto found = values.find(name);
  if (found == values.end()) {
    throw std::logic_error("no initial value for the tensor '" + name + "'");
  }
  return found->second;
}

/// Copies to `device`; only tensors with a channel dimension have a channels_last form.
at::Tensor copyTo(const at::Tensor& value, at::Device device, plan::MemoryFormat format) {
  const bool channelsLast = format == plan::MemoryFormat::ChannelsLast && value.dim() == 4;
  return value.to(value.options().device(device), /*non_blocking=*/false, /*copy=*/true,
                  channelsLast ? at::MemoryFormat::ChannelsLast : at::MemoryFormat::Contiguous);
}

Error oneValuePerChannel(const std::string& layer, const model::Shape& input) {
  std::string sizes;
  for (const std::int64_t size : input) sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
  return Error{ErrorCode::Invalid,
               "batch norm '" + layer + "' would get only one value per channel: its input is [" +
                   sizes + "]",
               "",
               "use micro-batches of at least two samples (a larger split_size, or one that "
               "leaves no tail of one sample), or use a larger input"};
}

}  // namespace

StageTensors::StageTensors(const model::Model& model, std::size_t firstBlock, std::size_t lastBlock,
                           const InitialValues& values, at::Device device,
                           plan::MemoryFormat format) {
  const c10::AutoGradMode noGrad(false);
  addBlocks(model, firstBlock, lastBlock, values,
            [&](const at::Tensor& value) { return copyTo(value, device, format); });
}

StageTensors StageTensors::over(const model::Model& model, std::size_t firstBlock,
                                std::size_t lastBlock, const InitialValues& tensors) {
  StageTensors stage;
  stage.addBlocks(model, firstBlock, lastBlock, tensors,
                  [](const at::Tensor& tensor) { return tensor; });
  return stage;
}

void StageTensors::addBlocks(const model::Model& model, std::size_t firstBlock,
                             std::size_t lastBlock, const InitialValues& values, const Copy& copy) {
  for (std::size_t block = firstBlock; block <= lastBlock; ++block) {
    for (const std::size_t index : model.blocks.at(block).layers) {
      if (m_layers.count(index) == 0) add(model, index, values, copy);
    }
  }
}

void StageTensors::add(const model::Model& model, std::size_t layerIndex,
                       const InitialValues& values, const Copy& copy) {
  const model::Layer& layer = model.layers.at(layerIndex);
  LayerTensors& own = m_layers[layerIndex];
  for (const model::OwnedTensor& owned : model::ownedTensors(layer.spec)) {
    const std::string name = model.ownerOf(layer.name + "." + owned.name);
    if (owned.role != model::OwnedTensor::Role::Parameter) {
      own.tensors.push_back(copy(valueOf(values, name)));
      m_buffers.emplace_back(name, own.tensors.back());
      continue;
    }
    const auto* known =
        findIf(m_parameters, [&](const auto& parameter) { return parameter.first == name; });
    if (known != nullptr) {
      own.tensors.push_back(known->second);
      continue;
    }
    own.tensors.push_back(copy(valueOf(values, name)));
    own.tensors.back().set_requires_grad(true);
    m_parameters.emplace_back(name, own.tensors.back());
  }
}

at::Tensor placed(const at::Tensor& tensor, at::Device device, plan::MemoryFormat format) {
  at::Tensor result = tensor.to(device);
  if (format == plan::MemoryFormat::ChannelsLast && result.dim() == 4) {
    result = result.contiguous(at::MemoryFormat::ChannelsLast);
  }
  return result;
}

const LayerTensors& StageTensors::layer(std::size_t layerIndex) const {
  const auto found = m_layers.find(layerIndex);
  if (found == m_layers.end()) {
    throw std::logic_error("layer " + std::to_string(layerIndex) + " is not in this stage");
  }
  return found->second;
}

void StageTensors::reset(const InitialValues& values) {
  const c10::AutoGradMode noGrad(false);
  for (auto& [name, tensor] : m_parameters) {
    tensor.copy_(valueOf(values, name));
    tensor.mutable_grad() = at::Tensor();
  }
  for (auto& [name, tensor] : m_buffers) tensor.copy_(valueOf(values, name));
}

std::int64_t StageTensors::bytes() const {
  std::int64_t sum = 0;
  for (const auto* group : {&m_parameters, &m_buffers}) {
    for (const auto& [name, tensor] : *group) sum += static_cast<std::int64_t>(tensor.nbytes());
  }
  return sum;
}

ForwardMode forwardModeOf(const plan::Experiment& experiment) {
  ForwardMode mode;
  mode.training = experiment.task == plan::Task::Train;
  mode.seed = experiment.data.seed;
  mode.precision = experiment.precision;
  mode.devices = &experiment.devices;
  return mode;
}

Status checkTrainable(const model::Model& model, const model::Shape& microBatchInput) {
  STAGELANE_TRY(shapes, model::inferShapes(model, microBatchInput, model::DType::Float32));
  for (const model::CallShape& call : shapes->calls) {
    const model::Call& what = model.blocks[call.block].calls[call.call];
    if (what.kind != model::CallKind::Layer) continue;
    const model::Layer& layer = model.layers[what.layer];
    if (!std::holds_alternative<model::BatchNorm2d>(layer.spec)) continue;
    const model::Shape& input = call.inputs.front();
    std::int64_t perChannel = 1;
    for (std::size_t i = 0; i < input.size(); ++i) perChannel *= i == 1 ? 1 : input[i];
    if (perChannel <= 1) return tl::make_unexpected(oneValuePerChannel(layer.name, input));
  }
  return {};
}

}  // namespace stagelane::run
