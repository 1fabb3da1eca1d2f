#include "engine/model/layer_list.h"

#include <algorithm>
#include <map>

#include "engine/model/checked.h"
#include "engine/model/model_builder.h"

namespace stagelane::model::detail {
namespace {

/// Maximum depth of nested groups, because reading them is recursive.
constexpr int kMaxNesting = 16;

/// A group that adds its input to its layers' output.
constexpr const char* kResidual = "Residual";

bool isGroup(const Json& item) {
  if (!item.is_object()) return false;
  return item.contains("layers") || (item.contains("kind") && (item.at("kind") == "Sequential" ||
                                                               item.at("kind") == kResidual));
}

constexpr const char* kSharesHint =
    "Use the full name of a layer before this one (groups joined with dots)";

/// Reads one list of layers with its groups into a model.
class ListReader {
 public:
  explicit ListReader(Model& model) : m_model(model) {}

  /// Every item of the outermost list becomes a block.
  [[nodiscard]] Status readBlocks(const Json& list, const std::string& pointer) {
    return readItems(list, pointer, m_model.root, nullptr);
  }

 private:
  /// `block` is the block that the items belong to; null in the outermost list.
  Status readItems(const Json& list, const std::string& pointer, ModuleNode& parent, Block* block) {
    if (!list.is_array() || list.empty()) {
      return fail(ErrorCode::Invalid,
                  list.is_array() ? "the list of layers is empty" : "expected a list of layers",
                  pointer, "Add at least one layer. Kinds: " + kindList());
    }
    std::map<std::string, std::size_t> taken;
    for (std::size_t index = 0; index < list.size(); ++index) {
      const std::string place = childPointer(pointer, index);
      STAGELANE_TRY(name, nameOf(list[index], place, index));
      if (const auto [other, isNew] = taken.emplace(*name, index); !isNew) {
        return fail(ErrorCode::Invalid,
                    "two items are named \"" + *name + "\" (the other is at " +
                        childPointer(pointer, other->second) + ")",
                    place, "Give each item of a list a unique \"name\"");
      }
      STAGELANE_CHECK(readItem(list[index], place, parent, {*name, block}));
    }
    return {};
  }

  struct Position {
    std::string name;
    Block* block;
  };

  Status readItem(const Json& item, const std::string& pointer, ModuleNode& parent,
                  const Position& position) {
    if (isGroup(item)) return readGroup(item, pointer, parent, position);
    STAGELANE_TRY(spec, layerFromJson(item, pointer));
    ModuleNode leaf = addLeaf(m_model, parent.path, position.name, *spec);
    STAGELANE_CHECK(share(item, pointer));
    if (position.block == nullptr) {
      m_model.blocks.push_back(leafBlock(leaf));
    } else {
      append(*position.block, *leaf.layer);
    }
    parent.children.push_back(std::move(leaf));
    return {};
  }

  Status readGroup(const Json& item, const std::string& pointer, ModuleNode& parent,
                   const Position& position) {
    if (++m_nesting > kMaxNesting) {
      return fail(ErrorCode::Invalid,
                  "groups are nested deeper than " + std::to_string(kMaxNesting) + " levels",
                  pointer);
    }
    ObjectReader reader(item, pointer);
    static_cast<void>(reader.has("name"));
    const std::string kind = reader.oneOf("kind", {"Sequential", kResidual}, "Sequential");
    const Json* list = reader.raw("layers");
    if (list == nullptr) reader.problem("", "\"layers\" is missing");
    STAGELANE_CHECK(reader.finish());
    ModuleNode group = container(parent.path, position.name, kind);
    Block own;
    own.name = group.path;
    own.className = group.className;
    Block* block = position.block == nullptr ? &own : position.block;
    const std::size_t input = block->calls.size();
    STAGELANE_CHECK(readItems(*list, childPointer(pointer, "layers"), group, block));
    if (kind == kResidual) {
      block->outputs = {callFunction(*block, CallKind::Add, {input, block->calls.size()})};
    }
    if (block == &own) m_model.blocks.push_back(std::move(own));
    parent.children.push_back(std::move(group));
    --m_nesting;
    return {};
  }

  /// `"shares": NAME`: ties all tensors of the last added layer to those of an earlier one.
  Status share(const Json& item, const std::string& pointer) {
    const auto found = item.find("shares");
    if (found == item.end()) return {};
    const std::string place = childPointer(pointer, "shares");
    if (!found->is_string()) {
      return fail(ErrorCode::Invalid, "\"shares\" must be a string", place, kSharesHint);
    }
    const auto name = found->get<std::string>();
    const Layer& own = m_model.layers.back();
    const auto other = std::find_if(m_model.layers.begin(), m_model.layers.end() - 1,
                                    [&name](const Layer& layer) { return layer.name == name; });
    if (other == m_model.layers.end() - 1) {
      return fail(ErrorCode::Invalid, "no earlier layer is named \"" + name + "\"", place,
                  kSharesHint);
    }
    return tie(own, *other, place);
  }

  Status tie(const Layer& own, const Layer& other, const std::string& place) {
    const std::vector<OwnedTensor> tensors = ownedTensors(own.spec);
    const std::vector<OwnedTensor> owners = ownedTensors(other.spec);
    const bool same = own.spec.index() == other.spec.index() &&
                      std::equal(tensors.begin(), tensors.end(), owners.begin(), owners.end(),
                                 [](const OwnedTensor& a, const OwnedTensor& b) {
                                   return a.name == b.name && a.shape == b.shape;
                                 });
    if (!same) {
      return fail(ErrorCode::Invalid,
                  "layer '" + own.name + "' and layer '" + other.name +
                      "' cannot share parameters: their kinds or sizes differ",
                  place, "Use the same kind and sizes for both");
    }
    for (const OwnedTensor& tensor : tensors) {
      if (tensor.role == OwnedTensor::Role::Parameter) {
        m_model.ties[own.name + "." + tensor.name] =
            m_model.ownerOf(other.name + "." + tensor.name);
        continue;
      }
      return fail(ErrorCode::Invalid,
                  "layer '" + own.name + "' has running statistics, which cannot be shared", place,
                  "Remove \"shares\" from the batch norm");
    }
    if (!tensors.empty()) return {};
    return fail(ErrorCode::Invalid, "layer '" + own.name + "' has no parameters to share", place,
                "Remove the key");
  }

  static void append(Block& block, std::size_t layer) {
    block.layers.push_back(layer);
    block.outputs = {callLayer(block, layer, block.calls.size())};
  }

  /// A missing name defaults to the item's index, as in PyTorch's Sequential.
  static Result<std::string> nameOf(const Json& item, const std::string& pointer,
                                    std::size_t index) {
    if (!item.is_object() || !item.contains("name")) return std::to_string(index);
    const Json& name = item.at("name");
    const std::string place = childPointer(pointer, "name");
    if (!name.is_string()) return fail(ErrorCode::Invalid, "\"name\" must be a string", place);
    const auto text = name.get<std::string>();
    const bool isPlain =
        !text.empty() && text.find_first_not_of(
                             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
                             std::string::npos;
    if (isPlain) return text;
    return fail(ErrorCode::Invalid, "\"" + text + "\" is not a valid layer name", place,
                "Use letters, digits, _ and - (a dot separates the levels of a path)");
  }

  Model& m_model;
  int m_nesting = 0;
};

/// A tensor's sizes beyond the batch, as far as known without the input; 0 is unknown.
struct Known {
  bool isImage = false;
  std::int64_t channels = 0, height = 0, width = 0;
  std::int64_t last = 0;
};

struct KnownAfter {
  Known now;

  void operator()(const Conv2d& conv) { now = {true, conv.outChannels, 0, 0, 0}; }
  void operator()(const BatchNorm2d&) {}
  void operator()(const Linear& linear) { now = {false, 0, 0, 0, linear.outFeatures}; }
  void operator()(const ReLU&) {}
  void operator()(const MaxPool2d&) { now = {now.isImage, now.channels, 0, 0, 0}; }
  void operator()(const AdaptiveAvgPool2d& pool) {
    now = {now.isImage, now.channels, pool.output[0], pool.output[1], pool.output[1]};
  }
  void operator()(const Embedding& embedding) { now = {false, 0, 0, 0, embedding.features}; }
  void operator()(const PositionEmbedding&) {}
  void operator()(const LayerNorm&) {}
  void operator()(const GELU&) {}
  void operator()(const Tanh&) {}
  void operator()(const Dropout&) {}
  void operator()(const CausalSelfAttention&) { now.last /= 3; }
  void operator()(const Flatten& flatten) {
    std::int64_t size = 0;
    if (now.isImage && flatten.startDim == 1) size = product({now.channels, now.height, now.width});
    if (now.isImage && flatten.startDim == 2) size = product({now.height, now.width});
    if (now.isImage && flatten.startDim == 3) size = now.width;
    now = {false, 0, 0, 0, size};
  }

  static std::int64_t product(const Shape& sizes) { return elementCount(sizes).value_or(0); }
};

}  // namespace

Status checkSizes(const Model& model, const std::string& pointer) {
  Checked total;
  for (const Layer& layer : model.layers) {
    for (const OwnedTensor& tensor : ownedTensors(layer.spec)) {
      const auto count = elementCount(tensor.shape);
      total.add(count.value_or(kMaxElements));
      if (count && total.value().value_or(kMaxElements) < kMaxElements) continue;
      return fail(ErrorCode::Invalid,
                  "the parameters of layer '" + layer.name + "' (" +
                      std::string(className(layer.spec)) + ") exceed the limit of 2^48 elements",
                  pointer, "Reduce the sizes of this layer");
    }
  }
  return {};
}

std::int64_t vocabularyOf(const Model& model) {
  const Call& first = model.blocks.front().calls.front();
  if (first.kind != CallKind::Layer) return 0;
  const auto* embedding = std::get_if<Embedding>(&model.layers[first.layer].spec);
  return embedding == nullptr ? 0 : embedding->tokens;
}

std::int64_t lastDimension(const Model& model) {
  KnownAfter known;
  for (const Block& block : model.blocks) {
    for (const Call& call : block.calls) {
      if (call.kind == CallKind::Layer) std::visit(known, model.layers[call.layer].spec);
      if (call.kind == CallKind::Flatten) known(Flatten{});
    }
  }
  return known.now.last;
}

Result<ModelPtr> buildFromLayers(const Json& definition, const std::string& pointer,
                                 const std::string& name) {
  ObjectReader reader(definition, pointer);
  auto model = std::make_shared<Model>();
  model->name = reader.text("name", name);
  const Json* list = reader.raw("layers");
  STAGELANE_CHECK(reader.finish());
  model->definition = definition;
  if (model->name != kUnnamed) model->definition["name"] = model->name;
  model->root.className = "Sequential";
  ListReader blocks(*model);
  const std::string place = childPointer(pointer, "layers");
  STAGELANE_CHECK(blocks.readBlocks(*list, place));
  STAGELANE_CHECK(checkSizes(*model, place));
  if (const auto* linear = std::get_if<Linear>(&model->layers.front().spec)) {
    model->defaultInput = {linear->inFeatures};
  }
  model->vocabulary = vocabularyOf(*model);
  model->classes = lastDimension(*model);
  return ModelPtr(std::move(model));
}

}  // namespace stagelane::model::detail
