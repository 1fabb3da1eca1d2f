#include "engine/tokenizer/split_pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>
#include <chrono>
#include <optional>

#include "engine/tokenizer/split_syntax.h"
#include "engine/tokenizer/utf8.h"

namespace stagelane::tokenizer {
namespace {

using Clock = std::chrono::steady_clock;

struct Freed {
  void operator()(pcre2_code* code) const { pcre2_code_free(code); }
  void operator()(pcre2_compile_context* context) const { pcre2_compile_context_free(context); }
  void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
  void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
};
template <class T>
using Owned = std::unique_ptr<T, Freed>;

constexpr std::uint32_t kMostHeapKiB = 64 * 1024;
/// Texts above this size have more time.
constexpr double kFreeBytes = 1 << 20;
/// Asking for the time takes as long as a short match.
constexpr std::uint32_t kMatchesBetweenChecks = 64;

PCRE2_SPTR bytesOf(std::string_view text) {
  return reinterpret_cast<PCRE2_SPTR>(text.data());  // NOLINT: PCRE2's type of bytes
}

std::string messageOf(int code) {
  std::array<PCRE2_UCHAR, 256> text{};
  pcre2_get_error_message(code, text.data(), text.size());
  return reinterpret_cast<const char*>(text.data());  // NOLINT: PCRE2's type of bytes
}

/// A match's begin and end.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

}  // namespace

struct SplitPattern::Compiled {
  Owned<pcre2_code> code;
  Owned<pcre2_match_context> context;
  SplitLimits limits;
  std::string pointer;
};

/// One text that is cut.
class SplitPattern::Cutting {
 public:
  Cutting(const Compiled& compiled, std::string_view text)
      : m_compiled(compiled),
        m_text(text),
        m_data(pcre2_match_data_create(1, nullptr)),
        m_deadline(Clock::now() + timeFor(text.size())) {}

  Status run(Gaps gaps, const PieceSink& sink) {
    std::size_t done = 0;
    std::optional<std::size_t> lastEnd;
    for (std::size_t at = 0; at <= m_text.size();) {
      STAGELANE_TRY(match, matchAt(at));
      // An empty match where the one before ended would never move on.
      if (!match->has_value() || ((*match)->begin == (*match)->end && lastEnd == (*match)->end)) {
        at += at < m_text.size() ? utf8Length(m_text[at]) : 1;
        continue;
      }
      const auto [begin, end] = **match;
      if (gaps == Gaps::Keep && begin > done) {
        STAGELANE_CHECK(sink(m_text.substr(done, begin - done)));
      }
      if (end > begin) STAGELANE_CHECK(sink(m_text.substr(begin, end - begin)));
      lastEnd = done = at = end;
      if (at == m_text.size()) break;
    }
    if (gaps == Gaps::Keep && done < m_text.size()) return sink(m_text.substr(done));
    return {};
  }

 private:
  [[nodiscard]] Clock::duration timeFor(std::size_t bytes) const {
    const double more = static_cast<double>(bytes) / kFreeBytes;
    return std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(m_compiled.limits.seconds + more));
  }

  /// The match that begins at a position. The expression is anchored, so that one call does not
  /// search the whole text beyond the limits.
  Result<std::optional<Span>> matchAt(std::size_t at) {
    if (++m_matches % kMatchesBetweenChecks == 0 && Clock::now() > m_deadline) {
      return tooMuchWork("takes too long for this text");
    }
    int count = call(at, PCRE2_NO_UTF_CHECK);
    // The compiled machine code has a small stack.
    if (count == PCRE2_ERROR_JIT_STACKLIMIT) count = call(at, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT);
    if (count == PCRE2_ERROR_NOMATCH) return std::optional<Span>();
    if (count < 0) return tooMuchWork("fails: " + messageOf(count));
    const PCRE2_SIZE* offsets = pcre2_get_ovector_pointer(m_data.get());
    return std::optional<Span>({offsets[0], offsets[1]});
  }

  int call(std::size_t at, std::uint32_t options) {
    return pcre2_match(m_compiled.code.get(), bytesOf(m_text), m_text.size(), at, options,
                       m_data.get(), m_compiled.context.get());
  }

  [[nodiscard]] tl::unexpected<Error> tooMuchWork(const std::string& what) const {
    return fail(ErrorCode::Invalid, "the tokenizer's regular expression " + what,
                m_compiled.pointer, "Use a shorter text or another tokenizer");
  }

  const Compiled& m_compiled;
  std::string_view m_text;
  Owned<pcre2_match_data> m_data;
  Clock::time_point m_deadline;
  std::uint32_t m_matches = 0;
};

Result<SplitPattern> SplitPattern::compile(const std::string& pattern, const std::string& pointer,
                                           SplitLimits limits) {
  STAGELANE_TRY(translated, toPcre2(pattern, pointer));
  const Owned<pcre2_compile_context> context(pcre2_compile_context_create(nullptr));
  pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  int problem = 0;
  PCRE2_SIZE place = 0;
  constexpr std::uint32_t kOptions =
      PCRE2_UTF | PCRE2_UCP | PCRE2_ANCHORED | PCRE2_NEVER_BACKSLASH_C;
  Owned<pcre2_code> code(pcre2_compile(bytesOf(*translated), translated->size(), kOptions, &problem,
                                       &place, context.get()));
  if (!code) {
    return fail(ErrorCode::Invalid, "malformed regular expression: " + messageOf(problem), pointer);
  }
  // Where machine code cannot be made, PCRE2 interprets the expression.
  pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE);
  Owned<pcre2_match_context> matching(pcre2_match_context_create(nullptr));
  pcre2_set_match_limit(matching.get(), limits.stepsOfMatch);
  pcre2_set_depth_limit(matching.get(), limits.stepsOfMatch);
  pcre2_set_heap_limit(matching.get(), kMostHeapKiB);
  SplitPattern answer;
  answer.m_compiled = std::make_shared<const Compiled>(
      Compiled{std::move(code), std::move(matching), limits, pointer});
  return answer;
}

Status SplitPattern::split(std::string_view text, Gaps gaps, const PieceSink& sink) const {
  return Cutting(*m_compiled, text).run(gaps, sink);
}

}  // namespace stagelane::tokenizer
