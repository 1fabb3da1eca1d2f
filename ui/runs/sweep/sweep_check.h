#pragma once

/// Checks a sweep as it is typed: its number of points, and its problems at the fields that cause
/// them. Pure; on any thread, because it reads every experiment of the sweep.

#include <QString>
#include <array>
#include <cstdint>

#include "engine/base/goes_on.h"
#include "engine/plan/sweep.h"
#include "ui/session/document/document_reading.h"

namespace stagelane::ui {

enum class SweepField { Splits, Schedules, Placements, Recomputes, Batches };
inline constexpr std::size_t kSweepFields = 5;
/// A text for each field.
using SweepTexts = std::array<QString, kSweepFields>;

struct TypedSweep {
  QString variant;   ///< name of the pipeline to vary
  SweepTexts lists;  ///< comma-separated values; empty: the variant's own value
  bool earlyStop = false;
};

/// The typed values; valid only if the check found no problem.
[[nodiscard]] plan::SweepSpec sweepSpecOf(const TypedSweep& typed);

struct SweepCheck {
  std::int64_t points = 0;  ///< to be measured
  std::int64_t runs = 0;
  QString leftOut;      ///< impossible combinations that the sweep omits
  SweepTexts problems;  ///< per field
  QString problem;      ///< not about a field
  [[nodiscard]] bool sound() const;
};

/// Uses estimates only, without searching for placements. The answer is invalid once `goesOn` has
/// returned false.
[[nodiscard]] SweepCheck checkSweep(const Json& document, const TypedSweep& typed,
                                    const ReadingBasis& basis, const GoesOn& goesOn);

/// "8 points in 2 runs", with what is omitted.
[[nodiscard]] QString sweepSizeText(const SweepCheck& check);

}  // namespace stagelane::ui
