#include "engine/checkpoint/llama_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/engine/checkpoint/model_folder.h"

namespace stagelane::checkpoint {
namespace {

using testing::ElementsAre;

LlamaConfig ofModel(const std::string& model) {
  const auto path = test::llamaData() / "models" / model / "config.json";
  auto config = parseLlamaConfig(test::textOf(path), path.string());
  EXPECT_TRUE(config) << describe(config.error());
  return config.value_or(LlamaConfig{});
}

/// `{"model_type": "llama", …}` with more members.
Result<LlamaConfig> with(const std::string& members) {
  return parseLlamaConfig(R"({"model_type":"llama")" + (members.empty() ? "" : "," + members) + "}",
                          "config.json");
}

TEST(LlamaConfig, HasTheKeysOfTransformers5) {
  const LlamaConfig config = ofModel("wide_heads_bias");
  EXPECT_EQ(config.vocabulary, 320);
  EXPECT_EQ(config.hidden, 64);
  EXPECT_EQ(config.intermediate, 160);
  EXPECT_EQ(config.layers, 2);
  EXPECT_EQ(config.heads, 4);
  EXPECT_EQ(config.keyValueHeads, 1);
  EXPECT_EQ(config.headSize, 32);
  EXPECT_EQ(config.positions, 256);
  EXPECT_EQ(config.epsilon, 1e-3);
  EXPECT_TRUE(config.attentionBias);
  EXPECT_TRUE(config.mlpBias);
  EXPECT_FALSE(config.tiedHead);
  EXPECT_EQ(config.type, ElementType::F32);
  EXPECT_TRUE(ofModel("tied").tiedHead);
  EXPECT_EQ(ofModel("tied").rotary.theta, 500000.0);
  EXPECT_EQ(ofModel("bf16").type, ElementType::BF16);
}

TEST(LlamaConfig, HasTheKeysOfTransformers4) {
  const LlamaConfig old = ofModel("plain_old_config");
  EXPECT_EQ(old.keyValueHeads, 4);
  EXPECT_EQ(old.headSize, 16);
  EXPECT_EQ(old.rotary, RotaryConfig{});
  EXPECT_FALSE(old.tiedHead);
  EXPECT_EQ(old.type, ElementType::F32);
}

TEST(LlamaConfig, TakesNullForAbsent) {
  const auto config =
      with(R"("num_key_value_heads":null,"head_dim":null,"rope_scaling":null,"architectures":null,)"
           R"("tie_word_embeddings":null,"torch_dtype":null,"rope_theta":null)");
  ASSERT_TRUE(config) << describe(config.error());
  EXPECT_EQ(*config, LlamaConfig{});
}

TEST(LlamaConfig, HasTheDefaultsOfTransformers) { EXPECT_EQ(with(""), LlamaConfig{}); }

TEST(LlamaConfig, IsRefusedWithTheKey) {
  const std::map<std::string, std::string> places{
      {R"("hidden_size":0)", "/hidden_size"},
      {R"("hidden_size":-64)", "/hidden_size"},
      {R"("hidden_size":64.0)", "/hidden_size"},
      {R"("hidden_size":"64")", "/hidden_size"},
      {R"("hidden_size":18446744073709551616)", "/hidden_size"},
      {R"("num_hidden_layers":1000000)", "/num_hidden_layers"},
      {R"("vocab_size":9223372036854775807)", "/vocab_size"},
      {R"("num_attention_heads":0)", "/num_attention_heads"},
      {R"("num_attention_heads":30)", "/num_attention_heads"},
      {R"("num_key_value_heads":5)", "/num_key_value_heads"},
      {R"("num_key_value_heads":64)", "/num_key_value_heads"},
      {R"("num_key_value_heads":0)", "/num_key_value_heads"},
      {R"("head_dim":15)", "/head_dim"},
      {R"("head_dim":0)", "/head_dim"},
      {R"("hidden_size":32)", "/num_attention_heads"},  // heads of size 1
      {R"("head_dim":134217728)", "/num_attention_heads"},
      {R"("hidden_act":"gelu")", "/hidden_act"},
      {R"("rms_norm_eps":-1)", "/rms_norm_eps"},
      {R"("rms_norm_eps":"1e-6")", "/rms_norm_eps"},
      {R"("tie_word_embeddings":1)", "/tie_word_embeddings"},
      {R"("attention_bias":"yes")", "/attention_bias"},
      {R"("torch_dtype":"int8")", "/torch_dtype"},
      {R"("dtype":"float32","torch_dtype":"float16")", "/torch_dtype"},
      {R"("architectures":["LlamaForSequenceClassification"])", "/architectures"},
      {R"("architectures":"LlamaForCausalLM")", "/architectures"},
      {R"("quantization_config":{"quant_method":"gptq"})", "/quantization_config"},
      {R"("max_position_embeddings":0)", "/max_position_embeddings"},
  };
  for (const auto& [members, place] : places) {
    SCOPED_TRACE(members);
    const auto config = with(members);
    ASSERT_FALSE(config);
    EXPECT_EQ(config.error().code, ErrorCode::Invalid);
    EXPECT_EQ(config.error().context, "config.json, " + place);
  }
}

TEST(LlamaConfig, IsOfALlamaOnly) {
  EXPECT_EQ(parseLlamaConfig("{}", "c").error().context, "c, /model_type");
  EXPECT_EQ(parseLlamaConfig(R"({"model_type":"mistral"})", "c").error().message,
            "model type \"mistral\" is not available");
}

TEST(LlamaConfig, IsNotReadFromBrokenJson) {
  for (const std::string text : {"", "[]", "{", R"({"model_type":"llama","model_type":"llama"})",
                                 R"({"model_type":"llama"} {})"}) {
    SCOPED_TRACE(text);
    const auto config = parseLlamaConfig(text, "c");
    ASSERT_FALSE(config);
    EXPECT_EQ(config.error().code, ErrorCode::Invalid);
    EXPECT_EQ(config.error().context.substr(0, 1), "c");
  }
}

TEST(LlamaConfig, NamesAllParametersInTheOrderOfRegistration) {
  LlamaConfig config;
  config.layers = 1;
  config.keyValueHeads = 8;
  config.headSize = 64;
  std::vector<std::string> names;
  std::map<std::string, std::vector<std::int64_t>> shapes;
  for (const LlamaTensor& tensor : llamaTensors(config)) {
    names.push_back(tensor.name);
    shapes[tensor.name] = tensor.shape;
  }
  EXPECT_THAT(
      names,
      ElementsAre(
          "model.embed_tokens.weight", "model.layers.0.self_attn.q_proj.weight",
          "model.layers.0.self_attn.k_proj.weight", "model.layers.0.self_attn.v_proj.weight",
          "model.layers.0.self_attn.o_proj.weight", "model.layers.0.mlp.gate_proj.weight",
          "model.layers.0.mlp.up_proj.weight", "model.layers.0.mlp.down_proj.weight",
          "model.layers.0.input_layernorm.weight", "model.layers.0.post_attention_layernorm.weight",
          "model.norm.weight", "lm_head.weight"));
  EXPECT_THAT(shapes["model.layers.0.self_attn.q_proj.weight"], ElementsAre(2048, 4096));
  EXPECT_THAT(shapes["model.layers.0.self_attn.k_proj.weight"], ElementsAre(512, 4096));
  EXPECT_THAT(shapes["model.layers.0.self_attn.o_proj.weight"], ElementsAre(4096, 2048));
  EXPECT_THAT(shapes["model.layers.0.mlp.down_proj.weight"], ElementsAre(4096, 11008));
  config.tiedHead = true;
  EXPECT_EQ(llamaTensors(config).back().name, "model.norm.weight");
}

TEST(LlamaConfig, OfTheFirstLlamaHas6738415616Parameters) {
  std::int64_t parameters = 0;
  for (const LlamaTensor& tensor : llamaTensors({})) {
    std::int64_t elements = 1;
    for (const std::int64_t size : tensor.shape) elements *= size;
    parameters += elements;
  }
  EXPECT_EQ(parameters, 6'738'415'616);
}

}  // namespace
}  // namespace stagelane::checkpoint
