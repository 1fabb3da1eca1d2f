#include "engine/codegen/layer_code.h"

namespace stagelane::codegen::detail {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

std::string pair(const std::array<std::int64_t, 2>& values) {
  return values[0] == values[1] ? number(values[0]) : pythonTuple({values[0], values[1]});
}

/// Arguments of a call, in order.
class Arguments {
 public:
  Arguments& positional(std::string value) {
    m_items.push_back(leaf(std::move(value)));
    return *this;
  }
  /// Adds the argument unless it is PyTorch's default.
  Arguments& named(const std::string& name, const std::string& value, const std::string& usual) {
    if (value != usual) m_items.push_back(leaf(name + "=" + value));
    return *this;
  }
  [[nodiscard]] Expression of(const std::string& function) { return callOf(function, m_items); }

 private:
  std::vector<Expression> m_items;
};

struct Constructor {
  Expression operator()(const model::Conv2d& conv) const {
    return Arguments()
        .positional(number(conv.inChannels))
        .positional(number(conv.outChannels))
        .positional(pair(conv.kernel))
        .named("stride", pair(conv.stride), "1")
        .named("padding", pair(conv.padding), "0")
        .named("dilation", pair(conv.dilation), "1")
        .named("groups", number(conv.groups), "1")
        .named("bias", pythonBool(conv.bias), "True")
        .of("nn.Conv2d");
  }
  Expression operator()(const model::BatchNorm2d& norm) const {
    return Arguments()
        .positional(number(norm.features))
        .named("eps", pythonNumber(norm.eps), pythonNumber(model::BatchNorm2d{}.eps))
        .named("momentum", pythonNumber(norm.momentum), pythonNumber(model::BatchNorm2d{}.momentum))
        .of("nn.BatchNorm2d");
  }
  Expression operator()(const model::Linear& linear) const {
    return Arguments()
        .positional(number(linear.inFeatures))
        .positional(number(linear.outFeatures))
        .named("bias", pythonBool(linear.bias), "True")
        .of("nn.Linear");
  }
  Expression operator()(const model::ReLU& relu) const {
    return Arguments().named("inplace", pythonBool(relu.inplace), "False").of("nn.ReLU");
  }
  Expression operator()(const model::MaxPool2d& pool) const {
    return Arguments()
        .positional(pair(pool.kernel))
        .named("stride", pair(pool.stride), pair(pool.kernel))
        .named("padding", pair(pool.padding), "0")
        .of("nn.MaxPool2d");
  }
  Expression operator()(const model::AdaptiveAvgPool2d& pool) const {
    return Arguments().positional(pair(pool.output)).of("nn.AdaptiveAvgPool2d");
  }
  Expression operator()(const model::Flatten& flatten) const {
    return Arguments().named("start_dim", number(flatten.startDim), "1").of("nn.Flatten");
  }
  Expression operator()(const model::Embedding& embedding) const {
    return Arguments()
        .positional(number(embedding.tokens))
        .positional(number(embedding.features))
        .of("nn.Embedding");
  }
  Expression operator()(const model::PositionEmbedding& embedding) const {
    return Arguments()
        .positional(number(embedding.positions))
        .positional(number(embedding.features))
        .of("PositionEmbedding");
  }
  Expression operator()(const model::LayerNorm& norm) const {
    return Arguments()
        .positional(norm.shape.size() == 1 ? number(norm.shape[0]) : pythonTuple(norm.shape))
        .named("eps", pythonNumber(norm.eps), pythonNumber(model::LayerNorm{}.eps))
        .of("nn.LayerNorm");
  }
  Expression operator()(const model::GELU& gelu) const {
    const std::string form = pythonText(gelu.tanhApproximation ? "tanh" : "none");
    return Arguments().named("approximate", form, pythonText("none")).of("nn.GELU");
  }
  Expression operator()(const model::Tanh&) const { return callOf("nn.Tanh", {}); }
  Expression operator()(const model::Dropout& dropout) const {
    return Arguments().positional(pythonNumber(dropout.p)).of("nn.Dropout");
  }
  Expression operator()(const model::CausalSelfAttention& attention) const {
    return Arguments().positional(number(attention.heads)).of("CausalSelfAttention");
  }
};

}  // namespace

Expression layerCode(const model::LayerSpec& spec) { return std::visit(Constructor{}, spec); }

}  // namespace stagelane::codegen::detail
