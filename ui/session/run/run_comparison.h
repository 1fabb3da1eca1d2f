#pragma once

/// Two runs side by side: settings that differ, and for each variant that both have the figures
/// that differ, with whether the spread of the repeats explains it. Pure. @thread any

#include <optional>
#include <string>
#include <vector>

#include "engine/base/json.h"
#include "engine/record/run_record.h"
#include "profiler/analysis/statistics.h"

namespace stagelane::ui {

/// A value of the experiment that is not the same; null where a side does not have it.
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
  bool noisy = false;                       ///< either side is marked so
  std::vector<SettingDifference> settings;  ///< of the variants: /schedule, /placement/layer1, …
  std::vector<FigureDifference> figures;
};

struct RunComparison {
  std::vector<SettingDifference> settings;
  std::vector<VariantComparison> variants;
  std::vector<std::string> onlyLeft;
  std::vector<std::string> onlyRight;
};

/// A difference counts as one beyond the spread below this p.
inline constexpr double kSignificantP = 0.05;

/// "beyond the spread", "within the spread", or "spread not known".
[[nodiscard]] std::string significanceWords(const FigureDifference& figure);

[[nodiscard]] std::vector<SettingDifference> settingDifferences(const Json& left,
                                                                const Json& right);
/// What ran as a variant, as one object: strategy, schedule, split size and placement, and what
/// else the experiment says of it (recompute, chunks, …). An experiment that does not have it adds
/// nothing.
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
