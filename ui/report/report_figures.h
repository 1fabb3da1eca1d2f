#pragma once

/// The figures of a report: the charts of a run and the timelines of its variants.

#include <QStringList>
#include <vector>

#include "ui/plots/chart.h"
#include "ui/report/report.h"
#include "ui/session/run/earlier_results.h"

namespace stagelane::ui {

/// One figure, or several if one could not show all variants legibly.
/// @param pictured the run of `input`, with the variants to show
[[nodiscard]] std::vector<FigureBlock> chartFigures(ChartKind kind, const RunResultPtr& pictured,
                                                    const ReportInput& input);
/// Variants that never ran, which the charts omit.
[[nodiscard]] QStringList leftOutOfCharts(const record::RunResult& run);
[[nodiscard]] FigureBlock timelineFigure(const QString& name, const TimelineDataPtr& timeline);

}  // namespace stagelane::ui
