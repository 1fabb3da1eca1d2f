#pragma once

/// SentencePiece's way with blanks: they become a visible character, and texts begin with one. The
/// component Metaspace is a pre-tokenizer and a decoder.

#include <string>

#include "engine/base/json.h"

namespace stagelane::tokenizer {

/// The members of a component Metaspace.
struct Metaspace {
  enum class Prepend { Always, First, Never };
  std::string replacement;  ///< one character
  Prepend prepend = Prepend::Always;
  bool splits = true;
};

/// Reads the component. Problems go to the reader.
[[nodiscard]] Metaspace readMetaspace(ObjectReader& reader);

}  // namespace stagelane::tokenizer
