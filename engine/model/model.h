#pragma once

/// A model as data: a chain of blocks, each a small graph of calls over its layers, and the module
/// tree that the names come from. `engine/run` executes the calls with `at::` operators; shape
/// inference, costs, tables and drawing read the same calls. Immutable after construction; holds no
/// tensors.

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/model/layer.h"

namespace stagelane::model {

/// Kind of a call of a block. `Layer` runs a leaf layer; the others are functional.
enum class CallKind {
  Layer,
  AddInPlace,  ///< `out = a; out += b` (the residual of torchvision), overwrites inputs[0]
  Add,         ///< `a + b` of equal shapes
  Flatten,     ///< torch.flatten(x, 1)
};

/// One step of a block's forward. Values are numbered per block: 0 … inputs-1 are the block's
/// inputs, each call appends one value.
struct Call {
  CallKind kind = CallKind::Layer;
  std::size_t layer = 0;            ///< index into Model::layers, for CallKind::Layer
  std::vector<std::size_t> inputs;  ///< value numbers
};

/// The smallest unit that can move to another device.
struct Block {
  std::string name;                 ///< dotted path: `conv1`, `layer1.0`, `fc`
  std::string className;            ///< `Bottleneck`, `Conv2d`, … (accelerate's no_split)
  std::vector<std::size_t> layers;  ///< its leaf layers, in registration order
  std::vector<Call> calls;          ///< in execution order
  std::vector<std::string> inputNames{"x"};  ///< boundary inputs, values 0 …
  std::vector<std::size_t> outputs;          ///< value numbers of its outputs, in order
};

/// A node of PyTorch's module tree, for `repr`, torchsummary, groups of chips and device maps.
struct ModuleNode {
  std::string name;                  ///< last part of the path, "" for the root
  std::string path;                  ///< dotted path, "" for the root
  std::string className;             ///< `ResNet`, `Sequential`, `Bottleneck`, `Conv2d`
  std::optional<std::size_t> layer;  ///< index into Model::layers for a leaf
  std::vector<ModuleNode> children;  ///< registration order
};

struct Model {
  std::string name;  ///< zoo name or file stem
  Json definition;   ///< as in the experiment file: {"zoo": …} or {"layers": […]}
  ModuleNode root;
  std::vector<Layer> layers;  ///< registration order of the leaves (= torchvision's)
  std::vector<Block> blocks;  ///< the chain, in execution order
  /// Tied parameters: full name → full name of the first one in registration order, under which the
  /// tensor is counted, drawn, trained and reported.
  std::map<std::string, std::string> ties;
  /// Size of the last dimension of the output, 0 if it depends on the input.
  std::int64_t classes = 0;
  /// For a model whose first layer is an Embedding, tokens (int64) range from 0 to below this
  /// value; otherwise 0.
  std::int64_t vocabulary = 0;
  Shape defaultInput;  ///< without the batch, as the zoo lists it; empty if unknown

  [[nodiscard]] std::optional<BlockId> blockNamed(const std::string& name) const;
  /// The name that a tensor is counted under: its first owner's if it is tied, else its own.
  [[nodiscard]] const std::string& ownerOf(const std::string& tensor) const;
};
using ModelPtr = std::shared_ptr<const Model>;

/// Builds the model of an experiment's `model` member: `{"zoo": NAME, …sizes}`, `{"file": PATH}` or
/// `{"layers": […]}`. `baseFolder` resolves relative paths.
/// @errors Invalid with the JSON pointer (prefix `pointer`) and, for an unknown name or kind, the
/// list
[[nodiscard]] Result<ModelPtr> buildModel(const Json& definition, const std::string& pointer,
                                          const std::string& baseFolder);

/// A zoo name or the path of a JSON file, as on the command line.
[[nodiscard]] Result<ModelPtr> modelFromArgument(const std::string& nameOrPath);

struct ZooEntry {
  std::string name;
  std::string description;
  Shape defaultInput;  ///< without the batch
};
/// All models that `stagelane models` lists.
[[nodiscard]] const std::vector<ZooEntry>& zoo();

}  // namespace stagelane::model
