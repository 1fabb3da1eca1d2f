#include "ui/timeline/timeline_zoom.h"

#include <algorithm>

namespace stagelane::ui {
namespace {

constexpr std::size_t kMostRemembered = 64;

}  // namespace

void TimelineZoom::setRange(TimeNs rangeNs) {
  m_axis.setRange(rangeNs);
  m_before.clear();
}

void TimelineZoom::remember() {
  if (!m_before.empty() && m_before.back() == m_axis) return;
  m_before.push_back(m_axis);
  if (m_before.size() > kMostRemembered) m_before.erase(m_before.begin());
}

void TimelineZoom::zoomAt(double x, double factor) {
  remember();
  m_axis.zoomAt(x, factor);
}

void TimelineZoom::show(double fromNs, double toNs) {
  remember();
  m_axis.show(fromNs, toNs);
}

void TimelineZoom::fit() {
  remember();
  m_axis.fit();
}

bool TimelineZoom::undo() {
  if (m_before.empty()) return false;
  const TimeAxis before = m_before.back();
  m_before.pop_back();
  m_axis.show(before.firstNs(), before.lastNs());
  return true;
}

void TimelineZoom::bringIntoView(double fromNs, double toNs) {
  if (fromNs >= m_axis.firstNs() && toNs <= m_axis.lastNs()) return;
  const double span = std::max(m_axis.spanNs(), 1.5 * (toNs - fromNs));
  const double middle = (fromNs + toNs) / 2.0;
  m_axis.show(middle - span / 2.0, middle + span / 2.0);
}

}  // namespace stagelane::ui
