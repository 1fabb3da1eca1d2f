#include "engine/model/layer.h"

namespace stagelane::model {
namespace {

using Role = OwnedTensor::Role;

struct ClassName {
  std::string_view operator()(const Conv2d&) const { return "Conv2d"; }
  std::string_view operator()(const BatchNorm2d&) const { return "BatchNorm2d"; }
  std::string_view operator()(const Linear&) const { return "Linear"; }
  std::string_view operator()(const ReLU&) const { return "ReLU"; }
  std::string_view operator()(const MaxPool2d&) const { return "MaxPool2d"; }
  std::string_view operator()(const AdaptiveAvgPool2d&) const { return "AdaptiveAvgPool2d"; }
  std::string_view operator()(const Flatten&) const { return "Flatten"; }
  std::string_view operator()(const Embedding&) const { return "Embedding"; }
  std::string_view operator()(const PositionEmbedding&) const { return "PositionEmbedding"; }
  std::string_view operator()(const LayerNorm&) const { return "LayerNorm"; }
  std::string_view operator()(const GELU&) const { return "GELU"; }
  std::string_view operator()(const Tanh&) const { return "Tanh"; }
  std::string_view operator()(const Dropout&) const { return "Dropout"; }
  std::string_view operator()(const CausalSelfAttention&) const { return "CausalSelfAttention"; }
};

struct Owned {
  using Tensors = std::vector<OwnedTensor>;

  Tensors operator()(const Conv2d& conv) const {
    Tensors tensors{
        {"weight",
         {conv.outChannels, conv.inChannels / conv.groups, conv.kernel[0], conv.kernel[1]},
         Role::Parameter}};
    if (conv.bias) tensors.push_back({"bias", {conv.outChannels}, Role::Parameter});
    return tensors;
  }
  Tensors operator()(const BatchNorm2d& norm) const {
    return {{"weight", {norm.features}, Role::Parameter},
            {"bias", {norm.features}, Role::Parameter},
            {"running_mean", {norm.features}, Role::Buffer},
            {"running_var", {norm.features}, Role::Buffer},
            {"num_batches_tracked", {}, Role::IntegerBuffer}};
  }
  Tensors operator()(const Linear& linear) const {
    Tensors tensors{{"weight", {linear.outFeatures, linear.inFeatures}, Role::Parameter}};
    if (linear.bias) tensors.push_back({"bias", {linear.outFeatures}, Role::Parameter});
    return tensors;
  }
  Tensors operator()(const ReLU&) const { return {}; }
  Tensors operator()(const MaxPool2d&) const { return {}; }
  Tensors operator()(const AdaptiveAvgPool2d&) const { return {}; }
  Tensors operator()(const Flatten&) const { return {}; }
  Tensors operator()(const Embedding& embedding) const {
    return {{"weight", {embedding.tokens, embedding.features}, Role::Parameter}};
  }
  Tensors operator()(const PositionEmbedding& embedding) const {
    return {{"weight", {embedding.positions, embedding.features}, Role::Parameter}};
  }
  Tensors operator()(const LayerNorm& norm) const {
    return {{"weight", norm.shape, Role::Parameter}, {"bias", norm.shape, Role::Parameter}};
  }
  Tensors operator()(const GELU&) const { return {}; }
  Tensors operator()(const Tanh&) const { return {}; }
  Tensors operator()(const Dropout&) const { return {}; }
  Tensors operator()(const CausalSelfAttention&) const { return {}; }
};

}  // namespace

std::string_view className(const LayerSpec& spec) { return std::visit(ClassName{}, spec); }

std::vector<OwnedTensor> ownedTensors(const LayerSpec& spec) { return std::visit(Owned{}, spec); }

}  // namespace stagelane::model
