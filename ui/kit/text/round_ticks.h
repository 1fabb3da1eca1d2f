#pragma once

/// Ticks of an axis at round numbers: 1, 2 or 5 times a power of ten apart.

#include <QString>
#include <vector>

namespace stagelane::ui {

/// The smallest of 1, 2, 5 × 10ⁿ that is not below `least`. @pre least > 0
[[nodiscard]] double roundStep(double least);

struct RoundTicks {
  double step = 0.0;
  std::vector<double> values;  ///< ascending, inside the range
};
/// About `about` values, at most one more. @pre low < high, about ≥ 1
[[nodiscard]] RoundTicks roundTicks(double low, double high, int about);

/// A unit of time in which `seconds` is at least 1.
struct SecondsUnit {
  double factor = 1.0;
  QString name;
};
[[nodiscard]] SecondsUnit secondsUnitOf(double seconds);
/// "0.2", "1.0": as many decimals as the step has, without the unit.
[[nodiscard]] QString tickNumber(double seconds, double stepSeconds, const SecondsUnit& unit);
/// "0.2 ms", "1.0 ms": as many decimals as the step has.
[[nodiscard]] QString tickText(double seconds, double stepSeconds, const SecondsUnit& unit);

}  // namespace stagelane::ui
