#pragma once

/// Finding names by a few of their letters, as the search for actions does. Pure.

#include <QList>
#include <QStringView>
#include <optional>

namespace stagelane::ui {

struct FuzzyMatch {
  int score = 0;            ///< higher is nearer
  QList<qsizetype> places;  ///< of the letters that were matched, ascending
};

/// The letters of each word of `query` in `text`, in their order, whatever their case and whatever
/// lies between; best where they begin words or stand together. Nothing when a letter is missing;
/// an empty query matches with 0.
[[nodiscard]] std::optional<FuzzyMatch> fuzzyMatch(QStringView query, QStringView text);

}  // namespace stagelane::ui
