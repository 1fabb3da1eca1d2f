#pragma once

/// What people type to find runs: words that must all occur (in the name, folder, model, devices,
/// variants, tags, note or reason), "quoted phrases", and narrower ones: `tag:T`, `status:S`,
/// `model:M`, `device:D`, `since:2026-11-19`, `until:2026-11-20`, `is:favourite`, `is:noisy`. A
/// minus before any of them turns it around. Pure. @thread any

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
  std::string typed{};  ///< the word as it was written, without its quotes
  /// Why it can find nothing, as a sentence: "There is no status foo: running, done, failed or
  /// canceled."; empty where it can.
  std::string problem{};
  /// Whether it says in which field to look.
  [[nodiscard]] bool narrows() const { return field != Field::Any; }
};

class RunSearch {
 public:
  /// Nothing typed: matches every run.
  RunSearch() = default;
  explicit RunSearch(std::string_view text);

  [[nodiscard]] bool matches(const RunEntry& entry) const;
  [[nodiscard]] const std::vector<SearchTerm>& terms() const { return m_terms; }
  /// What is wrong with the words, sentence by sentence; empty where each can find something.
  [[nodiscard]] std::string problem() const;
  /// The search as text without one of its terms. @pre term < terms().size()
  [[nodiscard]] std::string without(std::size_t term) const;

 private:
  std::vector<SearchTerm> m_terms;
};

}  // namespace stagelane::workspace
