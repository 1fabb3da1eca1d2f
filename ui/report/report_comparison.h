#pragma once

/// The section of a report that compares its runs: the fastest one, whether the spread of the
/// repeats explains the difference, and the settings that differ. Pure.

#include <vector>

#include "ui/report/report_document.h"

namespace stagelane::ui {

/// "2 · Toy, larger batch": numbered, because runs of one experiment have the same name.
[[nodiscard]] QString numberedName(const std::vector<ReportInput>& runs, std::size_t run);

/// Compares the time per sample of each run's fastest variant, which allows different batch sizes.
/// Adds nothing for fewer than two runs.
void addComparison(const std::vector<ReportInput>& runs, const ReportContents& contents,
                   std::vector<ReportBlock>& blocks);

}  // namespace stagelane::ui
