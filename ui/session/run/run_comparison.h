#pragma once

/// Compares two runs: settings that differ and, for each common variant, figures that differ, with
/// whether the spread of the repeats explains it. Pure. @thread any

#include <optional>
#include <string>
#include <vector>

#include "engine/base/json.h"
#include "engine/record/run_record.h"
#include "profiler/analysis/statistics.h"

namespace stagelane::ui {

/// An experiment value that differs; null on a side without it.
struct SettingDifference {
  std::string pointer;  ///< JSON pointer; variants by their name: /variants/pipeline/split_size
  Json left;
  Json right;
};

struct FigureDifference {
  std::string name;  ///< "seconds", "step_ns", "cpu:0 peak_bytes", …
  double left = 0.0;
  double right = 0.0;
  std::optional<analysis::WelchTest> test;  ///< of `seconds`, with two repeats or more on each side
};

struct VariantComparison {
  std::string leftId;
  std::string rightId;
  bool noisy = false;                       ///< either side is noisy
  std::vector<SettingDifference> settings;  ///< of the variants: /schedule, /placement/layer1, …
  std::vector<FigureDifference> figures;
};

struct RunComparison {
  std::vector<SettingDifference> settings;
  std::vector<VariantComparison> variants;
  std::vector<std::string> onlyLeft;
  std::vector<std::string> onlyRight;
};

/// Below this p a difference is beyond the spread.
inline constexpr double kSignificantP = 0.05;

/// "beyond the spread", "within the spread", or "spread not known".
[[nodiscard]] std::string significanceWords(const FigureDifference& figure);

[[nodiscard]] std::vector<SettingDifference> settingDifferences(const Json& left,
                                                                const Json& right);
/// The settings of a variant as one object: strategy, schedule, split size, placement and, if the
/// experiment has the variant, its other settings (recompute, chunks, …).
[[nodiscard]] Json variantSettings(const record::VariantResult& variant, const Json& experiment);

/// A variant of a run, with the run's experiment.
struct VariantOfRun {
  const record::VariantResult& result;
  const Json& experiment;
};
[[nodiscard]] VariantComparison compareVariants(const VariantOfRun& left,
                                                const VariantOfRun& right);
/// Variants are matched by id.
[[nodiscard]] RunComparison compareRuns(const record::RunResult& left, const Json& leftExperiment,
                                        const record::RunResult& right,
                                        const Json& rightExperiment);

/// docs/reference/json.md, "compare".
[[nodiscard]] Json toJson(const SettingDifference& setting);
[[nodiscard]] Json toJson(const VariantComparison& variant);

}  // namespace stagelane::ui
