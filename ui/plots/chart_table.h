#pragma once

/// The charts that there are. What a chart is called, what it needs and who draws it stands in its
/// row (chart_row.h), at the end of the file that draws it. Command line, page, report and export
/// read the rows.

#include <array>

namespace stagelane::ui {

/// In the order in which pages and lists show them.
enum class ChartKind { Time, Speedup, Split, Idle, Memory, Prediction };

namespace detail {

struct ChartRow;
extern const ChartRow kTimeChart, kSpeedupChart, kSplitChart, kIdleChart, kMemoryChart,
    kPredictionChart;

/// By ChartKind.
inline constexpr std::array kChartRows{&kTimeChart, &kSpeedupChart, &kSplitChart,
                                       &kIdleChart, &kMemoryChart,  &kPredictionChart};

}  // namespace detail
}  // namespace stagelane::ui
