#pragma once

/// "Why is it not faster?" in a report: what a run's variants say of themselves, as a table and as
/// a sentence. Reads what the run kept; works nothing out again.

#include <QString>

#include "engine/record/run_record.h"
#include "ui/report/report_document.h"

namespace stagelane::ui {

/// A row a variant, from an even cut of the work to its step; causes that no variant has are left
/// out. No rows where no variant of several devices was explained.
[[nodiscard]] TableBlock explanationTable(const record::RunResult& run);

/// "Evenly cut, its work would take 61 % of the step; the most of the rest is waiting, 21 %.";
/// empty where the variant has no explanation or one device.
[[nodiscard]] QString explanationSummary(const record::VariantResult& variant);

}  // namespace stagelane::ui
