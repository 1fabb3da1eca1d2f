#pragma once

/// Selects the fastest variant of a run: one rule for the history, reports, comparisons and the
/// command line. Uses the median of the repeats, as speed-ups do, so that the fastest variant never
/// has a speed-up below that of its base.

#include <functional>

#include "engine/base/json.h"
#include "engine/record/run_record.h"

namespace stagelane::record {

/// The variant with the smallest median repeat among those for which @p counts is true (default:
/// all); nullptr if no repeat was measured. A canceled variant counts with its measured repeats.
[[nodiscard]] const VariantResult* fastestVariant(
    const RunResult& run, const std::function<bool(const VariantResult&)>& counts = {});

/// Number of repeats per variant that an experiment requests; 0 without a document.
[[nodiscard]] int repeatsAsked(const Json* experiment);
/// Whether the variant ended with some repeats, but fewer than @p asked; false if unknown (0).
[[nodiscard]] bool isCutShort(const VariantResult& variant, int asked);
/// The fastest of the variants with all their repeats, or of all variants if none is complete: a
/// few repeats do not win over many. nullptr if no repeat was measured.
[[nodiscard]] const VariantResult* fastestWhole(const RunResult& run, int asked);

}  // namespace stagelane::record
