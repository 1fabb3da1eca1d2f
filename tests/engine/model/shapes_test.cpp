#include "engine/model/shapes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace stagelane::model {
namespace {

ModelPtr named(const std::string& name) {
  const auto model = modelFromArgument(name);
  EXPECT_TRUE(model) << name;
  return *model;
}

ModelPtr fromLayers(const std::string& layers) {
  const auto model = buildModel(Json{{"layers", Json::parse(layers)}}, "/model", "");
  EXPECT_TRUE(model) << (model ? "" : describe(model.error()));
  return *model;
}

Bytes savedBytes(const ModelShapes& shapes) {
  return std::accumulate(shapes.blocks.begin(), shapes.blocks.end(), Bytes{0},
                         [](Bytes sum, const BlockCost& cost) { return sum + cost.savedBytes; });
}

Error errorOf(const Model& model, const Shape& input) {
  const auto shapes = inferShapes(model, input, DType::Float32);
  EXPECT_FALSE(shapes);
  return shapes ? Error{} : shapes.error();
}

/// PyTorch 2.11.0, saved_tensors_hooks, each storage once, without parameters and buffers.
TEST(SavedBytes, AreWhatAutogradKeeps) {
  EXPECT_EQ(savedBytes(*inferShapes(*named("resnet50"), {2, 3, 128, 128}, DType::Float32)),
            56327680);
  EXPECT_EQ(savedBytes(*inferShapes(*named("resnet50"), {4, 3, 128, 128}, DType::Float32)),
            112442880);
  EXPECT_EQ(savedBytes(*inferShapes(*named("resnet18"), {4, 3, 64, 64}, DType::Float32)), 7288320);
  EXPECT_EQ(savedBytes(*inferShapes(*named("toy"), {4, 10}, DType::Float32)), 320);
  const ModelPtr vgg = named("vgg16");
  EXPECT_EQ(savedBytes(*inferShapes(*vgg, {1, 3, 224, 224}, DType::Float32)), 73355264);
  EXPECT_EQ(savedBytes(*inferShapes(*vgg, {2, 3, 64, 64}, DType::Float32)), 12341248);
  EXPECT_EQ(savedBytes(*inferShapes(*vgg, {2, 3, 32, 32}, DType::Float32)), 3383296);
}

ModelPtr smallGpt(const std::string& more = "") {
  const auto model = buildModel(
      Json::parse(R"({"zoo":"gpt","layers":2,"heads":2,"width":32,"vocab":64,"context":16)" + more +
                  "}"),
      "/model", "");
  EXPECT_TRUE(model) << (model ? "" : describe(model.error()));
  return *model;
}

/// Measured in the same way on tests/engine/run/gpt_module.py; a tied weight changes nothing.
TEST(SavedBytes, OfATransformerAreWhatAutogradKeeps) {
  const Shape tokens{3, 8};
  for (const std::string tie : {"", R"(,"tie":true)"}) {
    const ModelPtr plain = smallGpt(tie);
    const ModelPtr dropping = smallGpt(tie + R"(,"dropout":0.1)");
    EXPECT_EQ(savedBytes(*inferShapes(*plain, tokens, DType::Float32)), 105984);
    EXPECT_EQ(savedBytes(*inferShapes(*dropping, tokens, DType::Float32)), 121344);
    EXPECT_EQ(savedBytes(*inferShapes(*plain, tokens, DType::Float64)), 211776);
    EXPECT_EQ(savedBytes(*inferShapes(*dropping, tokens, DType::Float64)), 242496);
  }
}

/// Measured in the same way, as PyTorch's Sequentials.
TEST(SavedBytes, OfTheKindsOfTransformersAreWhatAutogradKeeps) {
  EXPECT_EQ(savedBytes(*inferShapes(*fromLayers(R"([
    {"kind": "Linear", "in_features": 4, "out_features": 4}, {"kind": "Tanh"},
    {"kind": "Dropout", "p": 0.3}, {"kind": "LayerNorm", "normalized_shape": 4}, {"kind": "GELU"},
    {"kind": "Linear", "in_features": 4, "out_features": 2}])"),
                                    {5, 4}, DType::Float32)),
            520);
  EXPECT_EQ(savedBytes(*inferShapes(*fromLayers(R"([
    {"kind": "Embedding", "num_embeddings": 10, "embedding_dim": 6}, {"kind": "Tanh"},
    {"kind": "Flatten"}, {"kind": "Linear", "in_features": 24, "out_features": 2}])"),
                                    {5, 4}, DType::Float32)),
            640);
  EXPECT_EQ(savedBytes(*inferShapes(*fromLayers(R"([
    {"kind": "Linear", "in_features": 4, "out_features": 4}, {"kind": "Dropout", "p": 0},
    {"kind": "Linear", "in_features": 4, "out_features": 2}])"),
                                    {5, 4}, DType::Float32)),
            160);
  EXPECT_EQ(savedBytes(*inferShapes(*fromLayers(R"([
    {"kind": "Conv2d", "in_channels": 2, "out_channels": 4, "kernel_size": 1},
    {"kind": "LayerNorm", "normalized_shape": [4, 3, 3]}, {"kind": "GELU"}])"),
                                    {5, 2, 3, 3}, DType::Float32)),
            1840);
}

TEST(Shapes, OfATransformerAreItsPositionsByItsWidth) {
  const auto shapes = inferShapes(*smallGpt(), {3, 8}, DType::Float32);
  ASSERT_TRUE(shapes);
  ASSERT_EQ(shapes->blocks.size(), 4U);
  EXPECT_EQ(shapes->blocks[0].inputBytes, 3 * 8 * 8) << "int64";
  EXPECT_EQ(shapes->blocks[2].outputShapes.front(), (Shape{3, 8, 32}));
  EXPECT_EQ(shapes->blocks[3].outputShapes.front(), (Shape{3, 8, 64}));
  // The linear layers are half of torch.utils.flop_counter's 1277952; the attention of each block
  // is 2 × 3 × 8² × 32.
  std::int64_t macs = 0;
  for (const BlockCost& cost : shapes->blocks) macs += cost.macs;
  EXPECT_EQ(macs, 1277952 / 2 + 2 * 2 * 3 * 64 * 32);
}

TEST(Shapes, RefuseMorePositionsThanATransformerHas) {
  const Error error = errorOf(*smallGpt(), {3, 17});
  EXPECT_NE(error.message.find("'embedding.wpe' (PositionEmbedding)"), std::string::npos);
  EXPECT_NE(error.message.find("at most 16"), std::string::npos) << error.message;
}

TEST(Shapes, RefuseTokensAnywhereButInAnEmbeddingAtTheBegin) {
  const Error late = errorOf(*fromLayers(R"([
    {"kind": "Linear", "in_features": 4, "out_features": 4},
    {"kind": "Embedding", "num_embeddings": 10, "embedding_dim": 6}])"),
                             {5, 4});
  EXPECT_NE(late.message.find("takes tokens"), std::string::npos) << late.message;
  const Error residual = errorOf(*fromLayers(R"([{"kind": "Residual", "layers": [
    {"kind": "Embedding", "num_embeddings": 10, "embedding_dim": 6}]}])"),
                                 {5, 4});
  EXPECT_NE(residual.message.find("tokens"), std::string::npos) << residual.message;
}

TEST(Shapes, RefuseWhatTheKindsOfTransformersDoNotTake) {
  const Error norm =
      errorOf(*fromLayers(R"([{"kind": "LayerNorm", "normalized_shape": [3, 4]}])"), {5, 2, 4});
  EXPECT_NE(norm.message.find("ends with [3, 4]"), std::string::npos) << norm.message;
  const Error heads =
      errorOf(*fromLayers(R"([{"kind": "CausalSelfAttention", "heads": 2}])"), {5, 2, 9});
  EXPECT_NE(heads.message.find("3 x 2 heads"), std::string::npos) << heads.message;
}

Bytes sumOfParameters(const ModelShapes& shapes) {
  return std::accumulate(
      shapes.blocks.begin(), shapes.blocks.end(), Bytes{0},
      [](Bytes sum, const BlockCost& cost) { return sum + cost.parameterBytes; });
}

TEST(Ties, CountATiedParameterOnceForTheModelAndOnceForEachStage) {
  const Bytes shared = 64 * 32 * 4;
  const auto tied = inferShapes(*smallGpt(R"(,"tie":true)"), {3, 8}, DType::Float32);
  const auto untied = inferShapes(*smallGpt(), {3, 8}, DType::Float32);
  ASSERT_TRUE(tied && untied);
  EXPECT_EQ(sumOfParameters(*tied), 28032 * 4);
  EXPECT_EQ(sumOfParameters(*untied), 30080 * 4);
  ASSERT_EQ(tied->blocks[3].borrowed.size(), 1U);
  EXPECT_EQ(tied->blocks[3].borrowed.front().owner, "embedding.wte.weight");
  // Both ends on one device: one copy in one stage, two in two.
  EXPECT_EQ(memoryNeed(*tied, {0, 1, 2, 3}, 1, 0).parameters, 28032 * 4);
  EXPECT_EQ(memoryNeed(*tied, {0, 3}, 1, 0).parameters,
            memoryNeed(*untied, {0, 3}, 1, 0).parameters);
  EXPECT_EQ(memoryNeed(*tied, {2, 3}, 1, 0).parameters,
            tied->blocks[2].parameterBytes + tied->blocks[3].parameterBytes + shared);
}

TEST(Ties, CountUsesInsideOneStageOnce) {
  const ModelPtr model = fromLayers(R"([
    {"name": "a", "kind": "Linear", "in_features": 4, "out_features": 4},
    {"name": "b", "kind": "Linear", "in_features": 4, "out_features": 4, "shares": "a"},
    {"name": "c", "layers": [
      {"kind": "Linear", "in_features": 4, "out_features": 4, "shares": "b"},
      {"kind": "Linear", "in_features": 4, "out_features": 4, "shares": "a"}]}])");
  EXPECT_EQ(model->ties.at("c.0.bias"), "a.bias");
  const auto shapes = inferShapes(*model, {2, 4}, DType::Float32);
  ASSERT_TRUE(shapes);
  EXPECT_EQ(sumOfParameters(*shapes), 20 * 4);
  EXPECT_EQ(shapes->blocks[2].borrowed.size(), 2U) << "weight and bias, once";
  EXPECT_EQ(memoryNeed(*shapes, {0, 1, 2}, 1, 0).parameters, 20 * 4);
  EXPECT_EQ(memoryNeed(*shapes, {1, 2}, 1, 0).parameters, 20 * 4);
  EXPECT_EQ(memoryNeed(*shapes, {0, 2}, 1, 0).parameters, 2 * 20 * 4);
}

/// Measured in the same way: the pooling that is not 1×1 keeps its input, the max pooling int64
/// indices, the convolution the input.
TEST(SavedBytes, CountPoolingsAndPlainReLUs) {
  const ModelPtr model = fromLayers(R"([
    {"kind": "Conv2d", "in_channels": 3, "out_channels": 8, "kernel_size": 3, "padding": 1},
    {"kind": "ReLU"},
    {"kind": "MaxPool2d", "kernel_size": 2},
    {"kind": "AdaptiveAvgPool2d", "output_size": 2},
    {"kind": "Flatten"},
    {"kind": "Linear", "in_features": 32, "out_features": 4}])");
  EXPECT_EQ(savedBytes(*inferShapes(*model, {4, 3, 8, 8}, DType::Float32)), 17920);
}

TEST(SavedBytes, DoubleInFloat64ButForIndices) {
  const ModelPtr model = fromLayers(R"([
    {"kind": "Conv2d", "in_channels": 1, "out_channels": 1, "kernel_size": 1},
    {"kind": "MaxPool2d", "kernel_size": 2}])");
  EXPECT_EQ(savedBytes(*inferShapes(*model, {1, 1, 4, 4}, DType::Float32)), 64 + 64 + 4 * 8);
  EXPECT_EQ(savedBytes(*inferShapes(*model, {1, 1, 4, 4}, DType::Float64)), 128 + 128 + 4 * 8);
}

TEST(SavedBytes, AreNoneBeforeTheFirstParameter) {
  const ModelPtr model = fromLayers(R"([
    {"kind": "ReLU"}, {"kind": "ReLU", "inplace": true},
    {"kind": "Linear", "in_features": 4, "out_features": 1}])");
  const auto shapes = inferShapes(*model, {2, 4}, DType::Float32);
  ASSERT_TRUE(shapes);
  EXPECT_EQ(shapes->blocks[0].savedBytes, 0);
  EXPECT_EQ(shapes->blocks[1].savedBytes, 0);
  EXPECT_EQ(shapes->blocks[2].savedBytes, 2 * 4 * 4);
}

TEST(Shapes, OfResnet50AreTorchvisions) {
  const ModelPtr model = named("resnet50");
  const auto shapes = inferShapes(*model, {2, 3, 128, 128}, DType::Float32);
  ASSERT_TRUE(shapes);
  ASSERT_EQ(shapes->blocks.size(), 22U);
  const auto block = [&](const std::string& name) {
    return shapes->blocks[static_cast<std::size_t>(model->blockNamed(name)->value)];
  };
  EXPECT_EQ(block("maxpool").outputShapes.front(), (Shape{2, 64, 32, 32}));
  EXPECT_EQ(block("layer1.2").outputShapes.front(), (Shape{2, 256, 32, 32}));
  EXPECT_EQ(block("layer4.2").outputShapes.front(), (Shape{2, 2048, 4, 4}));
  EXPECT_EQ(block("avgpool").outputShapes.front(), (Shape{2, 2048, 1, 1}));
  EXPECT_EQ(block("fc").outputShapes.front(), (Shape{2, 1000}));
  EXPECT_EQ(block("layer1.2").outputBytes, 2 * 1024 * 1024);
  EXPECT_EQ(block("layer2.0").inputBytes, 2 * 1024 * 1024);
  EXPECT_EQ(block("fc").parameters, 2049000);
  EXPECT_EQ(block("bn1").bufferElements, 129);
  EXPECT_EQ(block("bn1").bufferBytes, 128 * 4 + 8);
}

TEST(Shapes, FollowStrideDilationGroupsAndRectangles) {
  const ModelPtr model = fromLayers(R"([
    {"kind": "Conv2d", "in_channels": 4, "out_channels": 6, "kernel_size": [3, 5],
     "stride": [2, 1], "padding": [0, 2], "dilation": [2, 1], "groups": 2, "bias": false}])");
  const auto shapes = inferShapes(*model, {1, 4, 11, 9}, DType::Float32);
  ASSERT_TRUE(shapes);
  EXPECT_EQ(shapes->calls.front().output, (Shape{1, 6, 4, 9}));
  EXPECT_EQ(shapes->calls.front().macs, 6 * 4 * 9 * 2 * 3 * 5);
  EXPECT_EQ(shapes->blocks.front().parameters, 6 * 2 * 3 * 5);
}

TEST(Shapes, NameTheLayerAndBothShapesWhereTheyDoNotFit) {
  const Error error = errorOf(*named("toy"), {20, 7});
  EXPECT_EQ(error.code, ErrorCode::Invalid);
  EXPECT_NE(error.message.find("'net1' (Linear)"), std::string::npos) << error.message;
  EXPECT_NE(error.message.find("10]"), std::string::npos) << error.message;
  EXPECT_NE(error.message.find("[20, 7]"), std::string::npos) << error.message;

  const Error inside = errorOf(*named("resnet18"), {2, 1, 64, 64});
  EXPECT_NE(inside.message.find("'conv1' (Conv2d)"), std::string::npos) << inside.message;
  EXPECT_NE(inside.message.find("[batch, 3, height, width]"), std::string::npos);
}

TEST(Shapes, RefuseAKernelLargerThanTheImage) {
  const ModelPtr model = fromLayers(R"([
    {"kind": "Conv2d", "in_channels": 1, "out_channels": 1, "kernel_size": 5}])");
  EXPECT_NE(errorOf(*model, {1, 1, 4, 4}).message.find("kernel"), std::string::npos);
  EXPECT_TRUE(inferShapes(*model, {1, 1, 5, 5}, DType::Float32));
}

TEST(Shapes, RefuseEmptyNegativeAndAbsurdInputs) {
  const ModelPtr model = named("toy");
  for (const Shape& input :
       {Shape{}, Shape{10}, Shape{0, 10}, Shape{-1, 10}, Shape{std::int64_t{1} << 40, 10}}) {
    EXPECT_EQ(errorOf(*model, input).code, ErrorCode::Invalid);
  }
}

TEST(Shapes, RefuseSizesThatPass64Bits) {
  const ModelPtr wide = fromLayers(R"([
    {"kind": "Conv2d", "in_channels": 1, "out_channels": 2147483647, "kernel_size": 1}])");
  const Error input = errorOf(*wide, {2147483647, 1, 2147483647, 2147483647});
  EXPECT_EQ(input.code, ErrorCode::Invalid);
  EXPECT_NE(input.message.find("input"), std::string::npos) << input.message;
  EXPECT_NE(input.message.find("2^48"), std::string::npos) << input.message;
  const Error output = errorOf(*wide, {1, 1, 70000, 70000});
  EXPECT_EQ(output.code, ErrorCode::Invalid);
  EXPECT_NE(output.message.find("output of layer '0'"), std::string::npos) << output.message;
  EXPECT_NE(output.message.find("2^48"), std::string::npos) << output.message;

  const ModelPtr heavy = fromLayers(R"([
    {"kind": "Conv2d", "in_channels": 4096, "out_channels": 65536,
     "kernel_size": 1000, "padding": 500, "bias": false}])");
  EXPECT_NE(errorOf(*heavy, {1, 4096, 50000, 50000}).message.find("multiply-accumulates"),
            std::string::npos);
}

TEST(Shapes, RefuseAnInPlaceLayerThatDestroysWhatBackwardNeeds) {
  const ModelPtr model = fromLayers(R"([
    {"kind": "Linear", "in_features": 4, "out_features": 4},
    {"kind": "ReLU"},
    {"name": "again", "kind": "ReLU", "inplace": true}])");
  const Error error = errorOf(*model, {2, 4});
  EXPECT_NE(error.message.find("'again'"), std::string::npos) << error.message;
  EXPECT_NE(error.message.find("in place"), std::string::npos) << error.message;
}

TEST(TemporaryBytes, OfALinearLayerAreItsGradients) {
  const auto shapes = inferShapes(*named("net"), {8, 10}, DType::Float32);
  ASSERT_TRUE(shapes);
  // fc1: no gradient of the model's input; gradient of the output, fresh gradients of parameters.
  EXPECT_EQ(shapes->blocks[0].temporaryBytes, 8 * 100 * 4 + 1100 * 4);
  // fc2: gradients of output and input, and of the parameters.
  EXPECT_EQ(shapes->blocks[1].temporaryBytes, 8 * 1 * 4 + 8 * 100 * 4 + 101 * 4);
}

TEST(TemporaryBytes, KeepTheGradientOfAResidualConnection) {
  const ModelPtr model = named("resnet18");
  const auto shapes = inferShapes(*model, {2, 3, 64, 64}, DType::Float32);
  ASSERT_TRUE(shapes);
  const auto index = static_cast<std::size_t>(model->blockNamed("layer1.1")->value);
  const BlockCost& cost = shapes->blocks[index];
  const Bytes value = 2 * 64 * 16 * 16 * 4;
  const Bytes weight = 64 * 64 * 3 * 3 * 4;
  // conv2: gradients of output, input and parameters, while the identity's waits. conv1: the
  // gradient of its input meets the identity's, and their sum takes a buffer of its own.
  EXPECT_EQ(cost.temporaryBytes, std::max(3 * value + weight, 4 * value));
}

TEST(MemoryNeed, AddsUpAStage) {
  const auto shapes = inferShapes(*named("toy"), {4, 10}, DType::Float32);
  ASSERT_TRUE(shapes);
  const MemoryNeed whole = memoryNeed(*shapes, {0, 1, 2}, 3, 1);
  EXPECT_EQ(whole.parameters, 165 * 4);
  EXPECT_EQ(whole.gradients, 165 * 4);
  EXPECT_EQ(whole.optimizer, 165 * 4);
  EXPECT_EQ(whole.buffers, 0);
  EXPECT_EQ(whole.activations, 3 * 320);
  EXPECT_EQ(whole.total(), whole.parameters * 3 + whole.activations + whole.temporary);
}

TEST(MemoryNeed, CountsTheInputThatAStageReceives) {
  const auto shapes = inferShapes(*named("toy"), {4, 10}, DType::Float32);
  ASSERT_TRUE(shapes);
  const Bytes value = 4 * 10 * 4;
  EXPECT_EQ(memoryNeed(*shapes, {0}, 1, 0).activations, value);
  EXPECT_EQ(memoryNeed(*shapes, {1}, 1, 0).activations, 2 * value);  // input, kept result
  EXPECT_EQ(memoryNeed(*shapes, {2}, 1, 0).activations, value);      // its own copy of the result
  EXPECT_EQ(memoryNeed(*shapes, {1, 2}, 1, 0).activations, 2 * value);
  EXPECT_EQ(memoryNeed(*shapes, {0, 2}, 1, 0).activations, 2 * value);
}

TEST(MemoryNeed, OfNothingIsNothing) {
  const auto shapes = inferShapes(*named("toy"), {4, 10}, DType::Float32);
  ASSERT_TRUE(shapes);
  EXPECT_EQ(memoryNeed(*shapes, {}, 5, 2).total(), 0);
  EXPECT_EQ(memoryNeed(*shapes, {0}, 0, 2).activations, 0);
}

TEST(MemoryNeed, CountsAnInPlaceReLUAtAStagesBeginTwice) {
  const ModelPtr model = named("resnet18");
  const auto shapes = inferShapes(*model, {2, 3, 64, 64}, DType::Float32);
  ASSERT_TRUE(shapes);
  const auto relu = static_cast<std::size_t>(model->blockNamed("relu")->value);
  EXPECT_EQ(memoryNeed(*shapes, {relu}, 1, 0).activations, 2 * shapes->blocks[relu].outputBytes);
}

}  // namespace
}  // namespace stagelane::model
