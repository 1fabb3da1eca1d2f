#pragma once

/// How a run and its variants ended, in words.

#include <QString>

#include "engine/record/run_record.h"

namespace stagelane::ui {

/// "10", or "3 of 10" if fewer than `asked` were measured; 0: unknown.
[[nodiscard]] QString repeatsDoneText(const record::VariantResult& variant, int asked);
/// "done", "failed", "canceled", "not run", "running".
[[nodiscard]] QString statusText(record::RunStatus status);
/// Why a variant was not, or not completely, measured: "left out early: 16.2 ms in 4 repeats;
/// gpipe-s8 takes 2.98 ms"; empty if it was.
[[nodiscard]] QString reasonText(const record::VariantResult& variant);
/// A failure in a few words: "out of memory", "stalled"; empty if only the reason is known.
[[nodiscard]] QString failureText(FailureKind kind);
/// Where it happened: "gpipe, cpu:1, stage 1, micro-batch 2, B"; empty if unknown.
[[nodiscard]] QString placeText(const Failure& failure);
/// "pipeline, 2 replicas", "Hogwild, 4 processes", or the title alone.
[[nodiscard]] QString strategyText(const record::VariantResult& variant);
/// The status with its reason: "failed: cpu:1 is out of memory", "canceled after 3 repeats",
/// "done".
[[nodiscard]] QString endText(const record::VariantResult& variant);
/// The result of a check in a table's cell: "bit-equal", "1e-13", or on GPUs, which are judged in
/// float64, "1e-13 (own precision: 2e-06)".
[[nodiscard]] QString checkText(const record::GradientCheckResult& check);
/// What a check compared with, and on GPUs the error in the experiment's own precision: one or two
/// lines.
[[nodiscard]] QString checkDetails(const record::GradientCheckResult& check);

}  // namespace stagelane::ui
