#include <array>

#include "engine/base/text.h"
#include "engine/model/checked.h"
#include "engine/model/layer_list.h"

namespace stagelane::model::detail {
namespace {

using Pair = std::array<std::int64_t, 2>;

std::string rangeHint(std::int64_t least) {
  return "Use an integer from " + std::to_string(least) + " to " + std::to_string(kMaxSize);
}

/// Reads the attributes of one layer with their ranges.
class Attributes {
 public:
  Attributes(const Json& item, const std::string& pointer) : m_reader(item, pointer) {
    static_cast<void>(m_reader.has("kind"));
    static_cast<void>(m_reader.has("name"));
    static_cast<void>(m_reader.has("shares"));
  }

  [[nodiscard]] std::int64_t size(const std::string& key, std::int64_t least = 1,
                                  std::optional<std::int64_t> fallback = {}) {
    const std::int64_t value = m_reader.integer(key, fallback);
    if (value < least || value > kMaxSize) {
      m_reader.problem(key, "\"" + key + "\" is out of range: " + std::to_string(value),
                       rangeHint(least));
      return least;
    }
    return value;
  }

  /// One number for both directions, or [height, width].
  [[nodiscard]] Pair pair(const std::string& key, std::int64_t least,
                          std::optional<Pair> fallback = {}) {
    const Json* value = m_reader.raw(key);
    if (value == nullptr || !value->is_array()) {
      if (value == nullptr && fallback) return *fallback;
      const std::int64_t both = size(key, least);
      return {both, both};
    }
    const auto values = m_reader.integers(key);
    if (value->size() != 2 || values.size() != 2) {
      m_reader.problem(key, "\"" + key + "\" must be one number or a list of two",
                       "Use 3 or [3, 3] (height, width)");
      return {least, least};
    }
    for (const std::int64_t one : values) {
      if (one >= least && one <= kMaxSize) continue;
      m_reader.problem(key,
                       "\"" + key + "\" contains the out-of-range value " + std::to_string(one),
                       rangeHint(least));
    }
    return {values[0], values[1]};
  }

  /// One number, or a non-empty list of any length.
  [[nodiscard]] Shape sizes(const std::string& key) {
    const Json* value = m_reader.raw(key);
    if (value == nullptr || !value->is_array()) return {size(key)};
    const auto values = m_reader.integers(key);
    if (values.empty()) m_reader.problem(key, "\"" + key + "\" is empty", rangeHint(1));
    for (const std::int64_t one : values) {
      if (one >= 1 && one <= kMaxSize) continue;
      m_reader.problem(key,
                       "\"" + key + "\" contains the out-of-range value " + std::to_string(one),
                       rangeHint(1));
    }
    return values;
  }

  ObjectReader& reader() { return m_reader; }

 private:
  ObjectReader m_reader;
};

LayerSpec readConv2d(Attributes& attributes) {
  Conv2d conv;
  conv.inChannels = attributes.size("in_channels");
  conv.outChannels = attributes.size("out_channels");
  conv.kernel = attributes.pair("kernel_size", 1);
  conv.stride = attributes.pair("stride", 1, Pair{1, 1});
  conv.padding = attributes.pair("padding", 0, Pair{0, 0});
  conv.dilation = attributes.pair("dilation", 1, Pair{1, 1});
  conv.groups = attributes.size("groups", 1, 1);
  conv.bias = attributes.reader().boolean("bias", true);
  if (conv.inChannels % conv.groups != 0 || conv.outChannels % conv.groups != 0) {
    attributes.reader().problem(
        "groups", "\"groups\" (" + std::to_string(conv.groups) + ") does not divide in_channels (" +
                      std::to_string(conv.inChannels) + ") and out_channels (" +
                      std::to_string(conv.outChannels) + ")");
  }
  return conv;
}

LayerSpec readBatchNorm2d(Attributes& attributes) {
  BatchNorm2d norm;
  norm.features = attributes.size("num_features");
  norm.eps = attributes.reader().number("eps", norm.eps);
  norm.momentum = attributes.reader().number("momentum", norm.momentum);
  if (norm.eps <= 0.0) attributes.reader().problem("eps", "\"eps\" must be above 0");
  if (norm.momentum < 0.0 || norm.momentum > 1.0) {
    attributes.reader().problem("momentum", "\"momentum\" must be between 0 and 1");
  }
  return norm;
}

LayerSpec readLinear(Attributes& attributes) {
  Linear linear;
  linear.inFeatures = attributes.size("in_features");
  linear.outFeatures = attributes.size("out_features");
  linear.bias = attributes.reader().boolean("bias", true);
  return linear;
}

LayerSpec readReLU(Attributes& attributes) {
  return ReLU{attributes.reader().boolean("inplace", false)};
}

LayerSpec readMaxPool2d(Attributes& attributes) {
  MaxPool2d pool;
  pool.kernel = attributes.pair("kernel_size", 1);
  pool.stride = attributes.pair("stride", 1, pool.kernel);
  pool.padding = attributes.pair("padding", 0, Pair{0, 0});
  if (pool.padding[0] > pool.kernel[0] / 2 || pool.padding[1] > pool.kernel[1] / 2) {
    attributes.reader().problem("padding", "\"padding\" exceeds half of the kernel",
                                "PyTorch allows at most half of \"kernel_size\"");
  }
  return pool;
}

LayerSpec readAdaptiveAvgPool2d(Attributes& attributes) {
  return AdaptiveAvgPool2d{attributes.pair("output_size", 1)};
}

LayerSpec readFlatten(Attributes& attributes) {
  return Flatten{attributes.size("start_dim", 1, 1)};
}

LayerSpec readEmbedding(Attributes& attributes) {
  return Embedding{attributes.size("num_embeddings"), attributes.size("embedding_dim")};
}

LayerSpec readPositionEmbedding(Attributes& attributes) {
  return PositionEmbedding{attributes.size("num_positions"), attributes.size("embedding_dim")};
}

LayerSpec readLayerNorm(Attributes& attributes) {
  LayerNorm norm;
  norm.shape = attributes.sizes("normalized_shape");
  norm.eps = attributes.reader().number("eps", norm.eps);
  if (norm.eps <= 0.0) attributes.reader().problem("eps", "\"eps\" must be above 0");
  return norm;
}

LayerSpec readGELU(Attributes& attributes) {
  return GELU{attributes.reader().oneOf("approximate", {"none", "tanh"}, "none") == "tanh"};
}

LayerSpec readTanh(Attributes&) { return Tanh{}; }

LayerSpec readDropout(Attributes& attributes) {
  const Dropout dropout{attributes.reader().number("p", Dropout{}.p)};
  if (!(dropout.p >= 0.0 && dropout.p < 1.0)) {
    attributes.reader().problem("p", "\"p\" must be at least 0 and below 1");
  }
  return dropout;
}

LayerSpec readCausalSelfAttention(Attributes& attributes) {
  return CausalSelfAttention{attributes.size("heads")};
}

struct Kind {
  const char* name;
  LayerSpec (*read)(Attributes&);
};
constexpr std::array<Kind, 14> kKinds{{{"Conv2d", readConv2d},
                                       {"BatchNorm2d", readBatchNorm2d},
                                       {"Linear", readLinear},
                                       {"ReLU", readReLU},
                                       {"MaxPool2d", readMaxPool2d},
                                       {"AdaptiveAvgPool2d", readAdaptiveAvgPool2d},
                                       {"Flatten", readFlatten},
                                       {"Embedding", readEmbedding},
                                       {"PositionEmbedding", readPositionEmbedding},
                                       {"LayerNorm", readLayerNorm},
                                       {"GELU", readGELU},
                                       {"Tanh", readTanh},
                                       {"Dropout", readDropout},
                                       {"CausalSelfAttention", readCausalSelfAttention}}};

std::vector<std::string> kindNames() {
  std::vector<std::string> names;
  names.reserve(kKinds.size());
  for (const Kind& kind : kKinds) names.emplace_back(kind.name);
  return names;
}

tl::unexpected<Error> unknownKind(const std::string& word, const std::string& pointer) {
  const std::string near = nearest(word, kindNames());
  return fail(ErrorCode::Invalid, "the layer kind \"" + word + "\" is not available",
              childPointer(pointer, "kind"),
              (near.empty() ? "" : "Did you mean \"" + near + "\"? ") + ("Kinds: " + kindList()));
}

}  // namespace

std::string kindList() { return joined(kindNames()); }

Result<LayerSpec> layerFromJson(const Json& item, const std::string& pointer) {
  if (!item.is_object()) {
    return fail(ErrorCode::Invalid, "a layer must be an object", pointer,
                R"(Write {"kind": "Linear", "in_features": 10, "out_features": 5})");
  }
  const auto found = item.find("kind");
  if (found == item.end()) {
    return fail(ErrorCode::Invalid, "\"kind\" is missing", pointer, "Kinds: " + kindList());
  }
  if (!found->is_string()) {
    return fail(ErrorCode::Invalid, "\"kind\" must be a string", childPointer(pointer, "kind"),
                "Kinds: " + kindList());
  }
  const auto word = found->get<std::string>();
  for (const Kind& kind : kKinds) {
    if (word != kind.name) continue;
    Attributes attributes(item, pointer);
    LayerSpec spec = kind.read(attributes);
    STAGELANE_CHECK(attributes.reader().finish());
    return spec;
  }
  return unknownKind(word, pointer);
}

}  // namespace stagelane::model::detail
