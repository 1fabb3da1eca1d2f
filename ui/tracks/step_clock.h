#pragma once

/// Formats times within a step: distinct ends of a span, and parts that add up.

#include <QString>
#include <QStringList>
#include <vector>

#include "profiler/analysis/area_statistics.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {

/// Moments around a span: one unit for all, with enough digits to tell the span's ends apart.
class StepClock {
 public:
  /// `untilNs`: the latest moment; `lengthNs`: of the span.
  StepClock(TimeNs untilNs, TimeNs lengthNs);
  [[nodiscard]] QString number(TimeNs ns) const;
  [[nodiscard]] QString text(TimeNs ns) const { return number(ns) + QChar(u' ') + m_name; }
  /// "189.8 – 198.8 ms".
  [[nodiscard]] QString span(TimeNs fromNs, TimeNs toNs) const {
    return u"%1 – %2"_s.arg(number(fromNs), text(toNs));
  }

 private:
  double m_ns = 1.0;
  QString m_name = u"ns"_s;
  int m_decimals = 0;
};

/// Consecutive pieces in the unit and with the decimals that timeText uses for their sum. They add
/// up because their ends are rounded: "141" and "0" of "141 µs".
[[nodiscard]] QStringList partsOfTime(const std::vector<TimeNs>& parts);

/// "75.1094 – 75.1862 ms (76.8 µs): 12 events, 929 µs, mean 77.4 µs (2 cut off at the edges)";
/// moments are relative to `startNs`.
[[nodiscard]] QString areaText(const analysis::AreaStatistics& statistics, TimeNs startNs);

}  // namespace stagelane::ui
