#pragma once

/// Text of tokens as they come, for a window or a terminal that shows what a model generates. A
/// character is held back until its last byte is known.

#include <memory>
#include <string>
#include <vector>

#include "engine/tokenizer/decoder.h"
#include "engine/tokenizer/tokenizer.h"

namespace stagelane::tokenizer {

/// Decodes one sequence of ids. All texts together are what `Tokenizer::decode` makes of all ids,
/// except that of byte tokens that are not valid UTF-8 only the invalid bytes become U+FFFD.
class TextStream {
 public:
  /// `context`: the ids before, such as a prompt. Their text is not returned, but they have an
  /// influence on the text of those that follow: a first blank is kept.
  explicit TextStream(std::shared_ptr<const Tokenizer> tokenizer,
                      SpecialTokens special = SpecialTokens::Without,
                      const std::vector<TokenId>& context = {});
  // The decoding refers to the tokenizer, which does not move with this.
  TextStream(const TextStream&) = delete;
  TextStream& operator=(const TextStream&) = delete;
  TextStream(TextStream&&) = delete;
  TextStream& operator=(TextStream&&) = delete;
  ~TextStream() = default;

  /// The text that the id completes; may be empty.
  [[nodiscard]] std::string push(TokenId id);
  /// Ends the sequence. @returns what was held back: U+FFFD, or nothing
  [[nodiscard]] std::string finish();

 private:
  std::shared_ptr<const Tokenizer> m_tokenizer;
  SpecialTokens m_special;
  Decoding m_decoding;
};

}  // namespace stagelane::tokenizer
