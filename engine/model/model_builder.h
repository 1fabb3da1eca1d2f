#pragma once

/// Assembles a Model: leaves into the layer table, blocks onto the chain. Used by the zoo and by
/// the reader of layer lists; not specific to any network.

#include <string>
#include <string_view>

#include "engine/model/model.h"

namespace stagelane::model::detail {

/// "a" + "b" → "a.b"; an empty parent is the root.
[[nodiscard]] std::string joinPath(std::string_view parent, std::string_view name);

/// Appends a leaf to `model.layers` and returns its node of the module tree.
[[nodiscard]] ModuleNode addLeaf(Model& model, std::string_view parentPath, std::string name,
                                 const LayerSpec& spec);

/// A container of the module tree, without children yet.
[[nodiscard]] ModuleNode container(std::string_view parentPath, std::string name,
                                   std::string className);

/// Appends a call of `layer` on `input` to the block; returns the number of the new value.
std::size_t callLayer(Block& block, std::size_t layer, std::size_t input);
/// Appends a functional call; returns the number of the new value.
std::size_t callFunction(Block& block, CallKind kind, std::vector<std::size_t> inputs);

/// A block of one leaf.
[[nodiscard]] Block leafBlock(const ModuleNode& leaf);

/// Adds a leaf below the root as a block of its own.
void addLeafBlock(Model& model, std::string name, const LayerSpec& spec);

}  // namespace stagelane::model::detail
