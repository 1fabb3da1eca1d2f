#pragma once

/// Which blocks of the chain are selected, and which one has the keyboard focus. A plain value.

#include <cstddef>
#include <set>
#include <vector>

#include "ui/plan/plan_model/chain_layout.h"

namespace stagelane::ui {

using BlockSet = std::vector<std::size_t>;  ///< ascending

/// How much of a chip is selected; a closed group may be selected in part.
enum class Selected { None, Part, All };

class PlanSelection {
 public:
  [[nodiscard]] const std::set<std::size_t>& blocks() const { return m_blocks; }
  [[nodiscard]] bool empty() const { return m_blocks.empty(); }
  /// Ascending.
  [[nodiscard]] BlockSet list() const { return {m_blocks.begin(), m_blocks.end()}; }
  /// The block with the keyboard focus.
  [[nodiscard]] std::size_t current() const { return m_current; }
  /// Where an action on the selection starts: its first block, else the focused one.
  [[nodiscard]] std::size_t first() const { return empty() ? m_current : *m_blocks.begin(); }
  [[nodiscard]] Selected selected(std::size_t first, std::size_t last) const;

  void select(std::size_t first, std::size_t last);
  /// From the anchor to this chip.
  void extendTo(std::size_t first, std::size_t last);
  void toggle(std::size_t first, std::size_t last);
  void clear() { m_blocks.clear(); }
  /// Goes to the next chip in chain order, `step` −1 or +1; `extend` keeps the selection. False if
  /// no chip has the focus.
  bool step(int step, bool extend, const ChainLayout& layout);
  /// Drops block indices that a chain of `count` blocks does not have.
  void keepWithin(std::size_t count);

 private:
  std::set<std::size_t> m_blocks;
  std::size_t m_current = 0;
  /// The anchor chip; a closed group has several blocks.
  std::size_t m_anchorFirst = 0;
  std::size_t m_anchorLast = 0;
};

}  // namespace stagelane::ui
