#include "engine/model/gpt.h"

#include "engine/model/model_builder.h"

namespace stagelane::model::detail {
namespace {

/// Registers and calls the leaves of one block in sequence.
class BlockBuilder {
 public:
  BlockBuilder(Model& model, std::string_view parentPath, std::string name, std::string className)
      : m_model(model), m_node(container(parentPath, std::move(name), std::move(className))) {
    m_block.name = m_node.path;
    m_block.className = m_node.className;
  }

  /// Below the block's own module.
  void leaf(std::string name, const LayerSpec& spec) { leafOf(m_node, std::move(name), spec); }
  void leafOf(ModuleNode& parent, std::string name, const LayerSpec& spec) {
    ModuleNode node = addLeaf(m_model, parent.path, std::move(name), spec);
    m_block.layers.push_back(*node.layer);
    m_value = callLayer(m_block, *node.layer, m_value);
    parent.children.push_back(std::move(node));
  }
  void dropout(ModuleNode& parent, double p) {
    if (p > 0.0) leafOf(parent, "dropout", Dropout{p});
  }
  void addTo(std::size_t value) {
    m_value = callFunction(m_block, CallKind::Add, {value, m_value});
  }

  [[nodiscard]] std::size_t value() const { return m_value; }
  [[nodiscard]] ModuleNode& node() { return m_node; }

  /// Appends the block; returns its module.
  [[nodiscard]] ModuleNode end() {
    m_block.outputs = {m_value};
    m_model.blocks.push_back(std::move(m_block));
    return std::move(m_node);
  }

 private:
  Model& m_model;
  ModuleNode m_node;
  Block m_block;
  std::size_t m_value = 0;
};

ModuleNode embedding(Model& model, const GptSizes& sizes) {
  BlockBuilder builder(model, "", "embedding", "Embedding");
  builder.leaf("wte", Embedding{sizes.vocab, sizes.width});
  builder.leaf("wpe", PositionEmbedding{sizes.context, sizes.width});
  builder.dropout(builder.node(), sizes.dropout);
  return builder.end();
}

ModuleNode transformerBlock(Model& model, const GptSizes& sizes, std::int64_t index) {
  const std::int64_t width = sizes.width;
  BlockBuilder builder(model, "h", std::to_string(index), "Block");
  builder.leaf("ln_1", LayerNorm{{width}});
  ModuleNode attention = container(builder.node().path, "attn", "Attention");
  builder.leafOf(attention, "c_attn", Linear{width, 3 * width, true});
  builder.leafOf(attention, "core", CausalSelfAttention{sizes.heads});
  builder.leafOf(attention, "c_proj", Linear{width, width, true});
  builder.dropout(attention, sizes.dropout);
  builder.node().children.push_back(std::move(attention));
  builder.addTo(0);

  const std::size_t middle = builder.value();
  builder.leaf("ln_2", LayerNorm{{width}});
  ModuleNode mlp = container(builder.node().path, "mlp", "MLP");
  builder.leafOf(mlp, "c_fc", Linear{width, 4 * width, true});
  builder.leafOf(mlp, "gelu", GELU{true});
  builder.leafOf(mlp, "c_proj", Linear{4 * width, width, true});
  builder.dropout(mlp, sizes.dropout);
  builder.node().children.push_back(std::move(mlp));
  builder.addTo(middle);
  return builder.end();
}

ModuleNode head(Model& model, const GptSizes& sizes) {
  BlockBuilder builder(model, "", "head", "Head");
  builder.leaf("ln_f", LayerNorm{{sizes.width}});
  builder.leaf("lm_head", Linear{sizes.width, sizes.vocab, false});
  return builder.end();
}

}  // namespace

void buildGpt(Model& model, const GptSizes& sizes) {
  model.root.className = "GPT";
  model.root.children.push_back(embedding(model, sizes));
  ModuleNode blocks = container("", "h", "Sequential");
  for (std::int64_t index = 0; index < sizes.layers; ++index) {
    blocks.children.push_back(transformerBlock(model, sizes, index));
  }
  model.root.children.push_back(std::move(blocks));
  model.root.children.push_back(head(model, sizes));
  if (sizes.tie) model.ties["head.lm_head.weight"] = "embedding.wte.weight";
  model.defaultInput = {sizes.context};
}

}  // namespace stagelane::model::detail
