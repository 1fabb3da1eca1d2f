#include "engine/base/visible_text.h"

#include <cstdint>

namespace stagelane {
namespace {

constexpr std::string_view kUnknown = "\uFFFD";
constexpr unsigned kFirstPrintable = 0x20;
constexpr unsigned kDelete = 0x7F;

enum class Breaks : std::uint8_t { Show, Keep };

unsigned byteAt(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

/// Number of bytes of the character at `at` by its first byte; 0 if it cannot be a first byte.
std::size_t lengthOf(unsigned first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return 2;
  if (first >= 0xE0 && first <= 0xEF) return 3;
  return first >= 0xF0 && first <= 0xF4 ? 4 : 0;
}

/// Whether the second byte fits the first: no longer form than needed, no surrogate, at most
/// U+10FFFF. @source RFC 3629, section 4
bool fits(unsigned first, unsigned second) {
  const unsigned low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  return second >= low && second <= high;
}

/// Number of bytes of the UTF-8 character that begins at `at`; 0 if no valid one begins there.
std::size_t characterAt(std::string_view text, std::size_t at) {
  const std::size_t length = lengthOf(byteAt(text, at));
  if (length == 0 || at + length > text.size()) return 0;
  if (length > 1 && !fits(byteAt(text, at), byteAt(text, at + 1))) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byteAt(text, at + i) & 0xC0U) != 0x80U) return 0;
  }
  return length;
}

/// U+0080 to U+009F, which some terminals obey like escape codes.
bool isHighControl(std::string_view character) {
  return character.size() == 2 && byteAt(character, 0) == 0xC2 && byteAt(character, 1) < 0xA0;
}

/// Marks that a terminal or an editor obeys without showing them: directions of writing (U+061C,
/// U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069) and separators of lines and paragraphs
/// (U+2028, U+2029).
bool isHiddenMark(std::string_view character) {
  if (character == "\u061C") return true;
  if (character.size() != 3 || byteAt(character, 0) != 0xE2) return false;
  const unsigned second = byteAt(character, 1);
  const unsigned third = byteAt(character, 2);
  return (second == 0x80 && (third == 0x8E || third == 0x8F || (third >= 0xA8 && third <= 0xAE))) ||
         (second == 0x81 && third >= 0xA6 && third <= 0xA9);
}

/// The control picture of a control character below U+0080: U+2400 and on, U+2421 for DEL.
std::string pictureOf(unsigned control) {
  constexpr unsigned kPictures = 0x80;  // last byte of U+2400
  constexpr unsigned kDeletePicture = 0xA1;
  const unsigned last = control == kDelete ? kDeletePicture : kPictures + control;
  return std::string("\xE2\x90") + static_cast<char>(last);
}

std::string shown(std::string_view text, Breaks breaks) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = characterAt(text, at);
    const unsigned first = byteAt(text, at);
    const std::string_view character = text.substr(at, length);
    if (length == 0 || isHighControl(character) || isHiddenMark(character)) {
      result += kUnknown;
    } else if (breaks == Breaks::Keep && (first == '\n' || first == '\t')) {
      result += character;
    } else if (first < kFirstPrintable || first == kDelete) {
      result += pictureOf(first);
    } else {
      result += character;
    }
    at += length == 0 ? 1 : length;
  }
  return result;
}

}  // namespace

std::string visible(std::string_view text) { return shown(text, Breaks::Show); }

std::string visibleLines(std::string_view text) { return shown(text, Breaks::Keep); }

}  // namespace stagelane
