#pragma once

/// The tokens of a model: texts and ids, each once.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::tokenizer {

/// From 0 to kLargestId; the type of LibTorch's index tensors.
using TokenId = std::int64_t;

/// Pairs of ids fit 64 bits.
inline constexpr TokenId kLargestId = 0x7FFFFFFF;

/// The id that a JSON value is. @errors Invalid
[[nodiscard]] Result<TokenId> readId(const Json& value, const std::string& pointer);

/// Not copied: ids refer to the texts in it.
class Vocabulary {
 public:
  Vocabulary() = default;
  Vocabulary(const Vocabulary&) = delete;
  Vocabulary& operator=(const Vocabulary&) = delete;
  Vocabulary(Vocabulary&&) = default;
  Vocabulary& operator=(Vocabulary&&) = default;
  ~Vocabulary() = default;

  /// Makes room for a number of tokens.
  void reserve(std::size_t tokens);
  /// `pointer` is the place of the token. @errors Invalid: the text or the id is taken
  [[nodiscard]] Status add(const std::string& text, TokenId id, const std::string& pointer);

  [[nodiscard]] std::optional<TokenId> find(std::string_view text) const;
  /// Null: there is no such id.
  [[nodiscard]] const std::string* textOf(TokenId id) const;
  /// One more than the largest id.
  [[nodiscard]] TokenId endOfIds() const { return m_endOfIds; }

 private:
  /// Finds a std::string by a view, without a copy.
  struct TextHash {
    // The standard library asks for this name.
    using is_transparent = void;  // NOLINT(readability-identifier-naming)
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };

  std::unordered_map<std::string, TokenId, TextHash, std::equal_to<>> m_ids;
  std::unordered_map<TokenId, const std::string*> m_texts;  ///< keys of m_ids, which do not move
  TokenId m_endOfIds = 0;
};

}  // namespace stagelane::tokenizer
