#pragma once

/// The table of charts. Each row (chart_row.h) has a chart's name, its requirements and its draw
/// function, and is at the end of the file that draws it. Command line, page, report and export
/// read the rows.

#include <array>

namespace stagelane::ui {

/// In display order.
enum class ChartKind { Time, Speedup, Split, Idle, Memory, Prediction, Hogwild };

namespace detail {

struct ChartRow;
extern const ChartRow kTimeChart, kSpeedupChart, kSplitChart, kIdleChart, kMemoryChart,
    kPredictionChart, kHogwildChart;

/// Indexed by ChartKind.
inline constexpr std::array kChartRows{&kTimeChart,   &kSpeedupChart,    &kSplitChart,  &kIdleChart,
                                       &kMemoryChart, &kPredictionChart, &kHogwildChart};

}  // namespace detail
}  // namespace stagelane::ui
