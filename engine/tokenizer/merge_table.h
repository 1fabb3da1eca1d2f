#pragma once

/// The merges of a BPE model by the pair that they join. A hash table of its own: looking up pairs
/// is most of the work of encoding, and std::unordered_map takes longer for it.

#include <cstdint>
#include <vector>

#include "engine/tokenizer/vocabulary.h"

namespace stagelane::tokenizer {

/// What becomes of a pair of tokens.
struct Merge {
  std::int32_t rank = 0;  ///< merges with lower ranks are done first
  TokenId result = 0;
};

/// Immutable once filled, so it can be read by several threads.
class MergeTable {
 public:
  /// @param pairs how many pairs will be set at most
  explicit MergeTable(std::size_t pairs = 0);

  /// Replaces the merge of the pair if it has one.
  void set(TokenId left, TokenId right, Merge merge);
  /// Null: the pair is not merged.
  [[nodiscard]] const Merge* find(TokenId left, TokenId right) const;

 private:
  struct Slot {
    std::uint64_t key = kFree;
    Merge merge;
  };
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};

  /// The slot of the key, or the free one in which it would be.
  [[nodiscard]] std::size_t placeOf(std::uint64_t key) const;

  std::vector<Slot> m_slots;  ///< a power of two of them, at least one is free
};

}  // namespace stagelane::tokenizer
