#pragma once

/// A sweep as a person types it: what would run, and what the whole of it would be refused for,
/// beside the list that says so. Pure; on any thread, as it reads every experiment of the sweep.

#include <QString>
#include <array>
#include <cstdint>
#include <optional>

#include "engine/base/goes_on.h"
#include "engine/plan/sweep.h"
#include "ui/session/document/document_reading.h"

namespace stagelane::ui {

enum class SweepField { Splits, Schedules, Placements, Recomputes, Batches };
inline constexpr std::size_t kSweepFields = 5;
/// A text for each field.
using SweepTexts = std::array<QString, kSweepFields>;

struct TypedSweep {
  QString variant;   ///< name of the pipeline whose values are varied
  SweepTexts lists;  ///< values between commas; empty: as the variant has it
  bool earlyStop = false;
};

/// What is typed as values; only sound where the check found no problem.
[[nodiscard]] plan::SweepSpec sweepSpecOf(const TypedSweep& typed);

struct SweepCheck {
  std::int64_t points = 0;  ///< that will be measured
  std::int64_t runs = 0;
  QString leftOut;      ///< combinations that cannot be and that the sweep does without
  SweepTexts problems;  ///< beside the fields
  QString problem;      ///< that is no field's
  [[nodiscard]] bool sound() const;
};

/// Reads with estimates alone: where stages lie is not asked. An answer after `goesOn` said no is
/// of no use.
[[nodiscard]] SweepCheck checkSweep(const Json& document, const TypedSweep& typed,
                                    const ReadingBasis& basis, const GoesOn& goesOn);

/// "8 points in 2 runs", with what is left out.
[[nodiscard]] QString sweepSizeText(const SweepCheck& check);

}  // namespace stagelane::ui
