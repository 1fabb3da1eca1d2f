#include "engine/model/python_text.h"
#include "engine/model/summary.h"

namespace stagelane::model {
namespace {

using Pair = std::array<std::int64_t, 2>;

std::string flag(bool value) { return value ? "True" : "False"; }

std::string tuple(const Pair& pair) {
  return "(" + std::to_string(pair[0]) + ", " + std::to_string(pair[1]) + ")";
}

/// torchvision gives pooling sizes as one number; a pair appears only if they differ.
std::string numberOrTuple(const Pair& pair) {
  return pair[0] == pair[1] ? std::to_string(pair[0]) : tuple(pair);
}

/// `extra_repr` of PyTorch's modules.
struct ExtraText {
  std::string operator()(const Conv2d& conv) const {
    std::string text = std::to_string(conv.inChannels) + ", " + std::to_string(conv.outChannels) +
                       ", kernel_size=" + tuple(conv.kernel) + ", stride=" + tuple(conv.stride);
    if (conv.padding != Pair{0, 0}) text += ", padding=" + tuple(conv.padding);
    if (conv.dilation != Pair{1, 1}) text += ", dilation=" + tuple(conv.dilation);
    if (conv.groups != 1) text += ", groups=" + std::to_string(conv.groups);
    if (!conv.bias) text += ", bias=False";
    return text;
  }
  std::string operator()(const BatchNorm2d& norm) const {
    return std::to_string(norm.features) + ", eps=" + detail::pythonFloat(norm.eps) +
           ", momentum=" + detail::pythonFloat(norm.momentum) +
           ", affine=True, track_running_stats=True";
  }
  std::string operator()(const Linear& linear) const {
    return "in_features=" + std::to_string(linear.inFeatures) +
           ", out_features=" + std::to_string(linear.outFeatures) + ", bias=" + flag(linear.bias);
  }
  std::string operator()(const ReLU& relu) const { return relu.inplace ? "inplace=True" : ""; }
  std::string operator()(const MaxPool2d& pool) const {
    return "kernel_size=" + numberOrTuple(pool.kernel) + ", stride=" + numberOrTuple(pool.stride) +
           ", padding=" + numberOrTuple(pool.padding) + ", dilation=1, ceil_mode=False";
  }
  std::string operator()(const AdaptiveAvgPool2d& pool) const {
    return "output_size=" + tuple(pool.output);
  }
  std::string operator()(const Flatten& flatten) const {
    return "start_dim=" + std::to_string(flatten.startDim) + ", end_dim=-1";
  }
  std::string operator()(const Embedding& embedding) const {
    return std::to_string(embedding.tokens) + ", " + std::to_string(embedding.features);
  }
  std::string operator()(const PositionEmbedding& embedding) const {
    return std::to_string(embedding.positions) + ", " + std::to_string(embedding.features);
  }
  std::string operator()(const LayerNorm& norm) const {
    std::string shape;
    for (const std::int64_t size : norm.shape) {
      shape += (shape.empty() ? "" : ", ") + std::to_string(size);
    }
    if (norm.shape.size() == 1) shape += ",";
    return "(" + shape + "), eps=" + detail::pythonFloat(norm.eps) + ", elementwise_affine=True";
  }
  std::string operator()(const GELU& gelu) const {
    return gelu.tanhApproximation ? "approximate='tanh'" : "approximate='none'";
  }
  std::string operator()(const Tanh&) const { return ""; }
  std::string operator()(const Dropout& dropout) const {
    return "p=" + detail::pythonFloat(dropout.p) + ", inplace=False";
  }
  std::string operator()(const CausalSelfAttention& attention) const {
    return "heads=" + std::to_string(attention.heads);
  }
};

void append(const Model& model, const ModuleNode& node, const std::string& indent,
            std::string& text) {
  text += node.className + "(";
  if (node.layer) text += std::visit(ExtraText{}, model.layers[*node.layer].spec);
  for (const ModuleNode& child : node.children) {
    text += "\n" + indent + "  (" + child.name + "): ";
    append(model, child, indent + "  ", text);
  }
  if (!node.children.empty()) text += "\n" + indent;
  text += ")";
}

}  // namespace

std::string reprText(const Model& model) {
  std::string text;
  append(model, model.root, "", text);
  return text;
}

}  // namespace stagelane::model
