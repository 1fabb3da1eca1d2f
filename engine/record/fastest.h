#pragma once

/// Which variant of a run is called the fastest: one rule for the history, reports, comparisons and
/// the command line. By the median of the repeats, of which speed-ups are made too, so that what is
/// called the fastest never has a speed-up below that of its base.

#include <functional>

#include "engine/base/json.h"
#include "engine/record/run_record.h"

namespace stagelane::record {

/// The variant with the smallest median repeat, of those that @p counts (none given: all);
/// nullptr where no repeat was measured. One that was canceled counts with the repeats it has.
[[nodiscard]] const VariantResult* fastestVariant(
    const RunResult& run, const std::function<bool(const VariantResult&)>& counts = {});

/// How many repeats of each variant an experiment asks for; 0 without a document.
[[nodiscard]] int repeatsAsked(const Json* experiment);
/// It has ended with some repeats, but fewer than @p asked; never where that is 0, not known.
[[nodiscard]] bool isCutShort(const VariantResult& variant, int asked);
/// The fastest of the variants that have all their repeats, or of all where none has: a few repeats
/// do not win over many. nullptr where no repeat was measured.
[[nodiscard]] const VariantResult* fastestWhole(const RunResult& run, int asked);

}  // namespace stagelane::record
