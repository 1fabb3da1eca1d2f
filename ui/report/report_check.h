#pragma once

/// The check of correctness in a report: gradients of a training run against plain autograd, or
/// outputs of an inference run against one worker's forward pass.

#include <QString>
#include <vector>

#include "engine/record/run_record.h"

namespace stagelane::ui {

/// Whether this is a run with `task: infer`, whose variants have latencies.
[[nodiscard]] bool isInference(const record::RunResult& run);
/// "The gradients of 3 checked variants match plain autograd bit for bit."; on GPUs, which are
/// judged in float64, also the largest error in the experiment's own precision.
[[nodiscard]] QString checkSummary(const record::RunResult& run);
/// "bit-equal", the largest relative error, or a dash.
[[nodiscard]] QString checkCell(const record::VariantResult& variant);
/// One sentence per variant that differs, or has an error in the experiment's own precision.
[[nodiscard]] std::vector<QString> checkDifferences(const record::RunResult& run);
/// "1.20 ms, 1.31 ms", or a dash.
[[nodiscard]] QString latencyCell(const record::VariantResult& variant);
/// Samples a second, or a dash.
[[nodiscard]] QString throughputCell(const record::VariantResult& variant);

}  // namespace stagelane::ui
