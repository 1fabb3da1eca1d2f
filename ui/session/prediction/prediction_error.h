#pragma once

/// The error of a prediction, by one rule for all pages and result.json: (predicted − measured) /
/// measured. Negative: the prediction was too short.

#include <QObject>
#include <QString>
#include <optional>

#include "engine/base/ids.h"

namespace stagelane::ui {

/// Nothing if either value is missing.
[[nodiscard]] inline std::optional<double> predictionError(TimeNs predictedNs, TimeNs measuredNs) {
  if (predictedNs <= 0 || measuredNs <= 0) return std::nullopt;
  return static_cast<double>(predictedNs - measuredNs) / static_cast<double>(measuredNs);
}

/// Tooltip of such a figure.
[[nodiscard]] inline QString predictionErrorTip(const QString& what) {
  return QObject::tr(
             "%1: (predicted − measured) / measured; negative if the prediction was too short")
      .arg(what);
}

}  // namespace stagelane::ui
