#include "engine/checkpoint/llama_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "tests/engine/checkpoint/model_folder.h"

namespace stagelane::checkpoint {
namespace {

using test::ModelFolder;
using test::TensorToWrite;
using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;

std::int64_t elementsOf(const StoredTensor& tensor) {
  std::int64_t elements = 1;
  for (const std::int64_t size : tensor.shape) elements *= size;
  return elements;
}

TEST(LlamaFolder, HasAllParametersOfTheModelsThatTransformersWrote) {
  // As transformers counts them.
  const std::map<std::string, std::int64_t> parameters{
      {"plain", 195008},   {"outliers", 127296},         {"tied", 119104},
      {"sharded", 310944}, {"rope_llama3", 336512},      {"rope_linear_old_config", 127296},
      {"bf16", 127296},    {"plain_old_config", 135488}, {"wide_heads_bias", 144960}};
  for (const auto& [model, count] : parameters) {
    SCOPED_TRACE(model);
    const ModelFolder folder(model);
    const auto opened = openLlamaFolder(folder.path());
    ASSERT_TRUE(opened) << describe(opened.error());
    std::int64_t found = 0;
    std::set<std::string> files;
    for (const StoredTensor& tensor : opened->weights) {
      found += elementsOf(tensor);
      files.insert(tensor.file->path().filename());
      EXPECT_EQ(tensor.bytes, elementsOf(tensor) * (model == "bf16" ? 2 : 4));
      EXPECT_LE(tensor.offset + tensor.bytes, tensor.file->size());
    }
    EXPECT_EQ(found, count);
    EXPECT_EQ(files.size(), model == "sharded" ? 3U : 1U);
    EXPECT_THAT(opened->unused, IsEmpty());
    EXPECT_THAT(opened->generation.endTokens, ElementsAre(2));
    EXPECT_EQ(readLlamaConfig(folder.path()), opened->config);
  }
}

TEST(LlamaFolder, HasWeightsInTheOrderOfTheModelAndNotOfTheFile) {
  const ModelFolder folder("tied");
  const auto opened = openLlamaFolder(folder.path());
  ASSERT_TRUE(opened);
  const std::vector<LlamaTensor> wanted = llamaTensors(opened->config);
  ASSERT_EQ(opened->weights.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_EQ(opened->weights[i].name, wanted[i].name);
    EXPECT_EQ(opened->weights[i].shape, wanted[i].shape);
  }
}

TEST(LlamaFolder, OfATiedModelMayHaveAnOutputHeadThatIsNotUsed) {
  const ModelFolder folder("tied");
  folder.changeTensors([](std::vector<TensorToWrite>& tensors) {
    tensors.push_back({"lm_head.weight", ElementType::F32, {512, 64}});
  });
  const auto opened = openLlamaFolder(folder.path());
  ASSERT_TRUE(opened) << describe(opened.error());
  EXPECT_THAT(opened->unused, IsEmpty());
}

TEST(LlamaFolder, WithABiasThatTheConfigurationDoesNotKnowIsRefused) {
  const ModelFolder folder("wide_heads_bias");
  folder.changeJson("config.json", [](Json& config) { config["mlp_bias"] = false; });
  const auto opened = openLlamaFolder(folder.path());
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().context, EndsWith("tensor \"model.layers.0.mlp.down_proj.bias\""));
}

TEST(LlamaFolder, WithSmallFloatsThatAreNotReadIsRefused) {
  const ModelFolder folder("plain");
  folder.changeTensors([](std::vector<TensorToWrite>& tensors) {
    for (TensorToWrite& tensor : tensors) tensor.type = ElementType::F8E4M3;
  });
  const auto opened = openLlamaFolder(folder.path());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().message, "a weight cannot have the type F8_E4M3");
}

TEST(LlamaFolder, MayMixTypesOfWeights) {
  const ModelFolder folder("plain");
  folder.changeTensors([](std::vector<TensorToWrite>& tensors) {
    tensors.front().type = ElementType::F16;
    tensors.back().type = ElementType::F64;
  });
  EXPECT_TRUE(openLlamaFolder(folder.path()));
}

TEST(LlamaFolder, NeedsAConfigurationAndWeights) {
  const ModelFolder folder("plain");
  std::filesystem::remove(folder / "model.safetensors");
  const auto withoutWeights = openLlamaFolder(folder.path());
  ASSERT_FALSE(withoutWeights);
  EXPECT_EQ(withoutWeights.error().context, folder.path().string());
  EXPECT_TRUE(readLlamaConfig(folder.path()));
  std::filesystem::remove(folder / "config.json");
  const auto withoutConfig = openLlamaFolder(folder.path());
  ASSERT_FALSE(withoutConfig);
  EXPECT_EQ(withoutConfig.error().code, ErrorCode::Invalid);
  EXPECT_EQ(withoutConfig.error().message, "the folder has no config.json");
}

TEST(LlamaFolder, RefusesAConfigurationThatIsTooLargeToBeOne) {
  const ModelFolder folder("plain");
  test::writeText(folder / "config.json", "{");
  std::filesystem::resize_file(folder / "config.json", std::uintmax_t{1} << 40);
  const auto opened = openLlamaFolder(folder.path());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().context, (folder / "config.json").string());
}

TEST(LlamaFolder, NeedsNoDefaultsOfGeneratingButRefusesBrokenOnes) {
  const ModelFolder folder("plain");
  test::writeText(folder / "generation_config.json", "{\"eos_token_id\": 2");
  EXPECT_FALSE(openLlamaFolder(folder.path()));
  std::filesystem::remove(folder / "generation_config.json");
  const auto opened = openLlamaFolder(folder.path());
  ASSERT_TRUE(opened);
  EXPECT_THAT(opened->generation.endTokens, ElementsAre(2));  // of config.json
}

}  // namespace
}  // namespace stagelane::checkpoint
