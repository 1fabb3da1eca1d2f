// Finds the end of a JSON value, 64 bytes at a time.

#include <bit>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "profiler/formats/json_stream.h"

namespace stagelane::formats::detail {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr std::size_t kBlock = 64;

bool isSpace(char character) {
  return character == ' ' || character == '\n' || character == '\r' || character == '\t';
}

/// Bit n is set if byte n of a block is such a character.
struct Marks {
  std::uint64_t quotes = 0;
  std::uint64_t escapes = 0;
  std::uint64_t opens = 0;
  std::uint64_t closes = 0;
};

#if defined(__SSE2__)
Marks marksOf(const char* block) {
  constexpr std::size_t kLane = 16;
  Marks marks;
  for (std::size_t lane = 0; lane < kBlock / kLane; ++lane) {
    const __m128i bytes =
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + lane * kLane));  // NOLINT
    const auto where = [lane](__m128i equal) {
      return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(equal)))
             << (lane * kLane);
    };
    // '[' and '{', and ']' and '}', differ in one bit.
    const __m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
    marks.quotes |= where(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')));
    marks.escapes |= where(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
    marks.opens |= where(_mm_cmpeq_epi8(folded, _mm_set1_epi8('{')));
    marks.closes |= where(_mm_cmpeq_epi8(folded, _mm_set1_epi8('}')));
  }
  return marks;
}
#else
Marks marksOf(const char* block) {
  Marks marks;
  for (std::size_t place = 0; place < kBlock; ++place) {
    const std::uint64_t bit = std::uint64_t{1} << place;
    switch (block[place]) {
      case '"': marks.quotes |= bit; break;
      case '\\': marks.escapes |= bit; break;
      case '{':
      case '[': marks.opens |= bit; break;
      case '}':
      case ']': marks.closes |= bit; break;
      default: break;
    }
  }
  return marks;
}
#endif

/// Bit n: the number of bits up to and including n is odd.
std::uint64_t parity(std::uint64_t bits) {
  for (unsigned shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

/// Walks over nested brackets and tracks strings.
class Walk {
 public:
  /// True if the outermost bracket closes; `place` is then after it.
  bool block(const char* bytes, std::size_t& place) {
    Marks marks = marksOf(bytes);
    if (marks.escapes != 0 || m_escaped) {
      for (std::size_t offset = 0; offset < kBlock; ++offset) {
        if (character(bytes[offset])) {
          place += offset + 1;
          return true;
        }
      }
      place += kBlock;
      return false;
    }
    const std::uint64_t inside = parity(marks.quotes) ^ (m_inString ? ~std::uint64_t{0} : 0);
    m_inString = (inside >> 63U) != 0;
    const std::uint64_t closes = marks.closes & ~inside;
    const std::uint64_t opens = marks.opens & ~inside;
    if (static_cast<std::size_t>(std::popcount(closes)) < m_depth) {
      m_depth += static_cast<std::size_t>(std::popcount(opens));
      m_depth -= static_cast<std::size_t>(std::popcount(closes));
      place += kBlock;
      return false;
    }
    return brackets(opens, closes, place);
  }

  /// The same for one character.
  bool character(char character) {
    if (m_inString) {
      if (m_escaped) {
        m_escaped = false;
      } else if (character == '\\') {
        m_escaped = true;
      } else if (character == '"') {
        m_inString = false;
      }
      return false;
    }
    switch (character) {
      case '"': m_inString = true; return false;
      case '{':
      case '[': ++m_depth; return false;
      case '}':
      case ']': --m_depth; return m_depth == 0;
      default: return false;
    }
  }

 private:
  bool brackets(std::uint64_t opens, std::uint64_t closes, std::size_t& place) {
    for (std::uint64_t all = opens | closes; all != 0; all &= all - 1) {
      const std::uint64_t bit = all & (~all + 1);
      m_depth = (opens & bit) != 0 ? m_depth + 1 : m_depth - 1;
      if (m_depth == 0) {
        place += static_cast<std::size_t>(std::countr_zero(bit)) + 1;
        return true;
      }
    }
    place += kBlock;
    return false;
  }

  std::size_t m_depth = 0;
  bool m_inString = false;
  bool m_escaped = false;
};

std::size_t skipNested(std::string_view text, std::size_t place) {
  Walk walk;
  walk.character(text[place++]);
  while (place + kBlock <= text.size()) {
    if (walk.block(text.data() + place, place)) return place;
  }
  while (place < text.size()) {
    if (walk.character(text[place++])) return place;
  }
  return kNone;
}

std::size_t skipString(std::string_view text, std::size_t place) {
  ++place;
  while (place < text.size()) {
    if (text[place] == '"') return place + 1;
    place += text[place] == '\\' ? 2 : 1;
  }
  return kNone;
}

}  // namespace

std::size_t skipJsonValue(std::string_view text, std::size_t place) {
  if (place >= text.size()) return kNone;
  const char first = text[place];
  if (first == '{' || first == '[') return skipNested(text, place);
  if (first == '"') return skipString(text, place);
  while (place < text.size()) {
    const char character = text[place];
    if (character == ',' || character == '}' || character == ']' || isSpace(character)) {
      return place;
    }
    ++place;
  }
  return kNone;
}

}  // namespace stagelane::formats::detail
