#pragma once

/// A layer as data: the constructor arguments of PyTorch's module of the same name. Shapes, costs,
/// drawing and execution all read these, so that a layer is defined once. Holds no tensors.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace stagelane::model {

/// Sizes of one tensor, batch first unless said otherwise.
using Shape = std::vector<std::int64_t>;

struct Conv2d {
  std::int64_t inChannels = 0;
  std::int64_t outChannels = 0;
  std::array<std::int64_t, 2> kernel{1, 1};
  std::array<std::int64_t, 2> stride{1, 1};
  std::array<std::int64_t, 2> padding{0, 0};
  std::array<std::int64_t, 2> dilation{1, 1};
  std::int64_t groups = 1;
  bool bias = true;
};
struct BatchNorm2d {
  std::int64_t features = 0;
  double eps = 1e-5;
  double momentum = 0.1;
};
struct Linear {
  std::int64_t inFeatures = 0;
  std::int64_t outFeatures = 0;
  bool bias = true;
};
struct ReLU {
  bool inplace = false;
};
struct MaxPool2d {
  std::array<std::int64_t, 2> kernel{1, 1};
  std::array<std::int64_t, 2> stride{1, 1};
  std::array<std::int64_t, 2> padding{0, 0};
};
struct AdaptiveAvgPool2d {
  std::array<std::int64_t, 2> output{1, 1};
};
struct Flatten {
  std::int64_t startDim = 1;
};
/// Takes tokens (int64), which only the model's input has.
struct Embedding {
  std::int64_t tokens = 0;
  std::int64_t features = 0;
};
/// Adds a learned vector to each position: `x + weight[:length]`, x of [batch, length, features].
struct PositionEmbedding {
  std::int64_t positions = 0;
  std::int64_t features = 0;
};
struct LayerNorm {
  Shape shape;  ///< the last dimensions of the input
  double eps = 1e-5;
};
struct GELU {
  bool tanhApproximation = false;
};
struct Tanh {};
/// Not in place. The mask is described in docs/reference/models.md.
struct Dropout {
  double p = 0.5;
};
/// scaled_dot_product_attention with a causal mask over queries, keys and values concatenated in
/// the last dimension: [batch, length, 3 width] to [batch, length, width].
struct CausalSelfAttention {
  std::int64_t heads = 1;
};

using LayerSpec =
    std::variant<Conv2d, BatchNorm2d, Linear, ReLU, MaxPool2d, AdaptiveAvgPool2d, Flatten,
                 Embedding, PositionEmbedding, LayerNorm, GELU, Tanh, Dropout, CausalSelfAttention>;

/// A leaf module with its dotted path (`layer1.0.conv1`).
struct Layer {
  std::string name;
  LayerSpec spec;
};

/// PyTorch's class name: `Conv2d`, `BatchNorm2d`, …; `PositionEmbedding` and `CausalSelfAttention`
/// exist only in Stagelane.
[[nodiscard]] std::string_view className(const LayerSpec& spec);

/// One parameter or buffer that a layer owns, in PyTorch's registration order.
struct OwnedTensor {
  std::string name;  ///< relative to the layer: `weight`, `bias`, `running_mean`, …
  Shape shape;
  enum class Role {
    Parameter,
    Buffer,
    IntegerBuffer
  } role = Role::Parameter;  ///< IntegerBuffer: int64
};
[[nodiscard]] std::vector<OwnedTensor> ownedTensors(const LayerSpec& spec);

}  // namespace stagelane::model
