#pragma once

/// UTF-8 by its bytes: characters, what is invalid, and where. Invalid bytes are divided as the
/// Unicode standard advises (one U+FFFD for each longest prefix of a character).

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace stagelane::tokenizer {

/// U+FFFD, which stands for invalid bytes.
inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

/// What is at a position of a text.
struct Utf8Step {
  enum class Kind {
    Whole,    ///< a character
    Invalid,  ///< no character, whatever follows
    Cut,      ///< the text ends within a character
  };
  Kind kind = Kind::Invalid;
  std::size_t bytes = 1;  ///< its length; at least 1
};

/// @pre at < text.size()
[[nodiscard]] Utf8Step utf8Step(std::string_view text, std::size_t at);
/// The offset of the first byte that is not part of a character.
[[nodiscard]] std::optional<std::size_t> firstInvalidUtf8(std::string_view text);
/// The code point of a whole character.
[[nodiscard]] char32_t codePointOf(std::string_view character);
/// Appends a code point below U+10000.
void appendUtf8(std::string& text, char32_t codePoint);
/// The length of the character that begins with this byte. @pre valid UTF-8
[[nodiscard]] std::size_t utf8Length(char first);

}  // namespace stagelane::tokenizer
