#include "engine/model/layer_shapes.h"

#include <algorithm>
#include <optional>

#include "engine/model/checked.h"

namespace stagelane::model::detail {
namespace {

constexpr std::array<std::int64_t, 2> kNoDilation{1, 1};

/// What a layer expects instead of an unsuitable input.
struct Mismatch {
  std::string expected;
  std::string hint;
};

/// Output size of a sliding window in one dimension; 0 or less if it does not fit.
std::int64_t slide(std::int64_t size, std::int64_t kernel, std::int64_t stride,
                   std::int64_t padding, std::int64_t dilation) {
  const std::int64_t reach = size + 2 * padding - dilation * (kernel - 1) - 1;
  return reach < 0 ? 0 : reach / stride + 1;
}

/// Applies a layer to a shape; sets a Mismatch if it does not fit.
class Apply {
 public:
  explicit Apply(const Shape& input) : m_input(input) {}

  Shape operator()(const Conv2d& conv) {
    if (!isImageOf(conv.inChannels)) return {};
    const std::int64_t high =
        slide(m_input[2], conv.kernel[0], conv.stride[0], conv.padding[0], conv.dilation[0]);
    const std::int64_t wide =
        slide(m_input[3], conv.kernel[1], conv.stride[1], conv.padding[1], conv.dilation[1]);
    return window(conv.outChannels, high, wide);
  }
  Shape operator()(const BatchNorm2d& norm) {
    if (!isImageOf(norm.features)) return {};
    return m_input;
  }
  Shape operator()(const Linear& linear) {
    if (m_input.size() < 2 || m_input.back() != linear.inFeatures) {
      mismatch = {"[batch, ..., " + std::to_string(linear.inFeatures) + "]",
                  m_input.size() > 2 ? "Put a Flatten before it, or change in_features"
                                     : "Change in_features or the input's shape"};
      return {};
    }
    Shape output = m_input;
    output.back() = linear.outFeatures;
    return output;
  }
  Shape operator()(const ReLU&) { return m_input; }
  Shape operator()(const MaxPool2d& pool) {
    if (!isImageOf(std::nullopt)) return {};
    const std::int64_t high =
        slide(m_input[2], pool.kernel[0], pool.stride[0], pool.padding[0], kNoDilation[0]);
    const std::int64_t wide =
        slide(m_input[3], pool.kernel[1], pool.stride[1], pool.padding[1], kNoDilation[1]);
    return window(m_input[1], high, wide);
  }
  Shape operator()(const AdaptiveAvgPool2d& pool) {
    if (!isImageOf(std::nullopt)) return {};
    return {m_input[0], m_input[1], pool.output[0], pool.output[1]};
  }
  Shape operator()(const Flatten& flatten) {
    const auto start = static_cast<std::size_t>(flatten.startDim);
    if (start < m_input.size()) return flattened(m_input, start);
    mismatch = {"at least " + std::to_string(start + 1) + " dimensions", "Change start_dim"};
    return {};
  }
  Shape operator()(const Embedding& embedding) {
    Shape output = m_input;
    output.push_back(embedding.features);
    return output;
  }
  Shape operator()(const PositionEmbedding& embedding) {
    if (m_input.size() == 3 && m_input[1] <= embedding.positions &&
        m_input[2] == embedding.features) {
      return m_input;
    }
    mismatch = {"[batch, at most " + std::to_string(embedding.positions) + ", " +
                    std::to_string(embedding.features) + "]",
                "Use a shorter input, or change num_positions or embedding_dim"};
    return {};
  }
  Shape operator()(const LayerNorm& norm) {
    const std::size_t rank = norm.shape.size();
    if (m_input.size() > rank &&
        std::equal(norm.shape.rbegin(), norm.shape.rend(), m_input.rbegin())) {
      return m_input;
    }
    mismatch = {"an input that ends with " + shapeText(norm.shape),
                "Change normalized_shape or the input's shape"};
    return {};
  }
  Shape operator()(const GELU&) { return m_input; }
  Shape operator()(const Tanh&) { return m_input; }
  Shape operator()(const Dropout&) { return m_input; }
  Shape operator()(const CausalSelfAttention& attention) {
    if (m_input.size() == 3 && m_input[2] % (3 * attention.heads) == 0) {
      return {m_input[0], m_input[1], m_input[2] / 3};
    }
    mismatch = {"[batch, length, a multiple of 3 x " + std::to_string(attention.heads) + " heads]",
                "Put a Linear before it that computes queries, keys and values, "
                "or change heads"};
    return {};
  }

  std::optional<Mismatch> mismatch;

 private:
  bool isImageOf(std::optional<std::int64_t> channels) {
    if (m_input.size() == 4 && (!channels || m_input[1] == *channels)) return true;
    const std::string count = channels ? std::to_string(*channels) : "channels";
    mismatch = {"[batch, " + count + ", height, width]",
                "Change the layer's channels or the input's shape"};
    return false;
  }

  Shape window(std::int64_t channels, std::int64_t high, std::int64_t wide) {
    if (high > 0 && wide > 0) return {m_input[0], channels, high, wide};
    mismatch = {"an image at least as large as its kernel (padding included)",
                "Use a larger image, a smaller kernel or padding"};
    return {};
  }

  const Shape& m_input;
};

}  // namespace

std::string shapeText(const Shape& shape) {
  std::string text = "[";
  for (const std::int64_t size : shape) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(size);
  }
  return text + "]";
}

Shape flattened(const Shape& input, std::size_t startDim) {
  Shape output(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(startDim));
  std::int64_t size = 1;
  for (std::size_t i = startDim; i < input.size(); ++i) size *= input[i];
  output.push_back(size);
  return output;
}

Result<Shape> outputShape(const Layer& layer, const Shape& input) {
  Apply apply(input);
  Shape output = std::visit(apply, layer.spec);
  if (!apply.mismatch) return output;
  return fail(ErrorCode::Invalid,
              "layer '" + layer.name + "' (" + std::string(className(layer.spec)) + ") expects " +
                  apply.mismatch->expected + " but gets " + shapeText(input),
              "", apply.mismatch->hint);
}

Result<std::int64_t> multiplyAccumulates(const Layer& layer, const Shape& output) {
  Checked product(1);
  for (const std::int64_t size : output) product.multiply(size);
  if (const auto* conv = std::get_if<Conv2d>(&layer.spec)) {
    product.multiply(conv->inChannels / conv->groups);
    product.multiply(conv->kernel[0]).multiply(conv->kernel[1]);
  } else if (const auto* linear = std::get_if<Linear>(&layer.spec)) {
    product.multiply(linear->inFeatures);
  } else if (std::holds_alternative<CausalSelfAttention>(layer.spec)) {
    // Queries times keys, and weights times values, over all pairs of positions.
    product.multiply(2).multiply(output[1]);
  } else {
    return 0;
  }
  if (const auto value = product.value()) return *value;
  return fail(ErrorCode::Invalid,
              "layer '" + layer.name + "' has more multiply-accumulates than fit 64 bits", "",
              "Use smaller sizes");
}

}  // namespace stagelane::model::detail
