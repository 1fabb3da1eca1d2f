#pragma once

/// Finds names by a few of their letters, for the search for actions. Pure.

#include <QList>
#include <QStringView>
#include <optional>

namespace stagelane::ui {

struct FuzzyMatch {
  int score = 0;            ///< higher is better
  QList<qsizetype> places;  ///< of the matched letters, ascending
};

/// Matches the letters of each word of `query` in order, ignoring case and gaps; matches at word
/// starts and in runs score higher. Nothing if a letter is missing; an empty query scores 0.
[[nodiscard]] std::optional<FuzzyMatch> fuzzyMatch(QStringView query, QStringView text);

}  // namespace stagelane::ui
