#pragma once

/// The model of a LLaMA tokenizer: byte-pair encoding. A word is cut into characters (or their
/// bytes, where the vocabulary lacks the character), and the pair of neighbors with the lowest rank
/// is merged until no pair is left. Not for training one.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/tokenizer/merge_table.h"
#include "engine/tokenizer/vocabulary.h"

namespace stagelane::tokenizer {

/// SentencePiece's visible blank, U+2581.
inline constexpr std::string_view kVisibleBlank = "\u2581";

/// What a BPE model does with characters that its vocabulary lacks, and with whole words.
struct BpeRules {
  bool byteFallback = false;       ///< characters that are not in the vocabulary become bytes
  bool fuseUnknown = false;        ///< neighboring unknown characters are one unknown token
  bool wholeWordsFirst = false;    ///< a word of the vocabulary is that token, whatever the merges
  std::optional<TokenId> unknown;  ///< absent: unknown characters are left out
};

/// Immutable; any number of threads can encode with it, each with its own `WordEncoder`.
class BpeModel {
 public:
  /// Reads the object `model` of a tokenizer.json. @errors Invalid
  [[nodiscard]] static Result<BpeModel> read(const Json& model, const std::string& pointer);

  [[nodiscard]] const Vocabulary& vocabulary() const { return m_vocabulary; }
  [[nodiscard]] const MergeTable& merges() const { return m_merges; }
  [[nodiscard]] const BpeRules& rules() const { return m_rules; }
  /// Whether a text can be cut before visible blanks, except between two, and each part be encoded
  /// alone: no merge joins a visible blank to another character before it. So it is for most texts
  /// that are one word for the model, and it saves most of the time for them.
  [[nodiscard]] bool cutsBeforeBlanks() const { return m_cutsBeforeBlanks; }
  /// The token of one character.
  [[nodiscard]] std::optional<TokenId> tokenOf(std::string_view character) const;
  /// The tokens of the bytes of a character; nothing unless there are tokens for all.
  [[nodiscard]] std::optional<std::vector<TokenId>> bytesOf(std::string_view character) const;

 private:
  Status readVocabulary(const Json& tokens, const std::string& pointer);
  Status readMerges(const Json& merges, const std::string& pointer);
  Status addMerge(const Json& entry, std::int32_t rank, const std::string& pointer);
  Status readRules(ObjectReader& reader, const std::string& pointer);
  void indexShortTokens();

  Vocabulary m_vocabulary;
  MergeTable m_merges;
  BpeRules m_rules;
  bool m_cutsBeforeBlanks = false;
  /// Tokens of the characters below U+0180, which include the byte alphabet, and of `<0x00>` to
  /// `<0xFF>`; -1: none.
  std::array<TokenId, 0x180> m_ofCharacter{};
  std::array<TokenId, 0x100> m_ofByte{};
};

}  // namespace stagelane::tokenizer
