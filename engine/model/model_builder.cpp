#include "engine/model/model_builder.h"

namespace stagelane::model::detail {

std::string joinPath(std::string_view parent, std::string_view name) {
  std::string path(parent);
  if (!path.empty()) path += '.';
  path += name;
  return path;
}

ModuleNode addLeaf(Model& model, std::string_view parentPath, std::string name,
                   const LayerSpec& spec) {
  ModuleNode node = container(parentPath, std::move(name), std::string(className(spec)));
  node.layer = model.layers.size();
  model.layers.push_back({node.path, spec});
  return node;
}

ModuleNode container(std::string_view parentPath, std::string name, std::string className) {
  ModuleNode node;
  node.path = joinPath(parentPath, name);
  node.name = std::move(name);
  node.className = std::move(className);
  return node;
}

std::size_t callLayer(Block& block, std::size_t layer, std::size_t input) {
  block.calls.push_back({CallKind::Layer, layer, {input}});
  return block.inputNames.size() + block.calls.size() - 1;
}

std::size_t callFunction(Block& block, CallKind kind, std::vector<std::size_t> inputs) {
  block.calls.push_back({kind, 0, std::move(inputs)});
  return block.inputNames.size() + block.calls.size() - 1;
}

Block leafBlock(const ModuleNode& leaf) {
  Block block;
  block.name = leaf.path;
  block.className = leaf.className;
  block.layers = {*leaf.layer};
  block.outputs = {callLayer(block, *leaf.layer, 0)};
  return block;
}

void addLeafBlock(Model& model, std::string name, const LayerSpec& spec) {
  ModuleNode leaf = addLeaf(model, model.root.path, std::move(name), spec);
  model.blocks.push_back(leafBlock(leaf));
  model.root.children.push_back(std::move(leaf));
}

}  // namespace stagelane::model::detail
