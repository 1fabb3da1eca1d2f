#pragma once

/// Variants that a run lists without running them, because they were not included.

#include <algorithm>
#include <string_view>

#include "engine/record/run_record.h"

namespace stagelane::record {

/// Their reason, in words.
inline constexpr std::string_view kNotIncluded = "not included";

[[nodiscard]] inline bool isLeftOut(const VariantResult& variant) { return !variant.included; }

/// How many variants the run is of.
[[nodiscard]] inline int includedVariants(const RunResult& run) {
  return static_cast<int>(
      std::count_if(run.variants.begin(), run.variants.end(),
                    [](const VariantResult& variant) { return !isLeftOut(variant); }));
}

/// The run as if they were not in it.
[[nodiscard]] inline RunResult withoutLeftOut(RunResult run) {
  run.variants.erase(std::remove_if(run.variants.begin(), run.variants.end(), isLeftOut),
                     run.variants.end());
  return run;
}

}  // namespace stagelane::record
