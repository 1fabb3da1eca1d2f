#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>

#include "engine/model/initialization.h"
#include "engine/run/step/tensors.h"

namespace stagelane::run {
namespace {

/// Every tensor of the model (tied ones once, under their owner's name), zero, in the type its role
/// has while the constructor draws: PyTorch's default float32, whatever the experiment trains in.
InitialValues emptyValues(const model::Model& model) {
  InitialValues values;
  for (const model::Layer& layer : model.layers) {
    for (const model::OwnedTensor& owned : model::ownedTensors(layer.spec)) {
      const std::string name = layer.name + "." + owned.name;
      if (model.ownerOf(name) != name) continue;
      const bool integer = owned.role == model::OwnedTensor::Role::IntegerBuffer;
      values[name] = at::zeros(owned.shape, integer ? at::kLong : at::kFloat);
    }
  }
  return values;
}

void play(const model::Draw& draw, at::Tensor& tensor, const at::Generator& generator) {
  switch (draw.kind) {
    case model::DrawKind::Zeros: tensor.zero_(); return;
    case model::DrawKind::Ones: tensor.fill_(1); return;
    case model::DrawKind::Uniform: tensor.uniform_(draw.a, draw.b, generator); return;
    case model::DrawKind::Normal: tensor.normal_(draw.a, draw.b, generator); return;
  }
}

}  // namespace

InitialValues drawInitialValues(const model::Model& model, std::uint64_t seed,
                                at::ScalarType dtype) {
  const c10::AutoGradMode noGrad(false);
  const auto generator = at::make_generator<at::CPUGeneratorImpl>(seed);
  InitialValues values = emptyValues(model);
  for (const model::Draw& draw : model::initialDraws(model)) {
    const auto found = values.find(draw.tensor);
    // What is drawn for a tensor that another one takes the place of still moves the generator on.
    at::Tensor tensor = found == values.end() ? at::empty(draw.shape, at::kFloat) : found->second;
    play(draw, tensor, generator);
  }
  for (auto& [name, tensor] : values) {
    if (tensor.is_floating_point()) tensor = tensor.to(dtype);
  }
  return values;
}

}  // namespace stagelane::run
