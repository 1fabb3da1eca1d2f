#include "ui/tracks/timeline_axis.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ui/kit/text/formatting.h"
#include "ui/kit/text/round_ticks.h"

namespace stagelane::ui {
namespace {

struct Unit {
  double ns;
  const char* name;
};
constexpr std::array<Unit, 4> kUnits{{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1.0, "ns"}}};

Unit unitOf(double stepNs) {
  for (const Unit& unit : kUnits) {
    if (stepNs >= unit.ns * 0.0999) return unit;
  }
  return kUnits.back();
}

}  // namespace

TimeAxis::TimeAxis(TimeNs rangeNs, double widthPx)
    : m_range(std::max<TimeNs>(1, rangeNs)),
      m_span(static_cast<double>(m_range)),
      m_width(std::max(1.0, widthPx)) {}

void TimeAxis::setWidth(double widthPx) { m_width = std::max(1.0, widthPx); }

void TimeAxis::setRange(TimeNs rangeNs) {
  m_range = std::max<TimeNs>(1, rangeNs);
  fit();
}

void TimeAxis::zoomAt(double x, double factor) {
  const double fixedTime = timeAt(x);
  m_span = m_span / factor;
  clamp();
  m_first = fixedTime - x * nsPerPixel();
  clamp();
}

void TimeAxis::panBy(double pixels) {
  m_first += pixels * nsPerPixel();
  clamp();
}

void TimeAxis::show(double fromNs, double toNs) {
  const double middle = (fromNs + toNs) / 2.0;
  m_span = std::max(toNs - fromNs, kMinimumSpanNs);
  m_first = middle - m_span / 2.0;
  clamp();
}

void TimeAxis::fit() {
  m_first = 0.0;
  m_span = static_cast<double>(m_range);
}

void TimeAxis::clamp() {
  const auto range = static_cast<double>(m_range);
  m_span = std::clamp(m_span, std::min(kMinimumSpanNs, range), range);
  m_first = std::clamp(m_first, 0.0, range - m_span);
}

std::vector<Tick> ticksOf(const TimeAxis& axis, double minimumGapPx) {
  const double step = roundStep(axis.nsPerPixel() * std::max(1.0, minimumGapPx));
  const Unit unit = unitOf(step);
  const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step / unit.ns) - 1e-9)));
  std::vector<Tick> ticks;
  for (double k = std::ceil(axis.firstNs() / step); k * step <= axis.lastNs(); k += 1.0) {
    const double time = k * step;
    ticks.push_back(
        {time, numberText(time / unit.ns, decimals) + QChar(u' ') + QString::fromUtf8(unit.name)});
  }
  return ticks;
}

}  // namespace stagelane::ui
