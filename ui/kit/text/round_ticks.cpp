#include "ui/kit/text/round_ticks.h"

#include <algorithm>
#include <cmath>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {

double roundStep(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1.0 - 1e-9)) return factor * power;
  }
  return 10.0 * power;
}

RoundTicks roundTicks(double low, double high, int about) {
  const double step = roundStep((high - low) / about);
  RoundTicks ticks{step, {}};
  const auto first = static_cast<std::int64_t>(std::ceil(low / step - 1e-9));
  const auto last = static_cast<std::int64_t>(std::floor(high / step + 1e-9));
  for (std::int64_t i = first; i <= last; ++i)
    ticks.values.push_back(static_cast<double>(i) * step);
  return ticks;
}

SecondsUnit secondsUnitOf(double seconds) {
  if (seconds >= 1.0 || seconds <= 0.0) return {1.0, u"s"_s};
  if (seconds >= 1e-3) return {1e3, u"ms"_s};
  return {1e6, u"µs"_s};
}

QString tickNumber(double seconds, double stepSeconds, const SecondsUnit& unit) {
  const double digits = -std::floor(std::log10(stepSeconds * unit.factor) + 1e-9);
  return numberText(seconds * unit.factor, static_cast<int>(std::clamp(digits, 0.0, 6.0)));
}

QString tickText(double seconds, double stepSeconds, const SecondsUnit& unit) {
  return u"%1 %2"_s.arg(tickNumber(seconds, stepSeconds, unit), unit.name);
}

}  // namespace stagelane::ui
