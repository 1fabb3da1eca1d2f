#include "ui/tracks/step_clock.h"

#include <QObject>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/kit/text/formatting.h"
#include "ui/kit/text/translation.h"

namespace stagelane::ui {

StepClock::StepClock(TimeNs untilNs, TimeNs lengthNs) {
  for (const auto& [ns, name] : {std::pair{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}}) {
    if (static_cast<double>(untilNs) < ns) continue;
    m_ns = ns;
    m_name = QString::fromUtf8(name);
    break;
  }
  const double length = static_cast<double>(std::max<TimeNs>(1, lengthNs)) / m_ns;
  m_decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(length))) + 1, m_ns > 1.0 ? 1 : 0,
                          static_cast<int>(std::lround(std::log10(m_ns))));
}

QString StepClock::number(TimeNs ns) const {
  return numberText(static_cast<double>(ns) / m_ns, m_decimals);
}

QStringList partsOfTime(const std::vector<TimeNs>& parts) {
  const TimeNs whole = std::accumulate(parts.begin(), parts.end(), TimeNs{0});
  const QLocale locale = numberLocale();
  QStringList texts;
  TimeNs end = 0;
  double before = 0.0;
  for (const TimeNs part : parts) {
    end += part;
    const QString text = timeInUnitOf(end, whole);
    const auto point = text.indexOf(locale.decimalPoint());
    const auto decimals = point < 0 ? 0 : text.size() - point - 1;
    const double here = locale.toDouble(text);
    texts << numberText(here - before, static_cast<int>(decimals));
    before = here;
  }
  return texts;
}

QString areaText(const analysis::AreaStatistics& statistics, TimeNs startNs) {
  const analysis::AreaRow& all = statistics.all;
  const TimeNs from = statistics.fromNs - startNs, to = statistics.toNs - startNs;
  QString text =
      u"%1 (%2): %3, %4"_s.arg(StepClock(to, to - from).span(from, to), timeText(to - from),
                               countedText(static_cast<std::int64_t>(all.count),
                                           QObject::tr("event"), QObject::tr("events")),
                               timeText(all.totalNs));
  if (all.count > 0) text += QObject::tr(", mean %1").arg(timeText(std::llround(all.meanNs())));
  if (statistics.cutOff > 0) {
    text += QObject::tr(" (%1 cut off at the edges)").arg(statistics.cutOff);
  }
  return text;
}

}  // namespace stagelane::ui
