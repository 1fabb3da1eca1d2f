#include "ui/plan/variants/tab_layout.h"

#include <algorithm>
#include <numeric>

namespace stagelane::ui {
namespace {

constexpr int kArrow = 22;  ///< width of each scroll arrow
constexpr int kArrowHeight = 24;
constexpr int kAdd = 24;
constexpr int kAddGap = 4;
constexpr int kMenuRoom = 22;
constexpr QSize kMenu{18, 16};

}  // namespace

int TabLayout::widthOf(int name, int badge, bool current) {
  return kPadding + kCheck + kGap + name + kGap + badge + (current ? kMenuRoom : 0) + kPadding;
}

void TabLayout::place(QSize bar, const std::vector<int>& widths, int current) {
  m_bar = bar;
  m_total = std::accumulate(widths.begin(), widths.end(), 0);
  if (current >= 0 && current < static_cast<int>(widths.size())) {
    const int left = std::accumulate(widths.begin(), widths.begin() + current, 0);
    const int right = left + widths[static_cast<std::size_t>(current)];
    // Shows the tab's end, unless that would hide its beginning.
    m_scroll = std::min(std::max(m_scroll, right - room()), left);
  }
  m_scroll = std::clamp(m_scroll, 0, furthest());
  placeTabs(widths, current);
}

void TabLayout::placeTabs(const std::vector<int>& widths, int current) {
  m_places.clear();
  int x = -m_scroll;
  for (const int width : widths) {
    Place place;
    place.tab = QRect(x, 0, width, m_bar.height());
    place.check = QRect(x + kPadding, (m_bar.height() - kCheck) / 2, kCheck, kCheck);
    if (static_cast<int>(m_places.size()) == current) {
      place.menu = QRect(
          QPoint(place.tab.right() - kPadding - kCheck, (m_bar.height() - kMenu.height()) / 2),
          kMenu);
    }
    x += width;
    m_places.push_back(place);
  }
}

void TabLayout::scrollBy(int pixels) {
  const int before = m_scroll;
  m_scroll = std::clamp(m_scroll + pixels, 0, furthest());
  for (Place& place : m_places) {
    place.tab.translate(before - m_scroll, 0);
    place.check.translate(before - m_scroll, 0);
    place.menu.translate(before - m_scroll, 0);
  }
}

int TabLayout::furthest() const { return std::max(0, m_total - room()); }

int TabLayout::tabAt(QPoint at) const {
  const auto found = std::find_if(m_places.begin(), m_places.end(), [&](const Place& place) {
    return place.tab.contains(at) && at.x() < room();
  });
  return found == m_places.end() ? -1 : static_cast<int>(found - m_places.begin());
}

bool TabLayout::overflows() const {
  return m_total + kAdd + 2 * kAddGap > std::max(0, m_bar.width() - kSummary);
}

int TabLayout::room() const {
  const int ends = kAdd + 2 * kAddGap + (overflows() ? 2 * kArrow : 0);
  return std::max(0, m_bar.width() - kSummary - ends);
}

int TabLayout::endOfTabs() const { return overflows() ? room() : m_total - m_scroll; }

QRect TabLayout::before() const {
  return overflows() ? QRect(endOfTabs(), (m_bar.height() - kArrowHeight) / 2, kArrow, kArrowHeight)
                     : QRect();
}

QRect TabLayout::after() const { return before().translated(kArrow, 0); }

QRect TabLayout::add() const {
  return {endOfTabs() + (overflows() ? 2 * kArrow : 0) + kAddGap, (m_bar.height() - kAdd) / 2, kAdd,
          kAdd};
}

}  // namespace stagelane::ui
