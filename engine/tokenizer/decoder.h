#pragma once

/// Makes text of tokens, one token after the other. The steps are those of `decoder`; each passes
/// on what it can and holds back the rest.

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::tokenizer {

/// Replaces a text in each token.
struct ReplaceInToken {
  std::string pattern;
  std::string content;
};
/// Tokens `<0x41>` are bytes.
struct BytesOfNames {};
/// The tokens' characters are bytes, by the byte alphabet.
struct BytesOfAlphabet {};
/// What follows gets one text instead of tokens.
struct Fuse {};
/// Takes a character off the beginning of each token, or of the fused text, at most `count` times.
struct StripBegin {
  std::string character;
  std::size_t count = 0;
};
/// The visible character becomes a blank, or nothing in the first token.
struct BlanksOfMetaspace {
  std::string replacement;
  bool dropsFirst = true;
};
/// A blank between tokens: what happens without any decoder.
struct JoinWithBlanks {};

using DecoderStep = std::variant<ReplaceInToken, BytesOfNames, BytesOfAlphabet, Fuse, StripBegin,
                                 BlanksOfMetaspace, JoinWithBlanks>;

/// Reads `decoder`. @errors Invalid
[[nodiscard]] Result<std::vector<DecoderStep>> readDecoder(const Json* component,
                                                           const std::string& pointer);

/// When bytes of names become text.
enum class ByteRuns {
  /// When all bytes in sequence are known. If they are not valid UTF-8, each becomes U+FFFD, as in
  /// the package `tokenizers`.
  Whole,
  /// As soon as a character is complete, so only the invalid bytes become U+FFFD.
  AsTheyCome,
};

/// Decodes one sequence of tokens.
class Decoding {
 public:
  /// @pre the steps outlive this
  Decoding(const std::vector<DecoderStep>& steps, ByteRuns runs);

  /// The next token.
  void push(std::string token) { pass(0, std::move(token)); }
  /// Ends the sequence: what was held back becomes text.
  void finish();
  /// The text since the last call.
  [[nodiscard]] std::string take();

 private:
  /// What a step remembers.
  struct State {
    bool isFused = false;   ///< gets one text in parts, not tokens
    bool hasBegun = false;  ///< a token was passed
    std::string held;       ///< bytes of characters that are not complete
    std::size_t stripped = 0;
  };

  void pass(std::size_t step, std::string token);
  void passByte(std::size_t step, char byte);
  void passWhole(std::size_t step, std::string_view perInvalidByte);
  void endRun(std::size_t step);
  void strip(const StripBegin& what, std::size_t step, std::string token);

  const std::vector<DecoderStep>& m_steps;
  ByteRuns m_runs;
  std::vector<State> m_states;
  std::string m_text;
};

}  // namespace stagelane::tokenizer
