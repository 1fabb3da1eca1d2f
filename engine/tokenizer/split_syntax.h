#pragma once

/// Translates regular expressions from Oniguruma's syntax (Ruby's), in which tokenizer.json has
/// them, to PCRE2's. What means something else in PCRE2, or is not in the expressions of LLaMA's
/// relatives, is refused, so that no text is silently cut at other places.

#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace stagelane::tokenizer {

/// `pointer` is the place of the expression. @errors Invalid: a construct that is not supported
[[nodiscard]] Result<std::string> toPcre2(std::string_view pattern, const std::string& pointer);

}  // namespace stagelane::tokenizer
