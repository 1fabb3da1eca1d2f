#pragma once

/// Where the costs of a prediction come from, for people: when they were measured, how steady they
/// were, why they are stale or do not do for the plan. Knows nothing of how they are measured.

#include <QDateTime>
#include <QString>
#include <QStringList>
#include <filesystem>

#include "engine/predict/cost_table.h"

namespace stagelane::ui {

struct CostFacts {
  std::filesystem::path file;  ///< empty: nothing is stored for the model
  QDateTime measuredAt;        ///< local time; invalid where the table does not say it
  double spread = 0.0;         ///< middle half of the passes over their median, a share
  /// A spread above this is noisy, as that of a run's repeats is.
  static constexpr double kNoisySpread = 0.05;
  [[nodiscard]] bool noisy() const { return spread > kNoisySpread; }
  QStringList differences;  ///< what makes the table stale
  QString lacks;            ///< why it is not used though it is there: "cpu:0 with 2 threads"
  friend bool operator==(const CostFacts&, const CostFacts&) = default;
};

/// When and how steady, from what a table says of its origin.
[[nodiscard]] CostFacts factsOf(const predict::CostTable& table);

/// How a prediction is known, for people.
struct BasisWords {
  QString brief;    ///< "≈ Estimate", "Calibrated", "Stale"
  QString text;     ///< where there is room: "Calibrated 21 Nov 09:12 · spread 1.1 %"
  QString meaning;  ///< a sentence, and what to do about it
  bool doubtful = false;
};
[[nodiscard]] BasisWords wordsOf(predict::Basis basis, const CostFacts& facts = {});

/// "≈ " before figures that are only estimated, else nothing.
[[nodiscard]] QString approximately(predict::Basis basis);

}  // namespace stagelane::ui
