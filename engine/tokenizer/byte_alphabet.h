#pragma once

/// The alphabet of byte-level tokenizers: a printable character for each of the 256 bytes (GPT-2's
/// `bytes_to_unicode`). Printable Latin-1 bytes are themselves, the others follow from U+0100 on.

#include <optional>
#include <string>
#include <string_view>

namespace stagelane::tokenizer {

/// The characters of all bytes of a text.
[[nodiscard]] std::string shownBytes(std::string_view bytes);
/// The bytes of such characters, or nothing if one is not of the alphabet.
[[nodiscard]] std::optional<std::string> bytesOfShown(std::string_view shown);

}  // namespace stagelane::tokenizer
