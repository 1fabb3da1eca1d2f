#include "engine/checkpoint/generation_defaults.h"

#include <string>
#include <utility>

#include "engine/checkpoint/json_object_file.h"

namespace stagelane::checkpoint {
namespace {

/// Early files state -1 where there is no such token.
std::optional<std::int64_t> readToken(ObjectReader& reader, const std::string& key) {
  if (!reader.has(key)) return std::nullopt;
  const std::int64_t token = reader.integer(key);
  if (token < 0) return std::nullopt;
  return token;
}

/// A token or a list of tokens.
std::vector<std::int64_t> readTokens(ObjectReader& reader, const std::string& key) {
  const Json* value = reader.raw(key);
  std::vector<std::int64_t> tokens;
  if (value != nullptr && value->is_array()) {
    tokens = reader.integers(key);
  } else if (value != nullptr) {
    tokens = {reader.integer(key)};
  }
  std::erase_if(tokens, [](std::int64_t token) { return token < 0; });
  return tokens;
}

std::optional<double> readNumber(ObjectReader& reader, const std::string& key, double most) {
  if (!reader.has(key)) return std::nullopt;
  const double value = reader.number(key);
  if (!(value >= 0.0 && value <= most)) {
    reader.problem(key, "must be a number from 0 to " + Json(most).dump());
  }
  return value;
}

template <class Value>
void fill(std::optional<Value>& first, const std::optional<Value>& second) {
  if (!first) first = second;
}

}  // namespace

Result<GenerationDefaults> readGenerationDefaults(const Json& document, std::string_view source) {
  const Json members = present(document, {"bos_token_id", "eos_token_id", "pad_token_id",
                                          "do_sample", "temperature", "top_p", "top_k"});
  ObjectReader reader(members, "");
  GenerationDefaults defaults;
  defaults.beginToken = readToken(reader, "bos_token_id");
  defaults.endTokens = readTokens(reader, "eos_token_id");
  defaults.paddingToken = readToken(reader, "pad_token_id");
  if (reader.has("do_sample")) defaults.doSample = reader.boolean("do_sample");
  defaults.temperature = readNumber(reader, "temperature", 1e6);
  defaults.topP = readNumber(reader, "top_p", 1.0);
  if (reader.has("top_k")) {
    defaults.topK = reader.integer("top_k");
    if (*defaults.topK < 0) reader.problem("top_k", "must be an integer of at least 0");
  }
  if (const Status status = reader.finish(); !status) return inFile(status.error(), source);
  return defaults;
}

GenerationDefaults combined(GenerationDefaults first, const GenerationDefaults& second) {
  fill(first.beginToken, second.beginToken);
  fill(first.paddingToken, second.paddingToken);
  fill(first.doSample, second.doSample);
  fill(first.temperature, second.temperature);
  fill(first.topP, second.topP);
  fill(first.topK, second.topK);
  if (first.endTokens.empty()) first.endTokens = second.endTokens;
  return first;
}

}  // namespace stagelane::checkpoint
