#pragma once

/// Search for runs: words that must all occur (in the name, folder, model, devices, variants, tags,
/// note or reason), "quoted phrases", and filters: `tag:T`, `status:S`, `model:M`, `device:D`,
/// `since:2026-11-19`, `until:2026-11-20`, `is:favorite`, `is:noisy`. A preceding minus negates a
/// term. Pure. @thread any

#include <string>
#include <string_view>
#include <vector>

#include "engine/workspace/run_index.h"

namespace stagelane::workspace {

struct SearchTerm {
  enum class Field { Any, Tag, Status, Model, Device, Since, Until, Favourite, Noisy };
  Field field = Field::Any;
  std::string text;  ///< lower case
  bool negated = false;
  std::string typed{};  ///< the word as typed, without quotes
  /// Why it matches nothing, as a sentence: "Unknown status foo: use running, done, failed or
  /// canceled."; empty if it is valid.
  std::string problem{};
  /// Whether it is restricted to a field.
  [[nodiscard]] bool narrows() const { return field != Field::Any; }
};

class RunSearch {
 public:
  /// Without terms: matches every run.
  RunSearch() = default;
  explicit RunSearch(std::string_view text);

  [[nodiscard]] bool matches(const RunEntry& entry) const;
  [[nodiscard]] const std::vector<SearchTerm>& terms() const { return m_terms; }
  /// Problems of the terms, one sentence each; empty if all are valid.
  [[nodiscard]] std::string problem() const;
  /// The search as text without one of its terms. @pre term < terms().size()
  [[nodiscard]] std::string without(std::size_t term) const;

 private:
  std::vector<SearchTerm> m_terms;
};

}  // namespace stagelane::workspace
