#pragma once

/// Comparisons as tables and sentences for a terminal.

#include <string>

#include "profiler/analysis/compare.h"
#include "ui/session/run/run_comparison.h"

namespace stagelane::app {

/// What got slower or faster and where: a sentence, the causes of each device, the actions that
/// changed most.
[[nodiscard]] std::string comparisonText(const analysis::StepComparison& comparison);

/// Settings that differ, and variants that only one run has.
[[nodiscard]] std::string settingsText(const ui::RunComparison& comparison);

/// The figures of one variant that differ.
[[nodiscard]] std::string variantText(const ui::VariantComparison& variant);

}  // namespace stagelane::app
