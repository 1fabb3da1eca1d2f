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
};

}  // namespace

std::string_view className(const LayerSpec& spec) { return std::visit(ClassName{}, spec); }

std::vector<OwnedTensor> ownedTensors(const LayerSpec& spec) { return std::visit(Owned{}, spec); }

}  // namespace stagelane::model
