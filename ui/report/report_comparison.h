#pragma once

/// The part of a report that several runs share: which is the fastest, whether the spread of the
/// repeats explains the difference, and the settings that differ. Pure.

#include <vector>

#include "ui/report/report_document.h"

namespace stagelane::ui {

/// "2 · Toy, larger batch": runs of one experiment have the same name.
[[nodiscard]] QString numberedName(const std::vector<ReportInput>& runs, std::size_t run);

/// By the time a sample of each run's fastest variant, so that runs of other batch sizes compare.
/// Nothing for fewer than two runs.
void addComparison(const std::vector<ReportInput>& runs, const ReportContents& contents,
                   std::vector<ReportBlock>& blocks);

}  // namespace stagelane::ui
