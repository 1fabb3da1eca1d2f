#pragma once

/// Which variant of a run is called the fastest: one rule for the history, reports, comparisons and
/// the command line. By the mean of the repeats, as Welch's test on them is about means.

#include <functional>

#include "engine/record/run_record.h"

namespace stagelane::record {

/// The variant whose repeats take least on average, of those that @p counts (none given: all);
/// nullptr where no repeat was measured. One that was canceled counts with the repeats it has.
[[nodiscard]] const VariantResult* fastestVariant(
    const RunResult& run, const std::function<bool(const VariantResult&)>& counts = {});

}  // namespace stagelane::record
