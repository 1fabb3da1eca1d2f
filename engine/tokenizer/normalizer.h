#pragma once

/// What happens to a text before it is cut into words: a prefix, and texts that are replaced.

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::tokenizer {

/// Largest text that is encoded, before and after normalization. A bound for hostile files, which
/// can make texts grow.
inline constexpr std::size_t kMostTextBytes = std::size_t{256} << 20U;

/// @errors Invalid: the text is larger than kMostTextBytes
[[nodiscard]] Status requireTextFits(std::size_t bytes);

/// `text` with all places of `pattern` replaced. @pre pattern is not empty
/// @errors Invalid: the text would become too large
[[nodiscard]] Result<std::string> replaced(std::string_view text, std::string_view pattern,
                                           std::string_view content);

/// Immutable.
class Normalizer {
 public:
  /// Reads `normalizer`. @errors Invalid
  [[nodiscard]] static Result<Normalizer> read(const Json* component, const std::string& pointer);

  /// @errors Invalid: the text would become too large
  [[nodiscard]] Result<std::string> apply(std::string_view text) const;

 private:
  /// Prepends `content` if there is no pattern.
  struct Step {
    std::string pattern;
    std::string content;
  };

  std::vector<Step> m_steps;
};

}  // namespace stagelane::tokenizer
