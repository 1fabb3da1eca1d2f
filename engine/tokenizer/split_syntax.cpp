#include "engine/tokenizer/split_syntax.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <vector>

#include "engine/tokenizer/unicode_additions.h"

namespace stagelane::tokenizer {
namespace {

constexpr std::size_t kLongestPattern = 4096;

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// An escape that is a character or a set of characters, within [] and outside.
struct Escape {
  char letter;
  std::string_view inClass;  ///< "": not possible there
  std::string_view outside;
};

// Unicode's White_Space. PCRE2's own \s has U+180E, too.
constexpr std::array<Escape, 7> kEscapes{{{'s', R"(\p{Z}\x09-\x0d\x85)", R"([\p{Z}\x09-\x0d\x85])"},
                                          {'S', "", R"([^\p{Z}\x09-\x0d\x85])"},
                                          {'r', R"(\r)", R"(\r)"},
                                          {'n', R"(\n)", R"(\n)"},
                                          {'t', R"(\t)", R"(\t)"},
                                          {'f', R"(\f)", R"(\f)"},
                                          {'v', R"(\x0b)", R"(\x0b)"}}};

/// How a group can begin, apart from `(`, and whether letters in it match in both cases.
struct GroupStart {
  std::string_view text;
  bool ignoresCase;
};

constexpr std::array<GroupStart, 7> kGroupStarts{{{"(?:", false},
                                                  {"(?i:", true},
                                                  {"(?=", false},
                                                  {"(?!", false},
                                                  {"(?>", false},
                                                  {"(?<=", false},
                                                  {"(?<!", false}}};

class Translation {
 public:
  Translation(std::string_view pattern, const std::string& pointer)
      : m_pattern(pattern), m_pointer(pointer) {}

  Result<std::string> run() {
    while (m_at < m_pattern.size() && m_problem.empty()) one();
    if (m_problem.empty()) return std::move(m_answer);
    return fail(ErrorCode::Invalid, "the regular expression has " + m_problem, m_pointer,
                "Use a tokenizer of a LLaMA model, or pass token ids");
  }

 private:
  [[nodiscard]] std::string_view rest() const { return m_pattern.substr(m_at); }
  [[nodiscard]] bool follows(std::string_view text) const {
    return rest().substr(0, text.size()) == text;
  }
  void take(std::size_t bytes) {
    m_answer += m_pattern.substr(m_at, bytes);
    m_at += bytes;
  }
  void refuse(const std::string& what) {
    m_problem = what + " at byte " + std::to_string(m_at) + ", which is not supported";
  }

  void one() {
    switch (m_pattern[m_at]) {
      case '\\': return escape(false);
      case '[': return set();
      case '(': return group();
      case ')':
        if (!m_groups.empty()) m_groups.pop_back();
        return take(1);
      case '{': return count();
      // Lines end elsewhere in PCRE2.
      case '^': return refuse("the anchor ^");
      case '$': return refuse("the anchor $");
      default: return take(1);
    }
  }

  void group() {
    bool ignoresCase = !m_groups.empty() && m_groups.back();
    std::size_t length = 1;
    if (follows("(?") || follows("(*")) {
      const GroupStart* start = groupStart();
      if (start == nullptr) return refuse("the group \"" + std::string(rest().substr(0, 4)) + "\"");
      ignoresCase = ignoresCase || start->ignoresCase;
      length = start->text.size();
    }
    m_groups.push_back(ignoresCase);
    take(length);
  }

  [[nodiscard]] const GroupStart* groupStart() const {
    for (const GroupStart& start : kGroupStarts) {
      if (follows(start.text)) return &start;
    }
    return nullptr;
  }

  /// {2}, {2,} or {2,3}. A + or ? behind it means something else in Ruby.
  void count() {
    std::size_t end = 1;
    const auto digits = [&] {
      const std::size_t begin = end;
      while (end < rest().size() && isDigit(rest()[end])) ++end;
      return end > begin;
    };
    bool valid = digits();
    if (valid && rest().substr(end, 1) == ",") {
      ++end;
      digits();
    }
    valid = valid && rest().substr(end, 1) == "}";
    const std::string_view behind = rest().substr(std::min(end + 1, rest().size()), 1);
    if (!valid || behind == "+" || behind == "?") return refuse("the repetition {");
    take(end + 1);
  }

  /// [...]; the case of sets within (?i: is folded differently.
  void set() {
    if (!m_groups.empty() && m_groups.back()) return refuse("a set of characters within (?i:");
    take(follows("[^") ? 2 : 1);
    if (follows("]")) return refuse("an empty set of characters");
    while (m_at < m_pattern.size() && m_problem.empty() && !follows("]")) {
      if (follows("[")) return refuse("a set within a set of characters");
      if (follows("&&")) return refuse("an intersection of sets");
      if (follows("\\")) {
        escape(true);
      } else {
        take(1);
      }
    }
    if (m_problem.empty() && m_at < m_pattern.size()) take(1);
  }

  void escape(bool inSet) {
    const char letter = m_at + 1 < m_pattern.size() ? m_pattern[m_at + 1] : '\0';
    if (letter == 'p' || letter == 'P') return property(inSet);
    if (letter == 'd' || letter == 'D') {
      category("Nd", letter == 'D', inSet);
      m_at += 2;
      return;
    }
    for (const Escape& known : kEscapes) {
      const std::string_view text = inSet ? known.inClass : known.outside;
      if (known.letter != letter || text.empty()) continue;
      m_answer += text;
      m_at += 2;
      return;
    }
    const auto byte = static_cast<unsigned char>(letter);
    if (byte <= ' ' || byte >= 0x7F || std::isalnum(byte) != 0) {
      return refuse("the escape \"" + std::string(rest().substr(0, byte < 0x80 ? 2 : 1)) + "\"");
    }
    take(2);
  }

  /// \p{L} or \P{Lu}: general categories and scripts by their names.
  void property(bool inSet) {
    const std::size_t close = rest().find('}');
    if (rest().substr(2, 1) != "{" || close == std::string_view::npos) return refuse("a bad \\p");
    const std::string_view name = rest().substr(3, close - 3);
    for (const char c : name) {
      if (!isLetter(c) && c != '_') return refuse("a bad \\p");
    }
    category(name, rest()[1] == 'P', inSet);
    m_at += close + 1;
  }

  /// Characters of a category, or all others.
  void category(std::string_view name, bool isComplement, bool inSet) {
    if (!inSet && !m_groups.empty() && m_groups.back()) return refuse("\\p within (?i:");
    const std::string_view more = unicodeAdditions(name);
    if (isComplement && inSet && !more.empty()) return refuse("\\P in a set of characters");
    const std::string begin = isComplement && more.empty() ? "\\P{" : "\\p{";
    const std::string all = begin + std::string(name) + "}" + std::string(more);
    const bool needsSet = !inSet && !more.empty();
    m_answer += needsSet ? (isComplement ? "[^" : "[") + all + "]" : all;
  }

  std::string_view m_pattern;
  const std::string& m_pointer;
  std::size_t m_at = 0;
  std::string m_answer;
  std::string m_problem;
  std::vector<bool> m_groups;  ///< of each open group: whether it ignores case
};

}  // namespace

Result<std::string> toPcre2(std::string_view pattern, const std::string& pointer) {
  if (pattern.size() > kLongestPattern) {
    return fail(
        ErrorCode::Invalid,
        "the regular expression is longer than " + std::to_string(kLongestPattern) + " bytes",
        pointer);
  }
  return Translation(pattern, pointer).run();
}

}  // namespace stagelane::tokenizer
