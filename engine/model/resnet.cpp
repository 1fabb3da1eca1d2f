#include "engine/model/resnet.h"
#include "engine/model/model_builder.h"

namespace stagelane::model::detail {
namespace {

/// Widths of one residual block.
struct Residual {
  ResidualKind kind = ResidualKind::Basic;
  std::int64_t in = 0;
  std::int64_t width = 0;
  std::int64_t out = 0;
  std::int64_t stride = 1;
};

Conv2d convolution(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride) {
  Conv2d conv;
  conv.inChannels = in;
  conv.outChannels = out;
  conv.kernel = {kernel, kernel};
  conv.stride = {stride, stride};
  conv.padding = {kernel / 2, kernel / 2};
  conv.bias = false;
  return conv;
}

BatchNorm2d norm(std::int64_t features) {
  BatchNorm2d layer;
  layer.features = features;
  return layer;
}

/// Registers a residual block's leaves and stores their indices.
class ResidualBuilder {
 public:
  ResidualBuilder(Model& model, ModuleNode& node, const Residual& form)
      : m_model(model), m_node(node), m_form(form) {}

  [[nodiscard]] Block build() {
    registerLeaves();
    Block block;
    block.name = m_node.path;
    block.className = m_node.className;
    block.layers = m_leaves;
    std::size_t value = 0;
    for (std::size_t i = 0; i < m_convolutions.size(); ++i) {
      value = callLayer(block, m_convolutions[i], value);
      value = callLayer(block, m_norms[i], value);
      if (i + 1 < m_convolutions.size()) value = callLayer(block, m_relu, value);
    }
    std::size_t identity = 0;
    for (const std::size_t layer : m_downsample) identity = callLayer(block, layer, identity);
    value = callFunction(block, CallKind::AddInPlace, {value, identity});
    block.outputs = {callLayer(block, m_relu, value)};
    return block;
  }

 private:
  std::size_t leaf(ModuleNode& parent, std::string name, const LayerSpec& spec) {
    ModuleNode node = addLeaf(m_model, parent.path, std::move(name), spec);
    const std::size_t layer = *node.layer;
    parent.children.push_back(std::move(node));
    m_leaves.push_back(layer);
    return layer;
  }

  void convolutionAndNorm(std::int64_t in, std::int64_t out, std::int64_t kernel,
                          std::int64_t stride) {
    const std::string number = std::to_string(m_convolutions.size() + 1);
    m_convolutions.push_back(leaf(m_node, "conv" + number, convolution(in, out, kernel, stride)));
    m_norms.push_back(leaf(m_node, "bn" + number, norm(out)));
  }

  /// torchvision registers `relu` after bn1 in a BasicBlock and after bn3 in a Bottleneck.
  void registerLeaves() {
    const ReLU inPlace{true};
    if (m_form.kind == ResidualKind::Basic) {
      convolutionAndNorm(m_form.in, m_form.width, 3, m_form.stride);
      m_relu = leaf(m_node, "relu", inPlace);
      convolutionAndNorm(m_form.width, m_form.out, 3, 1);
    } else {
      convolutionAndNorm(m_form.in, m_form.width, 1, 1);
      convolutionAndNorm(m_form.width, m_form.width, 3, m_form.stride);
      convolutionAndNorm(m_form.width, m_form.out, 1, 1);
      m_relu = leaf(m_node, "relu", inPlace);
    }
    if (m_form.stride == 1 && m_form.in == m_form.out) return;
    ModuleNode downsample = container(m_node.path, "downsample", "Sequential");
    m_downsample = {leaf(downsample, "0", convolution(m_form.in, m_form.out, 1, m_form.stride)),
                    leaf(downsample, "1", norm(m_form.out))};
    m_node.children.push_back(std::move(downsample));
  }

  Model& m_model;
  ModuleNode& m_node;
  const Residual& m_form;
  std::vector<std::size_t> m_leaves, m_convolutions, m_norms, m_downsample;
  std::size_t m_relu = 0;
};

void addStem(Model& model) {
  addLeafBlock(model, "conv1", convolution(3, 64, 7, 2));
  addLeafBlock(model, "bn1", norm(64));
  addLeafBlock(model, "relu", ReLU{true});
  MaxPool2d pool;
  pool.kernel = {3, 3};
  pool.stride = {2, 2};
  pool.padding = {1, 1};
  addLeafBlock(model, "maxpool", pool);
}

void addClassifier(Model& model, std::int64_t features, std::int64_t classes) {
  addLeafBlock(model, "avgpool", AdaptiveAvgPool2d{});
  ModuleNode leaf = addLeaf(model, "", "fc", Linear{features, classes, true});
  Block block;
  block.name = leaf.path;
  block.className = leaf.className;
  block.layers = {*leaf.layer};
  const std::size_t flat = callFunction(block, CallKind::Flatten, {0});
  block.outputs = {callLayer(block, *leaf.layer, flat)};
  model.blocks.push_back(std::move(block));
  model.root.children.push_back(std::move(leaf));
}

}  // namespace

void buildResNet(Model& model, const ResNetForm& form, std::int64_t classes) {
  const bool bottleneck = form.kind == ResidualKind::Bottleneck;
  model.root.className = "ResNet";
  addStem(model);
  std::int64_t channels = 64;
  for (std::size_t group = 0; group < form.depths.size(); ++group) {
    ModuleNode sequence = container("", "layer" + std::to_string(group + 1), "Sequential");
    const std::int64_t width = std::int64_t{64} << group;
    for (int index = 0; index < form.depths[group]; ++index) {
      const std::int64_t stride = index == 0 && group > 0 ? 2 : 1;
      const Residual residual{form.kind, channels, width, bottleneck ? 4 * width : width, stride};
      ModuleNode node =
          container(sequence.path, std::to_string(index), bottleneck ? "Bottleneck" : "BasicBlock");
      model.blocks.push_back(ResidualBuilder(model, node, residual).build());
      sequence.children.push_back(std::move(node));
      channels = residual.out;
    }
    model.root.children.push_back(std::move(sequence));
  }
  addClassifier(model, channels, classes);
}

}  // namespace stagelane::model::detail
