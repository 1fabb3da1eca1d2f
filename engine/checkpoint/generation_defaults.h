#pragma once

/// What a Hugging Face folder says about generating text: generation_config.json, and config.json
/// for tokens that it does not state. Defaults only; an experiment overrides them.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::checkpoint {

/// An empty member is not stated. Tokens are as stated; they may be outside of the vocabulary.
struct GenerationDefaults {
  std::optional<std::int64_t> beginToken;
  std::vector<std::int64_t> endTokens;  ///< any of them ends a text
  std::optional<std::int64_t> paddingToken;
  std::optional<bool> doSample;
  std::optional<double> temperature;
  std::optional<double> topP;
  std::optional<std::int64_t> topK;

  friend bool operator==(const GenerationDefaults&, const GenerationDefaults&) = default;
};

/// Reads the object of one of the two files. @errors Invalid with `source` and the key
[[nodiscard]] Result<GenerationDefaults> readGenerationDefaults(const Json& document,
                                                                std::string_view source);

/// `first`, with what only `second` states.
[[nodiscard]] GenerationDefaults combined(GenerationDefaults first,
                                          const GenerationDefaults& second);

}  // namespace stagelane::checkpoint
