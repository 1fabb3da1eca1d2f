#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>

#include "engine/model/initialization.h"
#include "engine/run/step/tensors.h"

namespace stagelane::run {
namespace {

/// All tensors of the model as zeros (tied ones once, under their owner's name), in float32,
/// PyTorch's default type during construction, whatever the experiment's dtype.
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
    // A draw for a replaced (tied) tensor still advances the generator.
    at::Tensor tensor = found == values.end() ? at::empty(draw.shape, at::kFloat) : found->second;
    play(draw, tensor, generator);
  }
  for (auto& [name, tensor] : values) {
    if (tensor.is_floating_point()) tensor = tensor.to(dtype);
  }
  return values;
}

}  // namespace stagelane::run
