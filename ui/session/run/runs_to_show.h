#pragma once

/// The runs that a page offers to show: what each is called in a box of them. Pure.

#include <QString>
#include <vector>

#include "ui/session/run/run_history.h"

namespace stagelane::ui {

/// The run on the page; it may not be in the history yet.
struct ShownRun {
  QString folder;
  QString name;   ///< of its experiment
  QString state;  ///< "running": where the history does not know it
};
struct RunToShow {
  QString folder;
  QString text;  ///< "16 · 21 Nov 10:31 · done", and the experiment where it is another one
};
/// The newest `most` runs and the one that is shown, newest first; that one first of all where the
/// history does not know it. `year`: of today, dates of others tell theirs.
[[nodiscard]] std::vector<RunToShow> runsToShow(const RunList& runs, const ShownRun& shown,
                                                std::size_t most, int year);

}  // namespace stagelane::ui
