#pragma once

/// Characters that Unicode 15 and 16 have, which the package `tokenizers` knows and Debian 12's
/// PCRE2 (Unicode 14) does not. With a newer PCRE2 they change nothing.

#include <string_view>

namespace stagelane::tokenizer {

/// Ranges for a set of characters in PCRE2's syntax: what the general category (`L`, `Nd`) has got.
/// Empty for those that expressions of LLaMA's relatives do not use.
[[nodiscard]] std::string_view unicodeAdditions(std::string_view category);

}  // namespace stagelane::tokenizer
