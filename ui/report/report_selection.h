#pragma once

/// Limits what a report shows of a run, because the run of a sweep can have hundreds of thousands
/// of variants. The summaries still count all of them.

#include <cstddef>
#include <vector>

#include "ui/report/report_document.h"
#include "ui/session/run/earlier_results.h"

namespace stagelane::ui {

/// Variants in the tables.
inline constexpr std::size_t kMostTabled = 1000;
/// Variants with bars in the charts, with a timeline and with paragraphs of their own.
inline constexpr std::size_t kMostPictured = 100;
/// Rows of a table; a variant can have several.
inline constexpr std::size_t kMostRows = 2000;

/// The run with the best `most` of its variants, in the run's order: the base of the speed-ups,
/// then the fastest ones with all their repeats, the fastest of the others, those without a
/// measurement, and last those that were not run. The run itself if it has no more variants.
/// `asked`: repeats of each variant, 0: unknown.
[[nodiscard]] RunResultPtr withBest(const RunResultPtr& run, std::size_t most, int asked);

/// The run of a report with the variants whose traces and predictions it needs.
[[nodiscard]] RunResultPtr picturedRun(const ReportInput& input);

/// The sentence below the table of variants: "And 4000 more variants: …"; empty if all are shown.
[[nodiscard]] QString moreVariantsText(const record::RunResult& tabled,
                                       const record::RunResult& run);
/// The sentence above the charts; empty if all variants that ran are shown.
[[nodiscard]] QString picturedText(const record::RunResult& pictured, const record::RunResult& run);

/// Appends the table, or its first rows and a sentence on the others.
void appendRows(TableBlock table, std::vector<ReportBlock>& blocks);

}  // namespace stagelane::ui
