#pragma once

/// The tokens that are put around the tokens of a text: `<s>` before it, for most models.

#include <string>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/tokenizer/vocabulary.h"

namespace stagelane::tokenizer {

/// The part of `post_processor` that concerns single texts.
struct PostProcessor {
  std::vector<TokenId> before;
  std::vector<TokenId> after;
};

/// Reads `post_processor`. @errors Invalid
[[nodiscard]] Result<PostProcessor> readPostProcessor(const Json* component,
                                                      const std::string& pointer);

}  // namespace stagelane::tokenizer
