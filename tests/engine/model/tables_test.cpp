#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "engine/model/python_text.h"
#include "engine/model/summary.h"
#include "tests/support/paths.h"

namespace stagelane::model {
namespace {

std::string dataFile(const std::string& name) {
  std::ifstream file(checkout::testData() + "/summary/" + name);
  EXPECT_TRUE(file.good()) << name;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

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

TEST(Torchsummary, TablesEqualThoseOfTorchsummaryCharacterForCharacter) {
  const Shape image{3, 128, 128};
  EXPECT_EQ(*torchsummaryTable(*named("resnet18"), image),
            dataFile("resnet18_3x128x128_torchsummary1.5.1.txt"));
  EXPECT_EQ(*torchsummaryTable(*named("resnet50"), image),
            dataFile("resnet50_3x128x128_torchsummary1.5.1.txt"));
  EXPECT_EQ(*torchsummaryTable(*named("vgg16"), image),
            dataFile("vgg16_3x128x128_torchsummary1.5.1.txt"));
  EXPECT_EQ(*torchsummaryTable(*named("toy"), {10}),
            dataFile("toymodel_10_10_5_torchsummary1.5.1.txt"));
  EXPECT_EQ(*torchsummaryTable(*named("net"), {10}),
            dataFile("net_10_100_1_torchsummary1.5.1.txt"));
}

ModelPtr smallGpt() {
  const auto model = buildModel(Json::parse(R"({"zoo":"gpt","layers":2,"heads":2,"width":32,
      "vocab":64,"context":16,"dropout":0.1,"tie":true})"),
                                "/model", "");
  EXPECT_TRUE(model) << (model ? "" : describe(model.error()));
  return *model;
}

/// Output of torchsummary for tests/engine/run/gpt_module.py (its random input replaced by tokens);
/// a tied weight is counted at each of its modules.
TEST(Torchsummary, ATransformersContainersHaveRowsAndItsTiedWeightCountsTwice) {
  EXPECT_EQ(*torchsummaryTable(*smallGpt(), {8}), dataFile("gpt_8_torchsummary1.5.1.txt"));
}

TEST(Torchsummary, GroupsHaveNoRowAndFlattenModulesHaveOne) {
  const ModelPtr model = fromLayers(R"([
    {"name": "head", "layers": [{"kind": "Flatten"},
                                {"kind": "Linear", "in_features": 12, "out_features": 2}]}])");
  const std::string table = *torchsummaryTable(*model, {3, 2, 2});
  EXPECT_NE(table.find("Flatten-1"), std::string::npos);
  EXPECT_NE(table.find("Linear-2"), std::string::npos);
  EXPECT_EQ(table.find("Sequential"), std::string::npos);
}

TEST(Torchsummary, RefusesAnInputThatDoesNotFit) {
  const auto table = torchsummaryTable(*named("toy"), {7});
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().code, ErrorCode::Invalid);
}

TEST(Repr, EqualsPyTorchsCharacterForCharacter) {
  EXPECT_EQ(reprText(*named("resnet18")) + "\n", dataFile("repr_resnet18.txt"));
  EXPECT_EQ(reprText(*named("resnet50")) + "\n", dataFile("repr_resnet50.txt"));
  EXPECT_EQ(reprText(*named("vgg16")) + "\n", dataFile("repr_vgg16.txt"));
  EXPECT_EQ(reprText(*smallGpt()) + "\n", dataFile("repr_gpt.txt"));
  EXPECT_EQ(reprText(*named("toy")) + "\n", dataFile("repr_toy.txt"));
}

TEST(Repr, WritesEveryKindAsPyTorchDoes) {
  const ModelPtr model = fromLayers(R"([
    {"kind": "Conv2d", "in_channels": 4, "out_channels": 8, "kernel_size": [3, 1],
     "dilation": 2, "groups": 2},
    {"kind": "BatchNorm2d", "num_features": 8, "eps": 0.0001, "momentum": 1},
    {"name": "pool", "kind": "MaxPool2d", "kernel_size": [2, 1]},
    {"name": "tail", "layers": [{"kind": "AdaptiveAvgPool2d", "output_size": [2, 3]},
                                {"kind": "Flatten", "start_dim": 2},
                                {"kind": "Linear", "in_features": 6, "out_features": 1,
                                 "bias": false}]}])");
  EXPECT_EQ(reprText(*model),
            "Sequential(\n"
            "  (0): Conv2d(4, 8, kernel_size=(3, 1), stride=(1, 1), dilation=(2, 2), groups=2)\n"
            "  (1): BatchNorm2d(8, eps=0.0001, momentum=1.0, affine=True, "
            "track_running_stats=True)\n"
            "  (pool): MaxPool2d(kernel_size=(2, 1), stride=(2, 1), padding=0, dilation=1, "
            "ceil_mode=False)\n"
            "  (tail): Sequential(\n"
            "    (0): AdaptiveAvgPool2d(output_size=(2, 3))\n"
            "    (1): Flatten(start_dim=2, end_dim=-1)\n"
            "    (2): Linear(in_features=6, out_features=1, bias=False)\n"
            "  )\n"
            ")");
}

TEST(Repr, WritesTheKindsOfTransformersAsPyTorchDoes) {
  const ModelPtr model = fromLayers(R"([
    {"kind": "Embedding", "num_embeddings": 10, "embedding_dim": 6},
    {"kind": "Residual", "layers": [{"kind": "LayerNorm", "normalized_shape": [4, 6]},
                                    {"kind": "GELU"}, {"kind": "Tanh"}]},
    {"kind": "LayerNorm", "normalized_shape": 6, "eps": 0.001},
    {"kind": "Dropout", "p": 0.25}])");
  EXPECT_EQ(reprText(*model),
            "Sequential(\n"
            "  (0): Embedding(10, 6)\n"
            "  (1): Residual(\n"
            "    (0): LayerNorm((4, 6), eps=1e-05, elementwise_affine=True)\n"
            "    (1): GELU(approximate='none')\n"
            "    (2): Tanh()\n"
            "  )\n"
            "  (2): LayerNorm((6,), eps=0.001, elementwise_affine=True)\n"
            "  (3): Dropout(p=0.25, inplace=False)\n"
            ")");
}

TEST(SummaryJson, EqualsTheLeafCallsOfTorchvision) {
  for (const std::string name : {"resnet18", "resnet50", "vgg16"}) {
    Json expected = Json::parse(dataFile(name + "_b2_3x128x128.json"));
    Json answer = *summaryJson(*named(name), {3, 128, 128}, 2);
    for (const char* key : {"torch", "torchvision"}) {
      const auto version = expected[key].get<std::string>();
      EXPECT_EQ(answer[key].get<std::string>(), version.substr(0, version.find('+')));
      expected.erase(key);
      answer.erase(key);
    }
    EXPECT_EQ(answer, expected) << name;
  }
}

/// The figure is half of what torch's FlopCounterMode counts (2.11.0).
TEST(SummaryJson, CountsResnet152In64Bits) {
  const Json answer = *summaryJson(*named("resnet152"), {3, 224, 224}, 2);
  EXPECT_EQ(answer["total_macs"].get<std::int64_t>(), 23027253248);
}

TEST(RichTable, ListsFunctionalCallsAndTotals) {
  const std::string table = *richTable(*named("resnet18"), {3, 64, 64}, 4);
  EXPECT_NE(table.find("(add)"), std::string::npos);
  EXPECT_NE(table.find("(flatten)"), std::string::npos);
  EXPECT_NE(table.find("= layer1.0"), std::string::npos);
  EXPECT_NE(table.find("11,689,512"), std::string::npos);
  EXPECT_NE(table.find("again"), std::string::npos);
}

TEST(RichTable, SaysWhatIsTiedAndCountsItOnce) {
  const std::string table = *richTable(*smallGpt(), {8}, 3);
  EXPECT_NE(table.find("tied"), std::string::npos);
  EXPECT_NE(table.find("28,032"), std::string::npos);
}

TEST(RichTable, RefusesABatchOfZero) {
  const auto table = richTable(*named("toy"), {10}, 0);
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().code, ErrorCode::Invalid);
}

TEST(PythonText, WritesNumbersAsPythonDoes) {
  EXPECT_EQ(detail::pythonFloat(1e-5), "1e-05");
  EXPECT_EQ(detail::pythonFloat(0.0001), "0.0001");
  EXPECT_EQ(detail::pythonFloat(0.1), "0.1");
  EXPECT_EQ(detail::pythonFloat(1.0), "1.0");
  EXPECT_EQ(detail::pythonFloat(0.0), "0.0");
  EXPECT_EQ(detail::pythonFloat(1e16), "1e+16");
  EXPECT_EQ(detail::withThousands(0), "0");
  EXPECT_EQ(detail::withThousands(999), "999");
  EXPECT_EQ(detail::withThousands(25557032), "25,557,032");
  EXPECT_EQ(detail::withThousands(-1000), "-1,000");
  EXPECT_EQ(detail::alignRight("longer", 3), "longer");
}

}  // namespace
}  // namespace stagelane::model
