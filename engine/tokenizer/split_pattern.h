#pragma once

/// Cuts a text at the matches of a regular expression (PCRE2). The expression comes from a file
/// that others made, so the work for a text is limited.

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace stagelane::tokenizer {

/// Gets a piece of a text; an error ends the cutting.
using PieceSink = std::function<Status(std::string_view piece)>;

/// What becomes of the text between matches.
enum class Gaps { Keep, Drop };

/// How much work matching may take.
struct SplitLimits {
  std::uint32_t stepsOfMatch = 4'000'000;  ///< backtracking steps of one match
  double seconds = 10.0;                   ///< all matches of a text; more for texts above 1 MiB
};

/// Immutable; any number of threads can cut with it.
class SplitPattern {
 public:
  /// An expression in Oniguruma's syntax. `pointer` is its place.
  /// @errors Invalid: malformed, or not supported
  [[nodiscard]] static Result<SplitPattern> compile(const std::string& pattern,
                                                    const std::string& pointer,
                                                    SplitLimits limits = {});

  /// Calls `sink` for the matches, and with Gaps::Keep for the text between them, in order.
  /// @pre valid UTF-8  @errors Invalid: the limits are exceeded; the errors of `sink`
  [[nodiscard]] Status split(std::string_view text, Gaps gaps, const PieceSink& sink) const;

 private:
  /// PCRE2's code and limits, whose types only the source knows.
  struct Compiled;
  class Cutting;

  std::shared_ptr<const Compiled> m_compiled;
};

}  // namespace stagelane::tokenizer
