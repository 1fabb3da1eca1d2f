#pragma once

/// Display texts for the origin of a prediction's costs: when they were measured, their spread, why
/// they are stale or do not cover the plan.

#include <QDateTime>
#include <QString>
#include <QStringList>
#include <filesystem>

#include "engine/predict/cost_table.h"

namespace stagelane::ui {

struct CostFacts {
  std::filesystem::path file;  ///< empty: none is stored for the model
  QDateTime measuredAt;        ///< local time; invalid if unknown
  double spread = 0.0;  ///< interquartile range of the passes over their median, as a fraction
  /// Noisy above this spread; the same limit as for a run's repeats.
  static constexpr double kNoisySpread = 0.05;
  [[nodiscard]] bool noisy() const { return spread > kNoisySpread; }
  QStringList differences;  ///< why the table is stale
  QString lacks;            ///< what the table does not cover: "cpu:0 with 2 threads"
  friend bool operator==(const CostFacts&, const CostFacts&) = default;
};

/// Time and spread from the table's origin.
[[nodiscard]] CostFacts factsOf(const predict::CostTable& table);

/// How the prediction is known, for display.
struct BasisWords {
  QString brief;    ///< "≈ Estimate", "Calibrated", "Stale"
  QString text;     ///< if there is room: "Calibrated 21 Nov 09:12 · spread 1.1 %"
  QString meaning;  ///< a sentence, and what to do about it
  bool doubtful = false;
};
[[nodiscard]] BasisWords wordsOf(predict::Basis basis, const CostFacts& facts = {});

/// "≈ " for estimates, else empty.
[[nodiscard]] QString approximately(predict::Basis basis);

}  // namespace stagelane::ui
