#pragma once

/// Variants that a run lists but does not run, because they are not included.

#include <algorithm>
#include <string_view>

#include "engine/record/run_record.h"

namespace stagelane::record {

/// The reason shown for them.
inline constexpr std::string_view kNotIncluded = "not included";

[[nodiscard]] inline bool isLeftOut(const VariantResult& variant) { return !variant.included; }

/// The number of variants that the run includes.
[[nodiscard]] inline int includedVariants(const RunResult& run) {
  return static_cast<int>(
      std::count_if(run.variants.begin(), run.variants.end(),
                    [](const VariantResult& variant) { return !isLeftOut(variant); }));
}

/// The run without them.
[[nodiscard]] inline RunResult withoutLeftOut(RunResult run) {
  run.variants.erase(std::remove_if(run.variants.begin(), run.variants.end(), isLeftOut),
                     run.variants.end());
  return run;
}

}  // namespace stagelane::record
