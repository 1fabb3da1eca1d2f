#pragma once

/// What a run that goes on is doing, and how one ended, in words.

#include <QString>

#include "engine/record/run_record.h"

namespace stagelane::ui {

class Session;

/// "tutorial 8, repeat 2 of 3", "repeat 2 of 3, 6 variants", "tutorial 8, warm-up"; empty before
/// the first turn.
[[nodiscard]] QString turnText(const Session& session);
/// "10", "3 of 10" where fewer than `asked` were measured; 0: not known.
[[nodiscard]] QString repeatsDoneText(const record::VariantResult& variant, int asked);
/// "done", "failed", "canceled", "not run", "running".
[[nodiscard]] QString statusText(record::RunStatus status);
/// Why a variant was not, or not wholly, measured: "left out early: 16.2 ms in 4 repeats against
/// 2.98 ms of gpipe-s8"; empty where it was.
[[nodiscard]] QString reasonText(const record::VariantResult& variant);
/// A failure in the few words that fit a badge: "out of memory", "stalled"; empty where only the
/// reason says more.
[[nodiscard]] QString failureText(FailureKind kind);
/// Where it happened: "gpipe, cpu:1, stage 1, micro-batch 2, B"; empty where that is not known.
[[nodiscard]] QString placeText(const Failure& failure);
/// The status with its reason: "failed: cpu:1 is out of memory", "canceled after 3 repeats",
/// "done".
[[nodiscard]] QString endText(const record::VariantResult& variant);

}  // namespace stagelane::ui
