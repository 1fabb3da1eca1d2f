#pragma once

/// Which blocks of the chain are selected, and where the keyboard is. A value; knows nothing of
/// models or devices, and says nothing to anybody.

#include <cstddef>
#include <set>
#include <vector>

#include "ui/plan/lanes/chain_layout.h"

namespace stagelane::ui {

using BlockSet = std::vector<std::size_t>;  ///< ascending

/// How much of a chip is selected: a closed group may be in part.
enum class Selected { None, Part, All };

class PlanSelection {
 public:
  [[nodiscard]] const std::set<std::size_t>& blocks() const { return m_blocks; }
  [[nodiscard]] bool empty() const { return m_blocks.empty(); }
  /// Ascending.
  [[nodiscard]] BlockSet list() const { return {m_blocks.begin(), m_blocks.end()}; }
  /// Where the keyboard is.
  [[nodiscard]] std::size_t current() const { return m_current; }
  /// What an act on the selection begins at: its first block, else where the keyboard is.
  [[nodiscard]] std::size_t first() const { return empty() ? m_current : *m_blocks.begin(); }
  [[nodiscard]] Selected selected(std::size_t first, std::size_t last) const;

  void select(std::size_t first, std::size_t last);
  /// From where the selection began to this chip.
  void extendTo(std::size_t first, std::size_t last);
  void toggle(std::size_t first, std::size_t last);
  void clear() { m_blocks.clear(); }
  /// The next chip in chain order, `step` −1 or +1; `extend` keeps what is selected. False where
  /// the keyboard is on no chip.
  bool step(int step, bool extend, const ChainLayout& layout);
  /// Blocks are numbers: in a chain of so many the others are gone.
  void keepWithin(std::size_t count);

 private:
  std::set<std::size_t> m_blocks;
  std::size_t m_current = 0;
  /// The chip that the selection began with; a closed group has many blocks.
  std::size_t m_anchorFirst = 0;
  std::size_t m_anchorLast = 0;
};

}  // namespace stagelane::ui
