#pragma once

/// Tokens that are found in a text before it is cut into words: `<s>`, `<|eot_id|>`. Some are
/// looked for in the text as it is, others after it was normalized.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/tokenizer/vocabulary.h"

namespace stagelane::tokenizer {

/// A member of `added_tokens`.
struct AddedToken {
  std::string content;
  TokenId id = 0;
  bool special = false;     ///< left out by decoding
  bool normalized = false;  ///< looked for after normalization
  bool takesBlanksBefore = false;
  bool takesBlanksAfter = false;
};

/// Reads the list `added_tokens`; null: there are none. @errors Invalid
[[nodiscard]] Result<std::vector<AddedToken>> readAddedTokens(const Json* list,
                                                              const std::string& pointer);

/// Finds tokens in texts: of those that begin first, the longest.
class TokenFinder {
 public:
  /// A part of a text: a token, or text between tokens.
  struct Part {
    std::string_view text;
    const AddedToken* token = nullptr;
  };

  /// Of equal contents, the first counts.
  explicit TokenFinder(std::vector<AddedToken> tokens);

  /// The parts of a text, in order; parts without text are left out. @pre valid UTF-8
  [[nodiscard]] std::vector<Part> partsOf(std::string_view text) const;

 private:
  [[nodiscard]] const AddedToken* longestAt(std::string_view text, std::size_t at) const;

  std::vector<AddedToken> m_tokens;  ///< sorted by content
  std::array<bool, 256> m_begins{};  ///< whether a token begins with the byte
};

}  // namespace stagelane::tokenizer
