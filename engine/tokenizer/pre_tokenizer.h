#pragma once

/// Cuts a normalized text into the words that the model encodes one by one.

#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/tokenizer/split_pattern.h"

namespace stagelane::tokenizer {

/// Immutable.
class PreTokenizer {
 public:
  /// Reads `pre_tokenizer`. @errors Invalid
  [[nodiscard]] static Result<PreTokenizer> read(const Json* component, const std::string& pointer);

  /// Calls `sink` for each word. `isFirst`: the text begins where the user's text does.
  /// @errors Invalid: the limits of a regular expression or of texts are exceeded
  [[nodiscard]] Status cut(std::string_view text, bool isFirst, const PieceSink& sink) const;

 private:
  /// Blanks become another text.
  struct ReplaceBlanks {
    std::string content;
  };
  /// Prepends a text, unless it is there.
  struct Prefix {
    std::string text;
    bool onlyFirst = false;
  };
  /// Cuts before each place of a text.
  struct CutBefore {
    std::string text;
  };
  struct CutAtMatches {
    SplitPattern pattern;
    Gaps gaps = Gaps::Keep;
  };
  /// Bytes become characters of the byte alphabet.
  struct ShowBytes {};
  using Step = std::variant<ReplaceBlanks, Prefix, CutBefore, CutAtMatches, ShowBytes>;
  /// A text between two steps.
  struct Piece {
    std::string_view text;
    bool isFirst = false;
  };

  Status readMetaspace(ObjectReader& reader);
  Status readByteLevel(ObjectReader& reader);
  Status readSplit(ObjectReader& reader);
  Status readDigits(ObjectReader& reader);
  Status cutAt(const std::string& pattern, const std::string& pointer, Gaps gaps);

  Status runFrom(std::size_t step, Piece piece, const PieceSink& sink) const;
  Status cutBefore(const CutBefore& step, std::size_t next, Piece piece,
                   const PieceSink& sink) const;

  std::vector<Step> m_steps;
};

}  // namespace stagelane::tokenizer
