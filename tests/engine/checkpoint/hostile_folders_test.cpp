// Models of the conformance set with a change that a reader must notice.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "engine/checkpoint/llama_folder.h"
#include "tests/engine/checkpoint/model_folder.h"

namespace stagelane::checkpoint {
namespace {

using test::ModelFolder;
using test::TensorToWrite;
using testing::EndsWith;
using testing::HasSubstr;

constexpr const char* kIndex = "model.safetensors.index.json";
constexpr const char* kUp = "model.layers.1.mlp.up_proj.weight";
constexpr const char* kNorm = "model.norm.weight";

TensorToWrite& named(std::vector<TensorToWrite>& tensors, const std::string& name) {
  return *std::find_if(tensors.begin(), tensors.end(),
                       [&](const TensorToWrite& tensor) { return tensor.name == name; });
}

/// A change of a folder, and how the error's place ends.
struct Change {
  std::function<void(const ModelFolder&)> make;
  std::string place;
};

Change inConfig(const std::function<void(Json&)>& change, const std::string& place) {
  return {[change](const ModelFolder& folder) { folder.changeJson("config.json", change); }, place};
}
Change inIndex(const std::function<void(Json&)>& change, const std::string& place) {
  return {[change](const ModelFolder& folder) {
            folder.changeJson(kIndex, [&](Json& index) { change(index["weight_map"]); });
          },
          place};
}
Change inTensors(const std::function<void(std::vector<TensorToWrite>&)>& change,
                 const std::string& place) {
  return {[change](const ModelFolder& folder) { folder.changeTensors(change); }, place};
}

const std::map<std::string, Change>& changes() {
  static const std::map<std::string, Change> all{
      {"shard_missing",
       {[](const ModelFolder& folder) {
          std::filesystem::remove(folder / "model-00002-of-00003.safetensors");
        },
        "/model-00002-of-00003.safetensors"}},
      {"index_names_absent_tensor",
       inIndex(
           [](Json& map) {
             map["model.layers.9.mlp.up_proj.weight"] = "model-00001-of-00003.safetensors";
           },
           ".index.json, /weight_map/model.layers.9.mlp.up_proj.weight")},
      {"tensor_in_other_shard",
       inIndex([](Json& map) { map[kNorm] = "model-00001-of-00003.safetensors"; },
               ".index.json, /weight_map/model.norm.weight")},
      {"weight_missing", inTensors(
                             [](auto& tensors) {
                               std::erase_if(tensors, [](const TensorToWrite& each) {
                                 return each.name == kUp;
                               });
                             },
                             "")},
      {"weight_wrong_shape",
       inTensors(
           [](auto& tensors) {
             std::swap(named(tensors, kUp).shape[0], named(tensors, kUp).shape[1]);
           },
           "/model.safetensors, tensor \"model.layers.1.mlp.up_proj.weight\"")},
      {"weight_is_int",
       inTensors([](auto& tensors) { named(tensors, kNorm).type = ElementType::I32; },
                 "/model.safetensors, tensor \"model.norm.weight\"")},
      {"weight_too_many",
       inTensors(
           [](auto& tensors) {
             tensors.push_back({"model.layers.7.mlp.up_proj.weight", ElementType::F32, {2}});
           },
           "")},
      {"index_leaves_the_folder",
       inIndex([](Json& map) { map[kNorm] = "../../../../etc/hostname"; },
               ".index.json, /weight_map/model.norm.weight")},
      {"config_says_more_layers", inConfig([](Json& c) { c["num_hidden_layers"] = 5; }, "")},
      {"config_absurd_sizes", inConfig([](Json& c) { c["hidden_size"] = std::int64_t{1} << 40; },
                                       "/config.json, /hidden_size")},
      {"config_heads_do_not_divide", inConfig([](Json& c) { c["num_key_value_heads"] = 3; },
                                              "/config.json, /num_key_value_heads")},
      {"config_unknown_rope",
       inConfig(
           [](Json& c) {
             c["rope_parameters"] = {{"rope_type", "spiral"}, {"rope_theta", 1.0}};
           },
           "/config.json, /rope_parameters/rope_type")},
      {"config_other_architecture", inConfig(
                                        [](Json& c) {
                                          c["model_type"] = "gemma2";
                                          c["architectures"] = {"Gemma2ForCausalLM"};
                                        },
                                        "/config.json, /model_type")},
      {"both_whole_and_sharded",
       {[](const ModelFolder& folder) {
          test::writeSafetensors(folder / "model.safetensors", {{kNorm, ElementType::F32, {96}}});
        },
        ""}},
  };
  return all;
}

TEST(HostileFolders, AreRefusedWithThePlace) {
  const Json cases = Json::parse(test::textOf(test::llamaData() / "hostile.json")).at("folders");
  std::set<std::string> tried;
  for (const Json& each : cases) {
    const std::string id = each.at("id");
    SCOPED_TRACE(id + ": " + each.at("why").get<std::string>());
    const ModelFolder folder(each.at("model").get<std::string>());
    ASSERT_TRUE(openLlamaFolder(folder.path()));
    const Change& change = changes().at(id);
    change.make(folder);
    const auto opened = openLlamaFolder(folder.path());
    tried.insert(id);
    if (id == "weight_too_many") {
      ASSERT_TRUE(opened) << describe(opened.error());
      EXPECT_THAT(opened->unused, testing::ElementsAre("model.layers.7.mlp.up_proj.weight"));
      continue;
    }
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::Invalid);
    EXPECT_THAT(opened.error().context, HasSubstr(folder.path().string()));
    EXPECT_THAT(opened.error().context, EndsWith(change.place));
  }
  EXPECT_EQ(tried.size(), changes().size());
}

TEST(HostileFolders, AWeightThatIsMissingIsNamed) {
  const ModelFolder folder("plain");
  folder.changeJson("config.json", [](Json& config) { config["num_hidden_layers"] = 5; });
  const auto opened = openLlamaFolder(folder.path());
  ASSERT_FALSE(opened);
  EXPECT_EQ(
      opened.error().message,
      "the files have no tensor \"model.layers.3.self_attn.q_proj.weight\" and 17 more, which "
      "config.json asks for");
}

}  // namespace
}  // namespace stagelane::checkpoint
