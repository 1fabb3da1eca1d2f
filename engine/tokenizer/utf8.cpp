#include "engine/tokenizer/utf8.h"

namespace stagelane::tokenizer {
namespace {

unsigned byteAt(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

/// The length of a character by its first byte; 0: no character begins with it.
std::size_t lengthByFirst(unsigned first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return 2;
  if (first >= 0xE0 && first <= 0xEF) return 3;
  return first >= 0xF0 && first <= 0xF4 ? 4 : 0;
}

/// Whether the second byte can follow the first: excludes overlong forms, surrogates and code
/// points above U+10FFFF.
bool canFollowFirst(unsigned first, unsigned second) {
  const unsigned lowest = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned highest = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  return second >= lowest && second <= highest;
}

}  // namespace

Utf8Step utf8Step(std::string_view text, std::size_t at) {
  const unsigned first = byteAt(text, at);
  const std::size_t length = lengthByFirst(first);
  if (length == 0) return {Utf8Step::Kind::Invalid, 1};
  for (std::size_t i = 1; i < length; ++i) {
    if (at + i >= text.size()) return {Utf8Step::Kind::Cut, i};
    const unsigned next = byteAt(text, at + i);
    const bool fits = i == 1 ? canFollowFirst(first, next) : (next & 0xC0U) == 0x80;
    if (!fits) return {Utf8Step::Kind::Invalid, i};
  }
  return {Utf8Step::Kind::Whole, length};
}

std::optional<std::size_t> firstInvalidUtf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Step step = utf8Step(text, at);
    if (step.kind != Utf8Step::Kind::Whole) return at;
    at += step.bytes;
  }
  return std::nullopt;
}

char32_t codePointOf(std::string_view character) {
  static constexpr unsigned kFirstBits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
  char32_t point = byteAt(character, 0) & kFirstBits[character.size()];
  for (std::size_t i = 1; i < character.size(); ++i) {
    point = point << 6U | (byteAt(character, i) & 0x3FU);
  }
  return point;
}

void appendUtf8(std::string& text, char32_t codePoint) {
  if (codePoint < 0x80) {
    text += static_cast<char>(codePoint);
    return;
  }
  if (codePoint < 0x800) {
    text += static_cast<char>(0xC0U | codePoint >> 6U);
  } else {
    text += static_cast<char>(0xE0U | codePoint >> 12U);
    text += static_cast<char>(0x80U | (codePoint >> 6U & 0x3FU));
  }
  text += static_cast<char>(0x80U | (codePoint & 0x3FU));
}

std::size_t utf8Length(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

}  // namespace stagelane::tokenizer
