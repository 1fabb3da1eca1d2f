#pragma once

/// Merges the characters of words by a BPE model. It has the memory that this takes, so a thread
/// needs one of its own, and encodes many words with it.

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/tokenizer/bpe_model.h"
#include "engine/tokenizer/vocabulary.h"

namespace stagelane::tokenizer {

/// Encodes words, with memory that it uses again.
class WordEncoder {
 public:
  /// @pre the model outlives this
  explicit WordEncoder(const BpeModel& model) : m_model(model) {}

  /// Appends the tokens of the word. @pre valid UTF-8
  void encode(std::string_view word, std::vector<TokenId>& ids);

 private:
  /// A token of the word in a list of those that are left.
  struct Symbol {
    TokenId id = 0;
    std::int32_t rank = 0;  ///< of its merge with the next one; kNoMerge: none
    std::int32_t previous = -1;
    std::int32_t next = -1;
  };
  struct Candidate {
    std::int32_t rank = 0;
    std::int32_t place = 0;
  };

  void encodePart(std::string_view part, std::vector<TokenId>& ids);
  void fill(std::string_view word);
  void addUnknown();
  void flushUnknown();
  [[nodiscard]] std::int32_t rankAt(TokenId left, TokenId right) const;
  /// Few symbols: looks through all for the best pair.
  void mergeFew();
  /// Many symbols: a heap of pairs, so that it takes n log n.
  void mergeMany();
  void mergeWithNext(std::int32_t place);
  void rankPair(std::int32_t place);

  const BpeModel& m_model;
  std::vector<TokenId> m_tokens;  ///< of the word
  bool m_unknownPending = false;
  std::vector<std::int32_t> m_ranks;    ///< mergeFew: of each token with the next
  std::vector<Symbol> m_symbols;        ///< mergeMany
  std::vector<Candidate> m_candidates;  ///< mergeMany: a heap, with the best first
};

}  // namespace stagelane::tokenizer
