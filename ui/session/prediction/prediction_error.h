#pragma once

/// How far a prediction is off, by one rule on every page and in result.json: the
/// predicted less the measured time, as a share of the measured one. Below 0 the prediction was too
/// short.

#include <QString>
#include <optional>

#include "engine/base/ids.h"

namespace stagelane::ui {

/// Nothing where nothing was predicted or measured.
[[nodiscard]] inline std::optional<double> predictionError(TimeNs predictedNs, TimeNs measuredNs) {
  if (predictedNs <= 0 || measuredNs <= 0) return std::nullopt;
  return static_cast<double>(predictedNs - measuredNs) / static_cast<double>(measuredNs);
}

/// For tips beside such a figure.
[[nodiscard]] inline QString predictionErrorTip(const QString& what) {
  return QStringLiteral(
             "%1: predicted less measured, in percent of the measured; below 0 the "
             "prediction was too short")
      .arg(what);
}

}  // namespace stagelane::ui
