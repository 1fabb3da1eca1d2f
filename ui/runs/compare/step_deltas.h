#pragma once

/// The differences between the steps of two runs as texts and rows: what got slower and where,
/// which idle causes changed on which device, and the actions that changed most. Pure.

#include <QString>
#include <vector>

#include "profiler/analysis/compare.h"
#include "ui/session/run/run_table_model.h"

namespace stagelane::ui {

struct StepDeltaRow {
  QString name;                   ///< "cpu:0 starved", "F of stage 1", "F3 of stage 1"
  QString left, right;            ///< times; "–" on a side without one
  QString change;                 ///< "+12.0 ms"
  RunTone tone = RunTone::Muted;  ///< good: less; bad: more; muted: insignificant
};

struct StepDeltas {
  QString sentence;
  std::vector<StepDeltaRow> causes;   ///< by device and cause, the largest change first
  std::vector<StepDeltaRow> groups;   ///< kinds of actions of a stage (or kernels of a name)
  std::vector<StepDeltaRow> actions;  ///< single ones
  QString note;                       ///< how many actions match, and what is omitted
};

/// Maximum number of rows of each kind.
inline constexpr std::size_t kMostDeltaRows = 8;

/// Names of the runs: "run 3", "run 7".
[[nodiscard]] StepDeltas stepDeltas(const analysis::StepComparison& comparison, const QString& left,
                                    const QString& right);

}  // namespace stagelane::ui
