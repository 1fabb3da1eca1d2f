#include "engine/model/model.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "engine/model/shapes.h"
#include "tests/support/temporary_folder.h"

namespace stagelane::model {
namespace {

ModelPtr named(const std::string& name) {
  const auto model = modelFromArgument(name);
  EXPECT_TRUE(model) << name;
  return *model;
}

Result<ModelPtr> build(const std::string& definition) {
  return buildModel(Json::parse(definition), "/model", "");
}

/// The error of buildModel as "context: message. hint".
std::string refusal(const std::string& definition) {
  const auto model = build(definition);
  EXPECT_FALSE(model) << definition;
  if (model) return "";
  EXPECT_EQ(model.error().code, ErrorCode::Invalid);
  return model.error().context + ": " + model.error().message + ". " + model.error().hint;
}

std::string refusalOfLayers(const std::string& layers) {
  return refusal(R"({"layers": )" + layers + "}");
}

bool begins(const std::string& text, const std::string& start) { return text.rfind(start, 0) == 0; }
bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<std::string> blockNames(const Model& model) {
  std::vector<std::string> names;
  for (const Block& block : model.blocks) names.push_back(block.name);
  return names;
}

TEST(Zoo, Resnet50IsAChainOf22Blocks) {
  const ModelPtr model = named("resnet50");
  EXPECT_EQ(blockNames(*model),
            (std::vector<std::string>{"conv1",    "bn1",      "relu",     "maxpool",  "layer1.0",
                                      "layer1.1", "layer1.2", "layer2.0", "layer2.1", "layer2.2",
                                      "layer2.3", "layer3.0", "layer3.1", "layer3.2", "layer3.3",
                                      "layer3.4", "layer3.5", "layer4.0", "layer4.1", "layer4.2",
                                      "avgpool",  "fc"}));
  EXPECT_EQ(model->blocks[4].className, "Bottleneck");
  EXPECT_EQ(model->blocks[21].className, "Linear");
  EXPECT_EQ(model->layers.size(), 126U);
  EXPECT_EQ(model->classes, 1000);
}

TEST(Zoo, RunsAResidualBlockInTorchvisionsOrder) {
  const ModelPtr model = named("resnet50");
  const Block& block = model->blocks[4];
  std::vector<std::string> order;
  for (const Call& call : block.calls) {
    order.push_back(call.kind == CallKind::Layer ? model->layers[call.layer].name.substr(9)
                                                 : "add");
  }
  EXPECT_EQ(order,
            (std::vector<std::string>{"conv1", "bn1", "relu", "conv2", "bn2", "relu", "conv3",
                                      "bn3", "downsample.0", "downsample.1", "add", "relu"}));
  EXPECT_EQ(block.calls[8].inputs, std::vector<std::size_t>{0});
  EXPECT_EQ(block.calls[10].inputs, (std::vector<std::size_t>{8, 10}));
  EXPECT_EQ(block.outputs, std::vector<std::size_t>{12});
  EXPECT_EQ(model->layers[block.layers.back()].name, "layer1.0.downsample.1");
  EXPECT_EQ(model->blocks[5].calls.back().inputs, std::vector<std::size_t>{9});
  EXPECT_EQ(model->blocks[5].calls[8].inputs, (std::vector<std::size_t>{8, 0}));
}

TEST(Zoo, FlattenBelongsToTheClassifier) {
  const ModelPtr model = named("resnet18");
  const Block& fc = model->blocks.back();
  ASSERT_EQ(fc.calls.size(), 2U);
  EXPECT_EQ(fc.calls[0].kind, CallKind::Flatten);
  EXPECT_EQ(fc.calls[1].kind, CallKind::Layer);
}

TEST(Zoo, HasTorchvisionsParameterCounts) {
  const std::vector<std::pair<std::string, std::int64_t>> counts{
      {"resnet18", 11689512},  {"resnet34", 21797672},  {"resnet50", 25557032},
      {"resnet101", 44549160}, {"resnet152", 60192808}, {"toy", 165},
      {"toy-wide", 100065},    {"net", 1201},           {"vgg16", 138357544},
      {"gpt", 163037184}};
  for (const auto& [name, expected] : counts) {
    const ModelPtr model = named(name);
    Shape input = model->defaultInput;
    input.insert(input.begin(), 2);
    const auto shapes = inferShapes(*model, input, DType::Float32);
    ASSERT_TRUE(shapes);
    std::int64_t parameters = 0;
    for (const BlockCost& cost : shapes->blocks) parameters += cost.parameters;
    EXPECT_EQ(parameters, expected) << name;
  }
}

TEST(Zoo, EveryEntryBuildsAndTakesItsDefaultInput) {
  for (const ZooEntry& entry : zoo()) {
    const ModelPtr model = named(entry.name);
    EXPECT_EQ(model->name, entry.name);
    EXPECT_EQ(model->defaultInput, entry.defaultInput);
    Shape input = entry.defaultInput;
    input.insert(input.begin(), 2);
    const auto shapes = inferShapes(*model, input, DType::Float32);
    ASSERT_TRUE(shapes) << entry.name;
    EXPECT_EQ(shapes->blocks.back().outputShapes.front().back(), model->classes);
  }
}

TEST(Zoo, Vgg16IsAChainOfItsLeavesWithTorchvisionsNames) {
  const ModelPtr model = named("vgg16");
  ASSERT_EQ(model->blocks.size(), 39U);
  EXPECT_EQ(model->blocks[0].name, "features.0");
  EXPECT_EQ(model->blocks[30].name, "features.30");
  EXPECT_EQ(model->blocks[31].name, "avgpool");
  EXPECT_EQ(model->blocks[38].name, "classifier.6");
  ASSERT_EQ(model->blocks[32].calls.size(), 2U);
  EXPECT_EQ(model->blocks[32].calls[0].kind, CallKind::Flatten);
  EXPECT_EQ((*build(R"({"zoo": "vgg16", "num_classes": 10})"))->classes, 10);
}

TEST(Zoo, GptIsAnEmbeddingTransformerBlocksAndAHead) {
  const ModelPtr model =
      *build(R"({"zoo": "gpt", "layers": 2, "heads": 4, "width": 32, "vocab": 64, "context": 16})");
  EXPECT_EQ(blockNames(*model), (std::vector<std::string>{"embedding", "h.0", "h.1", "head"}));
  EXPECT_EQ(model->blocks[1].className, "Block");
  EXPECT_EQ(model->classes, 64);
  EXPECT_EQ(model->vocabulary, 64);
  EXPECT_EQ(model->defaultInput, Shape{16});
  EXPECT_TRUE(model->ties.empty());
  EXPECT_EQ(model->layers[2].name, "h.0.ln_1");
}

TEST(Zoo, GptRefusesSizesThatDoNotFit) {
  const std::string heads = refusal(R"({"zoo": "gpt", "heads": 5})");
  EXPECT_TRUE(begins(heads, "/model/heads: ")) << heads;
  EXPECT_TRUE(begins(refusal(R"({"zoo": "gpt", "layers": 0})"), "/model/layers: "));
  EXPECT_TRUE(begins(refusal(R"({"zoo": "gpt", "dropout": 1})"), "/model/dropout: "));
  EXPECT_TRUE(begins(refusal(R"({"zoo": "gpt", "depth": 1})"), "/model/depth: "));
  EXPECT_TRUE(begins(refusal(R"({"zoo": "vgg16", "dropout": -0.1})"), "/model/dropout: "));
}

TEST(Shares, TieALayerToAnEarlierOne) {
  const ModelPtr model = *build(R"({"layers": [
    {"name": "a", "layers": [{"name": "fc", "kind": "Linear", "in_features": 4,
                              "out_features": 4}]},
    {"name": "b", "kind": "Linear", "in_features": 4, "out_features": 4, "shares": "a.fc"}]})");
  EXPECT_EQ(model->ties.size(), 2U);
  EXPECT_EQ(model->ownerOf("b.weight"), "a.fc.weight");
  EXPECT_EQ(model->ownerOf("a.fc.weight"), "a.fc.weight");
}

TEST(Shares, RefuseWhatCannotBeShared) {
  const std::string first = R"([{"name": "a", "kind": "Linear", "in_features": 4,
                                 "out_features": 4}, )";
  const auto refused = [&](const std::string& second) {
    const std::string text = refusalOfLayers(first + second + "]");
    EXPECT_TRUE(begins(text, "/model/layers/1/shares: ")) << text;
    return text;
  };
  const std::string linear = R"({"kind": "Linear", "in_features": 4, "out_features": )";
  EXPECT_TRUE(contains(refused(linear + R"(4, "shares": "b"})"), "no earlier layer"));
  EXPECT_TRUE(contains(refused(linear + R"(4, "shares": "1"})"), "no earlier layer"));
  EXPECT_TRUE(contains(refused(linear + R"(5, "shares": "a"})"), "kinds or sizes differ"));
  EXPECT_TRUE(
      contains(refused(linear + R"(4, "bias": false, "shares": "a"})"), "kinds or sizes differ"));
  EXPECT_TRUE(contains(refused(R"({"kind": "ReLU", "shares": "a"})"), "kinds or sizes differ"));
  EXPECT_TRUE(contains(refused(linear + R"(4, "shares": 1})"), "must be a string"));
  const std::string norm = refusalOfLayers(R"([
    {"name": "n", "kind": "BatchNorm2d", "num_features": 4},
    {"kind": "BatchNorm2d", "num_features": 4, "shares": "n"}])");
  EXPECT_TRUE(contains(norm, "running statistics")) << norm;
  const std::string nothing =
      refusalOfLayers(R"([{"name": "r", "kind": "ReLU"}, {"kind": "ReLU", "shares": "r"}])");
  EXPECT_TRUE(contains(nothing, "no parameters to share")) << nothing;
}

TEST(Residual, AddsTheGroupsInputToItsOutput) {
  const ModelPtr model = *build(R"({"layers": [
    {"name": "g", "layers": [
      {"kind": "Linear", "in_features": 4, "out_features": 4},
      {"kind": "Residual", "layers": [{"kind": "Tanh"}, {"kind": "GELU"}]}]},
    {"kind": "Residual", "layers": [{"kind": "Tanh"}]}]})");
  const Block& first = model->blocks[0];
  ASSERT_EQ(first.calls.size(), 4U);
  EXPECT_EQ(first.calls[3].kind, CallKind::Add);
  EXPECT_EQ(first.calls[3].inputs, (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(first.outputs, std::vector<std::size_t>{4});
  EXPECT_EQ(model->blocks[1].calls[1].inputs, (std::vector<std::size_t>{0, 1}));
}

TEST(Kinds, RefuseWhatIsOutOfRange) {
  for (const char* layer :
       {R"({"kind": "Dropout", "p": 1})", R"({"kind": "Dropout", "p": -1})",
        R"({"kind": "LayerNorm", "normalized_shape": []})",
        R"({"kind": "LayerNorm", "normalized_shape": 4, "eps": 0})", R"({"kind": "LayerNorm"})",
        R"({"kind": "GELU", "approximate": "erf"})", R"({"kind": "Embedding", "embedding_dim": 3})",
        R"({"kind": "Embedding", "num_embeddings": 0, "embedding_dim": 3})",
        R"({"kind": "CausalSelfAttention"})", R"({"kind": "Tanh", "inplace": true})"}) {
    const std::string text = refusalOfLayers("[" + std::string(layer) + "]");
    EXPECT_TRUE(begins(text, "/model/layers/0")) << layer << text;
  }
}

TEST(Zoo, TakesSizes) {
  const auto resnet = build(R"({"zoo": "resnet18", "num_classes": 7})");
  ASSERT_TRUE(resnet);
  EXPECT_EQ((*resnet)->classes, 7);
  const auto mlp = build(R"({"zoo": "mlp", "depth": 3, "width": 8, "in": 4, "out": 2})");
  ASSERT_TRUE(mlp);
  EXPECT_EQ(blockNames(**mlp), (std::vector<std::string>{"fc1", "relu1", "fc2", "relu2", "fc3"}));
  EXPECT_EQ((*mlp)->defaultInput, Shape{4});
  EXPECT_EQ((*mlp)->classes, 2);
  const auto shallow = build(R"({"zoo": "mlp", "depth": 1, "in": 4, "out": 2})");
  ASSERT_TRUE(shallow);
  EXPECT_EQ((*shallow)->blocks.size(), 1U);
}

TEST(Zoo, RefusesWrongSizesWithTheirPlace) {
  EXPECT_TRUE(begins(refusal(R"({"zoo": "resnet18", "num_classes": 0})"), "/model/num_classes"));
  EXPECT_TRUE(begins(refusal(R"({"zoo": "resnet18", "num_classes": "x"})"), "/model/num_classes"));
  EXPECT_TRUE(begins(refusal(R"({"zoo": "mlp", "depth": -1})"), "/model/depth"));
  EXPECT_TRUE(begins(refusal(R"({"zoo": "mlp", "depth": 1000000})"), "/model/depth"));
  EXPECT_TRUE(begins(refusal(R"({"zoo": "toy", "num_classes": 3})"), "/model/num_classes"));
  const std::string wide = refusal(R"({"zoo": "mlp", "width": 2147483647, "depth": 3})");
  EXPECT_TRUE(begins(wide, "/model:")) << wide;
  EXPECT_TRUE(contains(wide, "'fc2' (Linear)") && contains(wide, "2^48")) << wide;
  EXPECT_TRUE(begins(refusal(R"({"zoo": 5})"), "/model/zoo"));
}

TEST(Zoo, ListsTheModelsForAnUnknownName) {
  const std::string text = refusal(R"({"zoo": "resnet5O"})");
  EXPECT_TRUE(begins(text, "/model/zoo")) << text;
  EXPECT_TRUE(contains(text, "resnet50")) << text;
  EXPECT_TRUE(contains(text, "toy-wide")) << text;
}

TEST(LayerList, MakesEachItemABlock) {
  const auto model = build(R"({"layers": [
    {"name": "conv", "kind": "Conv2d", "in_channels": 3, "out_channels": 4, "kernel_size": 3},
    {"kind": "ReLU", "inplace": true},
    {"name": "head", "layers": [{"kind": "AdaptiveAvgPool2d", "output_size": 1},
                                {"kind": "Flatten"},
                                {"name": "inner", "kind": "Sequential", "layers": [
                                   {"kind": "Linear", "in_features": 4, "out_features": 2}]}]}]})");
  ASSERT_TRUE(model) << describe(model.error());
  EXPECT_EQ(blockNames(**model), (std::vector<std::string>{"conv", "1", "head"}));
  EXPECT_EQ((*model)->name, "custom");
  EXPECT_EQ((*model)->classes, 2);
  const Block& head = (*model)->blocks[2];
  EXPECT_EQ(head.className, "Sequential");
  ASSERT_EQ(head.calls.size(), 3U);
  EXPECT_EQ(head.calls[2].inputs, std::vector<std::size_t>{2});
  EXPECT_EQ(head.outputs, std::vector<std::size_t>{3});
  EXPECT_EQ((*model)->layers.back().name, "head.inner.0");
  EXPECT_TRUE(inferShapes(**model, {2, 3, 8, 8}, DType::Float32));
}

TEST(LayerList, TellsTheKindsForAnUnknownOne) {
  const std::string text = refusalOfLayers(R"([{"kind": "ReLU"}, {"kind": "Conv3d"}])");
  EXPECT_TRUE(begins(text, "/model/layers/1/kind")) << text;
  EXPECT_TRUE(contains(text,
                       "Conv2d, BatchNorm2d, Linear, ReLU, MaxPool2d, AdaptiveAvgPool2d, "
                       "Flatten"))
      << text;
}

struct BadList {
  const char* layers;
  const char* place;
};
class Malformed : public testing::TestWithParam<BadList> {};

TEST_P(Malformed, NamesThePlace) {
  const std::string text = refusalOfLayers(GetParam().layers);
  EXPECT_TRUE(begins(text, std::string(GetParam().place) + ":")) << text;
}
INSTANTIATE_TEST_SUITE_P(
    Lists, Malformed,
    testing::Values(
        BadList{"[]", "/model/layers"}, BadList{"{}", "/model/layers"},
        BadList{"null", "/model/layers"}, BadList{"[5]", "/model/layers/0"},
        BadList{"[{}]", "/model/layers/0"}, BadList{R"([{"kind": 3}])", "/model/layers/0/kind"},
        BadList{R"([{"kind": "Linear", "in_features": 3}])", "/model/layers/0/out_features"},
        BadList{R"([{"kind": "Linear", "in_features": -3, "out_features": 1}])",
                "/model/layers/0/in_features"},
        BadList{R"([{"kind": "Linear", "in_features": 1.5, "out_features": 1}])",
                "/model/layers/0/in_features"},
        BadList{R"([{"kind": "Linear", "in_features": 9223372036854775808, "out_features": 1}])",
                "/model/layers/0/in_features"},
        BadList{R"([{"kind": "Linear", "in_features": 1, "out_features": 1, "bias": 1}])",
                "/model/layers/0/bias"},
        BadList{R"([{"kind": "ReLU", "inplaced": true}])", "/model/layers/0/inplaced"},
        BadList{R"([{"kind": "MaxPool2d", "kernel_size": 0}])", "/model/layers/0/kernel_size"},
        BadList{R"([{"kind": "MaxPool2d", "kernel_size": [2, 2, 2]}])",
                "/model/layers/0/kernel_size"},
        BadList{R"([{"kind": "MaxPool2d", "kernel_size": [2, 18446744073709551615]}])",
                "/model/layers/0/kernel_size"},
        BadList{R"([{"kind": "MaxPool2d", "kernel_size": 2, "padding": 2}])",
                "/model/layers/0/padding"},
        BadList{R"([{"kind": "MaxPool2d", "kernel_size": 2, "stride": 0}])",
                "/model/layers/0/stride"},
        BadList{R"([{"kind": "Flatten", "start_dim": 0}])", "/model/layers/0/start_dim"},
        BadList{R"([{"kind": "BatchNorm2d", "num_features": 2, "eps": 0}])", "/model/layers/0/eps"},
        BadList{R"([{"kind": "BatchNorm2d", "num_features": 2, "momentum": 2}])",
                "/model/layers/0/momentum"},
        BadList{R"([{"kind": "Conv2d", "in_channels": 3, "out_channels": 4, "kernel_size": 1,
                     "groups": 2}])",
                "/model/layers/0/groups"},
        BadList{R"([{"kind": "ReLU", "name": "a.b"}])", "/model/layers/0/name"},
        BadList{R"([{"kind": "ReLU", "name": ""}])", "/model/layers/0/name"},
        BadList{R"([{"kind": "ReLU", "name": 1}])", "/model/layers/0/name"},
        BadList{R"([{"kind": "ReLU", "name": "a"}, {"kind": "ReLU", "name": "a"}])",
                "/model/layers/1"},
        BadList{R"([{"kind": "ReLU", "name": "1"}, {"kind": "ReLU"}])", "/model/layers/1"},
        BadList{R"([{"name": "group", "layers": []}])", "/model/layers/0/layers"},
        BadList{R"([{"kind": "Sequential"}])", "/model/layers/0"},
        BadList{R"([{"kind": "ReLU", "layers": [{"kind": "ReLU"}]}])", "/model/layers/0/kind"},
        BadList{R"([{"kind": "Linear", "in_features": 2147483647, "out_features": 2147483647}])",
                "/model/layers"}));

TEST(LayerList, RefusesGroupsNestedWithoutEnd) {
  std::string layers = R"([{"kind": "ReLU"}])";
  for (int level = 0; level < 17; ++level) layers = R"([{"layers": )" + layers + "}]";
  EXPECT_TRUE(contains(refusalOfLayers(layers), "nested deeper"));
}

TEST(LayerList, KnowsTheClassesWhereTheLayersDecideThem) {
  const auto classes = [](const std::string& layers) {
    const auto model = build(R"({"layers": )" + layers + "}");
    EXPECT_TRUE(model);
    return (*model)->classes;
  };
  const std::string conv = R"({"kind": "Conv2d", "in_channels": 1, "out_channels": 3,
                               "kernel_size": 1})";
  EXPECT_EQ(classes("[" + conv + "]"), 0);
  EXPECT_EQ(classes("[" + conv + R"(, {"kind": "AdaptiveAvgPool2d", "output_size": [2, 5]}])"), 5);
  EXPECT_EQ(classes("[" + conv + R"(, {"kind": "AdaptiveAvgPool2d", "output_size": [2, 5]},
                                      {"kind": "Flatten"}])"),
            30);
  EXPECT_EQ(classes(R"([{"kind": "ReLU"}])"), 0);
}

TEST(Definition, NeedsExactlyOneForm) {
  EXPECT_TRUE(begins(refusal("{}"), "/model:"));
  EXPECT_TRUE(begins(refusal("[]"), "/model:"));
  EXPECT_TRUE(begins(refusal(R"({"zoo": "toy", "layers": []})"), "/model:"));
  EXPECT_TRUE(begins(refusal(R"({"zoo": "toy", "weights": "x"})"), "/model/weights:"));
  EXPECT_TRUE(begins(refusal(R"({"file": ""})"), "/model/file:"));
  EXPECT_TRUE(begins(refusal(R"({"file": "a.json", "x": 1})"), "/model/x:"));
}

class ModelFile : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& content) const {
    std::ofstream(m_folder / name) << content;
  }
  [[nodiscard]] Result<ModelPtr> read(const std::string& name) const {
    return buildModel(Json{{"file", name}}, "/model", m_folder.string());
  }
  test::TemporaryFolder m_temporary;
  const std::filesystem::path& m_folder = m_temporary.path();
};

TEST_F(ModelFile, IsReadBesideTheExperiment) {
  write("tiny.json", R"({"layers": [{"kind": "Linear", "in_features": 3, "out_features": 2}]})");
  const auto model = read("tiny.json");
  ASSERT_TRUE(model) << describe(model.error());
  EXPECT_EQ((*model)->name, "tiny");
  EXPECT_EQ((*model)->defaultInput, Shape{3});
  const auto again = buildModel((*model)->definition, "/model", "/nowhere");
  ASSERT_TRUE(again) << describe(again.error());
  EXPECT_EQ((*again)->name, "tiny");
  EXPECT_TRUE(modelFromArgument((m_folder / "tiny.json").string()));
}

TEST_F(ModelFile, NamesTheFileAndThePlaceInIt) {
  write("bad.json", R"({"layers": [{"kind": "Linear", "in_features": 0, "out_features": 2}]})");
  const auto model = read("bad.json");
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().context, (m_folder / "bad.json").string() + "#/layers/0/in_features");
}

TEST_F(ModelFile, MustExistAndBeJsonAndNotPointOn) {
  write("broken.json", R"({"layers": [)");
  write("chain.json", R"({"file": "broken.json"})");
  EXPECT_FALSE(read("absent.json"));
  EXPECT_FALSE(read("broken.json"));
  EXPECT_FALSE(read("chain.json"));
  EXPECT_FALSE(modelFromArgument("no-such-model"));
  EXPECT_FALSE(modelFromArgument(m_folder.string()));
  EXPECT_FALSE(modelFromArgument(""));
}

TEST(Blocks, AreFoundByName) {
  const ModelPtr model = named("toy");
  EXPECT_EQ(model->blockNamed("relu"), BlockId{1});
  EXPECT_FALSE(model->blockNamed("net"));
}

}  // namespace
}  // namespace stagelane::model
