#pragma once

/// Finding events of a step by words: parts of names and kinds, and where they ran.

#include <QString>
#include <memory>
#include <vector>

#include "ui/session/legend_filter.h"
#include "ui/tracks/timeline_data.h"

namespace stagelane::ui {

struct SearchResult {
  QString text;
  std::vector<std::uint32_t> events;   ///< of the trace, ascending
  std::vector<std::uint32_t> byStart;  ///< the same, sorted by start
  std::size_t hidden = 0;              ///< other matches, of kinds that the legend hides
  QString problem;                     ///< why the search is invalid; "" if it is valid
};

using SearchResultPtr = std::shared_ptr<const SearchResult>;

/// Events of the step that match every word of `text`, ignoring case. A word is part of a name or
/// of a kind ("gemm", "copy"); `stage:1`, `mb:3` and `on:cpu:0` match a stage, a micro-batch and
/// part of a device's name; quotes keep spaces in a word (`on:"process 1"`). An empty text matches
/// nothing. Scans all events. Hidden ones are only counted. @thread any
[[nodiscard]] SearchResult findEvents(const TimelineData& data, const QString& text,
                                      const LegendFilter& filter = {});

/// Place in `byStart` of the match after (`direction` +1) or before (−1) an event or, without one,
/// a moment relative to the step's start; wraps at the ends. −1 for no match.
struct SearchFrom {
  std::int64_t event = -1;
  double timeNs = 0.0;
};
[[nodiscard]] std::int64_t nextMatch(const TimelineData& data, const SearchResult& result,
                                     const SearchFrom& from, int direction);

}  // namespace stagelane::ui
