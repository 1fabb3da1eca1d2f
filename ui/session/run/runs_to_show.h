#pragma once

/// The runs that a page offers in a box, and their texts. Pure.

#include <QString>
#include <vector>

#include "ui/session/run/run_history.h"

namespace stagelane::ui {

/// The run on the page, which may be missing in the history.
struct ShownRun {
  QString folder;
  QString name;   ///< experiment name
  QString state;  ///< "running", if the history lacks it
};
struct RunToShow {
  QString folder;
  QString text;  ///< "16 · 21 Nov 10:31 · done", and the experiment if it is another one
};
/// The newest `most` runs and the shown one, newest first; the shown one first if the history lacks
/// it. `year`: the current one; dates of other years include theirs.
[[nodiscard]] std::vector<RunToShow> runsToShow(const RunList& runs, const ShownRun& shown,
                                                std::size_t most, int year);

}  // namespace stagelane::ui
