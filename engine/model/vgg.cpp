#include "engine/model/vgg.h"

#include <array>

#include "engine/model/model_builder.h"

namespace stagelane::model::detail {
namespace {

/// Adds numbered leaves to a Sequential, each as a block.
class Sequence {
 public:
  Sequence(Model& model, std::string name)
      : m_model(model), m_node(container("", std::move(name), "Sequential")) {}

  void add(const LayerSpec& spec) {
    ModuleNode leaf = addLeaf(m_model, m_node.path, std::to_string(m_node.children.size()), spec);
    m_model.blocks.push_back(leafBlock(leaf));
    m_node.children.push_back(std::move(leaf));
  }
  void end() { m_model.root.children.push_back(std::move(m_node)); }

 private:
  Model& m_model;
  ModuleNode m_node;
};

/// Configuration "D" of the paper (arXiv:1409.1556, table 1): output channels, 0 for a pooling.
constexpr std::array<std::int64_t, 18> kFeatures{64, 64,  0,   128, 128, 0,   256, 256, 256,
                                                 0,  512, 512, 512, 0,   512, 512, 512, 0};
constexpr std::int64_t kPooled = 7;
constexpr std::int64_t kHidden = 4096;

void addFeatures(Model& model) {
  Sequence features(model, "features");
  std::int64_t channels = 3;
  for (const std::int64_t out : kFeatures) {
    if (out == 0) {
      features.add(MaxPool2d{{2, 2}, {2, 2}, {0, 0}});
      continue;
    }
    Conv2d conv;
    conv.inChannels = channels;
    conv.outChannels = out;
    conv.kernel = {3, 3};
    conv.padding = {1, 1};
    features.add(conv);
    features.add(ReLU{true});
    channels = out;
  }
  features.end();
}

void flattenFirst(Block& block, std::size_t layer) {
  block.calls.clear();
  const std::size_t flat = callFunction(block, CallKind::Flatten, {0});
  block.outputs = {callLayer(block, layer, flat)};
}

}  // namespace

void buildVgg16(Model& model, std::int64_t classes, double dropout) {
  model.root.className = "VGG";
  addFeatures(model);
  addLeafBlock(model, "avgpool", AdaptiveAvgPool2d{{kPooled, kPooled}});
  Sequence classifier(model, "classifier");
  classifier.add(Linear{512 * kPooled * kPooled, kHidden, true});
  flattenFirst(model.blocks.back(), model.layers.size() - 1);
  classifier.add(ReLU{true});
  classifier.add(Dropout{dropout});
  classifier.add(Linear{kHidden, kHidden, true});
  classifier.add(ReLU{true});
  classifier.add(Dropout{dropout});
  classifier.add(Linear{kHidden, classes, true});
  classifier.end();
}

}  // namespace stagelane::model::detail
