#include "ui/plan/plan_model/plan_selection.h"

#include <algorithm>
#include <iterator>

namespace stagelane::ui {

Selected PlanSelection::selected(std::size_t first, std::size_t last) const {
  const auto count = static_cast<std::size_t>(
      std::distance(m_blocks.lower_bound(first), m_blocks.upper_bound(last)));
  return count == 0 ? Selected::None : count == last - first + 1 ? Selected::All : Selected::Part;
}

void PlanSelection::select(std::size_t first, std::size_t last) {
  m_anchorFirst = first;
  m_anchorLast = last;
  extendTo(first, last);
}

void PlanSelection::extendTo(std::size_t first, std::size_t last) {
  m_blocks.clear();
  const std::size_t end = std::max(last, m_anchorLast);
  for (std::size_t block = std::min(first, m_anchorFirst); block <= end; ++block) {
    m_blocks.insert(block);
  }
  m_current = first;
}

void PlanSelection::toggle(std::size_t first, std::size_t last) {
  const bool wasSelected = selected(first, last) == Selected::All;
  for (std::size_t block = first; block <= last; ++block) {
    if (wasSelected) {
      m_blocks.erase(block);
    } else {
      m_blocks.insert(block);
    }
  }
  m_anchorFirst = m_current = first;
  m_anchorLast = last;
}

bool PlanSelection::step(int step, bool extend, const ChainLayout& layout) {
  const auto here = layout.chipOfBlock(m_current);
  if (!here) return false;
  const auto count = static_cast<int>(layout.chips.size());
  const int start = static_cast<int>(*here);
  const int next = empty() ? start : std::clamp(start + step, 0, count - 1);
  const ChipPlace& chip = layout.chips[static_cast<std::size_t>(next)];
  if (extend) {
    extendTo(chip.first, chip.last);
  } else {
    select(chip.first, chip.last);
  }
  return true;
}

void PlanSelection::keepWithin(std::size_t count) {
  if (m_current >= count) {
    m_current = m_anchorFirst = m_anchorLast = 0;
    m_blocks.clear();
  }
  m_anchorLast = std::min(m_anchorLast, count == 0 ? 0 : count - 1);
  m_anchorFirst = std::min(m_anchorFirst, m_anchorLast);
  m_blocks.erase(m_blocks.lower_bound(count), m_blocks.end());
}

}  // namespace stagelane::ui
