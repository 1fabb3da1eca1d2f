#pragma once

/// A run's result as a table, as `stagelane run` prints it. Pure.

#include <string>

#include "engine/record/run_record.h"

namespace stagelane::app {

/// A row per variant (split, mean ± std, speed-ups, bound, idle per device, gradient badge, marks),
/// what each device has of the model where variants differ in it (model_share_table.h), processes
/// and all-reduces of variants with several processes (rank_table.h), the base of the speed-ups,
/// what did not run and why, why the fastest pipeline is not faster, and the folder.
[[nodiscard]] std::string resultTable(const record::RunResult& run);

/// "3.21 ± 0.01 s"; "3.21 s" for one repeat, "-" for none.
[[nodiscard]] std::string secondsText(const record::VariantResult& variant);
/// "cpu:0 12 %, cpu:1 30 %"; "-" where nothing was recorded.
[[nodiscard]] std::string idleText(const record::VariantResult& variant);

}  // namespace stagelane::app
