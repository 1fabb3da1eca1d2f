#include "engine/checkpoint/llama_config.h"

#include <utility>

#include "engine/base/find.h"
#include "engine/checkpoint/json_object_file.h"
#include "engine/checkpoint/quoted_name.h"

namespace stagelane::checkpoint {
namespace {

// Products of sizes that form a tensor stay below 2^63.
constexpr std::int64_t kLargestSize = std::int64_t{1} << 27;
constexpr std::int64_t kMostLayers = 10'000;
constexpr std::int64_t kMostPositions = std::int64_t{1} << 31;

/// An integer from 1 to `most`.
std::int64_t sizeOf(ObjectReader& reader, const std::string& key, std::int64_t most,
                    std::int64_t fallback) {
  const std::int64_t value = reader.integer(key, fallback);
  if (reader.has(key) && (value < 1 || value > most)) {
    reader.problem(key, "must be an integer from 1 to " + std::to_string(most) + ", not " +
                            std::to_string(value));
  }
  return value;
}

double numberWithin(ObjectReader& reader, const std::string& key, double most, double fallback) {
  const double value = reader.number(key, fallback);
  if (reader.has(key) && !(value >= 0.0 && value <= most)) {
    reader.problem(key, "must be a number from 0 to " + Json(most).dump());
  }
  return value;
}

/// The file describes a LLaMA whose weights are numbers.
Status checkKind(const Json& document) {
  const Json members = present(document, {"model_type", "architectures", "quantization_config"});
  ObjectReader reader(members, "");
  const std::string type = reader.text("model_type");
  if (reader.has("model_type") && type != "llama") {
    reader.problem("model_type", "model type " + quotedName(type) + " is not available",
                   "Use a model of the type llama");
  }
  if (const Json* classes = reader.raw("architectures"); classes != nullptr) {
    // The first converted models had the second spelling.
    const bool listed = classes->is_array() && (contains(*classes, Json("LlamaForCausalLM")) ||
                                                contains(*classes, Json("LLaMAForCausalLM")));
    if (!listed) {
      reader.problem("architectures", "does not list LlamaForCausalLM",
                     "Use a model that generates text");
    }
  }
  if (reader.has("quantization_config")) {
    reader.problem("quantization_config", "weights that are stored quantized are not available",
                   "Use the model's folder with float weights; \"quantization\" of the experiment "
                   "converts them");
  }
  return reader.finish();
}

void readSizes(ObjectReader& reader, LlamaConfig& config) {
  config.vocabulary = sizeOf(reader, "vocab_size", kLargestSize, config.vocabulary);
  config.hidden = sizeOf(reader, "hidden_size", kLargestSize, config.hidden);
  config.intermediate = sizeOf(reader, "intermediate_size", kLargestSize, config.intermediate);
  config.layers = sizeOf(reader, "num_hidden_layers", kMostLayers, config.layers);
  config.heads = sizeOf(reader, "num_attention_heads", kLargestSize, config.heads);
  config.keyValueHeads = sizeOf(reader, "num_key_value_heads", kLargestSize, config.heads);
  config.positions = sizeOf(reader, "max_position_embeddings", kMostPositions, config.positions);
}

void readHeads(ObjectReader& reader, LlamaConfig& config) {
  if (config.heads < 1 || config.keyValueHeads < 1) return;  // a problem already
  if (config.heads % config.keyValueHeads != 0) {
    reader.problem("num_key_value_heads", std::to_string(config.heads) + " heads cannot share " +
                                              std::to_string(config.keyValueHeads) +
                                              " key-value heads evenly");
  }
  if (!reader.has("head_dim") && config.hidden % config.heads != 0) {
    reader.problem("num_attention_heads", "hidden_size (" + std::to_string(config.hidden) +
                                              ") is not a multiple of it (" +
                                              std::to_string(config.heads) + ")");
  }
  config.headSize = sizeOf(reader, "head_dim", kLargestSize, config.hidden / config.heads);
  if (config.headSize < 2 || config.headSize % 2 != 0) {
    reader.problem(reader.has("head_dim") ? "head_dim" : "num_attention_heads",
                   "the size of a head must be even, not " + std::to_string(config.headSize));
  }
  constexpr std::int64_t kMostWidth = std::int64_t{1} << 31;
  if (config.headSize > kMostWidth / config.heads) {
    reader.problem("num_attention_heads", "all heads together must have at most 2^31 features");
  }
}

void readSettings(ObjectReader& reader, LlamaConfig& config) {
  const std::string activation = reader.text("hidden_act", "silu");
  if (activation != "silu" && activation != "swish") {
    reader.problem("hidden_act", "activation " + quotedName(activation) + " is not available",
                   "Available: silu");
  }
  config.epsilon = numberWithin(reader, "rms_norm_eps", 1.0, config.epsilon);
  config.tiedHead = reader.boolean("tie_word_embeddings", false);
  config.attentionBias = reader.boolean("attention_bias", false);
  config.mlpBias = reader.boolean("mlp_bias", false);
  config.attentionDropout = numberWithin(reader, "attention_dropout", 1.0, 0.0);
  config.initializerRange = numberWithin(reader, "initializer_range", 1e6, config.initializerRange);
}

/// `dtype`, or `torch_dtype` as transformers 4 wrote it.
void readType(ObjectReader& reader, LlamaConfig& config) {
  for (const char* key : {"dtype", "torch_dtype"}) {
    if (!reader.has(key)) continue;
    const std::string name = reader.text(key, "");
    const std::optional<ElementType> type = elementTypeFromTorchName(name);
    if (!type) {
      reader.problem(key, "type " + quotedName(name) + " is not available",
                     "Available: float32, bfloat16, float16, float64");
    } else if (config.type && *config.type != *type) {
      reader.problem(key, "differs from dtype", "Remove one of them");
    }
    if (!config.type) config.type = type;
  }
}

Result<LlamaConfig> readConfig(const Json& document) {
  STAGELANE_CHECK(checkKind(document));
  const Json members = present(
      document, {"vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers",
                 "num_attention_heads", "num_key_value_heads", "max_position_embeddings",
                 "head_dim", "hidden_act", "rms_norm_eps", "tie_word_embeddings", "attention_bias",
                 "mlp_bias", "attention_dropout", "initializer_range", "dtype", "torch_dtype"});
  ObjectReader reader(members, "");
  LlamaConfig config;
  readSizes(reader, config);
  readHeads(reader, config);
  readSettings(reader, config);
  readType(reader, config);
  STAGELANE_CHECK(reader.finish());
  STAGELANE_TRY(rotary, readRotary(document, static_cast<double>(config.positions)));
  config.rotary = *rotary;
  return config;
}

/// Adds the weight of a Linear, and its bias if it has one.
void addLinear(std::vector<LlamaTensor>& tensors, const std::string& name, std::int64_t out,
               std::int64_t in, bool bias) {
  tensors.push_back({name + ".weight", {out, in}});
  if (bias) tensors.push_back({name + ".bias", {out}});
}

void addLayer(std::vector<LlamaTensor>& tensors, const LlamaConfig& config,
              const std::string& layer) {
  const std::int64_t queries = config.heads * config.headSize;
  const std::int64_t keys = config.keyValueHeads * config.headSize;
  const bool bias = config.attentionBias;
  addLinear(tensors, layer + "self_attn.q_proj", queries, config.hidden, bias);
  addLinear(tensors, layer + "self_attn.k_proj", keys, config.hidden, bias);
  addLinear(tensors, layer + "self_attn.v_proj", keys, config.hidden, bias);
  addLinear(tensors, layer + "self_attn.o_proj", config.hidden, queries, bias);
  addLinear(tensors, layer + "mlp.gate_proj", config.intermediate, config.hidden, config.mlpBias);
  addLinear(tensors, layer + "mlp.up_proj", config.intermediate, config.hidden, config.mlpBias);
  addLinear(tensors, layer + "mlp.down_proj", config.hidden, config.intermediate, config.mlpBias);
  tensors.push_back({layer + "input_layernorm.weight", {config.hidden}});
  tensors.push_back({layer + "post_attention_layernorm.weight", {config.hidden}});
}

}  // namespace

Result<LlamaConfig> parseLlamaConfig(std::string_view text, std::string_view source) {
  STAGELANE_TRY(document, parseObject(text, source));
  Result<LlamaConfig> config = readConfig(*document);
  if (!config) return inFile(std::move(config.error()), source);
  return config;
}

std::vector<LlamaTensor> llamaTensors(const LlamaConfig& config) {
  std::vector<LlamaTensor> tensors{
      {"model.embed_tokens.weight", {config.vocabulary, config.hidden}}};
  for (std::int64_t i = 0; i < config.layers; ++i) {
    addLayer(tensors, config, "model.layers." + std::to_string(i) + ".");
  }
  tensors.push_back({"model.norm.weight", {config.hidden}});
  if (!config.tiedHead) addLinear(tensors, "lm_head", config.vocabulary, config.hidden, false);
  return tensors;
}

}  // namespace stagelane::checkpoint
