#include "engine/model/initialization.h"

#include <cmath>

namespace stagelane::model {
namespace {

constexpr double kVggLinearDeviation = 0.01;

/// Elements of the weight that one output element reads, `fan_in` of torch.nn.init.
double fanIn(const Shape& weight) {
  double fan = 1.0;
  for (std::size_t i = 1; i < weight.size(); ++i) fan *= static_cast<double>(weight[i]);
  return fan;
}

double fanOut(const Shape& weight) {
  double fan = static_cast<double>(weight[0]);
  for (std::size_t i = 2; i < weight.size(); ++i) fan *= static_cast<double>(weight[i]);
  return fan;
}

/// `kaiming_uniform_(a=sqrt(5))` with torch.nn.init's order of operations: 1/sqrt(fan_in) differs
/// in the last bit, and equal draws need equal bounds.
double kaimingUniformBound(const Shape& weight) {
  const double slope = std::sqrt(5.0);
  const double gain = std::sqrt(2.0 / (1.0 + std::pow(slope, 2.0)));
  const double deviation = gain / std::sqrt(fanIn(weight));
  return std::sqrt(3.0) * deviation;
}

/// `kaiming_normal_(mode="fan_out", nonlinearity="relu")`.
double kaimingNormalDeviation(const Shape& weight) {
  return std::sqrt(2.0) / std::sqrt(fanOut(weight));
}

DrawKind constantFor(const std::string& tensor, const LayerSpec& spec) {
  const bool isNorm =
      std::holds_alternative<BatchNorm2d>(spec) || std::holds_alternative<LayerNorm>(spec);
  const bool isOne = isNorm && (tensor == "weight" || tensor == "running_var");
  return isOne ? DrawKind::Ones : DrawKind::Zeros;
}

class Draws {
 public:
  explicit Draws(const Model& model) : m_model(model) {}

  /// Constructors run in registration order, except that torchvision's `_make_layer` constructs the
  /// downsample before its residual block.
  void construct(const ModuleNode& node) {
    for (const ModuleNode& child : node.children) {
      if (isDownsample(child, node)) construct(child);
    }
    if (node.layer) constructLayer(m_model.layers[*node.layer]);
    for (const ModuleNode& child : node.children) {
      if (!isDownsample(child, node)) construct(child);
    }
  }

  /// The final loop over `self.modules()` in torchvision's ResNet and VGG, in registration order.
  void initializeAgain() {
    for (const Layer& layer : m_model.layers) {
      const std::vector<OwnedTensor> owned = ownedTensors(layer.spec);
      if (std::holds_alternative<Conv2d>(layer.spec)) {
        add(layer, owned[0], DrawKind::Normal, 0.0, kaimingNormalDeviation(owned[0].shape));
        if (owned.size() > 1) add(layer, owned[1], DrawKind::Zeros);
      } else if (m_model.root.className == "VGG" && std::holds_alternative<Linear>(layer.spec)) {
        add(layer, owned[0], DrawKind::Normal, 0.0, kVggLinearDeviation);
        add(layer, owned[1], DrawKind::Zeros);
      } else if (std::holds_alternative<BatchNorm2d>(layer.spec)) {
        add(layer, owned[0], DrawKind::Ones);
        add(layer, owned[1], DrawKind::Zeros);
      }
    }
  }

  [[nodiscard]] std::vector<Draw> take() { return std::move(m_draws); }

 private:
  static bool isDownsample(const ModuleNode& child, const ModuleNode& parent) {
    return child.name == "downsample" &&
           (parent.className == "BasicBlock" || parent.className == "Bottleneck");
  }

  void constructLayer(const Layer& layer) {
    const std::vector<OwnedTensor> tensors = ownedTensors(layer.spec);
    const bool isDrawn =
        std::holds_alternative<Conv2d>(layer.spec) || std::holds_alternative<Linear>(layer.spec);
    const bool isEmbedding = std::holds_alternative<Embedding>(layer.spec) ||
                             std::holds_alternative<PositionEmbedding>(layer.spec);
    for (const OwnedTensor& tensor : tensors) {
      if (isEmbedding) {
        add(layer, tensor, DrawKind::Normal, 0.0, 1.0);
        continue;
      }
      if (!isDrawn) {
        add(layer, tensor, constantFor(tensor.name, layer.spec));
        continue;
      }
      const Shape& weight = tensors.front().shape;
      const double bound =
          tensor.name == "weight" ? kaimingUniformBound(weight) : 1.0 / std::sqrt(fanIn(weight));
      add(layer, tensor, DrawKind::Uniform, -bound, bound);
    }
  }

  void add(const Layer& layer, const OwnedTensor& tensor, DrawKind kind, double a = 0.0,
           double b = 0.0) {
    m_draws.push_back({layer.name + "." + tensor.name, tensor.shape, kind, a, b});
  }

  const Model& m_model;
  std::vector<Draw> m_draws;
};

}  // namespace

std::vector<Draw> initialDraws(const Model& model) {
  Draws draws(model);
  draws.construct(model.root);
  if (model.root.className == "ResNet" || model.root.className == "VGG") draws.initializeAgain();
  return draws.take();
}

}  // namespace stagelane::model
