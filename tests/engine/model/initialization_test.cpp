#include "engine/model/initialization.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include "tests/support/paths.h"

namespace stagelane::model {
namespace {

struct Recorded {
  std::string kind;
  Shape shape;
  double a = 0.0, b = 0.0;
};

/// Values drawn by PyTorch's own constructors (tests/data/initialization/README.md).
std::vector<Recorded> recordedDraws(const std::string& name) {
  std::ifstream file(checkout::testData() + "/initialization/" + name + ".txt");
  EXPECT_TRUE(file.good()) << name;
  std::vector<Recorded> draws;
  std::string kind, shape, a, b;
  while (file >> kind >> shape >> a >> b) {
    Recorded draw{kind, {}, std::strtod(a.c_str(), nullptr), std::strtod(b.c_str(), nullptr)};
    std::istringstream sizes(shape);
    for (std::string size; std::getline(sizes, size, ',');) draw.shape.push_back(std::stoll(size));
    draws.push_back(draw);
  }
  return draws;
}

std::vector<Draw> randomDraws(const Model& model) {
  std::vector<Draw> draws;
  for (const Draw& draw : initialDraws(model)) {
    if (draw.kind == DrawKind::Uniform || draw.kind == DrawKind::Normal) draws.push_back(draw);
  }
  return draws;
}

/// A zoo name, but `gpt` in the sizes that were recorded.
Result<ModelPtr> recordedModel(const std::string& name) {
  if (name != "gpt") return modelFromArgument(name);
  return buildModel(
      Json::parse(
          R"({"zoo":"gpt","layers":2,"heads":2,"width":32,"vocab":64,"context":16,"tie":true})"),
      "/model", "");
}

class DrawsOf : public testing::TestWithParam<const char*> {};

TEST_P(DrawsOf, AreThoseOfPyTorchsConstructorsToTheLastBit) {
  const auto model = recordedModel(GetParam());
  ASSERT_TRUE(model);
  const std::vector<Recorded> expected = recordedDraws(GetParam());
  const std::vector<Draw> draws = randomDraws(**model);
  ASSERT_FALSE(expected.empty());
  ASSERT_EQ(draws.size(), expected.size());
  for (std::size_t i = 0; i < draws.size(); ++i) {
    EXPECT_EQ(draws[i].kind == DrawKind::Uniform ? "uniform" : "normal", expected[i].kind) << i;
    EXPECT_EQ(draws[i].shape, expected[i].shape) << draws[i].tensor;
    EXPECT_EQ(draws[i].a, expected[i].a) << draws[i].tensor;
    EXPECT_EQ(draws[i].b, expected[i].b) << draws[i].tensor;
  }
}
INSTANTIATE_TEST_SUITE_P(Models, DrawsOf,
                         testing::Values("toy", "resnet18", "resnet50", "vgg16", "gpt"));

TEST(Draws, MakeADownsampleBeforeItsBlock) {
  const auto model = modelFromArgument("resnet18");
  ASSERT_TRUE(model);
  std::vector<std::string> first;
  for (const Draw& draw : randomDraws(**model)) {
    if (draw.tensor.rfind("layer2.0.", 0) == 0) first.push_back(draw.tensor);
  }
  ASSERT_EQ(first.size(), 6U);
  EXPECT_EQ(first[0], "layer2.0.downsample.0.weight");
  EXPECT_EQ(first[1], "layer2.0.conv1.weight");
  EXPECT_EQ(first[5], "layer2.0.downsample.0.weight");
}

TEST(Draws, ReachEveryTensorOfEveryModel) {
  for (const ZooEntry& entry : zoo()) {
    const auto model = modelFromArgument(entry.name);
    ASSERT_TRUE(model);
    std::set<std::string> drawn;
    for (const Draw& draw : initialDraws(**model)) drawn.insert(draw.tensor);
    for (const Layer& layer : (*model)->layers) {
      for (const OwnedTensor& tensor : ownedTensors(layer.spec)) {
        EXPECT_EQ(drawn.count(layer.name + "." + tensor.name), 1U) << entry.name;
        drawn.erase(layer.name + "." + tensor.name);
      }
    }
    EXPECT_TRUE(drawn.empty()) << entry.name;
  }
}

TEST(Draws, GiveLayerNormItsConstantsAndVggsLinearLayersNoBias) {
  const auto gpt = recordedModel("gpt");
  for (const Draw& draw : initialDraws(**gpt)) {
    if (draw.tensor == "h.0.ln_1.weight") {
      EXPECT_EQ(draw.kind, DrawKind::Ones);
    }
    if (draw.tensor == "h.0.ln_1.bias") {
      EXPECT_EQ(draw.kind, DrawKind::Zeros);
    }
  }
  const auto vgg = modelFromArgument("vgg16");
  std::map<std::string, DrawKind> last;
  for (const Draw& draw : initialDraws(**vgg)) last[draw.tensor] = draw.kind;
  EXPECT_EQ(last.at("classifier.6.bias"), DrawKind::Zeros);
  EXPECT_EQ(last.at("features.28.bias"), DrawKind::Zeros);
  EXPECT_EQ(last.at("classifier.6.weight"), DrawKind::Normal);
}

TEST(Draws, GiveBatchNormItsConstants) {
  const auto model = modelFromArgument("resnet18");
  ASSERT_TRUE(model);
  for (const Draw& draw : initialDraws(**model)) {
    if (draw.tensor == "bn1.weight" || draw.tensor == "bn1.running_var") {
      EXPECT_EQ(draw.kind, DrawKind::Ones) << draw.tensor;
    }
    if (draw.tensor == "bn1.bias" || draw.tensor == "bn1.running_mean" ||
        draw.tensor == "bn1.num_batches_tracked") {
      EXPECT_EQ(draw.kind, DrawKind::Zeros) << draw.tensor;
    }
  }
}

}  // namespace
}  // namespace stagelane::model
