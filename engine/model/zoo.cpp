#include "engine/model/zoo.h"

#include <algorithm>
#include <map>

#include "engine/base/text.h"
#include "engine/model/checked.h"
#include "engine/model/gpt.h"
#include "engine/model/layer_list.h"
#include "engine/model/mlp.h"
#include "engine/model/model_builder.h"
#include "engine/model/resnet.h"
#include "engine/model/vgg.h"

namespace stagelane::model {
namespace detail {
namespace {

/// More layers are most likely a typing error, and would exhaust the memory.
constexpr std::int64_t kMaxDepth = 10000;

/// A size of a zoo model, between 1 and `most`.
std::int64_t size(ObjectReader& reader, const std::string& key, std::int64_t fallback,
                  std::int64_t most = kMaxSize) {
  const std::int64_t value = reader.integer(key, fallback);
  if (value >= 1 && value <= most) return value;
  reader.problem(key, "\"" + key + "\" is out of range: " + std::to_string(value),
                 "Use an integer from 1 to " + std::to_string(most));
  return 1;
}

/// The dropout probability of a zoo model.
double dropout(ObjectReader& reader, double fallback) {
  const double value = reader.number("dropout", fallback);
  if (value >= 0.0 && value < 1.0) return value;
  reader.problem("dropout", "\"dropout\" must be at least 0 and below 1");
  return 0.0;
}

GptSizes gptSizes(ObjectReader& reader) {
  GptSizes sizes;
  sizes.layers = size(reader, "layers", sizes.layers, kMaxDepth);
  sizes.heads = size(reader, "heads", sizes.heads);
  // The inner width is four times as large and must still be a valid size.
  sizes.width = size(reader, "width", sizes.width, kMaxSize / 4);
  sizes.vocab = size(reader, "vocab", sizes.vocab);
  sizes.context = size(reader, "context", sizes.context);
  sizes.dropout = dropout(reader, sizes.dropout);
  sizes.tie = reader.boolean("tie", sizes.tie);
  if (sizes.width % sizes.heads != 0) {
    reader.problem("heads", "\"heads\" (" + std::to_string(sizes.heads) +
                                ") does not divide width (" + std::to_string(sizes.width) + ")");
  }
  return sizes;
}

void buildToy(Model& model, std::int64_t in) {
  model.root.className = "ToyModel";
  addLeafBlock(model, "net1", Linear{in, 10, true});
  addLeafBlock(model, "relu", ReLU{});
  addLeafBlock(model, "net2", Linear{10, 5, true});
  model.defaultInput = {in};
}

void buildNet(Model& model) {
  model.root.className = "Net";
  addLeafBlock(model, "fc1", Linear{10, 100, true});
  addLeafBlock(model, "fc2", Linear{100, 1, true});
  model.defaultInput = {10};
}

/// `depth` linear layers with a ReLU between consecutive ones.
void buildMlp(Model& model, const MlpSizes& sizes) {
  model.root.className = "MLP";
  for (std::int64_t index = 1; index <= sizes.depth; ++index) {
    const std::int64_t in = index == 1 ? sizes.in : sizes.width;
    const std::int64_t out = index == sizes.depth ? sizes.out : sizes.width;
    addLeafBlock(model, "fc" + std::to_string(index), Linear{in, out, true});
    if (index < sizes.depth) addLeafBlock(model, "relu" + std::to_string(index), ReLU{});
  }
  model.defaultInput = {sizes.in};
}

const std::map<std::string, ResNetForm>& resNetForms() {
  static const std::map<std::string, ResNetForm> kForms{
      {"resnet18", {ResidualKind::Basic, {2, 2, 2, 2}}},
      {"resnet34", {ResidualKind::Basic, {3, 4, 6, 3}}},
      {"resnet50", {ResidualKind::Bottleneck, {3, 4, 6, 3}}},
      {"resnet101", {ResidualKind::Bottleneck, {3, 4, 23, 3}}},
      {"resnet152", {ResidualKind::Bottleneck, {3, 8, 36, 3}}},
  };
  return kForms;
}

tl::unexpected<Error> unknownName(const std::string& name, const std::string& pointer) {
  std::vector<std::string> names;
  for (const ZooEntry& entry : zoo()) names.push_back(entry.name);
  const std::string near = nearest(name, names);
  return fail(
      ErrorCode::Invalid, "the model \"" + name + "\" is not available in this version",
      childPointer(pointer, "zoo"),
      (near.empty() ? "" : "Did you mean \"" + near + "\"? ") + ("Known models: " + joined(names)));
}

/// Reads the sizes for every model, so that an unknown key is reported with its own place.
void fill(Model& model, ObjectReader& reader) {
  if (model.name == "toy") return buildToy(model, 10);
  if (model.name == "toy-wide") return buildToy(model, 10000);
  if (model.name == "net") return buildNet(model);
  if (model.name == "mlp") {
    MlpSizes sizes;
    sizes.depth = size(reader, "depth", sizes.depth, kMaxDepth);
    sizes.width = size(reader, "width", sizes.width);
    sizes.in = size(reader, "in", sizes.in);
    sizes.out = size(reader, "out", sizes.out);
    return buildMlp(model, sizes);
  }
  if (model.name == "gpt") return buildGpt(model, gptSizes(reader));
  if (model.name == "vgg16") {
    const std::int64_t classes = size(reader, "num_classes", 1000);
    buildVgg16(model, classes, dropout(reader, Dropout{}.p));
    model.defaultInput = {3, 224, 224};
    return;
  }
  buildResNet(model, resNetForms().at(model.name), size(reader, "num_classes", 1000));
  model.defaultInput = {3, 224, 224};
}

}  // namespace

Result<ModelPtr> buildFromZoo(const Json& definition, const std::string& pointer) {
  ObjectReader reader(definition, pointer);
  const std::string name = reader.text("zoo");
  const auto& known = zoo();
  const bool isKnown = std::any_of(known.begin(), known.end(),
                                   [&name](const ZooEntry& entry) { return entry.name == name; });
  auto model = std::make_shared<Model>();
  model->name = name;
  model->definition = definition;
  if (isKnown) fill(*model, reader);
  const Json* zooName = reader.raw("zoo");
  if (!isKnown && zooName != nullptr && zooName->is_string()) return unknownName(name, pointer);
  STAGELANE_CHECK(reader.finish());
  STAGELANE_CHECK(checkSizes(*model, pointer));
  model->vocabulary = vocabularyOf(*model);
  model->classes = lastDimension(*model);
  return ModelPtr(std::move(model));
}

}  // namespace detail

const std::vector<ZooEntry>& zoo() {
  static const std::vector<ZooEntry> kEntries{
      {"toy", "Linear 10 to 10, ReLU, Linear 10 to 5", {10}},
      {"toy-wide", "Linear 10000 to 10, ReLU, Linear 10 to 5", {10000}},
      {"net", "Linear 10 to 100, Linear 100 to 1, no activation", {10}},
      {"mlp", "Linear layers with ReLU between them; sizes: depth, width, in, out", {1024}},
      {"resnet18", "residual network of 18 layers (torchvision); size: num_classes", {3, 224, 224}},
      {"resnet34", "residual network of 34 layers (torchvision); size: num_classes", {3, 224, 224}},
      {"resnet50", "residual network of 50 layers (torchvision); size: num_classes", {3, 224, 224}},
      {"resnet101",
       "residual network of 101 layers (torchvision); size: num_classes",
       {3, 224, 224}},
      {"resnet152",
       "residual network of 152 layers (torchvision); size: num_classes",
       {3, 224, 224}},
      {"vgg16",
       "convolutions and three linear layers (torchvision); sizes: num_classes, dropout",
       {3, 224, 224}},
      {"gpt",
       "transformer on tokens; sizes: layers, heads, width, vocab, context, dropout, tie",
       {1024}},
  };
  return kEntries;
}

}  // namespace stagelane::model
