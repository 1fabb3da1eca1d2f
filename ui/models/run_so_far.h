#pragma once

/// A run that has not ended, or not all of it: what its repeats so far say. Pure.

#include "engine/base/json.h"
#include "engine/record/run_record.h"
#include "ui/models/session.h"

namespace stagelane::ui {

/// The run with speed-ups from the repeats so far, by the rule of the engine, which computes them
/// when a run ends; the same run where it has them.
[[nodiscard]] RunResultPtr withSpeedupsSoFar(const RunResultPtr& run);
/// How many repeats of each variant an experiment asks for; 0 without a document.
[[nodiscard]] int repeatsAsked(const Json* experiment);
/// It has ended with some repeats, but fewer than `asked`; never where that is 0, not known.
[[nodiscard]] bool isCutShort(const record::VariantResult& variant, int asked);
/// The fastest of the variants that have all their repeats, or of all where none has: a few repeats
/// do not win over many. Null where nothing was measured.
[[nodiscard]] const record::VariantResult* fastestWhole(const record::RunResult& run, int asked);

}  // namespace stagelane::ui
