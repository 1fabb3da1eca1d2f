#pragma once

/// "Why it is not faster" in a report: the explanations that the run recorded for its variants, as
/// a table and as a sentence. Computes nothing new.

#include <QString>

#include "engine/record/run_record.h"
#include "ui/report/report_document.h"

namespace stagelane::ui {

/// One row per variant, from an even distribution of the work to its step, without causes that no
/// variant has. Empty if no variant with several devices was explained.
[[nodiscard]] TableBlock explanationTable(const record::RunResult& run);

/// "Evenly distributed, its work would take 61 % of the step; most of the rest is waiting, 21 %.";
/// empty without an explanation or with one device.
[[nodiscard]] QString explanationSummary(const record::VariantResult& variant);

}  // namespace stagelane::ui
