#pragma once

/// A run made by hand: two devices, every strategy, long names, a single repeat, a variant that
/// does not fit, one that failed, one that has not run yet.

#include "engine/record/run_record.h"

namespace stagelane::ui::sample {

[[nodiscard]] record::VariantResult variant(const std::string& name, const std::string& strategy,
                                            double seconds, int repeats);
[[nodiscard]] record::RunResult fullRun();
/// The full run with a Hogwild variant of four processes behind the single device.
[[nodiscard]] record::RunResult hogwildRun();
/// `count` measured pipeline variants of one schedule, split sizes 1, 2, 4 ….
[[nodiscard]] record::RunResult sweepRun(int count);

}  // namespace stagelane::ui::sample
